//! What methods are sent and what they answer.

use wireform_codegen::schema::field::Field;
use wireform_codegen::schema::operation::{Body, BodyMode, Response};
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::{Resource, Text};

use super::importer::{Importer, Target};
use super::paths::Path;
use super::resources;
use super::types::{self, Form, TYPE_KEYS};
use crate::lowering::{Place, text, texts};
use crate::node::Node;

/// What a method is sent.
pub fn request<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &Place, path: &Path) -> Option<Body> {
    let request = node.child("request")?;
    request.only(&[body_keys().as_slice(), &["parameterName"]].concat());
    if path.method == "HEAD" {
        request.whole_loss("left out: a HEAD has no body");
        return None;
    }
    if is_raw(importer, &request) {
        return Some(Body { ty: Some(TypeExpr::named("bytes")), content_types: texts(["*/*"]), ..Body::default() });
    }
    let place = Place { name: format!("{}Request", place.name), ..place.clone() };
    if let Some(name) = request.get("parameterName") {
        name.whole_note("left out: what a method is sent is called `body`");
    }
    let (form, doc) = held(importer, &request, &place);
    let patches = path.method == "PATCH" && !importer.wraps_data && is_resource(importer, &request);
    let mode = patches.then_some(BodyMode::MergePatch);
    Some(Body { ty: Some(form.ty), encoding: form.encoding.map(Into::into), doc, mode, ..Body::default() })
}

/// What a method answers.
pub fn response<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &Place, path: &Path) -> Option<Response> {
    let response = node.child("response")?;
    response.only(&body_keys());
    if path.method == "HEAD" {
        response.whole_loss("left out: the answer to a HEAD has no body");
        return None;
    }
    if is_raw(importer, &response) {
        return Some(Response {
            ty: Some(TypeExpr::named("bytes")),
            content_types: texts(["*/*"]),
            ..Response::default()
        });
    }
    let place = Place { name: format!("{}Response", place.name), ..place.clone() };
    let (form, doc) = held(importer, &response, &place);
    Some(Response { ty: Some(form.ty), encoding: form.encoding.map(Into::into), doc, ..Response::default() })
}

/// What a request or a response can say: the name of a schema mostly, or a type of its own.
fn body_keys() -> Vec<&'static str> {
    TYPE_KEYS.iter().copied().chain(["description", "id"]).collect()
}

/// Whether a body is the thing itself that is changed, and no message about a change. A PATCH with such a body is a
/// merge patch (RFC 7396): members that are absent stay as they are.
fn is_resource(importer: &Importer<'_>, body: &Node<'_>) -> bool {
    let name = body.text("$ref").filter(|name| !name.ends_with("Request"));
    name.is_some_and(|name| matches!(importer.targets.get(name), Some(Target::Resource(_))))
}

/// Whether a body is what `google.api.HttpBody` stands for: bytes of any type, without JSON around them.
fn is_raw(importer: &Importer<'_>, body: &Node<'_>) -> bool {
    let name = body.text("$ref").filter(|name| name.ends_with("HttpBody"));
    let Some(schema) = name.and_then(|name| importer.schemas.get(name)) else { return false };
    let has = |(name, property): &(&str, Node<'_>)| match *name {
        "contentType" => property.text("type") == Some("string"),
        "data" => property.text("format") == Some("byte"),
        "extensions" => property.text("type") == Some("array"),
        _ => false,
    };
    let properties = schema.objects("properties");
    properties.len() == 3 && properties.iter().all(has)
}

/// What is sent or answered, and what is said of it.
fn held<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &Place) -> (Form, Option<Text>) {
    let form = types::form(importer, node, place, 0);
    resources::write_inline(importer);
    if let Some(format) = form.format {
        node.loss(format!("`format: {}` is left out: it is for members", format.word()));
    }
    let doc = form.said(node.prose("description"));
    let form = if importer.wraps_data { wrapped(importer, form, place) } else { form };
    (form, text(doc.filter(|_| !node.has("properties") && !node.has("enum"))))
}

/// An object that holds the body as its only member.
fn wrapped(importer: &mut Importer<'_>, form: Form, place: &Place) -> Form {
    let name = importer.lowering.type_name(&place.name);
    let data = Field {
        ty: form.ty,
        doc: text(Some("What is meant.")),
        encoding: form.encoding.map(Into::into),
        ..Field::default()
    };
    let doc = text(Some("What is meant, in an object of its own."));
    let resource = Resource { doc, fields: [("data", data)].into_iter().collect(), ..Resource::default() };
    importer.lowering.add(place, name.clone(), resource);
    Form::named(name)
}
