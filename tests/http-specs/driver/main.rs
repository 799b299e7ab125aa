//! Calls operations by the generated clients, with the values that the scenarios of the mock server have:
//! `http-specs-driver ADDRESS SCENARIOS RESULTS` writes what was wrong with each. Written by `wireform-http-specs`.

mod calls;
mod paths;
mod values;

use std::future::Future;
use std::pin::Pin;

use serde_json::{Value, json};
use wireform_client::wire::xml::XmlRoot;
use wireform_client::wire::{Request, ResponseHeaders, WireBody, operation::Operation};
use wireform_client::{Client, RetryPolicy};

use values::Values;

/// An operation that can be called.
pub struct Call {
    /// The name of its API.
    pub api: &'static str,
    /// Below which path it is.
    pub base_path: &'static str,
    pub operation: &'static Operation,
    pub send: fn(&Values) -> Sent,
}

/// A call under way, and what it comes to: the status, the body and the headers as they are written again.
pub type Sent = Pin<Box<dyn Future<Output = Result<Received, String>>>>;

#[derive(Debug, Default)]
pub struct Received {
    status: u16,
    body: Option<Vec<u8>>,
    headers: Vec<(&'static str, Option<String>)>,
}

#[macro_export]
macro_rules! call {
    ($api:literal, $library:ident, $request:ident { $($member:ident: $index:literal),* }, $body:ident, $headers:ident) => {
        Call {
            api: $api,
            base_path: $library::requests::API.base_path.name,
            operation: <$library::requests::$request as ::wireform_client::wire::Request>::OPERATION,
            send: |values| {
                let _operation = <$library::requests::$request as ::wireform_client::wire::Request>::OPERATION;
                let make = || call!(@make values, _operation, $library::requests::$request { $($member: $index),* }, $body);
                let client = values.client($library::Client::builder()).map(|client| client.runtime().clone());
                let headers = ["if-match", "if-none-match", "accept"].map(|name| values.header(name));
                let made = client.and_then(|client| Ok((client, make()?)));
                Box::pin(async move {
                    let (client, request) = made?;
                    call!(@send client, request, headers, $library, $headers)
                })
            },
        }
    };
    (@make $values:ident, $operation:ident, $request:path { $($member:ident: $index:literal),* }, none) => {
        { type Made = $request; Ok::<_, String>(Made { $($member: $values.parameter($operation, $index)?),* }) }
    };
    (@make $values:ident, $operation:ident, $request:path { $($member:ident: $index:literal),* }, required) => {
        { type Made = $request; Ok::<_, String>(Made { $($member: $values.parameter($operation, $index)?,)* body: $values.body(<$request as ::wireform_client::wire::Request>::BODY_XML)? }) }
    };
    (@make $values:ident, $operation:ident, $request:path { $($member:ident: $index:literal),* }, optional) => {
        { type Made = $request; Ok::<_, String>(Made { $($member: $values.parameter($operation, $index)?,)* body: $values.optional_body(<$request as ::wireform_client::wire::Request>::BODY_XML)? }) }
    };
    (@send $client:ident, $made:ident, $set:ident, $library:ident, none) => {
        $crate::send($client, $made, $set, |_| Vec::new()).await
    };
    (@send $client:ident, $made:ident, $set:ident, $library:ident, $headers:ident) => {
        $crate::send($client, $made, $set, |reply| $crate::headers(&reply.read_headers::<$library::requests::$headers>())).await
    };
}

/// Sends a request, and writes its response again.
pub async fn send<R: Request>(
    client: Client,
    request: R,
    [if_match, if_none_match, accept]: [Option<String>; 3],
    headers: fn(&wireform_client::Reply<R::Response>) -> Vec<(&'static str, Option<String>)>,
) -> Result<Received, String> {
    let mut call = client.call(request);
    call.options_mut().retry = Some(RetryPolicy::off());
    call.options_mut().if_match = if_match;
    call.options_mut().if_none_match = if_none_match;
    call.options_mut().accept = accept;
    match call.perform().await {
        Ok(reply) => {
            let is_xml = |root: &&XmlRoot| root.is_xml(reply.headers.get("content-type").and_then(|it| it.to_str().ok()));
            let encode = |value: &R::Response| {
                let body = value.encode()?;
                R::response_xml(value).filter(is_xml).map_or(Ok(body.clone()), |root| root.to_xml(&body))
            };
            let body = reply.value.as_ref().map(encode).transpose().map_err(|error| error.to_string())?;
            Ok(Received { status: reply.status, body, headers: headers(&reply) })
        }
        // A success that cannot be read has its status as well.
        Err(error) => match error.status() {
            Some(status) if status >= 300 => Ok(Received { status, ..Received::default() }),
            _ => Err(format!("{error}: {:?}", error.kind())),
        },
    }
}

/// A document without the white space between its elements, and with what is empty in one form.
fn xml(document: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(document).ok()?.trim();
    let text = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(text, |(_, rest)| rest);
    if !text.trim_start().starts_with('<') {
        return None;
    }
    let mut whole = String::new();
    for piece in text.split_inclusive('>') {
        // Of a text the white space counts.
        let piece = if piece.trim_start().starts_with('<') { piece.trim_start() } else { piece };
        match piece.strip_suffix("/>") {
            Some(empty) if !piece.starts_with("</") => {
                let empty = empty.trim_end();
                let name = empty.trim_start_matches('<').split_whitespace().next().unwrap_or_default();
                whole.push_str(&format!("{empty}></{name}>"));
            }
            _ => whole.push_str(piece),
        }
    }
    Some(whole)
}

/// The headers of a response that the schema has, as they are written again.
pub fn headers<H: ResponseHeaders>(headers: &H) -> Vec<(&'static str, Option<String>)> {
    let mut written: Vec<_> = H::NAMES.iter().map(|name| (*name, None)).collect();
    headers.write(&mut |name, value| {
        written.iter_mut().filter(|(known, _)| *known == name).for_each(|(_, there)| there.clone_from(&value));
    });
    written
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, scenarios, results] = &arguments[..] else { panic!("ADDRESS SCENARIOS RESULTS") };
    let text = std::fs::read_to_string(scenarios).expect("the scenarios can be read");
    let scenarios: Vec<Value> = serde_json::from_str(&text).expect("the scenarios are JSON");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let reports: Vec<Value> = scenarios
        .iter()
        .map(|scenario| {
            let calls = scenario["calls"].as_array().into_iter().flatten();
            let problems: Vec<String> =
                calls.filter_map(|call| runtime.block_on(perform(address, scenario, call)).err()).collect();
            json!({ "name": scenario["name"], "problems": problems })
        })
        .collect();
    std::fs::write(results, serde_json::to_string_pretty(&reports).expect("results are JSON")).expect("results are kept");
}

/// Makes a call of a scenario, and compares what comes back.
async fn perform(address: &str, scenario: &Value, call: &Value) -> Result<(), String> {
    let (method, uri) = (call["method"].as_str().unwrap_or_default(), call["uri"].as_str().unwrap_or_default());
    let api = scenario["api"].as_str().unwrap_or_default();
    let found = calls::CALLS
        .iter()
        .filter(|one| one.api == api && one.operation.method == method)
        .filter_map(|one| paths::find(one, uri).map(|found| (one, found)))
        .max_by_key(|(_, found)| found.literals);
    let Some((one, found)) = found else { return Err(format!("no operation is `{method} {uri}`")) };
    let values = Values::new(address, found, scenario, call);
    let received = (one.send)(&values).await.map_err(|error| format!("{}: {error}", one.operation.name))?;
    compare(&call["response"], &received).map_err(|error| format!("{}: {error}", one.operation.name))
}

fn compare(expected: &Value, received: &Received) -> Result<(), String> {
    let status = expected["status"].as_u64().unwrap_or_default();
    if status != u64::from(received.status) {
        return Err(format!("the status is {} and not {status}", received.status));
    }
    if let (Some(body), Some(there)) = (values::bytes(&expected["body"]), &received.body) {
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
        let same = body == *there
            || json(&body).zip(json(there)).is_some_and(|(expected, there)| values::same(&expected, &there))
            || xml(&body).is_some_and(|expected| Some(expected) == xml(there));
        if !same {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(300).collect::<String>();
            return Err(format!("the body is {} and not {}", text(there), text(&body)));
        }
    }
    for (name, value) in expected["headers"].as_object().into_iter().flatten() {
        let there = received.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, there)) = there.filter(|(_, there)| there.as_deref() != value.as_str()) {
            return Err(format!("the header {name} is {there:?} and not {value}"));
        }
    }
    Ok(())
}
