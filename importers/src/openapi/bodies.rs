//! What operations are sent and what they answer.

mod errors;
mod headers;
mod successes;

use std::collections::BTreeMap;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Text;
use wireform_codegen::schema::field::Encoding;
use wireform_codegen::schema::operation::{Body, BodyAlternative, BodyMode, FormStyle, Response, ResponseAlternative};
use wireform_codegen::schema::read::{Located, Named};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::xml::Xml;

use super::importer::{Files, Importer};
use super::media::{Content, Media, called, content, contents, is_json_patch};
use super::members;
use super::own;
use super::paths::Found;
use super::types::{self, Form};
use crate::inner::Inner;
use crate::lowering::{self, Key, Place, text, texts};
use crate::names::{self, Names};
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
    let contents = contents(&importer.root, &node, true, importer.own);
    let several = contents.len() > 1;
    let (mut sent, mut names) = (Vec::new(), Names::default());
    for content in contents {
        let at = if several { content.node.clone() } else { node.clone() };
        let place = alternative_place(place, &content, several, "Body");
        let (own, name) = (importer.own, content.clone());
        let body = one(importer, found, (&node, &at), &place, content, several);
        sent.extend(body.map(|body| (alternative_name(&name, &mut names, own), body)));
    }
    if sent.len() < 2 {
        let (_, body) = sent.pop()?;
        return Some(Body { required: (!node.flag("required")).then(|| false.into()), ..body });
    }
    let alternatives = sent.into_iter().map(|((key, name), body)| {
        let Body { ty, encoding, mode, content_types, style, json_lists, xml, doc, .. } = body;
        let one = BodyAlternative {
            ty,
            name,
            encoding,
            mode,
            content_types,
            style,
            json_lists,
            xml,
            doc,
            ..BodyAlternative::default()
        };
        (key, one.into())
    });
    Some(Body {
        alternatives: alternatives.collect(),
        required: (!node.flag("required")).then(|| false.into()),
        doc: text(node.prose("description")),
        ..Body::default()
    })
}

/// The place of what stands within one of several alternatives.
fn alternative_place(place: &Place, content: &Content<'_>, several: bool, what: &str) -> Place {
    if several {
        let name = content.alternative.clone().unwrap_or_else(|| called(&content.types));
        place.part(&format!("{}{what}", names::pascal(&name)))
    } else {
        place.part(what)
    }
}

/// The name of an alternative, which is free among its like, and its Rust name where a document of ours says it.
fn alternative_name(content: &Content<'_>, taken: &mut Names, own: bool) -> (String, Option<Text>) {
    let name = content.alternative.clone().unwrap_or_else(|| called(&content.types));
    if own {
        return (name, content.node.text("x-wireform-name").map(Into::into));
    }
    (taken.free(&name, Casing::Type, names::ident).unwrap_or(name), None)
}

/// A body in the media types that have one schema; `at` is where it stands.
fn one<'d>(
    importer: &mut Importer<'d>,
    found: &Found<'d>,
    (node, at): (&Node<'d>, &Node<'d>),
    place: &Place,
    mut content: Content<'d>,
    several: bool,
) -> Option<Body> {
    let own = |key: &str| if several { content.node.text_if(key) } else { found.node.text_if(key) };
    let own_mode = own("x-wireform-body");
    let can_patch = !matches!(found.method.as_str(), "GET" | "DELETE" | "OPTIONS");
    let doc = if importer.own && several { content.node.prose("x-wireform-description") } else { None };
    let doc = doc.or_else(|| if several { None } else { node.prose("description") });
    if own_mode == Some("json_patch") || !importer.own && can_patch && is_list_of_operations(importer, &content) {
        content.schema.iter().for_each(Node::take);
        let is_default = matches!(*content.types, [only] if only == "application/json-patch+json");
        let types = if is_default { Vec::new() } else { content.types.iter().map(|ty| (*ty).to_owned()).collect() };
        let mode = Some(BodyMode::JsonPatch);
        return Some(Body { mode, content_types: texts(types), doc: text(doc), ..Body::default() });
    }
    let form = match (content.raw(), &content.schema) {
        (Some(raw), _) => raw,
        (None, Some(schema)) => {
            importer.files = if content.media == Media::Parts { Files::Next } else { Files::None };
            let form = types::form(importer, std::slice::from_ref(schema), place, 0);
            importer.files = Files::None;
            form
        }
        (None, None) => Form::any(),
    };
    match resource(&form) {
        None if matches!(content.media, Media::Form | Media::Parts) => {
            at.whole_loss("left out: what is sent in a form is an object with known members");
            return None;
        }
        None if content.has_form() => content.leave_forms_out(node),
        _ => {}
    }
    if content.has_xml() && !form.is_element() {
        content.leave_xml_out(node);
        if content.types.is_empty() {
            return None;
        }
    }
    let element = element(importer, &content, &form);
    let all_patches = can_patch && content.types.iter().all(|media| media.contains("merge-patch+json"));
    if !importer.own && all_patches && resource(&form).is_none() {
        at.loss("`as: merge_patch` is left out: what is merged is an object with known members");
    }
    let patch = own_mode == Some("merge_patch") || !importer.own && all_patches && resource(&form).is_some();
    let brackets = if importer.own {
        if several { content.node.has("x-wireform-form") } else { found.node.has("x-wireform-form") }
    } else {
        content.brackets && content.has_form()
    };
    let of = if several { &content.node } else { &found.node };
    let json_lists: Vec<String> = match of.list("x-wireform-json-lists") {
        said if importer.own => said.iter().filter_map(Node::text_here).map(str::to_owned).collect(),
        _ if !content.has_form() => Vec::new(),
        _ => content.json_lists.iter().map(|name| (*name).to_owned()).collect(),
    };
    let doc = doc.or_else(|| if importer.own { None } else { members::doc(&form) });
    let (ty, encoding) = unconstrained(at, form);
    Some(Body {
        ty: Some(ty),
        encoding,
        mode: patch.then_some(BodyMode::MergePatch),
        style: brackets.then(|| FormStyle::Brackets.into()),
        json_lists: texts(json_lists),
        content_types: texts(if patch { patch_types(&content, several) } else { content.said() }.unwrap_or_default()),
        xml: element,
        doc: text(doc),
        ..Body::default()
    })
}

/// Whether a body is a JSON Patch: it is called that, and its schema, if it says anything, is that of a list.
fn is_list_of_operations(importer: &Importer<'_>, content: &Content<'_>) -> bool {
    let is_list = |schema: &Node<'_>| {
        let schema = schema.resolved(&importer.root);
        schema.is_some_and(|schema| schema.text_if("type").is_none_or(|ty| ty == "array"))
    };
    content.types.iter().all(|media| is_json_patch(media)) && content.schema.as_ref().is_none_or(is_list)
}

/// The media types of a merge patch, unless they are those that it has without saying so.
fn patch_types(content: &Content<'_>, is_alternative: bool) -> Option<Vec<String>> {
    let is_default = match *content.types {
        ["application/json", "application/merge-patch+json"] => !is_alternative,
        ["application/merge-patch+json"] => is_alternative,
        _ => false,
    };
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
        let (content, form, others) = answer(importer, &node, &place, success.is_some());
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
                let mut response = match form {
                    Some(form) if others.is_empty() => {
                        let element = content.as_ref().and_then(|content| element(importer, content, &form));
                        Response { xml: element, ..answered(&node, form, &status, found) }
                    }
                    Some(form) => alternatives(importer, &node, (content.as_ref(), form), others, (&status, found)),
                    None => Response::default(),
                };
                if status.starts_with('2')
                    && let Some(why) = first.differs(&status, &response, content.as_ref()).filter(|_| !importer.own)
                {
                    node.whole_loss(format!("left out: {why}"));
                    continue;
                }
                response.doc = lowering::text(doc);
                response.headers = headers;
                if response.alternatives.is_empty() {
                    response.content_types = texts(content.as_ref().and_then(Content::said).unwrap_or_default());
                }
                answers.responses.insert(status, response.into());
            }
        }
    }
    answers
}

/// Something that an answer can have in its body, and the type of that.
type OneAnswer<'d> = (Content<'d>, Form<'d>);

/// What an answer has in its body, and the type of that; of a success also what else it can have.
fn answer<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &Place,
    is_success: bool,
) -> (Option<Content<'d>>, Option<Form<'d>>, Vec<OneAnswer<'d>>) {
    let all = if is_success {
        contents(&importer.root, node, false, importer.own)
    } else {
        content(&importer.root, node, false, importer.own).into_iter().collect()
    };
    let several = all.len() > 1;
    let mut all = all.into_iter().map(|mut content| {
        let form = match (content.raw(), &content.schema) {
            (Some(raw), _) => raw,
            (None, Some(schema)) => {
                let place = if several { alternative_place(place, &content, true, "") } else { place.clone() };
                types::form(importer, std::slice::from_ref(schema), &place, 0)
            }
            (None, None) => Form::any(),
        };
        if content.has_xml() && !form.is_element() {
            content.leave_xml_out(node);
        }
        (content, form)
    });
    let (content, form) = all.next().unzip();
    (content, form, all.collect())
}

/// An answer that can be several things.
fn alternatives<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    (content, form): (Option<&Content<'d>>, Form<'d>),
    others: Vec<OneAnswer<'d>>,
    (status, found): (&str, &Found<'_>),
) -> Response {
    let own = importer.own;
    let Some(content) = content.filter(|_| !matches!(status, "204" | "304") && found.method != "HEAD") else {
        return answered(node, form, status, found);
    };
    let mut names = Names::default();
    let all = std::iter::once((content.clone(), form)).chain(others).map(|(content, form)| {
        let doc = if own { content.node.prose("x-wireform-description") } else { None };
        let xml = element(importer, &content, &form);
        let (ty, encoding) = unconstrained(&content.node, form);
        let content_types = texts(content.said().unwrap_or_default());
        let (key, name) = alternative_name(&content, &mut names, own);
        let doc = text(doc);
        let one = ResponseAlternative { ty, name, encoding, content_types, xml, doc, ..ResponseAlternative::default() };
        (key, one.into())
    });
    Response { alternatives: all.collect(), ..Response::default() }
}

/// The outermost element of an answer that can be XML.
fn element<'d>(importer: &mut Importer<'d>, content: &Content<'d>, form: &Form<'d>) -> Option<Xml> {
    let of = (&form.ty, resource(form).is_some());
    if content.has_xml() { importer.elements.body(of, content.schema.as_ref()) } else { None }
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
