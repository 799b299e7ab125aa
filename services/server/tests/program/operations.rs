//! Tests that every operation of the three APIs is implemented.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::program::{Home, read_json};

/// Mail to nobody, in base64.
const MAIL: &str = "VG86IG5vYm9keUBleGFtcGxlLmNvbQ0KU3ViamVjdDogSGVsbG8NCg0KWW91";

/// Returns the body of an operation whose requests need more than `{}`.
fn body(operation: &str) -> Value {
    let (start, end) = (json!({ "date": "2026-01-05" }), json!({ "date": "2026-01-06" }));
    match operation {
        "users.labels.create" | "users.labels.update" => json!({ "name": "Made" }),
        "users.messages.insert" | "users.messages.import" | "users.messages.send" => json!({ "raw": MAIL }),
        "users.messages.batchDelete" => json!({ "ids": [parameter("id")] }),
        "users.drafts.create" | "users.drafts.update" => json!({ "message": { "raw": MAIL } }),
        "users.drafts.send" => json!({ "id": parameter("id") }),
        "freebusy.query" => {
            json!({ "timeMin": "2026-01-05T00:00:00Z", "timeMax": "2026-01-06T00:00:00Z", "items": [{ "id": "primary" }] })
        }
        "users.messages.modify" => json!({ "addLabelIds": ["STARRED"] }),
        "users.messages.batchModify" => json!({ "ids": [parameter("id")], "addLabelIds": ["STARRED"] }),
        "channels.stop" => json!({ "id": "1", "resourceId": "1" }),
        "events.insert" | "events.update" => json!({ "start": start, "end": end }),
        "events.import" => json!({ "start": start, "end": end, "iCalUID": "1@example.com" }),
        "events.watch" => json!({ "id": "1", "type": "web_hook", "address": "https://example.com/hook" }),
        "projects.updateContent" => json!({ "files": [{ "name": "manifest", "type": "JSON", "source": "{}" }] }),
        "scripts.run" => json!({ "function": "f" }),
        _ => json!({}),
    }
}

/// Returns the value of a parameter. Nothing has it as its identifier, so that no request affects others.
fn parameter(name: &str) -> &'static str {
    match name {
        "id" | "messageId" => "0000000000000001",
        "userId" => "me",
        "calendarId" => "nobody@example.com",
        "destination" => "primary",
        "eventId" => "nothing",
        "metricsGranularity" => "DAILY",
        _ => "1",
    }
}

/// Returns the method, the target and the body of a request for an operation of a document.
fn request(base: &str, path: &str, method: &str, operation: &Value) -> (Method, String, Option<Value>) {
    let mut target = format!("{base}{path}");
    let mut query = Vec::new();
    for one in operation["parameters"].as_array().into_iter().flatten().filter(|one| one["required"] == true) {
        let name = one["name"].as_str().expect("a name");
        match one["in"].as_str() {
            Some("path") => target = target.replace(&format!("{{{name}}}"), parameter(name)),
            _ => query.push(format!("{name}={}", parameter(name))),
        }
    }
    let target = if query.is_empty() { target } else { format!("{target}?{}", query.join("&")) };
    let id = operation["operationId"].as_str().expect("a name");
    let body = operation.get("requestBody").map(|_| body(id));
    (method.to_uppercase().parse().expect("a method"), target, body)
}

/// A missing implementation returns 501 after the checks of a request, so a request that they refuse proves nothing.
#[tokio::test]
async fn no_operation_returns_501() {
    let home = Home::new();
    let server = home.serve(&[]);
    let mut count = 0;
    for document in [mailbox_server::OPENAPI, calendar_server::OPENAPI, script_server::OPENAPI] {
        let document: Value = serde_json::from_str(document).expect("JSON");
        let base: http::Uri = document["servers"][0]["url"].as_str().expect("a URL").parse().expect("a URL");
        for (path, methods) in document["paths"].as_object().expect("paths") {
            let methods = methods.as_object().expect("methods").iter();
            for (method, operation) in methods.filter(|(_, operation)| operation["operationId"].is_string()) {
                let (verb, target, body) = request(base.path(), path, method, operation);
                let request = server.request(verb, &target).bearer_auth(&server.token);
                let request = body.iter().fold(request, |request, body| request.json(body));
                let (status, body) = read_json(request.send().await.expect("a response")).await;
                let reached = status.is_success() || status == StatusCode::NOT_FOUND;
                let known = body["error"]["message"].as_str().is_none_or(|text| !text.contains("unknown path"));
                assert!(reached && known, "{}: {status} {body}", operation["operationId"]);
                count += 1;
            }
        }
    }
    assert!(count >= 45, "{count} operations");
}
