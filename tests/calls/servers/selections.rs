//! Partial responses: the result of `fields` equals that of a filter on the JSON, for every operation that returns a
//! resource and in every output format.

use std::io::Read as _;

use axum::http::{Method, Request, StatusCode};
use serde_json::{Map, Value};
use wireform_server::axum::{self, Router, body::Body};

use crate::desk::{Desk, SERVED, Served};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, request, send};

/// Number of selections generated for each response.
const SELECTIONS: u64 = 60;

/// Selection of fields.
enum Tree {
    Whole,
    /// Fields by name, or all of them by `*`.
    Some(Vec<(String, Tree)>),
}

/// Deterministic random number generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }
}

/// Returns whether a selection can name that field. Keys of maps may contain the separators.
fn is_name(name: &str) -> bool {
    !name.contains(|c: char| "/,()*".contains(c) || c.is_whitespace() || c.is_control())
}

/// Returns the object whose fields a selection names. Selections skip lists.
fn object(value: &Value) -> Option<&Map<String, Value>> {
    match value {
        Value::Object(members) => Some(members),
        Value::Array(items) => items.iter().find_map(object),
        _ => None,
    }
}

/// Returns a random selection of part of a value.
fn random_part(value: &Value, random: &mut Random) -> Tree {
    let Some(members) = object(value).filter(|members| !members.is_empty()) else { return Tree::Whole };
    if !members.keys().all(|name| is_name(name)) {
        // The keys of a map that are not names can only be selected by `*`.
        let below = members.values().next().map_or(Tree::Whole, |value| random_subtree(value, random));
        return Tree::Some(vec![("*".to_owned(), below)]);
    }
    let mut chosen = Vec::new();
    for (name, value) in members {
        if random.below(3) == 0 {
            chosen.push((name.clone(), random_subtree(value, random)));
        }
    }
    if chosen.is_empty() {
        let at = usize::try_from(random.below(members.len() as u64)).expect("few");
        let (name, value) = members.iter().nth(at).expect("the object has fields");
        chosen.push((name.clone(), random_subtree(value, random)));
    }
    Tree::Some(chosen)
}

fn random_subtree(value: &Value, random: &mut Random) -> Tree {
    if random.below(3) == 0 { Tree::Whole } else { random_part(value, random) }
}

impl Tree {
    /// Returns the text of the selection in one of its notations.
    fn text(&self, random: &mut Random) -> String {
        let Self::Some(members) = self else { return String::new() };
        let mut texts: Vec<String> = members.iter().map(|(name, below)| below.below(name, random)).collect();
        if random.below(4) == 0 {
            // A repeated name has no effect.
            texts.push(texts[0].clone());
        }
        let at = usize::try_from(random.below(texts.len() as u64)).expect("few");
        texts.rotate_left(at);
        texts.join(",")
    }

    fn below(&self, name: &str, random: &mut Random) -> String {
        match self {
            Self::Whole => name.to_owned(),
            // Equivalent notation: `a/b,a/c`.
            Self::Some(members) if random.below(3) == 0 => {
                let each = members.iter().map(|(member, below)| match below {
                    Self::Whole => format!("{name}/{member}"),
                    Self::Some(_) => format!("{name}/{member}({})", below.text(random)),
                });
                each.collect::<Vec<_>>().join(",")
            }
            Self::Some(_) => format!("{name}({})", self.text(random)),
        }
    }

    /// Returns the selected part of a value, or `None` if fields are selected of a value that has none.
    fn filter(&self, value: &Value) -> Option<Value> {
        let Self::Some(wanted) = self else { return Some(value.clone()) };
        match value {
            Value::Array(items) => Some(items.iter().filter_map(|item| self.filter(item)).collect()),
            Value::Object(members) => {
                let kept = members.iter().filter_map(|(name, value)| {
                    let (_, below) = wanted.iter().find(|(wanted, _)| wanted == name || wanted == "*")?;
                    Some((name.clone(), below.filter(value)?))
                });
                Some(Value::Object(kept.collect()))
            }
            _ => None,
        }
    }
}

fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Returns the valid request of an operation with further query parameters.
fn with_query(served: &Served, query: &str) -> Valid {
    let of = valid::of(served.api, served.operation);
    let separator = if of.target.contains('?') { '&' } else { '?' };
    Valid { target: Box::leak(format!("{}{separator}{query}", of.target).into_boxed_str()), ..of }
}

async fn send_query(router: &Router, served: &Served, query: &str) -> TestResponse {
    send(router, request(with_query(served, query))).await
}

fn operations_with_response() -> impl Iterator<Item = &'static Served> {
    SERVED.iter().filter(|served| served.response.is_some())
}

fn with(mut request: Request<Body>, name: &'static str, value: &str) -> Request<Body> {
    request.headers_mut().insert(name, value.parse().expect("a header"));
    request
}

fn decompress(got: &TestResponse) -> Vec<u8> {
    if got.header("content-encoding") != Some("gzip") {
        return got.body.to_vec();
    }
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(got.body.as_ref()).read_to_end(&mut text).expect("it is gzip");
    text
}

#[tokio::test]
async fn what_is_selected_is_what_a_filter_leaves() {
    let router = Desk::samples().router();
    let (mut parts, mut packed) = (0, 0);
    for (index, served) in operations_with_response().enumerate() {
        let whole = send_query(&router, served, "").await.json();
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (index as u64 + 1));
        for _ in 0..SELECTIONS {
            let tree = random_part(&whole, &mut random);
            let text = tree.text(&mut random);
            if text.is_empty() || text.len() > 4000 {
                continue;
            }
            let expected = tree.filter(&whole).expect("an object");
            let query = format!("fields={}", encode(&text));
            let response = send_query(&router, served, &query).await;
            assert_eq!(response.status.as_u16(), served.status, "{} {text}: {response:?}", served.operation);
            assert_eq!(response.json(), expected, "{} {text}", served.operation);
            parts += usize::from(expected != whole);
            // The output format does not change the value.
            let pretty = send_query(&router, served, &format!("{query}&prettyPrint=true")).await;
            assert_eq!(pretty.json(), expected, "{} {text}", served.operation);
            let lines = pretty.body.iter().filter(|byte| **byte == b'\n').count();
            assert!(lines > 1 || expected == Value::Object(Map::new()), "{} {text}: {pretty:?}", served.operation);
            let gzip = send(&router, with(request(with_query(served, &query)), "accept-encoding", "gzip")).await;
            assert_eq!(decompress(&gzip), response.body, "{} {text}", served.operation);
            packed += usize::from(gzip.header("content-encoding").is_some());
        }
    }
    assert!(parts > 500 && packed > 50, "{parts} {packed}");
}

#[tokio::test]
async fn every_member_can_be_selected_alone() {
    let router = Desk::samples().router();
    for served in operations_with_response() {
        let whole = send_query(&router, served, "").await.json();
        for (name, value) in whole.as_object().expect("a resource") {
            let one = send_query(&router, served, &format!("fields={}", encode(name))).await.json();
            assert_eq!(one, Value::Object([(name.clone(), value.clone())].into_iter().collect()), "{name}");
        }
        for all in ["*", "%20*%20", "", "+"] {
            assert_eq!(send_query(&router, served, &format!("fields={all}")).await.json(), whole, "{all:?}");
        }
    }
}

#[tokio::test]
async fn wrong_selections_are_refused_at_their_parameter() {
    let desk = Desk::samples();
    let router = desk.router();
    let deep = vec!["a"; 33].join("/");
    let long = vec!["kind"; 2000].join(",");
    for served in operations_with_response() {
        let whole = send_query(&router, served, "").await.json();
        desk.take();
        let leaf = whole.as_object().and_then(|members| members.iter().find(|(_, value)| value.is_string()));
        let below_leaf = leaf.map(|(name, _)| format!("{name}/a"));
        let wrong = ["nope", ",", "(", ")", "a(", "()", "a b", "/", "*/", "a//b", "**", "\u{0}", "é", &deep, &long];
        for text in wrong.into_iter().map(str::to_owned).chain(below_leaf) {
            let response = send_query(&router, served, &format!("fields={}", encode(&text))).await;
            assert_eq!(response.status, StatusCode::BAD_REQUEST, "{} {text}: {response:?}", served.operation);
            let items = response.json()["error"]["errors"].clone();
            assert_eq!(items.as_array().map(Vec::len), Some(1), "{items}");
            assert_eq!((&items[0]["location"], &items[0]["locationType"]), (&"fields".into(), &"parameter".into()));
        }
        let response = send_query(&router, served, "fields=%FF").await;
        assert_eq!(response.json()["error"]["errors"][0]["location"], "fields", "{response:?}");
        let response = send_query(&router, served, "fields=*&fields=*").await;
        assert_eq!(response.json()["error"]["errors"][0]["location"], "fields", "{response:?}");
        assert_eq!(desk.take(), [], "{}", served.operation);
    }
}

/// Without a body, any selection is accepted.
#[tokio::test]
async fn a_response_without_a_body_has_no_fields() {
    let router = Desk::samples().router();
    for served in SERVED.iter().filter(|served| served.response.is_none()) {
        let response = send_query(&router, served, "fields=anything(at,all)").await;
        assert_eq!((response.status.as_u16(), response.body.len()), (served.status, 0), "{}", served.operation);
    }
}

#[tokio::test]
async fn a_head_response_has_no_body() {
    let router = Desk::samples().router();
    for served in operations_with_response().filter(|served| valid::of(served.api, served.operation).method == "GET") {
        let name = served
            .response
            .and_then(|sample| serde_json::from_str::<Map<String, Value>>(sample).ok()?.into_iter().next());
        let name = encode(&name.expect("a member").0);
        for query in ["".to_owned(), format!("fields={name}"), format!("fields={name}&prettyPrint=true")] {
            for coding in ["identity", "gzip"] {
                let get = send(&router, with(request(with_query(served, &query)), "accept-encoding", coding)).await;
                let mut head = with(request(with_query(served, &query)), "accept-encoding", coding);
                *head.method_mut() = Method::HEAD;
                let head = send(&router, head).await;
                assert_eq!((head.status, head.body.len()), (get.status, 0), "{} {query}", served.operation);
                assert_eq!(head.header("content-length"), Some(get.body.len().to_string().as_str()), "{query}");
                for header in ["etag", "content-type", "content-encoding", "vary", "cache-control"] {
                    assert_eq!(head.header(header), get.header(header), "{} {query} {header}", served.operation);
                }
            }
        }
        let mut wrong = request(with_query(served, "fields=nope"));
        *wrong.method_mut() = Method::HEAD;
        let wrong = send(&router, wrong).await;
        assert_eq!((wrong.status, wrong.body.len()), (StatusCode::BAD_REQUEST, 0), "{}", served.operation);
    }
}

#[tokio::test]
async fn a_version_has_one_tag_whatever_is_selected_of_it() {
    let router = Desk::samples().router();
    let mut conditional = 0;
    for served in operations_with_response().filter(|served| valid::of(served.api, served.operation).method == "GET") {
        let whole = send_query(&router, served, "").await;
        let Some(tag) = whole.header("etag").map(str::to_owned) else { continue };
        let name = whole.json().as_object().and_then(|members| members.keys().next().cloned()).expect("a member");
        // Some operations do not support conditions. Those that do support them with any selection.
        let known = send(&router, with(request(with_query(served, "")), "if-none-match", &tag)).await.status;
        conditional += usize::from(known == StatusCode::NOT_MODIFIED);
        for query in ["", "prettyPrint=true", &format!("fields={}", encode(&name))] {
            assert_eq!(send_query(&router, served, query).await.header("etag"), Some(tag.as_str()), "{query}");
            for method in [Method::GET, Method::HEAD] {
                let mut again = with(request(with_query(served, query)), "if-none-match", &tag);
                *again.method_mut() = method.clone();
                let again = send(&router, with(again, "accept-encoding", "gzip")).await;
                assert_eq!(again.status, known, "{} {method} {query}", served.operation);
                assert_eq!(again.header("etag"), Some(tag.as_str()), "{query}");
                if known == StatusCode::NOT_MODIFIED {
                    assert_eq!((again.body.len(), again.header("content-encoding")), (0, None), "{query}");
                }
            }
        }
        // An invalid selection is rejected even if the client has the current version.
        let wrong = with(request(with_query(served, "fields=nope")), "if-none-match", &tag);
        assert_eq!(send(&router, wrong).await.status, StatusCode::BAD_REQUEST, "{}", served.operation);
    }
    assert!(conditional >= 5, "{conditional}");
}
