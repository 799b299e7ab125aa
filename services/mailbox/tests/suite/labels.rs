//! Tests of labels, and of their message counts.

use serde_json::{Value, json};

use crate::desk::{TestService, plain};

fn path(id: &str) -> String {
    format!("/users/me/labels/{id}")
}

#[tokio::test]
async fn the_system_has_its_labels() {
    let desk = TestService::open().await;
    let response = desk.get("/users/me/labels").await;
    let labels = response.ok()["labels"].as_array().unwrap().clone();
    assert!(labels.iter().all(|label| label["type"] == "system" && label["id"] == label["name"]));
    assert!(labels.iter().any(|label| label["id"] == "INBOX"));
    assert!(labels.iter().all(|label| label.get("messagesTotal").is_none()));
    for id in ["INBOX", "CATEGORY_SOCIAL"] {
        for response in [
            desk.delete(&path(id)).await,
            desk.write("PATCH", &path(id), json!({ "name": "Other" })).await,
            desk.write("PUT", &path(id), json!({ "name": "Other" })).await,
        ] {
            assert_eq!(response.status, 400, "{}", response.body);
            response.assert_location("id");
        }
        assert_eq!(desk.get(&path(id)).await.ok()["name"], id);
    }
}

#[tokio::test]
async fn a_label_is_made_changed_and_deleted() {
    let desk = TestService::open().await;
    let color = json!({ "textColor": "#ffffff", "backgroundColor": "#16a766" });
    let body = json!({ "name": "Travel/2026", "messageListVisibility": "hide", "labelListVisibility": "labelShowIfUnread", "color": color });
    let made = desk.post("/users/me/labels", body).await;
    let made = made.ok();
    let id = made["id"].as_str().unwrap();
    assert_eq!((&made["type"], &made["color"], &made["messagesTotal"]), (&json!("user"), &color, &json!(0)));
    assert_eq!(desk.get(&path(id)).await.ok(), made);

    let patched = desk.write("PATCH", &path(id), json!({ "name": "Trips", "color": null })).await;
    assert_eq!((&patched.ok()["name"], &patched.ok()["messageListVisibility"]), (&json!("Trips"), &json!("hide")));
    assert!(patched.ok().get("color").is_none());
    let put = desk.write("PUT", &path(id), json!({ "name": "Trips", "labelListVisibility": "labelHide" })).await;
    assert!(put.ok().get("messageListVisibility").is_none());
    assert_eq!(put.ok()["labelListVisibility"], "labelHide");

    let gone = desk.delete(&path(id)).await;
    assert_eq!((gone.status.as_u16(), &gone.body), (204, &Value::Null));
    desk.get(&path(id)).await.assert_error(404, "NOT_FOUND", "notFound", id);
    desk.delete(&path(id)).await.assert_error(404, "NOT_FOUND", "notFound", id);
    desk.write("PATCH", &path(id), json!({ "name": "x" })).await.assert_error(404, "NOT_FOUND", "notFound", id);
    desk.get(&path("odd%20one")).await.assert_error(404, "NOT_FOUND", "notFound", "odd one");
}

#[tokio::test]
async fn names_are_taken_once() {
    let desk = TestService::open().await;
    let one = desk.label("Straße").await;
    let two = desk.label("Other").await;
    for name in ["STRASSE", "straße", "Other", "inbox"] {
        let expected = if name == "STRASSE" { 200 } else { 409 };
        let response = desk.post("/users/me/labels", json!({ "name": name })).await;
        assert_eq!(response.status.as_u16(), expected, "{name}: {}", response.body);
        if expected == 409 {
            response.assert_error(409, "ABORTED", "aborted", name);
            response.assert_location("name");
        }
    }
    desk.write("PATCH", &path(&two), json!({ "name": "STRAßE" }))
        .await
        .assert_error(409, "ABORTED", "aborted", "STRAßE");
    // A label may keep its own name.
    assert_eq!(desk.write("PATCH", &path(&one), json!({ "name": "STRAßE" })).await.ok()["name"], "STRAßE");
    // The name of a deleted label can be used again.
    desk.delete(&path(&one)).await;
    let again = desk.label("Straße").await;
    assert_ne!(again, one);
}

#[tokio::test]
async fn reserved_names_are_taken_however_they_are_written() {
    let desk = TestService::open().await;
    let own = desk.label("Own").await;
    for name in [" INBOX ", "inbox\u{a0}", "\u{2003}Trash", "\u{17f}pam", "CATEGORY_\u{17f}ocial", " own "] {
        let response = desk.post("/users/me/labels", json!({ "name": name })).await;
        response.assert_error(409, "ABORTED", "aborted", name);
        response.assert_location("name");
    }
    for name in ["sent ", "\u{17f}ent"] {
        desk.write("PATCH", &path(&own), json!({ "name": name })).await.assert_error(409, "ABORTED", "aborted", name);
    }
    assert_eq!(desk.label(" in box ").await, "Label_2");
}

#[tokio::test]
async fn names_have_no_control_characters() {
    let desk = TestService::open().await;
    let own = desk.label("Own").await;
    for name in ["a\u{0}b", "\u{7}", "a\tb", "a\nb", "a\u{7f}", "a\u{85}b", "\u{9b}x"] {
        for response in [
            desk.post("/users/me/labels", json!({ "name": name })).await,
            desk.write("PUT", &path(&own), json!({ "name": name })).await,
            desk.write("PATCH", &path(&own), json!({ "name": name })).await,
        ] {
            assert_eq!(response.status, 400, "{name:?}: {}", response.body);
            response.assert_location("name");
            assert!(response.body.to_string().contains("must match the pattern"), "{name:?}: {}", response.body);
        }
    }
    assert_eq!(desk.get(&path(&own)).await.ok()["name"], "Own");
}

#[tokio::test]
async fn what_is_no_label_is_refused() {
    let desk = TestService::open().await;
    let id = desk.label("Own").await;
    let bodies = [
        json!({}),
        json!({ "name": "" }),
        json!({ "name": "  " }),
        json!({ "name": "x".repeat(226) }),
        json!({ "name": "x", "messageListVisibility": "odd" }),
        json!({ "name": "x", "labelListVisibility": "odd" }),
        json!({ "name": "x", "color": { "textColor": "#123456", "backgroundColor": "#ffffff" } }),
        json!({ "name": "x", "color": { "textColor": "#ffffff" } }),
        json!([]),
    ];
    for body in bodies {
        assert_eq!(desk.post("/users/me/labels", body.clone()).await.status, 400, "{body}");
        assert_eq!(desk.write("PUT", &path(&id), body.clone()).await.status, 400, "{body}");
    }
    assert_eq!(desk.write("PATCH", &path(&id), json!({ "name": null })).await.status, 400);
    assert_eq!(desk.get(&path(&id)).await.ok()["name"], "Own");
}

#[tokio::test]
async fn messages_and_conversations_are_counted() {
    let desk = TestService::open().await;
    let own = desk.label("Own").await;
    let counts = async || {
        let label = desk.get(&path(&own)).await.ok().clone();
        ["messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"].map(|name| label[name].as_i64().unwrap())
    };
    desk.insert("Message-ID: <1@x>\r\n\r\n", &[&own, "UNREAD"]).await;
    desk.insert("In-Reply-To: <1@x>\r\n\r\n", &[&own]).await;
    let third = desk.insert(&plain("a"), &[&own, "UNREAD"]).await;
    assert_eq!(counts().await, [3, 2, 2, 2]);
    let message = format!("/users/me/messages/{third}");
    desk.post(&format!("{message}/modify"), json!({ "removeLabelIds": ["UNREAD"] })).await.ok();
    assert_eq!(counts().await, [3, 1, 2, 1]);
    desk.delete(&message).await;
    assert_eq!(counts().await, [2, 1, 1, 1]);
}

#[tokio::test]
async fn deleting_a_label_removes_it_from_messages_with_history() {
    let desk = TestService::open().await;
    let own = desk.label("Own").await;
    let id = desk.insert(&plain("a"), &["INBOX", &own]).await;
    let start = desk.history_id().await;
    desk.delete(&path(&own)).await;
    assert_eq!(desk.labels_of(&id).await, ["INBOX"]);
    let history = desk.get(&format!("/users/me/history?startHistoryId={start}&labelId={own}")).await;
    assert_eq!(history.ok()["history"][0]["labelsRemoved"][0]["labelIds"], json!([own]));
    desk.get(&format!("/users/me/messages?labelIds={own}")).await.assert_error(
        400,
        "INVALID_ARGUMENT",
        "invalidArgument",
        &own,
    );
}

#[tokio::test]
async fn a_token_for_labels_works_on_labels() {
    let desk = TestService::open().await.with_token("ana/https://www.googleapis.com/auth/gmail.labels");
    let id = desk.label("Own").await;
    desk.write("PATCH", &path(&id), json!({ "name": "Mine" })).await.ok();
    assert_eq!(desk.with_token("ana/mail.readonly").delete(&path(&id)).await.status, 403);
    assert_eq!(desk.delete(&path(&id)).await.status, 204);
}
