//! Methods of `GmailApp` and `MailApp`.

mod drafts;
mod message;
mod send;
mod threads;

use serde_json::{Value, json};
use wireform_store::Store;

pub(crate) use self::threads::Threads;
use super::{UserClient, encode, text_field};
use crate::arguments::Arguments;
use crate::pool::unknown_method;

/// Path of the user's mailbox in the API.
const MAILBOX: &str = "/mail/v1/users/me";

/// Calls a method on the mail of the client's user.
pub(crate) async fn call<S: Store>(
    store: &S,
    client: &UserClient<'_>,
    method: &str,
    arguments: Value,
) -> Result<Value, String> {
    let arguments = Arguments(arguments);
    match method {
        "send" => send::send(store, client, &arguments).await,
        "unread_count" => threads::count_unread(client, arguments.text("query")?).await,
        _ => match method.split_once('.') {
            Some(("messages", method)) => call_on_message(client, method, &arguments).await,
            Some(("threads", method)) => threads::call(store, client, method, &arguments).await,
            Some(("drafts", method)) => drafts::call(store, client, method, &arguments).await,
            Some(("labels", method)) => call_on_labels(client, method, &arguments).await,
            _ => Err(unknown_method(method)),
        },
    }
}

/// Returns the path of a message in the API.
fn message_target(id: &str) -> String {
    format!("{MAILBOX}/messages/{}", encode(id))
}

/// Calls a method on one message.
async fn call_on_message(client: &UserClient<'_>, method: &str, arguments: &Arguments) -> Result<Value, String> {
    let id = arguments.text("id")?;
    let target = message_target(id);
    match method {
        "get" => message::get(client, id).await,
        "raw" => {
            let found = client.get(format!("{target}?format=raw")).await?;
            let raw = message::decode_data(text_field(&found, "raw").unwrap_or_default());
            Ok(Value::from(String::from_utf8_lossy(&raw).into_owned()))
        }
        "modify" => {
            let change = json!({ "addLabelIds": arguments.list("add_labels")?, "removeLabelIds": arguments.list("remove_labels")? });
            client.send("POST", format!("{target}/modify"), Some(change)).await.map(|_| Value::Null)
        }
        "trash" => client.send("POST", format!("{target}/trash"), None).await.map(|_| Value::Null),
        other => Err(unknown_method(&format!("messages.{other}"))),
    }
}

/// Calls a method on the labels of the user.
async fn call_on_labels(client: &UserClient<'_>, method: &str, arguments: &Arguments) -> Result<Value, String> {
    match method {
        "list" => user_labels(client).await.map(Value::Array),
        "create" => {
            let label = json!({ "name": arguments.text("name")? });
            client.send("POST", format!("{MAILBOX}/labels"), Some(label)).await
        }
        "delete" => {
            let target = format!("{MAILBOX}/labels/{}", encode(arguments.text("id")?));
            client.send("DELETE", target, None).await.map(|_| Value::Null)
        }
        other => Err(unknown_method(&format!("labels.{other}"))),
    }
}

/// Lists the user's own labels.
async fn user_labels(client: &UserClient<'_>) -> Result<Vec<Value>, String> {
    let mut found = client.get(format!("{MAILBOX}/labels")).await?;
    let labels = found.get_mut("labels").map(Value::take);
    let Some(Value::Array(labels)) = labels else { return Ok(Vec::new()) };
    Ok(labels.into_iter().filter(|label| text_field(label, "type") == Some("user")).collect())
}
