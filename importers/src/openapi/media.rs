//! Media types of contents, and their representation in a schema.

pub mod kind;
mod parts;
mod patches;
mod ranges;
mod raw;

pub use kind::{Media, empty_is_bytes, is_bytes};
use kind::{is_number_or_flag, referenced};
pub use parts::parts;
use patches::{JSON_PATCH, MERGE_PATCH, alternative};
pub use patches::{can_be_json_patch, is_json_patch};
use ranges::{concrete_media_type, is_range, media_type_to_write};
use raw::{is_any_text, is_file, is_plain, report_raw_constraints};

use wireform_codegen::model::essence;
use wireform_codegen::resolve::is_media_type;
use wireform_codegen::schema::operation::FormList;

use super::encoding;
use super::form::Form;
use super::xml::{is_document, is_xml};
use crate::node::Node;
use crate::value_kind::ValueKind;

/// Returns the representation of a media type; `None` if it is unsupported. A range that includes JSON is JSON, unless
/// its schema is binary or, for `*/*`, unconstrained text, which mostly means a raw body. The text of a number or a boolean
/// is its JSON. XML whose elements are not
/// imported is raw: text for `text/xml`, bytes for `application/xml` and `+xml`.
fn media(written: &str, schema: Option<&Node<'_>>, is_document: bool) -> Option<Media> {
    let essence = essence(written);
    let binary = schema.is_some_and(is_bytes);
    match essence.as_str() {
        "*/*" if schema.is_some_and(is_any_text) => Some(Media::Text),
        "*/*" | "application/*" if !binary => Some(Media::Json),
        "application/json" | "text/json" => Some(Media::Json),
        "text/plain" if schema.is_some_and(is_number_or_flag) => Some(Media::Json),
        "application/x-www-form-urlencoded" => Some(Media::Form),
        "multipart/form-data" => Some(Media::Parts),
        essence if essence.ends_with("+json") => Some(Media::Json),
        _ if is_document && is_xml(written) => Some(Media::Xml),
        essence if essence.starts_with("multipart/") || !is_media_type(written) => None,
        essence if essence.starts_with("text/") => Some(Media::Text),
        _ => Some(Media::Bytes),
    }
}

/// Returns whether a media type represents members of an object: JSON and forms.
fn has_fields(written: &str) -> bool {
    matches!(media(written, None, false), Some(Media::Json | Media::Form | Media::Parts))
}

/// Supported part of a map of media types.
#[derive(Clone)]
pub struct Content<'d> {
    /// Media types.
    pub types: Vec<&'d str>,
    /// Shared schema.
    pub schema: Option<Node<'d>>,
    /// Representation.
    pub media: Media,
    /// True if a form uses bracket notation for nested values.
    pub brackets: bool,
    /// Name of the alternative, if known.
    pub alternative: Option<String>,
    /// Lists that are encoded as a single part of a form.
    pub lists: Vec<(&'d str, FormList)>,
    /// Media range that is assumed to be JSON, unless JSON is declared too.
    pub range: Option<(&'d str, Node<'d>)>,
    /// Node of the first media type.
    pub node: Node<'d>,
}

impl<'d> Content<'d> {
    /// Returns whether another media type belongs to the same alternative, with the same schema and representation.
    /// JSON, forms and XML count as one representation; raw media ignore the schema.
    fn is_same_alternative(&self, other: &Self) -> bool {
        let fields = |media: Media| matches!(media, Media::Json | Media::Form | Media::Parts | Media::Xml);
        let same_representation = self.media == other.media || fields(self.media) && fields(other.media);
        let value = |content: &Self| content.schema.as_ref().map(|schema| schema.value);
        let same = value(self) == value(other) || matches!(other.media, Media::Text | Media::Bytes);
        self.alternative == other.alternative && same_representation && same && self.can_share_lists(other)
    }

    /// Returns whether the lists of both can be written in one way: parts of multipart forms have no delimiters.
    fn can_share_lists(&self, other: &Self) -> bool {
        let is_delimited = |content: &Self| content.lists.iter().any(|(_, list)| *list != FormList::Json);
        let is_parts = |content: &Self| {
            let written = content.types.iter().any(|written| media(written, None, false) == Some(Media::Parts));
            content.media == Media::Parts || written
        };
        !(is_delimited(self) && is_parts(other) || is_parts(self) && is_delimited(other))
    }

    /// Adds a media type with an equivalent schema.
    fn add_media_type(&mut self, other: Self, media_type: &'d str) {
        let at = self.schema.as_ref().map(|first| &first.at);
        other.schema.iter().filter(|schema| at != Some(&schema.at)).for_each(Node::mark_used);
        for list in other.lists {
            if !self.lists.iter().any(|(name, _)| *name == list.0) {
                self.lists.push(list);
            }
        }
        if !self.types.contains(&media_type) {
            self.types.push(media_type);
        }
    }

    /// Returns the type of a raw body, which is neither JSON, a form nor XML with elements.
    pub fn raw(&self) -> Option<Form<'d>> {
        match self.media {
            Media::Text => Some(Form::plain("string", ValueKind::Text)),
            Media::Bytes => Some(Form::plain("bytes", ValueKind::Bytes)),
            Media::Json | Media::Form | Media::Parts | Media::Xml => None,
        }
    }

    /// Returns why its value cannot be null; `None` for JSON, unless the body has other formats too.
    pub fn no_null(&self) -> Option<&'static str> {
        let has_text = self.types.iter().any(|written| media(written, None, false) == Some(Media::Text));
        (self.media != Media::Json || has_text || self.has_form() || self.has_xml()).then_some("only JSON has null")
    }

    /// Returns whether it can be a form.
    pub fn has_form(&self) -> bool {
        self.types.iter().any(|written| matches!(media(written, None, false), Some(Media::Form | Media::Parts)))
    }

    /// Removes the media types of forms.
    pub fn remove_forms(&mut self, node: &Node<'_>) {
        let is_form = |written: &str| has_fields(written) && media(written, None, false) != Some(Media::Json);
        self.remove_media_types(node, is_form, "left out: a form requires an object with known members");
    }

    /// Returns whether it can be XML with defined elements.
    pub fn has_xml(&self) -> bool {
        self.media == Media::Xml
            || self.media != Media::Text && self.media != Media::Bytes && self.types.iter().any(|ty| is_xml(ty))
    }

    /// Removes the XML media types.
    pub fn remove_xml(&mut self, node: &Node<'_>) {
        self.remove_media_types(node, is_xml, "left out: XML requires an object, a list, a map or a union");
    }

    /// Removes media types and reports each of them; others of the same kind with another schema stay.
    fn remove_media_types(&mut self, node: &Node<'_>, is_out: impl Fn(&str) -> bool, why: &str) {
        let (out, stay) = std::mem::take(&mut self.types).into_iter().partition(|written| is_out(written));
        self.types = stay;
        let out: Vec<&str> = out;
        for (_, inner) in node.entries("content").iter().filter(|(written, _)| out.contains(written)) {
            inner.whole_loss(why);
        }
    }

    /// Returns the media types, unless JSON is the only one.
    pub fn media_types(&self) -> Option<Vec<String>> {
        let is_declared = self.types.iter().any(|media| *media != "application/json");
        is_declared.then(|| self.types.iter().map(|media| (*media).to_owned()).collect())
    }
}

/// Returns the content in the media types that share a schema and a representation: that of JSON, if there is any.
/// Errors in XML are raw.
pub fn content<'d>(root: &Node<'d>, node: &Node<'d>, forms: bool, own: bool) -> Option<Content<'d>> {
    gather(root, node, (forms, false), own).into_iter().next()
}

/// Returns the contents, one per schema and representation, JSON first.
pub fn contents<'d>(root: &Node<'d>, node: &Node<'d>, forms: bool, own: bool) -> Vec<Content<'d>> {
    gather(root, node, (forms, true), own)
}

/// Reads the media types of a body with their schemas.
fn gather<'d>(root: &Node<'d>, node: &Node<'d>, (forms, several): (bool, bool), own: bool) -> Vec<Content<'d>> {
    let entries = node.entries("content");
    let of = |written: &str, inner: &Node<'d>| {
        let schema = inner.get("schema").map(|schema| referenced(root, &schema));
        let is_document = several && schema.as_ref().is_some_and(|schema| is_document(root.value, schema.value));
        media(written, schema.as_ref(), is_document)
            .filter(|media| forms || !matches!(media, Media::Form | Media::Parts))
    };
    let brackets = forms && entries.iter().any(|(_, inner)| encoding::has_brackets(inner));
    let new = |written: &str, inner: &Node<'d>, media: Media| Content {
        types: Vec::new(),
        schema: inner.get("schema"),
        media,
        brackets,
        alternative: alternative(root, (written, inner), &entries, own),
        lists: if brackets { Vec::new() } else { encoding::lists(root, inner, media) },
        range: None,
        node: inner.clone(),
    };
    let supported = entries.iter().filter_map(|(written, inner)| Some((of(written, inner)?, *written, inner)));
    let first = preferred(supported, own);
    let first_type = first.map(|(media, written, _)| concrete_media_type(written, media));
    let mut found: Vec<Content<'d>> = first.iter().map(|(media, written, inner)| new(written, inner, *media)).collect();
    for (written, inner) in &entries {
        inner.report_unknown(&["schema", "example", "examples", "encoding"]);
        let Some(media) = of(written, inner) else {
            inner.whole_loss(format!("left out: the schema language does not support `{}`", written.escape_debug()));
            continue;
        };
        if !own {
            encoding::report(root, inner, media, brackets);
        }
        let is_raw = matches!(media, Media::Text | Media::Bytes);
        let of_same = new(written, inner, media);
        if !found.iter().any(|content| content.is_same_alternative(&of_same)) {
            if !several
                || !is_distinct((first_type, &found), concrete_media_type(written, media), (root, inner), is_raw)
            {
                report_omitted(inner, (first_type, &found), forms);
                continue;
            }
            found.push(of_same.clone());
        }
        if is_raw {
            report_raw_constraints(root, written, inner);
        }
        let Some(content) = found.iter_mut().find(|content| content.is_same_alternative(&of_same)) else { continue };
        if !own {
            content.update_range(media, (written, inner));
        }
        content.add_media_type(of_same, media_type_to_write(written, inner, media));
    }
    found
}

/// Formats of streams, whose items have the schema.
const STREAMS: [&str; 6] = ["event-stream", "json-seq", "jsonl", "ndjson", "x-jsonlines", "x-ndjson"];

/// Reports a media type that is not imported. Another representation of an imported schema is never requested, so that
/// it is a note for a response; `is_request` is true for a body that a server could be sent.
fn report_omitted(inner: &Node<'_>, (first, found): (Option<&str>, &[Content<'_>]), is_request: bool) {
    let written = inner.at.rsplit("~1").next().unwrap_or_default();
    let schema = inner.get("schema").filter(|_| !STREAMS.contains(&essence(written).as_str()));
    let same = found.iter().find(|content| {
        schema.as_ref().is_some_and(|own| content.schema.as_ref().is_some_and(|schema| schema.value == own.value))
    });
    // The types of the first one are not known yet if it comes later.
    let Some(media) = same.and_then(|content| content.types.first().copied().or(first)) else {
        return inner.whole_loss("left out: another media type with a different schema or encoding is imported");
    };
    if is_request {
        inner.whole_loss(format!("left out: the body is sent and accepted as `{media}`, with the same schema"));
    } else {
        inner.whole_note(format!("left out: the body is requested as `{media}`, with the same schema"));
    }
}

/// Returns the preferred of several contents: a media type is more specific than a range that contains it.
fn preferred<'n, 'd>(
    contents: impl Iterator<Item = (Media, &'d str, &'n Node<'d>)>,
    own: bool,
) -> Option<(Media, &'d str, &'n Node<'d>)> {
    contents.reduce(|first, other| {
        let rank = |(media, written, _): &(Media, &str, &Node<'_>)| (*media, !own && is_range(written));
        if rank(&other) < rank(&first) { other } else { first }
    })
}

/// Returns whether a media type is distinct from the previous ones and from the preferred first one, and not just
/// another representation of the same content.
fn is_distinct(
    (first, found): (Option<&str>, &[Content<'_>]),
    media_type: &str,
    (root, inner): (&Node<'_>, &Node<'_>),
    is_raw: bool,
) -> bool {
    let own = essence(media_type);
    let is_taken =
        found.iter().flat_map(|content| &content.types).copied().chain(first).any(|known| essence(known) == own);
    !is_taken && (!is_raw || is_plain(root, inner) || is_file(root, media_type, inner))
}

/// Returns the default name of an alternative with these media types.
pub fn default_alternative_name(types: &[&str]) -> String {
    let essence = essence(types.first().copied().unwrap_or_default());
    let (kind, subtype) = essence.split_once('/').unwrap_or(("", &essence));
    let name = match (kind, subtype) {
        ("*", _) => "any",
        (kind, "*") => kind,
        (_, "octet-stream") => "bytes",
        (_, "x-www-form-urlencoded") => "form",
        ("multipart", "form-data") => "multipart",
        ("text", "plain") => "text",
        (_, "json-patch+json") => JSON_PATCH,
        (_, "merge-patch+json") => MERGE_PATCH,
        (_, subtype) => subtype,
    };
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let name = name.trim_matches('_');
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("media_{name}")
    } else {
        name.to_owned()
    }
}
