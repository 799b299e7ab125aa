//! What methods are sent and what they answer.

use serde_yaml::{Mapping, Value};

use super::draft::{Draft, Target};
use super::paths::Path;
use super::types::{self, Form, TYPE_KEYS};
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::node::Node;
use crate::prose;

/// What a method is sent.
pub fn request<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place, path: &Path) -> Option<Value> {
    let request = node.child("request")?;
    request.only(&[body_keys().as_slice(), &["parameterName"]].concat());
    if path.method == "HEAD" {
        request.whole_loss("left out: a HEAD has no body");
        return None;
    }
    if is_raw(draft, &request) {
        return Some(raw());
    }
    let place = Place { name: format!("{}Request", place.name), ..place.clone() };
    if let Some(name) = request.get("parameterName") {
        name.whole_note("left out: what a method is sent is called `body`");
    }
    let mut body = body(draft, &request, &place);
    let patches = path.method == "PATCH" && !draft.wraps_data && is_resource(draft, &request);
    put(&mut body, "as", patches.then_some("merge_patch"));
    Some(short(body))
}

/// What a method answers.
pub fn response<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place, path: &Path) -> Option<Value> {
    let response = node.child("response")?;
    response.only(&body_keys());
    if path.method == "HEAD" {
        response.whole_loss("left out: the answer to a HEAD has no body");
        return None;
    }
    if is_raw(draft, &response) {
        return Some(raw());
    }
    let place = Place { name: format!("{}Response", place.name), ..place.clone() };
    Some(short(body(draft, &response, &place)))
}

/// What a request or a response can say: the name of a schema mostly, or a type of its own.
fn body_keys() -> Vec<&'static str> {
    TYPE_KEYS.iter().copied().chain(["description", "id"]).collect()
}

/// Whether a body is the thing itself that is changed, and no message about a change. A PATCH with such a body is a
/// merge patch (RFC 7396): members that are absent stay as they are.
fn is_resource(draft: &Draft<'_>, body: &Node<'_>) -> bool {
    let name = body.text("$ref").filter(|name| !name.ends_with("Request"));
    name.is_some_and(|name| matches!(draft.targets.get(name), Some(Target::Resource(_))))
}

/// Whether a body is what `google.api.HttpBody` stands for: bytes of any type, without JSON around them.
fn is_raw(draft: &Draft<'_>, body: &Node<'_>) -> bool {
    let name = body.text("$ref").filter(|name| name.ends_with("HttpBody"));
    let Some(schema) = name.and_then(|name| draft.schemas.get(name)) else { return false };
    let has = |(name, property): &(&str, Node<'_>)| match *name {
        "contentType" => property.text("type") == Some("string"),
        "data" => property.text("format") == Some("byte"),
        "extensions" => property.text("type") == Some("array"),
        _ => false,
    };
    let properties = schema.objects("properties");
    properties.len() == 3 && properties.iter().all(has)
}

fn raw() -> Value {
    mapping([("type", Value::from("bytes")), ("content_types", Value::from(vec!["*/*"]))])
}

fn mapping<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Mapping(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
}

/// A body with what is said of it.
fn body<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place) -> Mapping {
    let form = types::form(draft, node, place, 0);
    if let Some(format) = form.format {
        node.loss(format!("`format: {format}` is left out: it is for members"));
    }
    let doc = form.said(node.text("description").and_then(prose::paragraph));
    let form = if draft.wraps_data { wrapped(draft, form, place) } else { form };
    let mut body = Mapping::new();
    put(&mut body, "type", Some(form.ty));
    put(&mut body, "encoding", form.encoding);
    put(&mut body, "doc", doc.filter(|_| !node.has("properties") && !node.has("enum")));
    body
}

/// A body of which only the type is said is that type; a map would be taken for the keys of a body.
fn short(body: Mapping) -> Value {
    match body.get("type") {
        Some(ty) if body.len() == 1 && !ty.is_mapping() => ty.clone(),
        _ => Value::Mapping(body),
    }
}

/// An object that holds the body as its only member.
fn wrapped(draft: &mut Draft<'_>, form: Form, place: &Place) -> Form {
    let name = draft.made.type_name(&place.name);
    let encoding = form.encoding.map(|encoding| ("encoding", Value::from(encoding)));
    let data = [("type", form.ty), ("doc", Value::from("What is meant."))];
    let data = mapping(data.into_iter().chain(encoding));
    let mut body = Mapping::new();
    put(&mut body, "doc", Some("What is meant, in an object of its own."));
    put(&mut body, "fields", Some(mapping([("data", data)])));
    draft.made.add(place, Kind::Resource, name.clone(), body);
    Form::named(name)
}
