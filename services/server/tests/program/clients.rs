//! Tests with the generated client.

use mailbox_client::Client;
use mailbox_client::runtime::{Credentials, SyncError, SyncEvent};
use mailbox_client::types::runtime::Decimal;
use mailbox_client::types::{Label, Message};

use crate::program::{Home, Server};

fn client(server: &Server) -> Client {
    let credentials = Credentials::token(server.token.clone());
    Client::builder().base_url(&*server.base).credentials(credentials).build().expect("a client")
}

/// Returns the changes after a history ID or sync token, and the next one; `None` if a full sync is required.
async fn changes(client: &Client, cursor: Decimal<u64>) -> Option<(usize, Decimal<u64>)> {
    let mut changes = client.users().history().list_changes("me").since(cursor);
    let mut found = 0;
    loop {
        match changes.next().await.expect("it ends with a cursor") {
            Ok(SyncEvent::Change(_)) => found += 1,
            Ok(SyncEvent::Done(cursor)) => return Some((found, cursor)),
            Err(SyncError::FullSyncRequired(_)) => return None,
            Err(SyncError::Call(error)) => unreachable!("{error}"),
        }
    }
}

#[tokio::test]
async fn a_copy_of_the_mailbox_is_kept_up_to_date() {
    let home = Home::new();
    let server = home.serve(&["--clock", "2026-01-05T09:00:00Z"]);
    let client = client(&server);
    let profile = client.users().get_profile("me").send().await.expect("a profile");
    let start = profile.history_id.expect("a number");

    let label = client.users().labels().create("me", Label::default().with_name("Work")).send().await.expect("made");
    let mut ids = Vec::new();
    for number in 0..3 {
        let raw = format!("From: a@b\r\nSubject: {number}\r\n\r\nText.\r\n");
        let message = Message::default().with_raw(raw.into_bytes()).with_label_ids(label.id.clone());
        ids.push(client.users().messages().insert("me", message).send().await.expect("inserted").id.expect("an id"));
    }
    let (found, cursor) = changes(&client, start).await.expect("the history is there");
    assert_eq!(found, 3);
    client.users().messages().trash("me", &*ids[0]).send().await.expect("trashed");
    let (found, cursor) = changes(&client, cursor).await.expect("the history is there");
    assert_eq!(found, 1);
    assert_eq!(changes(&client, cursor).await.map(|(found, _)| found), Some(0));
    server.post("/-/clock", &serde_json::json!({ "advance": "P9D" })).await;
    assert_eq!(changes(&client, start).await, None, "a client that is too late does a full sync");
}
