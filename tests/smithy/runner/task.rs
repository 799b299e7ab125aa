//! Tasks of the suite, and their results.

use serde_json::{Value, json};

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The server receives a request that it must reject.
    Malformed,
    /// The client sends a request.
    RequestClient,
    /// The server receives a request.
    RequestServer,
    /// The client receives a response.
    ResponseClient,
    /// The server sends a response.
    ResponseServer,
}

/// A task of the suite.
#[derive(Debug)]
pub struct Task {
    pub kind: Kind,
    pub operation: String,
    /// Parameters in the order of the schema, as JSON.
    pub arguments: Vec<Value>,
    /// Body of the request; null if there is none.
    pub body: Value,
    /// The message on the wire: `method`, `target`, `status`, `headers`, `body`.
    pub wire: Value,
    /// Response of the service.
    pub response: Value,
}

impl Task {
    /// Parses a line.
    pub fn read(line: &str) -> Self {
        let mut task: Value = serde_json::from_str(line).expect("a task is JSON");
        let kind = match task["kind"].as_str() {
            Some("malformed") => Kind::Malformed,
            Some("request-client") => Kind::RequestClient,
            Some("request-server") => Kind::RequestServer,
            Some("response-client") => Kind::ResponseClient,
            Some("response-server") => Kind::ResponseServer,
            other => panic!("unknown task {other:?}"),
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

    /// Returns a string member of the message.
    pub fn text(&self, member: &str) -> &str {
        self.wire[member].as_str().unwrap_or_default()
    }

    /// Returns the headers of the message.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.wire["headers"].as_object().into_iter().flatten();
        headers.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
    }
}

/// Result of a task.
pub struct Done(pub Value);

impl Done {
    /// Reports that the task could not be executed.
    pub fn error(error: &dyn std::fmt::Display) -> Self {
        Self(json!({ "error": error.to_string() }))
    }
}

/// Converts headers to JSON, with lower-case names; repeated headers are joined with commas (RFC 9110, section 5.3).
pub fn headers(headers: &http::HeaderMap) -> Value {
    let mut all = serde_json::Map::new();
    for name in headers.keys() {
        let values: Vec<_> =
            headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        all.insert(name.to_string(), values.join(", ").into());
    }
    Value::Object(all)
}
