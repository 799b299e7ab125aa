//! Test cases: a case about a request or a response is one run of the client and one of the server.

use std::fmt;
use std::path::Path;

use serde_json::{Value, json};

/// Subject of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Malformed,
    RequestClient,
    RequestServer,
    ResponseClient,
    ResponseServer,
}

impl Side {
    /// Returns the name in the list and for the runner.
    pub fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::RequestClient => "request-client",
            Self::RequestServer => "request-server",
            Self::ResponseClient => "response-client",
            Self::ResponseServer => "response-server",
        }
    }
}

/// Case for one side.
#[derive(Debug)]
pub struct Run {
    pub side: Side,
    pub operation: String,
    pub id: String,
    pub case: Value,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side.word(), self.id)
    }
}

impl Run {
    /// Returns the value of the case.
    pub fn params(&self) -> &Value {
        &self.case["params"]
    }

    /// Returns whether the message has a body.
    pub fn has_body(&self) -> bool {
        self.case["body"].as_str().is_some_and(|body| !body.is_empty())
    }

    /// Returns the parts of the HTTP message that the runner needs.
    pub fn wire(&self) -> Value {
        let case = if self.side == Side::Malformed { &self.case["request"] } else { &self.case };
        let query: Vec<&str> = case["queryParams"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let uri = case["uri"].as_str().unwrap_or_default();
        let target = if query.is_empty() { uri.to_owned() } else { format!("{uri}?{}", query.join("&")) };
        json!({
            "method": case["method"], "target": target, "status": case["code"],
            "headers": case["headers"], "body": case["body"],
        })
    }
}

/// Returns all runs of a folder of cases.
pub fn read(folder: &Path) -> Vec<Run> {
    let mut files: Vec<_> = fs_err::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    files.sort();
    let mut runs = Vec::new();
    for file in files {
        let text = fs_err::read_to_string(&file).expect("the cases can be read");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("the cases are JSON");
        for case in cases {
            runs.extend(sides(&case).iter().map(|side| Run {
                side: *side,
                operation: case["target"].as_str().unwrap_or_default().to_owned(),
                id: case["id"].as_str().unwrap_or_default().to_owned(),
                case: case.clone(),
            }));
        }
    }
    runs
}

fn sides(case: &Value) -> &'static [Side] {
    let side = case["appliesTo"].as_str();
    match (case["kind"].as_str().unwrap_or_default(), side) {
        ("httpMalformedRequestTests", _) => &[Side::Malformed],
        ("httpRequestTests", None) => &[Side::RequestClient, Side::RequestServer],
        ("httpRequestTests", Some("client")) => &[Side::RequestClient],
        ("httpRequestTests", Some(_)) => &[Side::RequestServer],
        ("httpResponseTests", None) => &[Side::ResponseClient, Side::ResponseServer],
        ("httpResponseTests", Some("client")) => &[Side::ResponseClient],
        ("httpResponseTests", Some(_)) => &[Side::ResponseServer],
        (other, _) => panic!("unknown kind of case {other}"),
    }
}
