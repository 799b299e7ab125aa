//! What operations are sent and what they answer.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value as Yaml};

use super::draft::{Draft, Place};
use super::node::Node;
use super::own;
use super::paths::Found;
use super::types::{self, Form};
use crate::files::put;
use crate::prose;

/// How what has a media type is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Media {
    Json,
    Form,
}

/// The media types that can be said; ranges that JSON is in are that.
fn media(written: &str) -> Option<Media> {
    let essence = written.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "application/json" | "text/json" | "*/*" | "application/*" => Some(Media::Json),
        "application/x-www-form-urlencoded" => Some(Media::Form),
        essence if essence.ends_with("+json") => Some(Media::Json),
        _ => None,
    }
}

/// What of a map by media type can be said.
struct Content<'d> {
    types: Vec<&'d str>,
    schema: Option<Node<'d>>,
    is_form: bool,
}

/// What is sent, in the media types that have one schema: that of the JSON, where there is any.
fn content<'d>(node: &Node<'d>, forms: bool) -> Option<Content<'d>> {
    let entries = node.entries("content");
    let of = |written: &str| media(written).filter(|media| forms || *media == Media::Json);
    let mut sorted: Vec<&(&'d str, Node<'d>)> = entries.iter().collect();
    sorted.sort_by_key(|(written, _)| of(written) != Some(Media::Json));
    let mut found: Option<Content<'d>> = None;
    for (written, inner) in sorted {
        inner.only(&["schema", "example", "examples", "encoding"]);
        let Some(media) = of(written) else {
            inner.loss(format!("left out: `{}` is not JSON", written.escape_debug()));
            continue;
        };
        let schema = inner.get("schema");
        if let Some(encoding) = inner.get("encoding") {
            encoding.note("left out: lists in a form are repeated, and objects are JSON");
        }
        let first = found.get_or_insert_with(|| Content {
            types: Vec::new(),
            schema: schema.clone(),
            is_form: media == Media::Form,
        });
        if schema.as_ref().map(|node| node.value) != first.schema.as_ref().map(|node| node.value) {
            inner.loss("left out: another media type has another schema");
            continue;
        }
        first.types.push(if written.contains("/*") { "application/json" } else { written });
    }
    if let Some(found) = &mut found {
        found.types.dedup();
    }
    found
}

fn media_types(types: &[&str]) -> Option<Vec<String>> {
    let said = types.iter().any(|media| *media != "application/json");
    said.then(|| types.iter().map(|media| (*media).to_owned()).collect())
}

/// What an operation is sent.
pub fn request<'d>(draft: &mut Draft<'d>, found: &Found<'d>, place: &Place) -> Option<Yaml> {
    let node = found.node.get("requestBody")?.resolved(&draft.root)?;
    node.only(&["content", "description", "required"]);
    if matches!(found.method.as_str(), "GET" | "HEAD" | "DELETE" | "OPTIONS") {
        node.loss(format!("left out: a {} has no body", found.method));
        return None;
    }
    let content = content(&node, true)?;
    let form = match &content.schema {
        Some(schema) => types::form(draft, std::slice::from_ref(schema), &place.part("Body"), 0),
        None => Form::any(),
    };
    if content.is_form && resource(&form).is_none() {
        node.loss("left out: what is sent in a form is an object with known members");
        return None;
    }
    let own_patch = found.node.text_if("x-wireform-body") == Some("merge_patch");
    let patch = own_patch || !draft.own && content.types.iter().any(|media| media.contains("merge-patch+json"));
    let mut body = Mapping::new();
    put(&mut body, "type", Some(unconstrained(&node, form)));
    put(&mut body, "as", patch.then_some("merge_patch"));
    put(&mut body, "required", (!node.flag("required")).then_some(false));
    put(&mut body, "content_types", media_types(&content.types));
    put(&mut body, "doc", node.text("description").and_then(prose::paragraph));
    Some(short(body))
}

/// A mapping with a type alone is that type.
fn short(body: Mapping) -> Yaml {
    match body.get("type") {
        Some(ty @ Yaml::String(_) | ty @ Yaml::Sequence(_)) if body.len() == 1 => ty.clone(),
        _ => Yaml::Mapping(body),
    }
}

/// A type where nothing can stand beside it.
fn unconstrained(node: &Node<'_>, form: Form<'_>) -> Yaml {
    let lost: Vec<&str> = form.keys.keys().filter_map(Yaml::as_str).filter(|key| *key != "encoding").collect();
    if !lost.is_empty() {
        node.loss(format!("`{}` is left out: it is for members", lost.join("`, `")));
    }
    if form.nullable {
        node.loss("null is left out: it is no body");
    }
    form.ty
}

/// The answers of an operation by status.
#[derive(Default)]
pub struct Answers<'d> {
    /// Successes and redirections.
    pub responses: Mapping,
    /// The types of errors by status or class of them, with what is said.
    pub errors: Vec<(String, Option<Form<'d>>, Option<String>, Node<'d>)>,
}

/// What an operation answers.
pub fn answers<'d>(draft: &mut Draft<'d>, found: &Found<'d>, place: &Place) -> Answers<'d> {
    let mut answers = Answers::default();
    let mut first: Option<Yaml> = None;
    let all = found.node.entries("responses");
    let has_success = all.iter().any(|(status, _)| status.starts_with('2'));
    for (status, written) in all.into_iter().filter(|(status, _)| !status.starts_with("x-")) {
        let Some(node) = written.resolved(&draft.root) else { continue };
        node.only(&["content", "description", "headers", "links"]);
        beside(&node);
        let status = status.to_ascii_uppercase();
        let Some(success) = success(&status, has_success, &node) else { continue };
        let error = format!("Error{}", crate::names::pascal(&status));
        let place = place.part(if success.is_some() { "Response" } else { &error });
        let content = content(&node, false);
        let form = content.as_ref().map(|content| match &content.schema {
            Some(schema) => types::form(draft, std::slice::from_ref(schema), &place, 0),
            None => Form::any(),
        });
        let doc = node.text("description").and_then(prose::paragraph);
        let doc = doc.filter(|doc| !draft.own || !own::says_nothing(&draft.root, doc));
        if draft.own && status == "304" {
            continue;
        }
        let Some(status) = success else {
            answers.errors.push((status, form, doc, node));
            continue;
        };
        let ty = form.and_then(|form| answered(&node, form, &status, found));
        if status.starts_with('2') {
            let shown = ty.clone().unwrap_or(Yaml::Null);
            if first.as_ref().is_some_and(|first| *first != shown) {
                node.loss("left out: another success answers another type");
                continue;
            }
            first = Some(shown);
        }
        let mut body = Mapping::new();
        put(&mut body, "type", ty);
        put(&mut body, "doc", doc);
        put(&mut body, "content_types", content.and_then(|content| media_types(&content.types)));
        answers.responses.insert(Yaml::from(status), Yaml::Mapping(body));
    }
    answers
}

/// What is said of an answer beside its content.
fn beside(node: &Node<'_>) {
    if let Some(headers) = node.get("headers") {
        headers.loss("left out: headers of answers have no place in a schema yet");
    }
    if let Some(links) = node.get("links") {
        links.note("left out: they say nothing about the wire");
    }
}

/// The status of a success, nothing of an error; nothing at all where it is neither.
fn success(status: &str, has_success: bool, node: &Node<'_>) -> Option<Option<String>> {
    match status {
        "2XX" => Some(Some("200".to_owned())),
        "DEFAULT" if !has_success => Some(Some("200".to_owned())),
        "DEFAULT" | "4XX" | "5XX" => Some(None),
        "1XX" | "3XX" => {
            node.loss("left out: a class of answers that are neither successes nor errors");
            None
        }
        status => match status.parse::<u16>() {
            Ok(100..=399) => Some(Some(status.to_owned())),
            Ok(400..=599) => Some(None),
            _ => {
                node.mistake(format!("`{}` is no status", status.escape_debug()));
                None
            }
        },
    }
}

/// The type of what is answered, where an answer of this kind has a body.
fn answered(node: &Node<'_>, form: Form<'_>, status: &str, found: &Found<'_>) -> Option<Yaml> {
    if matches!(status, "204" | "304") || found.method == "HEAD" {
        node.loss("its content is left out: an answer of this kind has no body");
        return None;
    }
    Some(unconstrained(node, form))
}

/// How often each resource is the body of an error.
pub fn count<'f>(all: impl Iterator<Item = &'f Answers<'f>>) -> BTreeMap<String, usize> {
    let mut often = BTreeMap::new();
    for answers in all {
        for (_, form, ..) in &answers.errors {
            if let Some(name) = form.as_ref().and_then(resource) {
                *often.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
    }
    often
}

/// The resource that a type is, by name.
pub fn resource<'f>(form: &'f Form<'_>) -> Option<&'f str> {
    if form.inner == types::Inner::Other && form.collection.is_none() { form.ty.as_str() } else { None }
}
