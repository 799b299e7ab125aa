//! Drafts: messages with the label `DRAFT`, written by the operations on messages.

use serde_json::{Value, json};
use wireform_store::Store;

use super::send::{self, Delivery};
use super::{MAILBOX, message, message_target};
use crate::apis::{UserClient, compose, text_field};
use crate::arguments::Arguments;
use crate::authority::missing_scope;
use crate::pool::unknown_method;

/// Maximum number of pages of drafts that one call reads, of 500 each.
const MAX_PAGES: usize = 10;

/// Calls a method on the drafts of the client's user.
pub(super) async fn call<S: Store>(
    store: &S,
    client: &UserClient<'_>,
    method: &str,
    arguments: &Arguments,
) -> Result<Value, String> {
    if method == "list" {
        let all =
            client.list(&format!("{MAILBOX}/messages?maxResults=500&q=in%3Adrafts"), "messages", MAX_PAGES).await?;
        return Ok(all.iter().filter_map(|message| text_field(message, "id")).map(to_json).collect());
    }
    if method == "get" {
        return find(client, arguments.text("id")?)
            .await
            .map(|draft| to_json(text_field(&draft, "id").unwrap_or_default()));
    }
    if !client.authority.allows(&send::SCOPES) {
        return Err(missing_scope("to write drafts"));
    }
    match method {
        "create" => create(client, arguments).await,
        "update" => {
            let old = find(client, arguments.text("id")?).await?;
            let new = create(client, arguments).await?;
            remove(client, &old).await.map(|()| new)
        }
        "delete" => remove(client, &find(client, arguments.text("id")?).await?).await.map(|()| Value::Null),
        "send" => send(store, client, arguments.text("id")?).await,
        other => Err(unknown_method(&format!("drafts.{other}"))),
    }
}

/// Returns a draft for scripts. Its message has the same identifier.
fn to_json(id: &str) -> Value {
    json!({ "id": id, "message_id": id })
}

/// Reads a message that is a draft.
async fn find(client: &UserClient<'_>, id: &str) -> Result<Value, String> {
    let found = message::get_without_data(client, id).await?;
    let is_draft = found.get("labels").and_then(Value::as_array).is_some_and(|all| all.contains(&"DRAFT".into()));
    if is_draft { Ok(found) } else { Err(format!("draft `{id}` not found")) }
}

/// Stores a new draft from the arguments of a script, and returns it.
async fn create(client: &UserClient<'_>, arguments: &Arguments) -> Result<Value, String> {
    let parent = send::read_parent(client, arguments).await?;
    let mail = send::compose_mail(client, arguments, &parent)?;
    let thread = arguments.optional("thread_id");
    let made = send::store_copy(client, &mail.compose(true)?, "DRAFT", thread).await?;
    Ok(to_json(text_field(&made, "id").unwrap_or_default()))
}

/// Deletes a draft permanently.
async fn remove(client: &UserClient<'_>, draft: &Value) -> Result<(), String> {
    // The token allowed finding it; removing it is part of writing drafts.
    let target = message_target(text_field(draft, "id").unwrap_or_default());
    client.as_user(client.user).send("DELETE", target, None).await.map(drop)
}

/// Sends a draft, which becomes a sent message.
async fn send<S: Store>(store: &S, client: &UserClient<'_>, id: &str) -> Result<Value, String> {
    let draft = find(client, id).await?;
    let found = client.get(format!("{}?format=raw", message_target(id))).await?;
    let own = message::decode_data(text_field(&found, "raw").unwrap_or_default());
    let lists = ["to", "cc", "bcc"].map(|list| text_field(&draft, list).unwrap_or_default());
    let delivery = Delivery {
        recipients: send::recipients(lists)?,
        raw: compose::remove_hidden_recipients(&own),
        sender_copy: own,
        thread: text_field(&draft, "thread_id"),
    };
    let sent = send::deliver_locally(store, client, delivery).await?;
    remove(client, &draft).await?;
    message::get(client, text_field(&sent, "id").unwrap_or_default()).await
}
