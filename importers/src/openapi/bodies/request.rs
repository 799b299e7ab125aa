//! Body of a request: in one media type, or with several alternatives.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::operation::{Body, BodyAlternative, BodyMode, FormList, FormStyle};
use wireform_codegen::schema::read::Located;

use super::ranges::Assumption;
use super::{alternative_name, alternative_place, body_type, element, json_patch, resource};
use crate::lowering::{DefinitionPath, text, texts};
use crate::names::NameScope;
use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::importer::{Files, Importer};
use crate::openapi::media::{Content, Media, contents};
use crate::openapi::members;
use crate::openapi::paths::FoundOperation;
use crate::openapi::resources;

/// Returns the body of a request.
pub fn request<'d>(importer: &mut Importer<'d>, found: &FoundOperation<'d>, place: &DefinitionPath) -> Option<Body> {
    let node = found.node.get("requestBody")?.resolved(&importer.root)?;
    node.report_unknown(&["content", "description", "required"]);
    if found.method == "HEAD" {
        node.whole_loss("left out: a HEAD request cannot have a body");
        return None;
    }
    let contents = contents(&importer.root, &node, true, importer.is_generated);
    let several = contents.len() > 1;
    let (mut sent, mut names) = (Vec::new(), NameScope::default());
    for mut content in contents {
        let at = if several { content.node.clone() } else { node.clone() };
        let place = alternative_place(place, &content, several, "Body");
        let (own, name) = (importer.is_generated, content.clone());
        let body = Request { found, node: &node, at, several }.body(importer, &place, &mut content);
        sent.extend(body.map(|body| (alternative_name(&name, &mut names, own), body, content)));
    }
    let required = (!node.flag("required")).then(|| false.into());
    if sent.len() < 2 {
        let (_, body, content) = sent.pop()?;
        let is_encoded = body.encoding.is_some();
        Assumption { content: &content, path: &["body"], ty: "type", is_encoded, is_new: false }
            .report(&found.name, "");
        let body = if several { into_only_body(body) } else { body };
        return Some(Body { required, ..body });
    }
    let alternatives = sent.into_iter().map(|((key, name), body, content)| {
        let (path, is_encoded) = (["body", "alternatives", &key], body.encoding.is_some());
        Assumption { content: &content, path: &path, ty: "type", is_encoded, is_new: false }.report(&found.name, "");
        let Body { ty, items, keys, unique, elements, encoding, mode, content_types, style, lists, xml, doc, .. } =
            body;
        let one = BodyAlternative {
            ty,
            name,
            items,
            keys,
            unique,
            elements,
            encoding,
            mode,
            content_types,
            style,
            lists,
            xml,
            doc,
            ..BodyAlternative::default()
        };
        (key, one.into())
    });
    Some(Body {
        alternatives: alternatives.collect(),
        required,
        doc: text(node.prose("description")),
        ..Body::default()
    })
}

/// Returns the only remaining alternative as a body. A merge patch without a media type would also accept plain JSON if
/// it is not an alternative, which the document does not allow.
fn into_only_body(body: Body) -> Body {
    let is_default = body.mode == Some(BodyMode::MergePatch) && body.content_types.is_empty();
    if is_default { Body { content_types: texts([MERGE_PATCH]), ..body } } else { body }
}

/// Media type of a merge patch (RFC 7396).
const MERGE_PATCH: &str = "application/merge-patch+json";

/// Body of a request in the media types that share a schema.
struct Request<'r, 'd> {
    /// Operation.
    found: &'r FoundOperation<'d>,
    /// Whole body.
    node: &'r Node<'d>,
    /// Node at which losses are reported.
    at: Node<'d>,
    /// True if there are several.
    several: bool,
}

impl<'d> Request<'_, 'd> {
    /// Converts a content of the request to a body; `None` if it cannot be represented.
    fn body(&self, importer: &mut Importer<'d>, place: &DefinitionPath, content: &mut Content<'d>) -> Option<Body> {
        let doc =
            if importer.is_generated && self.several { content.node.prose("x-wireform-description") } else { None };
        let doc = doc.or_else(|| if self.several { None } else { self.node.prose("description") });
        if self.is_json_patch(importer, content) {
            return Some(Body { doc: text(doc), ..json_patch::body(importer, content) });
        }
        let form = Self::form(importer, place, content);
        if !self.retain_representable(content, &form) {
            return None;
        }
        let xml = element(importer, content, &form);
        let patches = self.is_merge_patch(importer, content, &form);
        let doc = doc.or_else(|| if importer.is_generated { None } else { members::doc(&form) });
        let no_null = if patches { Some("a merge patch cannot be null") } else { content.no_null() };
        let (ty, keys) = body_type(&self.at, form, no_null);
        let content_types = if patches { patch_types(content, self.several) } else { content.media_types() };
        Some(Body {
            ty: Some(ty),
            items: keys.items,
            keys: keys.keys,
            unique: keys.unique,
            elements: keys.elements,
            encoding: keys.encoding,
            mode: patches.then_some(BodyMode::MergePatch),
            style: self.has_brackets(importer, content).then(|| FormStyle::Brackets.into()),
            lists: self.lists(importer, content),
            content_types: texts(content_types.unwrap_or_default()),
            xml,
            doc: text(doc),
            ..Body::default()
        })
    }

    /// Returns the node with the extensions of a generated document.
    fn own<'s>(&'s self, content: &'s Content<'d>) -> &'s Node<'d> {
        if self.several { &content.node } else { &self.found.node }
    }

    /// Returns `x-wireform-body`, which a document that was generated from a schema has.
    fn own_mode(&self, content: &Content<'d>) -> Option<&'d str> {
        self.own(content).text_if("x-wireform-body")
    }

    /// Returns whether the method can have a patch as its body: any but GET, DELETE and OPTIONS.
    fn can_patch(&self) -> bool {
        !matches!(self.found.method.as_str(), "GET" | "DELETE" | "OPTIONS")
    }

    /// Returns whether the body is a JSON Patch (RFC 6902): declared so, or recognized in a third-party document.
    fn is_json_patch(&self, importer: &Importer<'d>, content: &Content<'d>) -> bool {
        self.own_mode(content) == Some("json_patch")
            || !importer.is_generated && self.can_patch() && json_patch::is_json_patch(&importer.root, content)
    }

    /// Returns the form of a body.
    fn form(importer: &mut Importer<'d>, place: &DefinitionPath, content: &Content<'d>) -> Form<'d> {
        match (content.raw(), &content.schema) {
            (Some(raw), _) => raw,
            (None, Some(schema)) => {
                importer.files = if content.media == Media::Parts { Files::Next } else { Files::None };
                let form = resources::form(importer, std::slice::from_ref(schema), place);
                importer.files = Files::None;
                form
            }
            (None, None) => Form::any(),
        }
    }

    /// Removes the media types that cannot represent a value of the type; returns false if none is left.
    fn retain_representable(&self, content: &mut Content<'d>, form: &Form<'d>) -> bool {
        match resource(form) {
            None if matches!(content.media, Media::Form | Media::Parts) => {
                self.at.whole_loss("left out: a form requires an object with known members");
                return false;
            }
            None if content.has_form() => content.remove_forms(self.node),
            _ => {}
        }
        if content.has_xml() && !form.is_element() {
            content.remove_xml(self.node);
            return !content.types.is_empty();
        }
        true
    }

    /// Returns whether the body is a merge patch (RFC 7396). One that is not an object with known members is a loss.
    fn is_merge_patch(&self, importer: &Importer<'d>, content: &Content<'d>, form: &Form<'d>) -> bool {
        if importer.is_generated {
            return self.own_mode(content) == Some("merge_patch");
        }
        let all_patches = self.can_patch() && content.types.iter().all(|media| media.contains("merge-patch+json"));
        if all_patches && resource(form).is_none() {
            self.at.loss("`as: merge_patch` is left out: a merge patch requires an object with known members");
        }
        all_patches && resource(form).is_some()
    }

    /// Returns whether the fields of the form have names with brackets, such as `a[b]`.
    fn has_brackets(&self, importer: &Importer<'d>, content: &Content<'d>) -> bool {
        if importer.is_generated {
            self.own(content).has("x-wireform-form")
        } else {
            content.brackets && content.has_form()
        }
    }

    /// Returns the lists that are encoded as a single part of a form.
    fn lists(&self, importer: &Importer<'d>, content: &Content<'d>) -> Named<Located<FormList>> {
        let declared = self.own(content).list("x-wireform-json-lists");
        let json = declared.iter().filter_map(Node::read_text).map(|name| (name, FormList::Json));
        // A generated document lists them, because it also declares JSON of other values.
        let is_read = |list: FormList| !importer.is_generated || list != FormList::Json;
        let lists = content.lists.iter().copied().filter(|(_, list)| content.has_form() && is_read(*list));
        json.filter(|_| importer.is_generated).chain(lists).map(|(name, list)| (name, list.into())).collect()
    }
}

/// Returns the media types of a merge patch, unless they are the default.
fn patch_types(content: &Content<'_>, is_alternative: bool) -> Option<Vec<String>> {
    let is_default = match *content.types {
        ["application/json", MERGE_PATCH] => !is_alternative,
        [MERGE_PATCH] => is_alternative,
        _ => false,
    };
    (!is_default).then(|| content.types.iter().map(|media| (*media).to_owned()).collect())
}
