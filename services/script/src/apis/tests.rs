//! Requests of scripts to the APIs.

use script_server::runtime::MemoryBudget;

use super::*;

#[test]
fn segments_are_encoded() {
    assert_eq!(encode("a@b.c/../x?y=ä"), "a%40b%2Ec%2F%2E%2E%2Fx%3Fy%3D%C3%A4");
}

/// APIs that always send the same response: a message with an attachment, on the last page of a list.
#[derive(Debug)]
struct RepeatingApi(usize);

impl ApiClient for RepeatingApi {
    fn send<'a>(
        &'a self,
        _: &'a User,
        _: &'a Authority,
        _: &'static str,
        _: String,
        _: Option<Value>,
    ) -> BoxedFuture<'a, Result<Response, String>> {
        let body = serde_json::json!({ "data": "x".repeat(self.0) });
        let payload = serde_json::json!({ "mimeType": "image/png", "filename": "a.png", "body": body });
        let messages = serde_json::json!([{ "id": "m", "threadId": "t" }]);
        let all = serde_json::json!({ "payload": payload, "messages": messages, "nextPageToken": null });
        Box::pin(async move { Ok((200, all)) })
    }
}

fn ana() -> User {
    let (address, name) = ("ana@example.com".to_owned(), String::new());
    User { mailbox: wireform_store::Mailbox(1), address, name, created: wireform_store::Millis(0) }
}

#[tokio::test]
async fn one_call_is_limited_to_the_response_budget() {
    let (ana, apis) = (ana(), RepeatingApi(10 << 20));
    let client = UserClient::new(&apis, &ana, &Authority::Full);
    for _ in 0..2 {
        client.get(String::new()).await.unwrap();
    }
    client.as_user(&ana).find(String::new()).await.unwrap();
    let refused = client.get(String::new()).await;
    assert_eq!(refused, Err("the result is too large; request less".to_owned()));
    assert!(UserClient::new(&apis, &ana, &Authority::Full).get(String::new()).await.is_ok(), "another call");
}

#[tokio::test]
async fn responses_to_a_call_hold_memory_of_the_run() {
    let budget = MemoryBudget::new(8 << 20).with_wait(std::time::Duration::ZERO);
    let (ana, apis) = (ana(), RepeatingApi(1 << 20));
    let memory = RunMemory::new(Some(&budget), &ana);
    let client = UserClient { memory: memory.clone(), ..UserClient::new(&apis, &ana, &Authority::Full) };
    for number in 1..4 {
        client.get(String::new()).await.unwrap();
        let held = budget.held();
        assert!((number << 20..(number << 20) + 9_000).contains(&held), "{held}");
    }
    let refused = client.get(String::new()).await;
    assert_eq!(refused, Err("there is no memory for the result; request less, or try again later".to_owned()));
    let other = UserClient { memory: RunMemory::new(Some(&budget), &ana), ..client.as_user(&ana) };
    assert!(other.get(String::new()).await.is_err());
    memory.release_message();
    assert_eq!(budget.held(), 0);
    other.get(String::new()).await.unwrap();
}

/// APIs that respond with a page of two messages of two threads and a token for the next, and count the pages.
#[derive(Debug, Default)]
struct EndlessApi(std::sync::atomic::AtomicUsize);

impl ApiClient for EndlessApi {
    fn send<'a>(
        &'a self,
        _: &'a User,
        _: &'a Authority,
        _: &'static str,
        _: String,
        _: Option<Value>,
    ) -> BoxedFuture<'a, Result<Response, String>> {
        let page = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let message = |number| serde_json::json!({ "id": "m", "threadId": format!("{page}-{number}") });
        let messages = [message(1), message(2)];
        let page = serde_json::json!({ "messages": messages, "nextPageToken": "t" });
        Box::pin(async move { Ok((200, page)) })
    }
}

#[tokio::test]
async fn a_search_stops_once_it_has_enough_threads() {
    let (ana, apis) = (ana(), EndlessApi::default());
    let folder = tempfile::tempdir().unwrap();
    let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
    let arguments = serde_json::json!({ "query": "is:unread", "start": 1, "max": 4 });
    let client = UserClient::new(&apis, &ana, &Authority::Full);
    let found = mail::call(&store, &client, "threads.list", arguments).await.unwrap();
    let ids: Vec<&str> = found.as_array().unwrap().iter().filter_map(|thread| text_field(thread, "id")).collect();
    assert_eq!(ids, ["0-2", "1-1", "1-2", "2-1"]);
    assert_eq!(apis.0.load(std::sync::atomic::Ordering::SeqCst), 3, "pages");
}

#[tokio::test]
async fn threads_omit_attachment_data() {
    let apis = RepeatingApi(8);
    let folder = tempfile::tempdir().unwrap();
    let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
    let ana = wireform_store::Accounts::add_user(&store, "ana@example.com", "", Millis(0)).await.unwrap();
    let call = async |method| {
        let arguments = serde_json::json!({ "id": if method == "threads.get" { "t" } else { "m" } });
        mail::call(&store, &UserClient::new(&apis, &ana, &Authority::Full), method, arguments).await.unwrap()
    };
    let thread = call("threads.get").await;
    let expected = serde_json::json!([{ "name": "a.png", "content_type": "image/png" }]);
    assert_eq!(thread["messages"][0]["attachments"], expected);
    assert!(call("messages.get").await["attachments"][0]["data_base64"].is_string());
}

/// Mailbox of two messages of one thread, which is listed by the API, and its history.
#[derive(Debug, Default)]
struct CountingApi {
    lists: AtomicUsize,
    changed: std::sync::atomic::AtomicBool,
}

impl ApiClient for CountingApi {
    fn send<'a>(
        &'a self,
        _: &'a User,
        _: &'a Authority,
        _: &'static str,
        target: String,
        _: Option<Value>,
    ) -> BoxedFuture<'a, Result<Response, String>> {
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
async fn a_run_lists_its_mailbox_again_only_after_changes() {
    let apis = CountingApi::default();
    let folder = tempfile::tempdir().unwrap();
    let store = wireform_store::Sqlite::open(folder.path(), wireform_store::SqliteOptions::default()).unwrap();
    let ana = wireform_store::Accounts::add_user(&store, "ana@example.com", "", Millis(0)).await.unwrap();
    let client = UserClient::new(&apis, &ana, &Authority::Full);
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
fn api_errors_keep_their_message() {
    let body = serde_json::json!({ "error": { "message": "event `x` not found" } });
    assert_eq!(parse_response((404, body)), Err("event `x` not found".to_owned()));
    assert_eq!(parse_response((503, Value::Null)), Err("the API responded with status 503".to_owned()));
}
