//! The calendar and mail APIs of this server, as scripts use them.

pub(crate) mod calendar;
mod compose;
pub(crate) mod mail;

use std::fmt::{Debug, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use wireform_store::{Clock, Millis, User};

pub(crate) use self::mail::Threads;
pub use crate::authority::Authority;
use crate::engine::Boxed;

/// The status and the body of a response.
pub type Response = (u16, Value);

/// Sends requests to the calendar and mail APIs of this server.
pub trait Apis: Debug + Send + Sync {
    /// Sends a request as a user, within an authority: what a token does not allow is the 403 of the API.
    ///
    /// # Errors
    /// Why there is no response, for the author of the script.
    fn send<'a>(
        &'a self,
        user: &'a User,
        authority: &'a Authority,
        method: &'static str,
        target: String,
        body: Option<Value>,
    ) -> Boxed<'a, Result<Response, String>>;
}

/// The most bytes that responses for one call of a script have together.
const BUDGET: usize = 32 << 20;

/// The APIs for one user, during one call of a script.
pub(crate) struct Client<'a> {
    apis: &'a dyn Apis,
    /// So many bytes of responses may still come, for whichever user.
    left: Arc<AtomicUsize>,
    pub(crate) user: &'a User,
    pub(crate) authority: &'a Authority,
    /// What time it is.
    pub(crate) now: Millis,
    /// What the run knows of threads.
    pub(crate) threads: Arc<Threads>,
}

impl<'a> Client<'a> {
    pub(crate) fn new(apis: &'a dyn Apis, user: &'a User, authority: &'a Authority) -> Self {
        let (left, threads) = (Arc::new(AtomicUsize::new(BUDGET)), Arc::default());
        Self { apis, left, user, authority, now: Clock::system().now(), threads }
    }

    /// Returns the APIs as this server itself uses them for a user.
    pub(crate) fn of<'b>(&'b self, user: &'b User) -> Client<'b> {
        let (left, threads) = (Arc::clone(&self.left), Arc::default());
        Client { apis: self.apis, left, user, authority: &Authority::Full, now: self.now, threads }
    }

    pub(crate) async fn get(&self, target: String) -> Result<Value, String> {
        self.send("GET", target, None).await
    }

    /// Reads a resource; `None` where it does not exist.
    pub(crate) async fn find(&self, target: String) -> Result<Option<Value>, String> {
        match self.request("GET", target, None).await? {
            (404, _) => Ok(None),
            response => read(response).map(Some),
        }
    }

    /// Sends a request; an error of the API is an exception with its message.
    pub(crate) async fn send(
        &self,
        method: &'static str,
        target: String,
        body: Option<Value>,
    ) -> Result<Value, String> {
        read(self.request(method, target, body).await?)
    }

    /// Sends a request, and takes the response off the budget.
    async fn request(&self, method: &'static str, target: String, body: Option<Value>) -> Result<Response, String> {
        let response = self.apis.send(self.user, self.authority, method, target, body).await?;
        let bytes = size(&response.1);
        let rest = |left: usize| left.checked_sub(bytes);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest) {
            Ok(_) => Ok(response),
            Err(_) => Err("the result is too large: ask for less".to_owned()),
        }
    }

    /// Reads the items of all pages of a list, until there are enough of them.
    pub(crate) async fn list(&self, target: &str, member: &str, pages: usize) -> Result<Vec<Value>, String> {
        let mut items = Vec::new();
        let keep = |page: Vec<Value>| {
            items.extend(page);
            true
        };
        self.pages(target, member, pages, keep).await?;
        Ok(items)
    }

    /// Reads a list page by page, as long as `more` returns that it wants the next one.
    pub(crate) async fn pages(
        &self,
        target: &str,
        member: &str,
        pages: usize,
        mut more: impl FnMut(Vec<Value>) -> bool,
    ) -> Result<(), String> {
        let mut token: Option<String> = None;
        for _ in 0..pages {
            let page = match &token {
                None => target.to_owned(),
                Some(token) => format!("{target}&pageToken={}", encode(token)),
            };
            let mut page = self.get(page).await?;
            let found = match page.get_mut(member).map(Value::take) {
                Some(Value::Array(found)) => found,
                _ => Vec::new(),
            };
            token = text(&page, "nextPageToken").map(str::to_owned);
            if !more(found) || token.is_none() {
                return Ok(());
            }
        }
        Err("there are too many results; ask for fewer".to_owned())
    }
}

/// Returns about how many bytes a value has as JSON. The depth of what was parsed is bounded.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value) + 4).sum::<usize>() + 2,
        Value::Null | Value::Bool(_) | Value::Number(_) => 5,
    }
}

fn read((status, body): Response) -> Result<Value, String> {
    if (200..300).contains(&status) {
        return Ok(body);
    }
    let message = body.pointer("/error/message").and_then(Value::as_str);
    Err(message.map_or_else(|| format!("the API responded with status {status}"), str::to_owned))
}

/// Returns a member that is a text.
pub(crate) fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

/// Percent-encodes a segment of a path or a value of a query.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string does not fail. A dot is encoded as well: `..` is no segment here.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_stay_segments() {
        assert_eq!(encode("a@b.c/../x?y=ä"), "a%40b%2Ec%2F%2E%2E%2Fx%3Fy%3D%C3%A4");
    }

    /// Responds with the same always: a message with an attachment, and a token for one more page.
    #[derive(Debug)]
    struct Same(usize);

    impl Apis for Same {
        fn send<'a>(
            &'a self,
            _: &'a User,
            _: &'a Authority,
            _: &'static str,
            _: String,
            _: Option<Value>,
        ) -> Boxed<'a, Result<Response, String>> {
            let body = serde_json::json!({ "data": "x".repeat(self.0) });
            let payload = serde_json::json!({ "mimeType": "image/png", "filename": "a.png", "body": body });
            let messages = serde_json::json!([{ "id": "m", "threadId": "t" }]);
            let all = serde_json::json!({ "payload": payload, "messages": messages, "nextPageToken": null });
            Box::pin(async move { Ok((200, all)) })
        }
    }

    fn ana() -> User {
        let (address, name) = ("ana@example.com".to_owned(), String::new());
        User { mailbox: wireform_store::Mailbox(1), address, name, since: wireform_store::Millis(0) }
    }

    #[tokio::test]
    async fn one_call_reads_so_much_at_most() {
        let (ana, apis) = (ana(), Same(10 << 20));
        let client = Client::new(&apis, &ana, &Authority::Full);
        for _ in 0..2 {
            client.get(String::new()).await.unwrap();
        }
        client.of(&ana).find(String::new()).await.unwrap();
        let refused = client.get(String::new()).await;
        assert_eq!(refused, Err("the result is too large: ask for less".to_owned()));
        assert!(Client::new(&apis, &ana, &Authority::Full).get(String::new()).await.is_ok(), "another call");
    }

    /// Responds with a page of two messages of two threads and a token for the next, and counts the pages.
    #[derive(Debug, Default)]
    struct Endless(std::sync::atomic::AtomicUsize);

    impl Apis for Endless {
        fn send<'a>(
            &'a self,
            _: &'a User,
            _: &'a Authority,
            _: &'static str,
            _: String,
            _: Option<Value>,
        ) -> Boxed<'a, Result<Response, String>> {
            let page = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let message = |number| serde_json::json!({ "id": "m", "threadId": format!("{page}-{number}") });
            let messages = [message(1), message(2)];
            let page = serde_json::json!({ "messages": messages, "nextPageToken": "t" });
            Box::pin(async move { Ok((200, page)) })
        }
    }

    #[tokio::test]
    async fn a_search_reads_no_more_pages_than_it_needs() {
        let (ana, apis) = (ana(), Endless::default());
        let folder = tempfile::tempdir().unwrap();
        let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
        let arguments = serde_json::json!({ "query": "is:unread", "start": 1, "max": 4 });
        let client = Client::new(&apis, &ana, &Authority::Full);
        let found = mail::call(&store, &client, "threads.list", arguments).await.unwrap();
        let ids: Vec<&str> = found.as_array().unwrap().iter().filter_map(|thread| text(thread, "id")).collect();
        assert_eq!(ids, ["0-2", "1-1", "1-2", "2-1"]);
        assert_eq!(apis.0.load(std::sync::atomic::Ordering::SeqCst), 3, "pages");
    }

    #[tokio::test]
    async fn threads_have_no_data_of_attachments() {
        let apis = Same(8);
        let folder = tempfile::tempdir().unwrap();
        let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
        let ana = wireform_store::Accounts::add_user(&store, "ana@example.com", "", Millis(0)).await.unwrap();
        let call = async |method| {
            let arguments = serde_json::json!({ "id": if method == "threads.get" { "t" } else { "m" } });
            mail::call(&store, &Client::new(&apis, &ana, &Authority::Full), method, arguments).await.unwrap()
        };
        let thread = call("threads.get").await;
        let expected = serde_json::json!([{ "name": "a.png", "content_type": "image/png" }]);
        assert_eq!(thread["messages"][0]["attachments"], expected);
        assert!(call("messages.get").await["attachments"][0]["data_base64"].is_string());
    }

    /// A mailbox of two messages of one thread, which is listed by the API, and its history.
    #[derive(Debug, Default)]
    struct Counted {
        lists: AtomicUsize,
        changed: std::sync::atomic::AtomicBool,
    }

    impl Apis for Counted {
        fn send<'a>(
            &'a self,
            _: &'a User,
            _: &'a Authority,
            _: &'static str,
            target: String,
            _: Option<Value>,
        ) -> Boxed<'a, Result<Response, String>> {
            let messages = serde_json::json!([{ "id": "2", "threadId": "t" }, { "id": "1", "threadId": "t" }]);
            let body = if target.contains("/history?") {
                match self.changed.swap(false, Ordering::SeqCst) {
                    true => serde_json::json!({ "history": [{ "id": "9" }] }),
                    false => serde_json::json!({ "historyId": "9" }),
                }
            } else if target.contains("includeSpamTrash") {
                self.lists.fetch_add(1, Ordering::SeqCst);
                serde_json::json!({ "messages": messages })
            } else {
                serde_json::json!({ "id": "1", "threadId": "t" })
            };
            Box::pin(async move { Ok((200, body)) })
        }
    }

    #[tokio::test]
    async fn a_run_lists_its_mailbox_once_until_messages_come_or_go() {
        let apis = Counted::default();
        let folder = tempfile::tempdir().unwrap();
        let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
        let ana = wireform_store::Accounts::add_user(&store, "ana@example.com", "", Millis(0)).await.unwrap();
        let client = Client::new(&apis, &ana, &Authority::Full);
        let read = async || {
            let thread = mail::call(&store, &client, "threads.get", serde_json::json!({ "id": "t" })).await.unwrap();
            assert_eq!(thread["messages"].as_array().unwrap().len(), 2);
            apis.lists.load(Ordering::SeqCst)
        };
        assert_eq!((read().await, read().await), (1, 1));
        apis.changed.store(true, Ordering::SeqCst);
        assert_eq!((read().await, read().await), (2, 2));
    }

    #[test]
    fn errors_of_the_api_have_its_message() {
        let body = serde_json::json!({ "error": { "message": "there is no event `x`" } });
        assert_eq!(read((404, body)), Err("there is no event `x`".to_owned()));
        assert_eq!(read((503, Value::Null)), Err("the API responded with status 503".to_owned()));
    }
}
