//! What is told, and what is said of it.

use serde_json::{Value, json};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The server is sent something that it must refuse.
    Malformed,
    /// The client sends a request.
    RequestClient,
    /// The server is sent a request.
    RequestServer,
    /// The client is sent an answer.
    ResponseClient,
    /// The server sends an answer.
    ResponseServer,
}

/// A task.
#[derive(Debug)]
pub struct Task {
    pub kind: Kind,
    pub operation: String,
    /// The parameters in the order of the schema, as JSON.
    pub arguments: Vec<Value>,
    /// The body; null for none.
    pub body: Value,
    /// What is on the wire: `method`, `target`, `status`, `headers`, `body`.
    pub wire: Value,
    /// What the service answers.
    pub response: Value,
}

impl Task {
    /// Reads a line.
    pub fn read(line: &str) -> Self {
        let mut task: Value = serde_json::from_str(line).expect("a task is JSON");
        let kind = match task["kind"].as_str() {
            Some("malformed") => Kind::Malformed,
            Some("request-client") => Kind::RequestClient,
            Some("request-server") => Kind::RequestServer,
            Some("response-client") => Kind::ResponseClient,
            Some("response-server") => Kind::ResponseServer,
            other => panic!("{other:?} is no task"),
        };
        Self {
            kind,
            operation: task["operation"].as_str().unwrap_or_default().to_owned(),
            arguments: task["arguments"].as_array().cloned().unwrap_or_default(),
            body: task["body"].take(),
            wire: task["wire"].take(),
            response: task["response"].take(),
        }
    }

    /// A text of what is on the wire.
    pub fn text(&self, member: &str) -> &str {
        self.wire[member].as_str().unwrap_or_default()
    }

    /// The headers on the wire.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.wire["headers"].as_object().into_iter().flatten();
        headers.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
    }
}

/// What came of a task.
pub struct Done(pub Value);

impl Done {
    /// It could not be done.
    pub fn error(error: &dyn std::fmt::Display) -> Self {
        Self(json!({ "error": error.to_string() }))
    }
}

/// Headers as JSON, names in lower case; what comes several times is put together with commas (RFC 9110, section 5.3).
pub fn headers(headers: &http::HeaderMap) -> Value {
    let mut all = serde_json::Map::new();
    for name in headers.keys() {
        let values: Vec<_> =
            headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        all.insert(name.to_string(), values.join(", ").into());
    }
    Value::Object(all)
}
