//! Tests of statements of the specification, each with all operations, fields and values that it applies to.

mod features;
mod fields;
mod fixed;
mod formats;
mod limits;
mod readers;
mod times;
mod types;

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::desk::{TestResponse, TestService, hour, with};

/// Operations that write the fields of an event.
const WRITES: [&str; 4] = ["insert", "import", "update", "patch"];

/// Writes fields of an event with an operation; an event to change is created before.
async fn write(desk: &TestService, operation: &str, query: &str, members: &Value) -> TestResponse {
    write_over(desk, operation, query, hour(2, 9, "Lunch"), members).await
}

/// Writes fields of an event with an operation, in addition to those of a given event.
async fn write_over(desk: &TestService, operation: &str, query: &str, event: Value, members: &Value) -> TestResponse {
    let whole = with(event.clone(), members.clone());
    match operation {
        "insert" => desk.post(query, whole).await,
        "import" => desk.post(&format!("/import{query}"), with(json!({ "iCalUID": new_uid() }), whole)).await,
        _ => {
            let stored = desk.insert(event).await;
            let path = format!("/{}{query}", stored["id"].as_str().unwrap());
            match operation {
                "update" => desk.put(&path, whole).await,
                _ => desk.patch(&path, members.clone()).await,
            }
        }
    }
}

fn new_uid() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("{}@example.net", NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Reads the event of a response.
async fn read(desk: &TestService, response: &TestResponse) -> Value {
    desk.event(response.ok()["id"].as_str().unwrap()).await
}
