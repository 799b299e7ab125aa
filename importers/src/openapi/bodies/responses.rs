//! Responses of an operation: successes and errors.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::operation::{Response, ResponseAlternative};
use wireform_codegen::schema::shape::Short;

use super::errors::ErrorResponse;
use super::headers::{self, HeaderTypes};
use super::ranges::AssumedJson;
use super::successes::{FirstSuccess, bodies_first, success};
use super::{alternative_name, alternative_place, body_type, element};
use crate::lowering::{Constraints, DefinitionPath, text, texts};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::importer::Importer;
use crate::openapi::media::{Content, content, contents};
use crate::openapi::members;
use crate::openapi::paths::FoundOperation;
use crate::openapi::reimport;
use crate::openapi::resources;

/// Responses of an operation by status.
#[derive(Default)]
pub struct Responses<'d> {
    /// Successes and redirections.
    pub responses: Named<Short<Response>>,
    /// Contents of successes that are assumed to be JSON.
    pub assumed: Vec<AssumedJson<'d>>,
    /// Errors.
    pub errors: Vec<ErrorResponse<'d>>,
}

/// Returns the responses of an operation.
pub fn responses<'d>(importer: &mut Importer<'d>, found: &FoundOperation<'d>, place: &DefinitionPath) -> Responses<'d> {
    let mut all = found.node.entries("responses");
    if !importer.is_generated {
        bodies_first(&importer.root, &mut all);
    }
    let has_success = all.iter().any(|(status, _)| status.starts_with(['2', '3']));
    let mut statuses = Statuses::new(found, place);
    for (status, written) in all.into_iter().filter(|(status, _)| !status.starts_with("x-")) {
        let Some(node) = written.resolved(&importer.root) else { continue };
        node.report_unknown(&["content", "description", "headers", "links"]);
        let status = status.to_ascii_uppercase();
        match success(&status, has_success, &node) {
            Some(Some(success)) => statuses.success(importer, (&status, success), &written, node),
            Some(None) => statuses.error(importer, status, &written, node),
            None => {}
        }
    }
    let declares_redirect = statuses.responses.responses.0.iter().any(|(status, _)| status.text.starts_with('3'));
    if declares_redirect && statuses.first.redirects_are_errors() && !importer.is_generated {
        found.node.note("its redirections are errors with their headers: the body of a success is never absent");
    }
    statuses.responses
}

/// Collected responses of an operation.
struct Statuses<'s, 'd> {
    found: &'s FoundOperation<'d>,
    place: &'s DefinitionPath,
    responses: Responses<'d>,
    first: FirstSuccess,
    of_successes: HeaderTypes,
    of_errors: HeaderTypes,
}

impl<'s, 'd> Statuses<'s, 'd> {
    fn new(found: &'s FoundOperation<'d>, place: &'s DefinitionPath) -> Self {
        let (of_successes, of_errors) = (HeaderTypes::default(), HeaderTypes::default());
        Self { found, place, responses: Responses::default(), first: FirstSuccess::default(), of_successes, of_errors }
    }

    /// Converts the response of an error status.
    fn error(&mut self, importer: &mut Importer<'d>, status: String, written: &Node<'d>, node: Node<'d>) {
        let place = self.place.part(&format!("Error{}", names::pascal(&status)));
        let (content, form, _) = response(importer, &node, &place, false);
        let doc = description(importer, written, &node, form.as_ref());
        if importer.is_generated && reimport::is_unchanged(self.found, &status) {
            return;
        }
        let headers = headers::headers(importer, &node, &place, &mut self.of_errors);
        let content_types = content.as_ref().and_then(Content::media_types).unwrap_or_default();
        let form = form.filter(|_| self.found.method != "HEAD");
        self.responses.errors.push(ErrorResponse { status, form, content, content_types, doc, headers, node });
    }

    /// Converts the response of a success status.
    fn success(
        &mut self,
        importer: &mut Importer<'d>,
        (written_as, status): (&str, String),
        written: &Node<'d>,
        node: Node<'d>,
    ) {
        let place = self.place.part("Response");
        let (content, form, others) = response(importer, &node, &place, true);
        let doc = description(importer, written, &node, form.as_ref());
        if importer.is_generated && reimport::is_unchanged(self.found, written_as) {
            return;
        }
        let headers = headers::headers(importer, &node, &place, &mut self.of_successes);
        let contents = content.iter().chain(others.iter().map(|(content, _)| content)).cloned().collect();
        let mut response = match form {
            Some(form) if others.is_empty() => {
                let xml = content.as_ref().and_then(|content| element(importer, content, &form));
                Response { xml, ..typed_response(&node, (content.as_ref(), form), &status, self.found) }
            }
            Some(form) => alternatives(importer, &node, (content.as_ref(), form), others, (&status, self.found)),
            None => Response::default(),
        };
        if let Some(why) = self.first.conflict(&status, &response, content.as_ref()).filter(|_| !importer.is_generated)
        {
            if !status.starts_with('3') {
                node.whole_loss(format!("left out: {why}"));
                return;
            }
            node.loss(format!("its content is left out: {why}"));
            response = Response::default();
        }
        response.doc = text(doc);
        response.headers = headers;
        if response.ty.is_some() {
            response.content_types = texts(content.as_ref().and_then(Content::media_types).unwrap_or_default());
        }
        self.responses.assumed.extend(AssumedJson::of_response(&status, &response, contents));
        self.responses.responses.insert(status, response.into());
    }
}

/// Alternative body of a response, and its type.
type TypedContent<'d> = (Content<'d>, Form<'d>);

/// Returns the body of a response and its type; of a success also the alternatives.
fn response<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    is_success: bool,
) -> (Option<Content<'d>>, Option<Form<'d>>, Vec<TypedContent<'d>>) {
    let all = if is_success {
        contents(&importer.root, node, false, importer.is_generated)
    } else {
        content(&importer.root, node, false, importer.is_generated).into_iter().collect()
    };
    let several = all.len() > 1;
    let mut all = all.into_iter().map(|mut content| {
        let form = match (content.raw(), &content.schema) {
            (Some(raw), _) => raw,
            (None, Some(schema)) => {
                let place = if several { alternative_place(place, &content, true, "") } else { place.clone() };
                resources::form(importer, std::slice::from_ref(schema), &place)
            }
            (None, None) => Form::any(),
        };
        if content.has_xml() && !form.is_element() {
            content.remove_xml(node);
        }
        (content, form)
    });
    let (content, form) = all.next().unzip();
    (content, form, all.collect())
}

/// Returns a response with several alternatives.
fn alternatives<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    (content, form): (Option<&Content<'d>>, Form<'d>),
    others: Vec<TypedContent<'d>>,
    (status, found): (&str, &FoundOperation<'_>),
) -> Response {
    let own = importer.is_generated;
    let has_body = !matches!(status, "204" | "205" | "304") && found.method != "HEAD";
    let Some(content) = content.filter(|_| has_body) else {
        return typed_response(node, (content, form), status, found);
    };
    let mut names = NameScope::default();
    let all = std::iter::once((content.clone(), form)).chain(others).map(|(content, form)| {
        let doc = if own { content.node.prose("x-wireform-description") } else { None };
        let xml = element(importer, &content, &form);
        let (ty, keys) = body_type(&content.node, form, content.no_null());
        let content_types = texts(content.media_types().unwrap_or_default());
        let (key, name) = alternative_name(&content, &mut names, own);
        let doc = text(doc);
        let Constraints { items, keys, unique, elements, encoding, .. } = keys;
        let one = ResponseAlternative {
            ty,
            name,
            items,
            keys,
            unique,
            elements,
            encoding,
            content_types,
            xml,
            doc,
            ..ResponseAlternative::default()
        };
        (key, one.into())
    });
    Response { alternatives: all.collect(), ..Response::default() }
}

/// Returns the description of a response: next to a reference to it, its own, or that of its body.
fn description<'d>(
    importer: &Importer<'d>,
    written: &Node<'d>,
    node: &Node<'d>,
    form: Option<&Form<'d>>,
) -> Option<String> {
    let own = [written, node].into_iter().find_map(|one| one.prose("description"));
    let own = own.filter(|doc| !importer.is_generated || !reimport::is_generated_description(&importer.root, doc));
    own.or_else(|| form.filter(|_| !importer.is_generated).and_then(members::doc))
}

/// Returns the response with this type of body, if a response of this status has one.
fn typed_response(
    node: &Node<'_>,
    (content, form): (Option<&Content<'_>>, Form<'_>),
    status: &str,
    found: &FoundOperation<'_>,
) -> Response {
    if matches!(status, "204" | "205" | "304") || found.method == "HEAD" {
        node.loss("its content is left out: a response with this status, or to HEAD, has no body");
        return Response::default();
    }
    let (ty, keys) = body_type(node, form, content.and_then(Content::no_null));
    let Constraints { items, keys, unique, elements, encoding, .. } = keys;
    Response { ty: Some(ty), items, keys, unique, elements, encoding, ..Response::default() }
}
