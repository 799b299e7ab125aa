//! Documentation of operations that clients and servers share.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs;
use crate::model::{Api, ErrorCase, Http, Operation, SchemeRequirement, ScopeRequirement, Segment, SegmentPart};

/// Returns lines as doc attributes, without leading empty ones.
pub fn attributes(lines: &[String]) -> TokenStream {
    let lines = lines.iter().skip_while(|line| line.is_empty()).map(|line| docs::line_attribute(line));
    quote! { #(#lines)* }
}

/// Returns the method and path: `` `GET /calendars/{calendarId}/events` ``
pub fn method_and_path(operation: &Operation) -> String {
    docs::code_span(&format!("{} {}", operation.http.method, path(operation, &operation.http)))
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
                SegmentPart::Text(text) => path.push_str(text),
                SegmentPart::Variable(index) => path.push_str(&format!("{{{}}}", variable(index))),
            }),
            Segment::Rest(index) | Segment::ResourceName(index, _) => {
                path.push_str(&format!("{{+{}}}", variable(index)))
            }
        }
    }
    if let Some(verb) = &http.verb {
        path.push(':');
        path.push_str(verb);
    }
    path
}

/// Describes the media that can be uploaded.
pub fn media_docs(operation: &Operation) -> Option<String> {
    let media = operation.media.as_ref()?;
    let mut ways: Vec<String> =
        media.upload_endpoints().map(|way| docs::code_span(&path(operation, &way.http))).collect();
    ways.dedup();
    if ways.is_empty() {
        return None;
    }
    let types: Vec<String> = media.upload.iter().map(|media_type| docs::code_span(media_type)).collect();
    let types = if types.is_empty() { "any type".to_owned() } else { types.join(", ") };
    let max = media.max_bytes.map(|max| format!(", up to {max} bytes")).unwrap_or_default();
    Some(format!("Accepts an upload of {types}{max}, to {}.", ways.join(" or ")))
}

/// Describes the required scopes, keys and quota.
pub fn requirement_docs(api: &Api, operation: &Operation) -> Vec<String> {
    let names =
        |list: &[usize]| -> Vec<String> { list.iter().map(|index| docs::code_span(&api.scope(*index).name)).collect() };
    let mut needs = Vec::new();
    needs.extend(security_requirements(api, operation));
    match &operation.scopes {
        ScopeRequirement::None => {}
        ScopeRequirement::AnyOf(list) if list.len() == 1 => {
            needs.push(format!("Needs the scope {}.", names(list).join("")))
        }
        ScopeRequirement::AnyOf(list) => needs.push(format!("Needs one of the scopes {}.", names(list).join(", "))),
        ScopeRequirement::AllOf(list) => needs.push(format!("Needs the scopes {}.", names(list).join(", "))),
    }
    needs.extend(operation.api_key.then(|| "Public resources need only an API key.".to_owned()));
    needs.extend((operation.cost > 1).then(|| format!("Costs {} units of quota.", operation.cost)));
    needs
}

/// Describes the security requirements: `` Needs `login`, or `key` and `token` with the scope `items`. ``
fn security_requirements(api: &Api, operation: &Operation) -> Option<String> {
    let demand = |demand: &SchemeRequirement| {
        let name = docs::code_span(&api.security_scheme(demand.scheme).name);
        let scopes: Vec<String> = demand.scopes.iter().map(|index| docs::code_span(&api.scope(*index).name)).collect();
        match scopes.len() {
            0 => name,
            1 => format!("{name} with the scope {}", scopes.join("")),
            _ => format!("{name} with the scopes {}", scopes.join(", ")),
        }
    };
    let ways = operation.security.as_ref().filter(|ways| !ways.is_empty())?;
    let way = |way: &Vec<SchemeRequirement>| match way.as_slice() {
        [] => "no credentials".to_owned(),
        way => way.iter().map(demand).collect::<Vec<_>>().join(" and "),
    };
    Some(format!("Needs {}.", ways.iter().map(way).collect::<Vec<_>>().join(", or ")))
}

/// Describes an error: `* 410 `fullSyncRequired`: The token is too old.`
pub fn error_docs(error: &ErrorCase) -> String {
    let reason = error.reason.as_ref().map(|reason| format!(" {}", docs::code_span(reason))).unwrap_or_default();
    let doc = docs::paragraph(&error.doc);
    let doc = if doc.is_empty() { doc } else { format!(": {doc}") };
    format!("* {}{reason}{doc}", error.status)
}
