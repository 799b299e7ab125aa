//! Compares the results of the runner with the cases.

use std::collections::BTreeMap;

use serde_json::Value;
use wireform_runtime::DateTime;

use super::corpus::{Run, Side};

/// Compares the result of a run.
pub fn judge(run: &Run, task: &Value, done: &Value) -> Result<(), String> {
    if let Some(error) = done["error"].as_str() {
        return Err(error.to_owned());
    }
    match run.side {
        Side::Malformed => check_rejected(run, done),
        Side::RequestClient => check_encoded(run, done),
        Side::RequestServer => check_decoded(done),
        Side::ResponseClient => same(&task["response"], &done["value"]),
        Side::ResponseServer => check_response(run, done),
    }
}

/// Checks that the service is not called, and the status is that of the case. The error body is ours.
fn check_rejected(run: &Run, done: &Value) -> Result<(), String> {
    let (status, expected) = (&done["status"], &run.case["response"]["code"]);
    check(done["asked"] == false && status == expected, || {
        format!("wants {expected}: {status}, asked: {}, {}", done["asked"], done["body"])
    })?;
    let error: Value = serde_json::from_str(done["body"].as_str().unwrap_or_default()).unwrap_or_default();
    let reported = error["message"].as_str().is_some_and(|message| !message.is_empty());
    let json = done["headers"]["content-type"].as_str().is_some_and(|ty| ty.starts_with("application/json"));
    check(reported && json, || format!("says nothing: {}", done["body"]))
}

fn check_decoded(done: &Value) -> Result<(), String> {
    check(done["same"] == true, || {
        format!(
            "{}: {}\n    asked    {}\n    expected {}",
            done["status"], done["body"], done["asked"], done["expected"]
        )
    })
}

fn check_encoded(run: &Run, done: &Value) -> Result<(), String> {
    let case = &run.case;
    check(done["method"] == case["method"], || format!("the method is {}", done["method"]))?;
    let target = done["target"].as_str().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    check(case["uri"] == path, || format!("the path is {path}, not {}", case["uri"]))?;
    let expected: Vec<&str> = texts(&case["queryParams"]).collect();
    check(pairs(query) == pairs(&expected.join("&")), || format!("the query is {query}, not {expected:?}"))?;
    for name in texts(&case["forbidQueryParams"]) {
        check(!pairs(query).contains_key(name), || format!("{name} is in the query {query}"))?;
    }
    headers(case, &done["headers"])?;
    body(case, done)
}

fn check_response(run: &Run, done: &Value) -> Result<(), String> {
    check(done["status"] == run.case["code"], || format!("the status is {}: {}", done["status"], done["body"]))?;
    headers(&run.case, &done["headers"])?;
    body(&run.case, done)
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the parameters of a query with all their values.
fn pairs(query: &str) -> BTreeMap<String, Vec<String>> {
    let mut pairs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        pairs.entry(name.into_owned()).or_default().push(value.into_owned());
    }
    pairs.values_mut().for_each(|values| values.sort());
    pairs
}

/// Checks the headers of the case, except the length of the body, which only connections set.
fn headers(case: &Value, found: &Value) -> Result<(), String> {
    let found = |name: &str| found[name.to_ascii_lowercase()].as_str();
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        let there = found(name).unwrap_or_default();
        // The charset of JSON has no effect (RFC 8259, section 11).
        let there = there.strip_suffix("; charset=UTF-8").unwrap_or(there);
        check(value == there, || format!("{name} is `{there}`, not {value}"))?;
    }
    for name in texts(&case["forbidHeaders"]) {
        check(found(name).is_none(), || format!("{name} is there"))?;
    }
    for name in texts(&case["requireHeaders"]).filter(|name| *name != "Content-Length") {
        check(found(name).is_some(), || format!("{name} is not there"))?;
    }
    Ok(())
}

/// Compares bodies as JSON; without a body in the case, anything is accepted.
fn body(case: &Value, done: &Value) -> Result<(), String> {
    let (expected, found) = (case["body"].as_str().unwrap_or_default(), done["body"].as_str().unwrap_or_default());
    if expected.is_empty() || found.is_empty() {
        return check(expected == found, || format!("the body is `{found}`, not `{expected}`"));
    }
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| format!("{error}: {text}"));
    same(&json(expected)?, &json(found)?)
}

fn same(expected: &Value, found: &Value) -> Result<(), String> {
    check(equal(expected, found), || format!("there is {found}, not {expected}"))
}

/// Returns whether two values are equal: numbers by value, timestamps by the time that they denote.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) if one != other => {
            let (one, other) = (DateTime::parse(one), DateTime::parse(other));
            one.is_ok_and(|one| other.is_ok_and(|other| one.same_instant(&other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
