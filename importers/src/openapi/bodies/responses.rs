//! Responses of an operation: successes and errors.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::operation::{Response, ResponseAlternative};
use wireform_codegen::schema::shape::Short;

use super::errors::Failure;
use super::headers::{self, HeaderTypes};
use super::successes::{First, bodies_first, success};
use super::{alternative_name, alternative_place, element, unconstrained};
use crate::lowering::{Place, text, texts};
use crate::names::{self, Names};
use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::importer::Importer;
use crate::openapi::media::{Content, content, contents};
use crate::openapi::members;
use crate::openapi::paths::Found;
use crate::openapi::reimport;
use crate::openapi::resources;

/// Responses of an operation by status.
#[derive(Default)]
pub struct Responses<'d> {
    /// Successes and redirections.
    pub responses: Named<Short<Response>>,
    /// Errors.
    pub errors: Vec<Failure<'d>>,
}

/// Returns the responses of an operation.
pub fn responses<'d>(importer: &mut Importer<'d>, found: &Found<'d>, place: &Place) -> Responses<'d> {
    let mut all = found.node.entries("responses");
    if !importer.own {
        bodies_first(&importer.root, &mut all);
    }
    let has_success = all.iter().any(|(status, _)| status.starts_with('2'));
    let mut statuses = Statuses::new(found, place);
    for (status, written) in all.into_iter().filter(|(status, _)| !status.starts_with("x-")) {
        let Some(node) = written.resolved(&importer.root) else { continue };
        node.only(&["content", "description", "headers", "links"]);
        let status = status.to_ascii_uppercase();
        match success(&status, has_success, &node) {
            Some(Some(success)) => statuses.success(importer, (&status, success), &written, node),
            Some(None) => statuses.error(importer, status, &written, node),
            None => {}
        }
    }
    statuses.answers
}

/// Collected responses of an operation.
struct Statuses<'s, 'd> {
    found: &'s Found<'d>,
    place: &'s Place,
    answers: Responses<'d>,
    first: First,
    of_successes: HeaderTypes,
    of_errors: HeaderTypes,
}

impl<'s, 'd> Statuses<'s, 'd> {
    fn new(found: &'s Found<'d>, place: &'s Place) -> Self {
        let (of_successes, of_errors) = (HeaderTypes::default(), HeaderTypes::default());
        Self { found, place, answers: Responses::default(), first: First::default(), of_successes, of_errors }
    }

    fn error(&mut self, importer: &mut Importer<'d>, status: String, written: &Node<'d>, node: Node<'d>) {
        let place = self.place.part(&format!("Error{}", names::pascal(&status)));
        let (content, form, _) = response(importer, &node, &place, false);
        let doc = description(importer, written, &node, form.as_ref());
        if importer.own && reimport::is_unchanged(self.found, &status) {
            return;
        }
        let headers = headers::headers(importer, &node, &place, &mut self.of_errors);
        let content_types = content.as_ref().and_then(Content::media_types).unwrap_or_default();
        let form = form.filter(|_| self.found.method != "HEAD");
        self.answers.errors.push(Failure { status, form, content_types, doc, headers, node });
    }

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
        if importer.own && reimport::is_unchanged(self.found, written_as) {
            return;
        }
        let headers = headers::headers(importer, &node, &place, &mut self.of_successes);
        let mut response = match form {
            Some(form) if others.is_empty() => {
                let xml = content.as_ref().and_then(|content| element(importer, content, &form));
                Response { xml, ..answered(&node, form, &status, self.found) }
            }
            Some(form) => alternatives(importer, &node, (content.as_ref(), form), others, (&status, self.found)),
            None => Response::default(),
        };
        if status.starts_with('2')
            && let Some(why) = self.first.differs(&status, &response, content.as_ref()).filter(|_| !importer.own)
        {
            node.whole_loss(format!("left out: {why}"));
            return;
        }
        response.doc = text(doc);
        response.headers = headers;
        if response.alternatives.is_empty() {
            response.content_types = texts(content.as_ref().and_then(Content::media_types).unwrap_or_default());
        }
        self.answers.responses.insert(status, response.into());
    }
}

/// Alternative body of a response, and its type.
type TypedContent<'d> = (Content<'d>, Form<'d>);

/// Returns the body of a response and its type; of a success also the alternatives.
fn response<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &Place,
    is_success: bool,
) -> (Option<Content<'d>>, Option<Form<'d>>, Vec<TypedContent<'d>>) {
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
                resources::form(importer, std::slice::from_ref(schema), &place)
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

/// Returns a response with several alternatives.
fn alternatives<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    (content, form): (Option<&Content<'d>>, Form<'d>),
    others: Vec<TypedContent<'d>>,
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
        let content_types = texts(content.media_types().unwrap_or_default());
        let (key, name) = alternative_name(&content, &mut names, own);
        let doc = text(doc);
        let one = ResponseAlternative { ty, name, encoding, content_types, xml, doc, ..ResponseAlternative::default() };
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
    let own = own.filter(|doc| !importer.own || !reimport::says_nothing(&importer.root, doc));
    own.or_else(|| form.filter(|_| !importer.own).and_then(members::doc))
}

/// Returns the response with this type of body, if a response of this status has one.
fn answered(node: &Node<'_>, form: Form<'_>, status: &str, found: &Found<'_>) -> Response {
    if matches!(status, "204" | "304") || found.method == "HEAD" {
        node.loss("its content is left out: an answer of this kind has no body");
        return Response::default();
    }
    let (ty, encoding) = unconstrained(node, form);
    Response { ty: Some(ty), encoding, ..Response::default() }
}
