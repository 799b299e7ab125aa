//! What operations are sent and what they answer.

mod errors;
mod headers;
mod successes;

use std::collections::BTreeMap;

use wireform_codegen::schema::field::Encoding;
use wireform_codegen::schema::operation::{Body, BodyMode, FormStyle, Response};
use wireform_codegen::schema::read::{Located, Named};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;

use super::importer::{Files, Importer};
use super::media::{Content, Media, content};
use super::members;
use super::own;
use super::paths::Found;
use super::types::{self, Form};
use crate::inner::Inner;
use crate::lowering::{self, Key, Place, text, texts};
use crate::names;
use crate::node::Node;
pub use errors::{Failure, errors};
use headers::HeaderTypes;
use successes::{First, bodies_first, success};

/// What an operation is sent.
pub fn request<'d>(importer: &mut Importer<'d>, found: &Found<'d>, place: &Place) -> Option<Body> {
    let node = found.node.get("requestBody")?.resolved(&importer.root)?;
    node.only(&["content", "description", "required"]);
    if found.method == "HEAD" {
        node.whole_loss("left out: a HEAD has no body");
        return None;
    }
    let mut content = content(&importer.root, &node, true, importer.own)?;
    let form = match (content.raw(), &content.schema) {
        (Some(raw), _) => raw,
        (None, Some(schema)) => {
            importer.files = if content.media == Media::Parts { Files::Next } else { Files::None };
            let form = types::form(importer, std::slice::from_ref(schema), &place.part("Body"), 0);
            importer.files = Files::None;
            form
        }
        (None, None) => Form::any(),
    };
    match resource(&form) {
        None if matches!(content.media, Media::Form | Media::Parts) => {
            node.whole_loss("left out: what is sent in a form is an object with known members");
            return None;
        }
        None if content.has_form() => content.leave_forms_out(&node),
        _ => {}
    }
    let own_patch = found.node.text_if("x-wireform-body") == Some("merge_patch");
    let can_patch = !matches!(found.method.as_str(), "GET" | "DELETE" | "OPTIONS");
    let all_patches = can_patch && content.types.iter().all(|media| media.contains("merge-patch+json"));
    if !importer.own && all_patches && resource(&form).is_none() {
        node.loss("`as: merge_patch` is left out: what is merged is an object with known members");
    }
    let patch = own_patch || !importer.own && all_patches && resource(&form).is_some();
    let brackets =
        if importer.own { found.node.has("x-wireform-form") } else { content.brackets && content.has_form() };
    let doc = node.prose("description").or_else(|| if importer.own { None } else { members::doc(&form) });
    let (ty, encoding) = unconstrained(&node, form);
    Some(Body {
        ty,
        encoding,
        mode: patch.then_some(BodyMode::MergePatch),
        required: (!node.flag("required")).then(|| false.into()),
        style: brackets.then(|| FormStyle::Brackets.into()),
        content_types: texts(if patch { patch_types(&content) } else { content.said() }.unwrap_or_default()),
        doc: text(doc),
        ..Body::default()
    })
}

/// The media types of a merge patch, unless they are those that it has without saying so.
fn patch_types(content: &Content<'_>) -> Option<Vec<String>> {
    let is_default = matches!(*content.types, ["application/json", "application/merge-patch+json"]);
    (!is_default).then(|| content.types.iter().map(|media| (*media).to_owned()).collect())
}

/// A type where nothing but its encoding can stand beside it.
fn unconstrained(node: &Node<'_>, mut form: Form<'_>) -> (TypeExpr, Option<Located<Encoding>>) {
    let lost = form.keys.retain(&[Key::Encoding]);
    if !lost.is_empty() {
        node.loss(format!("`{}` is left out: it is for members", lost.join("`, `")));
    }
    if form.nullable {
        node.loss("null is left out: it is no body");
    }
    (form.ty, form.keys.encoding)
}

/// The answers of an operation by status.
#[derive(Default)]
pub struct Answers<'d> {
    /// Successes and redirections.
    pub responses: Named<Short<Response>>,
    /// Errors.
    pub errors: Vec<Failure<'d>>,
}

/// What an operation answers.
pub fn answers<'d>(importer: &mut Importer<'d>, found: &Found<'d>, place: &Place) -> Answers<'d> {
    let mut answers = Answers::default();
    let mut first = First::default();
    let (mut of_successes, mut of_errors) = (HeaderTypes::default(), HeaderTypes::default());
    let mut all = found.node.entries("responses");
    if !importer.own {
        bodies_first(&importer.root, &mut all);
    }
    let has_success = all.iter().any(|(status, _)| status.starts_with('2'));
    for (status, written) in all.into_iter().filter(|(status, _)| !status.starts_with("x-")) {
        let Some(node) = written.resolved(&importer.root) else { continue };
        node.only(&["content", "description", "headers", "links"]);
        let status = status.to_ascii_uppercase();
        let Some(success) = success(&status, has_success, &node) else { continue };
        let error = format!("Error{}", names::pascal(&status));
        let place = place.part(if success.is_some() { "Response" } else { &error });
        let (content, form) = answer(importer, &node, &place);
        let doc = said(importer, &written, &node, form.as_ref());
        if importer.own && own::is_unchanged(found, &status) {
            continue;
        }
        let known = if success.is_some() { &mut of_successes } else { &mut of_errors };
        let headers = headers::headers(importer, &node, &place, known);
        match success {
            None => {
                let content_types = content.as_ref().and_then(Content::said).unwrap_or_default();
                let form = form.filter(|_| found.method != "HEAD");
                answers.errors.push(Failure { status, form, content_types, doc, headers, node });
            }
            Some(status) => {
                let mut response = form.map(|form| answered(&node, form, &status, found)).unwrap_or_default();
                if status.starts_with('2')
                    && let Some(why) = first.differs(&status, &response, content.as_ref()).filter(|_| !importer.own)
                {
                    node.whole_loss(format!("left out: {why}"));
                    continue;
                }
                response.doc = lowering::text(doc);
                response.headers = headers;
                response.content_types = texts(content.as_ref().and_then(Content::said).unwrap_or_default());
                answers.responses.insert(status, response.into());
            }
        }
    }
    answers
}

/// What an answer has in its body, and the type of that.
fn answer<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &Place) -> (Option<Content<'d>>, Option<Form<'d>>) {
    let content = content(&importer.root, node, false, importer.own);
    let form = content.as_ref().map(|content| match (content.raw(), &content.schema) {
        (Some(raw), _) => raw,
        (None, Some(schema)) => types::form(importer, std::slice::from_ref(schema), place, 0),
        (None, None) => Form::any(),
    });
    (content, form)
}

/// What is said of an answer: beside a reference to it, with it, or with what it has in its body.
fn said<'d>(importer: &Importer<'d>, written: &Node<'d>, node: &Node<'d>, form: Option<&Form<'d>>) -> Option<String> {
    let own = [written, node].into_iter().find_map(|one| one.prose("description"));
    let own = own.filter(|doc| !importer.own || !own::says_nothing(&importer.root, doc));
    own.or_else(|| form.filter(|_| !importer.own).and_then(members::doc))
}

/// The type of what is answered, where an answer of this kind has a body.
fn answered(node: &Node<'_>, form: Form<'_>, status: &str, found: &Found<'_>) -> Response {
    if matches!(status, "204" | "304") || found.method == "HEAD" {
        node.loss("its content is left out: an answer of this kind has no body");
        return Response::default();
    }
    let (ty, encoding) = unconstrained(node, form);
    Response { ty: Some(ty), encoding, ..Response::default() }
}

/// How often each resource is the body of an error.
pub fn count<'f>(all: impl Iterator<Item = &'f Answers<'f>>) -> BTreeMap<String, usize> {
    let mut often = BTreeMap::new();
    for answers in all {
        for failure in &answers.errors {
            if let Some(name) = failure.form.as_ref().and_then(resource) {
                *often.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
    }
    often
}

/// The resource that a type is, by name.
pub fn resource<'f>(form: &'f Form<'_>) -> Option<&'f str> {
    if form.inner == Inner::Other && form.collection.is_none() { form.ty.name() } else { None }
}
