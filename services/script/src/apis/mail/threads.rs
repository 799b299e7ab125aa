//! Threads, found by the operations on messages.

use serde_json::{Value, json};
use tokio::sync::Mutex;
use wireform_store::{HistoryId, Store};

use super::{MAILBOX, message, message_target, user_labels};
use crate::apis::{UserClient, encode, text_field};
use crate::arguments::Arguments;
use crate::error::to_script_error;
use crate::pool::unknown_method;

/// Maximum number of pages of messages that one call reads, of 500 each.
const MAX_PAGES: usize = 100;
/// Maximum number of messages of a thread that one call reads.
const MAX_MESSAGES: usize = 100;

/// Cache of the messages of a mailbox with their threads, newest first, and the history ID at that time. Without it a
/// script that iterates over threads would list the whole mailbox for each of them.
#[derive(Debug, Default)]
pub(crate) struct Threads(Mutex<Option<Snapshot>>);

/// Contents of the cache.
#[derive(Debug)]
struct Snapshot {
    history: HistoryId,
    /// Identifiers of messages and of their threads.
    messages: Vec<(String, String)>,
}

/// Calls a method on the threads of the client's user.
pub(super) async fn call<S: Store>(
    store: &S,
    client: &UserClient<'_>,
    method: &str,
    arguments: &Arguments,
) -> Result<Value, String> {
    if method == "list" {
        return list(client, arguments).await;
    }
    let id = arguments.text("id")?;
    let ids = messages(store, client, id).await?;
    match method {
        "get" => {
            let mut messages = Vec::with_capacity(ids.len());
            // The API lists the newest first.
            for id in ids.iter().take(MAX_MESSAGES).rev() {
                messages.push(message::get_without_data(client, id).await?);
            }
            Ok(json!({ "id": id, "messages": messages }))
        }
        "modify" => {
            let (add, remove) = (arguments.list("add_labels")?, arguments.list("remove_labels")?);
            for ids in ids.chunks(1000) {
                let change = json!({ "ids": ids, "addLabelIds": add, "removeLabelIds": remove });
                client.send("POST", format!("{MAILBOX}/messages/batchModify"), Some(change)).await?;
            }
            Ok(Value::Null)
        }
        "trash" => {
            for id in &ids {
                client.send("POST", format!("{}/trash", message_target(id)), None).await?;
            }
            Ok(Value::Null)
        }
        "labels" => labels(client, &ids).await,
        other => Err(unknown_method(&format!("threads.{other}"))),
    }
}

/// Returns the messages of a thread, newest first.
async fn messages<S: Store>(store: &S, client: &UserClient<'_>, thread: &str) -> Result<Vec<String>, String> {
    let mut known = client.threads.0.lock().await;
    let is_current = match &*known {
        Some(known) => has_same_messages(client, known.history).await,
        None => false,
    };
    if !is_current {
        *known = None;
        let history = to_script_error(store.profile(client.user.mailbox).await)?.history;
        let target = format!("{MAILBOX}/messages?maxResults=500&includeSpamTrash=true");
        let all = client.list(&target, "messages", MAX_PAGES).await?;
        let pair = |message: &Value| {
            Some((text_field(message, "id")?.to_owned(), text_field(message, "threadId")?.to_owned()))
        };
        *known = Some(Snapshot { history, messages: all.iter().filter_map(pair).collect() });
    }
    let all = known.iter().flat_map(|known| &known.messages);
    let ids: Vec<String> = all.filter(|(_, of)| of == thread).map(|(id, _)| id.clone()).collect();
    if ids.is_empty() { Err(format!("thread `{thread}` not found")) } else { Ok(ids) }
}

/// Returns whether no message was added or removed since then.
async fn has_same_messages(client: &UserClient<'_>, since: HistoryId) -> bool {
    let kinds = "historyTypes=messageAdded&historyTypes=messageDeleted";
    let changes = client.get(format!("{MAILBOX}/history?startHistoryId={}&maxResults=1&{kinds}", since.0)).await;
    // If the history is not available, everything is read again.
    changes.is_ok_and(|page| page.get("history").is_none() && page.get("nextPageToken").is_none())
}

/// Returns at least `limit` threads with messages that match a search, if there are so many, newest first. Reads no
/// more pages than that needs.
async fn search(client: &UserClient<'_>, query: &str, limit: usize) -> Result<Vec<String>, String> {
    let size = limit.clamp(1, 500);
    let target = format!("{MAILBOX}/messages?maxResults={size}&q={}", encode(query));
    let mut threads = Vec::new();
    let mut known = std::collections::HashSet::new();
    let keep = |messages: Vec<Value>| {
        for message in messages {
            let thread = text_field(&message, "threadId").unwrap_or_default();
            if known.insert(thread.to_owned()) {
                threads.push(thread.to_owned());
            }
        }
        threads.len() < limit
    };
    client.pages(&target, "messages", MAX_PAGES, keep).await?;
    Ok(threads)
}

/// Lists the threads with messages that match a search, from the position `start` on.
async fn list(client: &UserClient<'_>, arguments: &Arguments) -> Result<Value, String> {
    let number = |name| arguments.value(name).as_u64().and_then(|number| usize::try_from(number).ok());
    let (start, max) = (number("start").unwrap_or(0), number("max").unwrap_or(100));
    let found = search(client, arguments.text("query")?, start.saturating_add(max)).await?;
    Ok(found.into_iter().skip(start).take(max).map(|id| json!({ "id": id })).collect())
}

/// Counts the threads with unread messages among those that match a search.
pub(super) async fn count_unread(client: &UserClient<'_>, query: &str) -> Result<Value, String> {
    Ok(Value::from(search(client, &format!("{query} is:unread"), usize::MAX).await?.len()))
}

/// Returns the user's own labels of messages.
async fn labels(client: &UserClient<'_>, ids: &[String]) -> Result<Value, String> {
    let mut found = std::collections::HashSet::new();
    for id in ids.iter().take(MAX_MESSAGES) {
        let message = client.get(format!("{}?format=minimal", message_target(id))).await?;
        let labels = message.get("labelIds").and_then(Value::as_array).cloned().unwrap_or_default();
        found.extend(labels.iter().filter_map(Value::as_str).map(str::to_owned));
    }
    let all = user_labels(client).await?.into_iter();
    Ok(all.filter(|label| text_field(label, "id").is_some_and(|id| found.contains(id))).collect())
}
