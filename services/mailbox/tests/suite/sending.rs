//! Tests of sending mail, of drafts, and of deleting several messages.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use crate::desk::{TestResponse, TestService, data, ids, mail, plain, texts};

const DRAFTS: &str = "/users/me/drafts";

fn to_ben(more: &str) -> String {
    format!("To: Ben <BEN@example.com>, x@elsewhere.org\r\n{more}Subject: Hello\r\n\r\nHi Ben\r\n")
}

fn draft(raw: &str) -> Value {
    json!({ "message": { "raw": mail(raw.as_bytes(), &[])["raw"] } })
}

async fn send(desk: &TestService, raw: &str) -> TestResponse {
    desk.post("/users/me/messages/send", mail(raw.as_bytes(), &[])).await
}

/// Returns the raw message with an identifier.
async fn raw(desk: &TestService, id: &str) -> String {
    let found = desk.get(&format!("/users/me/messages/{id}?format=raw")).await;
    String::from_utf8(data(&found.ok()["raw"])).unwrap()
}

/// Returns the changes of a mailbox since a history ID: the kind and the message.
async fn changes(desk: &TestService, since: &str) -> Vec<(&'static str, String)> {
    let page = desk.get(&format!("/users/me/history?startHistoryId={since}")).await.ok().clone();
    let mut found = Vec::new();
    for record in page["history"].as_array().into_iter().flatten() {
        for kind in ["messagesAdded", "messagesDeleted", "labelsAdded", "labelsRemoved"] {
            for change in record[kind].as_array().into_iter().flatten() {
                found.push((kind, change["message"]["id"].as_str().unwrap().to_owned()));
            }
        }
    }
    found
}

#[tokio::test]
async fn a_sent_message_is_in_both_mailboxes() {
    let desk = TestService::open().await;
    let ben = desk.with_token("ben/mail");
    let (since, bens) = (desk.history_id().await, ben.history_id().await);
    let sent = send(&desk, &to_ben("Bcc: ana@example.com\r\n")).await.ok().clone();
    assert_eq!(sent["labelIds"], json!(["SENT"]));
    let id = sent["id"].as_str().unwrap();
    let copy = raw(&desk, id).await;
    let added = copy.lines().take(3).collect::<Vec<_>>().join("\n");
    assert!(added.starts_with("From: Ana@Example.com\nDate: Sun, 1 Mar 2026 12:0"), "{added}");
    assert!(added.contains("\nMessage-ID: <") && copy.contains("\r\nBcc: ana@example.com\r\n"), "{copy}");

    let arrived = ids(&ben.get("/users/me/messages?labelIds=INBOX").await.ok()["messages"]);
    assert_eq!(texts(&json!(ben.labels_of(&arrived[0]).await)), ["INBOX", "UNREAD"]);
    assert_eq!(raw(&ben, &arrived[0]).await, copy.replace("Bcc: ana@example.com\r\n", ""));
    assert_eq!(changes(&ben, &bens).await, [("messagesAdded", arrived[0].clone())]);
    // A hidden recipient who is the sender gets it too, in the same thread.
    let own = ids(&desk.get("/users/me/messages").await.ok()["messages"]);
    assert_eq!(own.len(), 2);
    assert_eq!(changes(&desk, &since).await.len(), 2);

    // A reply arrives in the thread of the sent message.
    let message_id = copy.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap();
    let reply = format!("To: ana@example.com\r\nIn-Reply-To: {message_id}\r\n\r\nThanks");
    let bens_thread = send(&ben, &reply).await.ok()["threadId"].clone();
    assert_eq!(bens_thread, ben.get(&format!("/users/me/messages/{}", arrived[0])).await.ok()["threadId"]);
    let newest = ids(&desk.get("/users/me/messages?labelIds=INBOX").await.ok()["messages"]);
    let found = desk.get(&format!("/users/me/messages/{}?format=minimal", newest[0])).await;
    assert_eq!(found.ok()["snippet"], "Thanks");
}

#[tokio::test]
async fn what_cannot_be_sent_is_sent_to_nobody() {
    let desk = TestService::open().await;
    let many: String = (0..51).map(|number| format!("To: x{number}@example.com\r\n")).collect();
    for (raw, names) in [
        (to_ben("From: ben@example.com\r\n"), "`Ana@Example.com`"),
        (to_ben("From: ana@example.com, ben@example.com\r\n"), "`From`"),
        (to_ben("From: nobody\r\n"), "`From`"),
        ("Subject: nobody\r\n\r\nHi".to_owned(), "no recipient"),
        ("no header".to_owned(), "no recipient"),
        (format!("{many}\r\nHi"), "at most 50"),
    ] {
        let refused = send(&desk, &raw).await;
        refused.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", names);
        refused.assert_location("raw");
    }
    for body in [json!({}), json!({ "raw": "" })] {
        assert_eq!(desk.post("/users/me/messages/send", body).await.status, 400);
    }
    let mut body = mail(to_ben("").as_bytes(), &[]);
    body["threadId"] = json!("00000000000000aa");
    desk.post("/users/me/messages/send", body).await.assert_error(404, "NOT_FOUND", "notFound", "thread");
    let large = format!("{}{}", to_ben(""), "x".repeat(12 << 20));
    assert_eq!(send(&desk, &large).await.status, 413);
    assert_eq!(desk.with_token("ben/mail").get("/users/me/profile").await.ok()["messagesTotal"], 0);
    assert_eq!(desk.budget.held(), 0);
    // The address of the user is accepted in any case and with a name.
    send(&desk, &to_ben("From: Ana <ANA@example.com>\r\n")).await.ok();
}

#[tokio::test]
async fn a_draft_is_created_updated_and_sent() {
    let desk = TestService::open().await;
    let ben = desk.with_token("ben/mail");
    let mut since = desk.history_id().await;
    let created = desk.post(DRAFTS, draft("Subject: first\r\n\r\nFirst")).await.ok().clone();
    let id = created["id"].as_str().unwrap().to_owned();
    let message = created["message"]["id"].as_str().unwrap().to_owned();
    assert_eq!(created["message"]["labelIds"], json!(["DRAFT"]));
    assert_eq!(changes(&desk, &since).await, [("messagesAdded", message.clone())]);
    let listed = desk.get(DRAFTS).await.ok().clone();
    let thread = created["message"]["threadId"].clone();
    assert_eq!(listed["drafts"], json!([{ "id": id, "message": { "id": message, "threadId": thread } }]));
    assert_eq!(listed["resultSizeEstimate"], 1);

    since = desk.history_id().await;
    let updated = desk.write("PUT", &format!("{DRAFTS}/{id}"), draft(&to_ben(""))).await.ok().clone();
    assert_eq!((&updated["id"], &updated["message"]["threadId"]), (&json!(id), &thread));
    assert_eq!(changes(&desk, &since).await, [("messagesDeleted", message.clone()), ("messagesAdded", message)]);
    let got = desk.get(&format!("{DRAFTS}/{id}?format=metadata")).await.ok().clone();
    assert_eq!(got["message"]["payload"]["headers"][1], json!({ "name": "Subject", "value": "Hello" }));
    let masked = desk.get(&format!("{DRAFTS}/{id}?fields=message(snippet,payload(mimeType))")).await;
    assert_eq!(*masked.ok(), json!({ "message": { "snippet": "Hi Ben", "payload": { "mimeType": "text/plain" } } }));

    since = desk.history_id().await;
    let sent = desk.post(&format!("{DRAFTS}/send"), json!({ "id": id })).await.ok().clone();
    assert_eq!((&sent["labelIds"], &sent["threadId"]), (&json!(["SENT"]), &thread));
    let new = sent["id"].as_str().unwrap().to_owned();
    assert_eq!(changes(&desk, &since).await, [("messagesDeleted", id.clone()), ("messagesAdded", new)]);
    assert_eq!(ben.get("/users/me/profile").await.ok()["messagesTotal"], 1);
    assert!(desk.get(DRAFTS).await.ok().get("drafts").is_none());
    desk.get(&format!("{DRAFTS}/{id}")).await.assert_error(404, "NOT_FOUND", "notFound", &id);
    let again = desk.post(&format!("{DRAFTS}/send"), json!({ "id": id })).await;
    again.assert_error(404, "NOT_FOUND", "notFound", &id);
    assert_eq!(desk.get("/users/me/profile").await.ok()["messagesTotal"], 1);
}

#[tokio::test]
async fn drafts_are_found_deleted_and_no_other_messages() {
    let desk = TestService::open().await;
    let inserted = desk.insert(&plain("mail"), &["INBOX"]).await;
    for method in ["GET", "DELETE", "PUT"] {
        let path = format!("{DRAFTS}/{inserted}");
        let response = match method {
            "PUT" => desk.write(method, &path, draft(&plain("new"))).await,
            "DELETE" => desk.delete(&path).await,
            _ => desk.get(&path).await,
        };
        response.assert_error(404, "NOT_FOUND", "notFound", &inserted);
    }
    let mut all = Vec::new();
    for number in 0..5 {
        all.push(
            desk.post(DRAFTS, draft(&plain(&format!("number {number}")))).await.ok()["id"].as_str().unwrap().to_owned(),
        );
    }
    all.reverse();
    assert_eq!(ids(&desk.get(&format!("{DRAFTS}?q=number")).await.ok()["drafts"]), all);
    assert_eq!(ids(&desk.get(&format!("{DRAFTS}?q=subject:3")).await.ok()["drafts"]), all[1..2]);
    let (mut listed, mut token) = (Vec::new(), String::new());
    loop {
        let page = desk.get(&format!("{DRAFTS}?maxResults=2{token}")).await.ok().clone();
        listed.extend(ids(&page["drafts"]));
        let Some(next) = page["nextPageToken"].as_str() else { break };
        token = format!("&pageToken={next}");
    }
    assert_eq!(listed, all);
    let (draft_id, since) = (all[0].clone(), desk.history_id().await);
    assert_eq!(desk.delete(&format!("{DRAFTS}/{draft_id}")).await.status, 204);
    assert_eq!(changes(&desk, &since).await, [("messagesDeleted", draft_id.clone())]);
    desk.delete(&format!("{DRAFTS}/{draft_id}")).await.assert_error(404, "NOT_FOUND", "notFound", &draft_id);
    desk.get(&format!("{DRAFTS}/x")).await.assert_error(400, "INVALID_ARGUMENT", "invalidArgument", "x");
    desk.post(DRAFTS, json!({})).await.assert_error(400, "INVALID_ARGUMENT", "required", "raw");
    desk.post(&format!("{DRAFTS}/send"), json!({})).await.assert_error(400, "INVALID_ARGUMENT", "required", "id");
    // A draft that cannot be sent stays.
    desk.post(&format!("{DRAFTS}/send"), json!({ "id": all[1] })).await.assert_error(
        400,
        "INVALID_ARGUMENT",
        "invalidArgument",
        "From",
    );
    assert_eq!(desk.labels_of(&all[1]).await, ["DRAFT"]);
    // The message of the body is sent instead.
    let mut body = draft(&to_ben(""));
    body["id"] = json!(all[1]);
    assert_eq!(desk.post(&format!("{DRAFTS}/send"), body).await.ok()["snippet"], "Hi Ben");
}

#[tokio::test]
async fn several_messages_are_deleted_in_one_record() {
    let desk = TestService::open().await;
    let (one, two, kept) = (
        desk.insert(&plain("one"), &[]).await,
        desk.insert(&plain("two"), &["INBOX"]).await,
        desk.insert(&plain("x"), &[]).await,
    );
    let since = desk.history_id().await;
    let path = "/users/me/messages/batchDelete";
    for _ in 0..2 {
        // Those that are gone are skipped.
        assert_eq!(desk.post(path, json!({ "ids": [one, two, "00000000000000aa"] })).await.status, 204);
    }
    let page = desk.get(&format!("/users/me/history?startHistoryId={since}")).await.ok().clone();
    assert_eq!(page["history"].as_array().unwrap().len(), 1);
    assert_eq!(changes(&desk, &since).await, [("messagesDeleted", one), ("messagesDeleted", two)]);
    assert_eq!(ids(&desk.get("/users/me/messages").await.ok()["messages"]), [kept]);
    desk.post(path, json!({ "ids": ["x"] })).await.assert_location("ids[0]");
    for body in [json!({}), json!({ "ids": [] }), json!({ "ids": vec!["00000000000000aa"; 1001] })] {
        assert_eq!(desk.post(path, body).await.status, 400);
    }
}

/// Each operation with a scope that suffices and one that does not.
#[tokio::test]
async fn operations_need_the_scopes_of_the_public_service() {
    let desk = TestService::open().await;
    let id = desk.post(DRAFTS, draft(&to_ben(""))).await.ok()["id"].as_str().unwrap().to_owned();
    let raw = mail(to_ben("").as_bytes(), &[]);
    for (method, path, body, sufficient, missing) in [
        ("POST", "/users/me/messages/send".to_owned(), Some(raw), "mail.send", "mail.readonly"),
        (
            "POST",
            "/users/me/messages/batchDelete".to_owned(),
            Some(json!({ "ids": ["00000000000000aa"] })),
            "mail",
            "mail.modify",
        ),
        ("GET", "/users/me/threads".to_owned(), None, "mail.metadata", "mail.compose"),
        ("GET", format!("/users/me/threads/{id}?format=minimal"), None, "mail.metadata", "mail.send"),
        ("GET", DRAFTS.to_owned(), None, "mail.compose", "mail.metadata"),
        ("GET", format!("{DRAFTS}/{id}"), None, "mail.compose", "mail.send"),
        ("POST", DRAFTS.to_owned(), Some(draft(&to_ben(""))), "mail.compose", "mail.send"),
        ("PUT", format!("{DRAFTS}/{id}"), Some(draft(&to_ben(""))), "mail.compose", "mail.readonly"),
        ("POST", format!("{DRAFTS}/send"), Some(json!({ "id": id })), "mail.compose", "mail.send"),
    ] {
        let call = async |scope: &str| {
            let request = Request::builder().method(method).uri(format!("/gmail/v1{path}"));
            let request = request.header(header::AUTHORIZATION, format!("Bearer ana/{scope}"));
            let request = request.header(header::CONTENT_TYPE, "application/json");
            let body = body.as_ref().map_or_else(Body::empty, |body| Body::from(body.to_string()));
            desk.send(request.body(body).unwrap()).await
        };
        call(missing).await.assert_error(403, "PERMISSION_DENIED", "insufficientPermissions", "scope");
        let response = call(sufficient).await;
        assert!(response.status.is_success(), "{method} {path}: {}", response.body);
        desk.with_token("ben/mail").get(&path.replace("/me/", "/ana@example.com/")).await.assert_location("userId");
    }
}

/// The copies of a draft that is sent count as those of a message that is sent.
#[tokio::test]
async fn a_large_draft_holds_memory_while_it_is_sent() {
    let desk = TestService::open().await;
    let size = 2 << 20;
    let raw = format!("{}{}", to_ben(""), "x".repeat(size));
    let id = desk.insert(&raw, &["DRAFT"]).await;
    desk.post(&format!("{DRAFTS}/send"), json!({ "id": id })).await.ok();
    assert!(desk.budget.peak() > 3 * size as u64, "{}", desk.budget.peak());
    assert_eq!(desk.budget.held(), 0);
    let id = desk.insert(&format!("{}{}", to_ben(""), "x".repeat(12 << 20)), &["DRAFT"]).await;
    assert_eq!(desk.post(&format!("{DRAFTS}/send"), json!({ "id": id })).await.status, 413);
}
