//! Documentation of operations that clients and servers share.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs;
use crate::model::{Api, Demand, ErrorCase, Http, Operation, Part, ScopeNeed, Segment};

/// Returns lines as doc attributes, without leading empty ones.
pub fn attributes(lines: &[String]) -> TokenStream {
    let lines = lines.iter().skip_while(|line| line.is_empty()).map(|line| docs::line(line));
    quote! { #(#lines)* }
}

/// Returns the method and path: `` `GET /calendars/{calendarId}/events` ``
pub fn address(operation: &Operation) -> String {
    docs::code(&format!("{} {}", operation.http.method, path(operation, &operation.http)))
}

/// Returns the path of an operation: `/calendars/{calendarId}/events`
pub fn path(operation: &Operation, http: &Http) -> String {
    let variable = |index: &usize| operation.parameter(*index).name.wire.as_str();
    let mut path = String::new();
    for segment in &http.segments {
        path.push('/');
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Variable(index) => path.push_str(&format!("{{{}}}", variable(index))),
            Segment::Parts(parts) => parts.iter().for_each(|part| match part {
                Part::Text(text) => path.push_str(text),
                Part::Variable(index) => path.push_str(&format!("{{{}}}", variable(index))),
            }),
            Segment::Rest(index) | Segment::Name(index, _) => path.push_str(&format!("{{+{}}}", variable(index))),
        }
    }
    if let Some(verb) = &http.verb {
        path.push(':');
        path.push_str(verb);
    }
    path
}

/// Describes the media that can be uploaded.
pub fn media(operation: &Operation) -> Option<String> {
    let media = operation.media.as_ref()?;
    let mut ways: Vec<String> = media.ways().map(|way| docs::code(&path(operation, &way.http))).collect();
    ways.dedup();
    if ways.is_empty() {
        return None;
    }
    let types: Vec<String> = media.upload.iter().map(|media_type| docs::code(media_type)).collect();
    let types = if types.is_empty() { "any type".to_owned() } else { types.join(", ") };
    let most = media.max_bytes.map(|most| format!(", up to {most} bytes")).unwrap_or_default();
    Some(format!("Accepts an upload of {types}{most}, to {}.", ways.join(" or ")))
}

/// Describes the required scopes, keys and quota.
pub fn needs(api: &Api, operation: &Operation) -> Vec<String> {
    let names =
        |list: &[usize]| -> Vec<String> { list.iter().map(|index| docs::code(&api.scope(*index).name)).collect() };
    let mut needs = Vec::new();
    needs.extend(security_requirements(api, operation));
    match &operation.scopes {
        ScopeNeed::None => {}
        ScopeNeed::AnyOf(list) if list.len() == 1 => needs.push(format!("Needs the scope {}.", names(list).join(""))),
        ScopeNeed::AnyOf(list) => needs.push(format!("Needs one of the scopes {}.", names(list).join(", "))),
        ScopeNeed::AllOf(list) => needs.push(format!("Needs the scopes {}.", names(list).join(", "))),
    }
    needs.extend(operation.api_key.then(|| "Public resources need only an API key.".to_owned()));
    needs.extend((operation.cost > 1).then(|| format!("Costs {} units of quota.", operation.cost)));
    needs
}

/// Describes the security requirements: `` Needs `login`, or `key` and `token` with the scope `items`. ``
fn security_requirements(api: &Api, operation: &Operation) -> Option<String> {
    let demand = |demand: &Demand| {
        let name = docs::code(&api.security_scheme(demand.scheme).name);
        let scopes: Vec<String> = demand.scopes.iter().map(|index| docs::code(&api.scope(*index).name)).collect();
        match scopes.len() {
            0 => name,
            1 => format!("{name} with the scope {}", scopes.join("")),
            _ => format!("{name} with the scopes {}", scopes.join(", ")),
        }
    };
    let ways = operation.security.as_ref().filter(|ways| !ways.is_empty())?;
    let way = |way: &Vec<Demand>| match way.as_slice() {
        [] => "no credentials".to_owned(),
        way => way.iter().map(demand).collect::<Vec<_>>().join(" and "),
    };
    Some(format!("Needs {}.", ways.iter().map(way).collect::<Vec<_>>().join(", or ")))
}

/// Describes an error: `* 410 `fullSyncRequired`: The token is too old.`
pub fn error(error: &ErrorCase) -> String {
    let reason = error.reason.as_ref().map(|reason| format!(" {}", docs::code(reason))).unwrap_or_default();
    let doc = docs::paragraph(&error.doc);
    let doc = if doc.is_empty() { doc } else { format!(": {doc}") };
    format!("* {}{reason}{doc}", error.status)
}
