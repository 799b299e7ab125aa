//! The body of an error, made from what is known of its shape.
//!
//! Known are the names on the way to a member, and not which of them hold lists. So each way to place lists is tried
//! until the type of the body takes it, beginning with none.

use serde_json::{Map, json};
use wireform_runtime::operation::ErrorMembers;
use wireform_runtime::{Answer, Value};

use super::failure::Said;

/// How many names may hold lists; trying doubles with each.
const MOST_LISTS: usize = 8;

type Way = &'static [&'static str];

/// The body of an error that says so, as far as the API's errors have a place for it.
pub(super) fn body<B: Answer>(errors: ErrorMembers, said: &Said) -> Vec<u8> {
    let said = [(errors.message, &said.message), (errors.reason, &said.reason), (errors.location, &said.location)];
    let said: Vec<(Way, &str)> = said.into_iter().filter_map(|(way, text)| Some((way, text.as_deref()?))).collect();
    let stops = stops(&said);
    let bodies = (0..1_usize << stops.len().min(MOST_LISTS)).map(|chosen| {
        let is_list = |way: &[&str]| stops.iter().position(|stop| *stop == way).is_some_and(|at| chosen >> at & 1 == 1);
        let mut body = json!({});
        for (way, text) in &said {
            put(&mut body, way, 0, text, &is_list);
        }
        body.to_string().into_bytes()
    });
    let mut first = None;
    for body in bodies {
        if B::decode(&body).is_ok() {
            return body;
        }
        first.get_or_insert(body);
    }
    first.unwrap_or_default()
}

/// The ways to what holds other members.
fn stops(said: &[(Way, &str)]) -> Vec<Way> {
    let mut stops: Vec<Way> = Vec::new();
    for (way, _) in said {
        for end in 1..way.len() {
            if let Some(stop) = way.get(..end).filter(|stop| !stops.contains(stop)) {
                stops.push(stop);
            }
        }
    }
    stops
}

/// Puts a text at the end of a way, of which so many names lead to `at`.
fn put(at: &mut Value, way: &[&str], gone: usize, text: &str, is_list: &impl Fn(&[&str]) -> bool) {
    let object = match at {
        Value::Array(list) => list.first_mut(),
        value => Some(value),
    };
    let (Some(Value::Object(object)), Some(name)) = (object, way.get(gone)) else { return };
    let gone = gone + 1;
    if gone == way.len() {
        object.insert((*name).to_owned(), text.into());
        return;
    }
    let list = way.get(..gone).is_some_and(is_list);
    let empty = || if list { json!([{}]) } else { Value::Object(Map::new()) };
    put(object.entry(*name).or_insert_with(empty), way, gone, text, is_list);
}
