//! Tests of attachments.

use serde_json::{Value, json};

use crate::desk::{TestService, hour, with};

const SUPPORTED: &str = "supportsAttachments=true";

fn files(count: usize) -> Value {
    let file =
        |number| json!({ "fileUrl": format!("https://example.com/{number}"), "title": format!("File {number}") });
    json!({ "attachments": (0..count).map(file).collect::<Vec<_>>() })
}

fn count(event: &Value) -> usize {
    event["attachments"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn point_82_attachments_are_changed_only_if_supported() {
    let desk = TestService::open().await;
    let lunch = |members: Value| with(with(hour(2, 9, "Lunch"), json!({ "id": "lunch" })), members);
    assert_eq!(count(desk.post("", lunch(files(2))).await.ok()), 0, "without the parameter they are left out");
    let patched = desk.patch(&format!("/lunch?{SUPPORTED}"), files(25)).await.ok().clone();
    assert_eq!((count(&patched), &patched["attachments"][0]["title"]), (25, &json!("File 0")));
    desk.patch(&format!("/lunch?{SUPPORTED}"), files(26)).await.assert_error(400, "invalid");
    let unnamed = json!({ "attachments": [{ "title": "Nowhere" }] });
    let refused = desk.patch(&format!("/lunch?{SUPPORTED}"), unnamed).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    // Without the parameter, stored attachments stay unchanged.
    assert_eq!(count(desk.patch("/lunch", files(1)).await.ok()), 25);
    assert_eq!(count(desk.put("/lunch", lunch(json!({}))).await.ok()), 25);
    assert_eq!(count(desk.put(&format!("/lunch?{SUPPORTED}"), lunch(json!({}))).await.ok()), 0);
}

#[tokio::test]
async fn point_82_the_server_determines_file_ids() {
    let desk = TestService::open().await;
    let file = json!({ "attachments": [{ "fileUrl": "https://example.com/1", "fileId": "mine" }] });
    let event = desk.post(&format!("?{SUPPORTED}"), with(hour(2, 9, "Lunch"), file)).await.ok().clone();
    assert_eq!(event["attachments"], json!([{ "fileUrl": "https://example.com/1" }]));
}
