//! Bodies of requests and responses of methods.

use wireform_codegen::schema::field::Field;
use wireform_codegen::schema::operation::{Body, BodyMode, Response};
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::{Resource, Text};

use super::importer::{Importer, Target};
use super::paths::Path;
use super::resources;
use super::types::{self, Form, TYPE_KEYS};
use crate::lowering::{DefinitionPath, text, texts};
use crate::node::Node;

/// Returns the body of the request of a method.
pub fn request<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, path: &Path) -> Option<Body> {
    let request = node.child("request")?;
    request.report_unknown(&[body_keys().as_slice(), &["parameterName"]].concat());
    if path.method == "HEAD" {
        request.whole_loss("left out: a HEAD request cannot have a body");
        return None;
    }
    if is_raw(importer, &request) {
        return Some(Body { ty: Some(TypeExpr::named("bytes")), content_types: texts(["*/*"]), ..Body::default() });
    }
    let place = DefinitionPath { name: format!("{}Request", place.name), ..place.clone() };
    if let Some(name) = request.get("parameterName") {
        name.whole_note("left out: the body of a request is always named `body`");
    }
    let (form, doc) = body_type(importer, &request, &place);
    let patches = path.method == "PATCH" && !importer.wraps_data && is_resource(importer, &request);
    if patches {
        let overlay = format!("change: {{ operations: {{ {}: {{ body: {{ as: null }} }} }} }}", place.owner);
        request.guess("the body of a PATCH is a merge patch", "off", &overlay);
    }
    let mode = patches.then_some(BodyMode::MergePatch);
    Some(Body { ty: Some(form.ty), encoding: form.encoding.map(Into::into), doc, mode, ..Body::default() })
}

/// Returns the response of a method.
pub fn response<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    path: &Path,
) -> Option<Response> {
    let response = node.child("response")?;
    response.report_unknown(&body_keys());
    if path.method == "HEAD" {
        response.whole_loss("left out: a HEAD response cannot have a body");
        return None;
    }
    if is_raw(importer, &response) {
        return Some(Response {
            ty: Some(TypeExpr::named("bytes")),
            content_types: texts(["*/*"]),
            ..Response::default()
        });
    }
    let place = DefinitionPath { name: format!("{}Response", place.name), ..place.clone() };
    let (form, doc) = body_type(importer, &response, &place);
    Some(Response { ty: Some(form.ty), encoding: form.encoding.map(Into::into), doc, ..Response::default() })
}

/// Returns the keys that both requests and responses of a Discovery document can have; others are reported as unknown.
fn body_keys() -> Vec<&'static str> {
    TYPE_KEYS.iter().copied().chain(["description", "id"]).collect()
}

/// Returns whether a body is the changed resource itself, and not a message about the change. A PATCH with such a body
/// is a merge patch (RFC 7396): absent members stay unchanged.
fn is_resource(importer: &Importer<'_>, body: &Node<'_>) -> bool {
    let name = body.text("$ref").filter(|name| !name.ends_with("Request"));
    name.is_some_and(|name| matches!(importer.targets.get(name), Some(Target::Resource(_))))
}

/// Returns whether a body is a `google.api.HttpBody`: bytes of any type that are not wrapped in JSON.
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

/// Returns the type of a body and its description.
fn body_type<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath) -> (Form, Option<Text>) {
    let form = types::form(importer, node, place, 0);
    resources::write_inline(importer);
    if let Some(format) = form.format {
        node.loss(format!("`format: {}` is left out: supported for fields only", format.word()));
    }
    let doc = form.combined_doc(node.prose("description"));
    let form = if importer.wraps_data { wrap_in_data(importer, form, place) } else { form };
    (form, text(doc.filter(|_| !node.has("properties") && !node.has("enum"))))
}

/// Wraps a body in an object whose only member it is.
fn wrap_in_data(importer: &mut Importer<'_>, form: Form, place: &DefinitionPath) -> Form {
    let name = importer.lowering.type_name(&place.name);
    let data = Field {
        ty: form.ty,
        doc: text(Some("The wrapped body.")),
        encoding: form.encoding.map(Into::into),
        ..Field::default()
    };
    let doc = text(Some("A body, wrapped in an object."));
    let resource = Resource { doc, fields: [("data", data)].into_iter().collect(), ..Resource::default() };
    importer.lowering.add(place, name.clone(), resource);
    Form::named(name)
}
