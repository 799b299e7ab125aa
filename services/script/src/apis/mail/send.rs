//! Sending of mail: a copy is kept, and users of this server receive it.

use serde_json::{Value, json};
use wireform_store::{Error, Store, User};

use super::{MAILBOX, message};
use crate::apis::UserClient;
use crate::apis::compose::{self, Mail};
use crate::arguments::Arguments;
use crate::authority::missing_scope;
use crate::error::to_script_error;

/// Maximum number of recipients of a message.
const MAX_RECIPIENTS: usize = 50;
/// Scopes that allow sending mail.
pub(super) const SCOPES: [&str; 6] =
    ["https://mail.google.com/", "mail", "mail.modify", "gmail.modify", "mail.compose", "gmail.compose"];

/// Sends a message. It does not leave this server: recipients who are not users here do not receive it.
pub(super) async fn send<S: Store>(store: &S, client: &UserClient<'_>, arguments: &Arguments) -> Result<Value, String> {
    if !client.authority.allows(&SCOPES) {
        return Err(missing_scope("to send mail"));
    }
    let lists = ["to", "cc", "bcc"].map(|list| arguments.optional(list).unwrap_or_default());
    let recipients = recipients(lists)?;
    let parent = read_parent(client, arguments).await?;
    let mail = compose_mail(client, arguments, &parent)?;
    let (raw, own) = (mail.compose(false)?, mail.compose(true)?);
    let thread = arguments.optional("thread_id");
    deliver_locally(store, client, Delivery { recipients, raw, sender_copy: own, thread }).await.map(|_| Value::Null)
}

/// Returns the message of a script, as a reply to a parent.
pub(super) fn compose_mail<'a>(
    client: &'a UserClient<'_>,
    arguments: &'a Arguments,
    parent: &'a Value,
) -> Result<Mail<'a>, String> {
    let address = client.user.address.as_str();
    if arguments.optional("from").is_some_and(|from| !from.eq_ignore_ascii_case(address)) {
        return Err(format!("`from` must be the address of the user, `{address}`"));
    }
    let parent = parent.get("message_id").and_then(Value::as_str);
    Ok(Mail { arguments, from: address, parent, id: rand::random(), now: client.now })
}

/// Reads the message that is replied to; returns null if there is none.
pub(super) async fn read_parent(client: &UserClient<'_>, arguments: &Arguments) -> Result<Value, String> {
    match arguments.optional("reply_to_message") {
        Some(id) => message::get_without_data(client, id).await,
        None => Ok(Value::Null),
    }
}

/// Returns the distinct addresses of lists.
pub(super) fn recipients(lists: [&str; 3]) -> Result<Vec<String>, String> {
    let mut recipients: Vec<String> = lists.into_iter().flat_map(compose::addresses).collect();
    recipients.sort_unstable();
    recipients.dedup();
    match recipients.len() {
        0 => Err("the message has no recipient".to_owned()),
        1..=MAX_RECIPIENTS => Ok(recipients),
        _ => Err(format!("a message can have at most {MAX_RECIPIENTS} recipients")),
    }
}

/// Message ready to be delivered.
pub(super) struct Delivery<'a> {
    pub(super) recipients: Vec<String>,
    /// Message for the recipients.
    pub(super) raw: Vec<u8>,
    /// Copy of the sender.
    pub(super) sender_copy: Vec<u8>,
    /// Thread of the sender's copy.
    pub(super) thread: Option<&'a str>,
}

/// Imports a message into the mailboxes of its local recipients, stores the sender's copy as sent and returns it. Other
/// recipients do not receive the message.
pub(super) async fn deliver_locally<S: Store>(
    store: &S,
    client: &UserClient<'_>,
    delivery: Delivery<'_>,
) -> Result<Value, String> {
    let raw = message::encode_data(&delivery.raw);
    // All recipients are looked up before any of them receives the message, and the copy records that it was sent.
    for user in &local_users(store, &delivery.recipients).await? {
        let target = format!("{MAILBOX}/messages/import?internalDateSource=receivedTime");
        client.as_user(user).send("POST", target, Some(json!({ "raw": raw }))).await?;
    }
    store_copy(client, &delivery.sender_copy, "SENT", delivery.thread).await
}

/// Stores a message of the user with a label and returns it.
pub(super) async fn store_copy(
    client: &UserClient<'_>,
    raw: &[u8],
    label: &str,
    thread: Option<&str>,
) -> Result<Value, String> {
    let mut copy = json!({ "raw": message::encode_data(raw), "labelIds": [label] });
    if let (Some(thread), Some(copy)) = (thread, copy.as_object_mut()) {
        copy.insert("threadId".to_owned(), thread.into());
    }
    // For the user, sending is one action, not the insertions of messages that it consists of.
    client.as_user(client.user).send("POST", format!("{MAILBOX}/messages"), Some(copy)).await
}

/// Returns the distinct recipients who are users here.
async fn local_users<S: Store>(store: &S, recipients: &[String]) -> Result<Vec<User>, String> {
    let mut users = Vec::new();
    for recipient in recipients {
        add_user(&mut users, store.user(recipient).await)?;
    }
    Ok(users)
}

/// Adds a user if one was found; addresses of one user can differ in case. An absent user is a recipient elsewhere.
fn add_user(users: &mut Vec<User>, found: wireform_store::Result<User>) -> Result<(), String> {
    match found {
        Err(Error::NotFound { .. }) => {}
        found => {
            let user = to_script_error(found)?;
            if users.iter().all(|known| known.mailbox != user.mailbox) {
                users.push(user);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use wireform_store::Mailbox;

    use super::*;

    #[test]
    fn unknown_addresses_are_recipients_elsewhere() {
        let user = |number, address: &str| User {
            mailbox: Mailbox(number),
            address: address.to_owned(),
            name: String::new(),
            created: wireform_store::Millis(0),
        };
        let mut users = Vec::new();
        add_user(&mut users, Ok(user(1, "ben@example.com"))).unwrap();
        add_user(&mut users, Ok(user(1, "ben@example.com"))).unwrap();
        add_user(&mut users, Ok(user(2, "cy@example.com"))).unwrap();
        add_user(&mut users, Err(Error::not_found("user", "x@elsewhere.org"))).unwrap();
        assert_eq!(users.iter().map(|user| user.mailbox.0).collect::<Vec<_>>(), [1, 2]);
        assert!(add_user(&mut users, Err(Error::Internal("the disk is full".to_owned()))).is_err());
    }
}
