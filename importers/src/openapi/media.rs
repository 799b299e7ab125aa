//! What stands under a media type, and in which of the forms that a schema has.

mod parts;

pub use parts::parts;

use wireform_codegen::resolve::is_media_type;

use super::encoding;
use super::own::is_own;
use super::types::Form;
use super::xml::{is_document, is_xml};
use crate::inner::Inner;
use crate::node::Node;

/// How what has a media type is written; the first that there is counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Media {
    /// As JSON (RFC 8259).
    Json,
    /// As the fields of a form.
    Form,
    /// As the parts of a form, some of which can be files.
    Parts,
    /// As XML, with elements that are members.
    Xml,
    /// As it is, and it is text.
    Text,
    /// As it is.
    Bytes,
}

/// The way of a media type; nothing where there is none. Ranges that JSON is in are that, unless bytes are meant, or a
/// text about which no more is said: who answers one mostly means the text itself. XML is text, unless its schema says which
/// elements there are.
fn media(written: &str, schema: Option<&Node<'_>>, is_document: bool) -> Option<Media> {
    let essence = written.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let binary = schema.is_some_and(is_bytes);
    match essence.as_str() {
        "*/*" if schema.is_some_and(is_any_text) => Some(Media::Text),
        "*/*" | "application/*" if !binary => Some(Media::Json),
        "application/json" | "text/json" => Some(Media::Json),
        "application/x-www-form-urlencoded" => Some(Media::Form),
        "multipart/form-data" => Some(Media::Parts),
        essence if essence.ends_with("+json") => Some(Media::Json),
        _ if is_document && is_xml(written) => Some(Media::Xml),
        essence if essence.starts_with("multipart/") || !is_media_type(written) => None,
        essence if essence.starts_with("text/") => Some(Media::Text),
        _ => Some(Media::Bytes),
    }
}

/// Whether a schema is that of bytes as they are: `format: binary` until OpenAPI 3.0, and a media type without an encoding
/// since then.
pub fn is_bytes(schema: &Node<'_>) -> bool {
    let is_json = |media: &str| media.trim() == "application/json" || media.ends_with("+json");
    let held = schema.text_if("contentMediaType").filter(|media| !is_json(media) && !schema.has("contentEncoding"));
    schema.text_if("format") == Some("binary")
        || held.is_some() && schema.text_if("type").is_none_or(|ty| ty == "string")
}

/// Whether a schema of which nothing is said is that of bytes, where it is a part of a form: since OpenAPI 3.1.
pub fn empty_is_bytes(root: &Node<'_>) -> bool {
    root.text_if("openapi").is_some_and(|version| !version.starts_with("3.0")) && !is_own(root)
}

/// Whether members of an object are told apart in a media type: in JSON and in forms.
fn has_fields(written: &str) -> bool {
    matches!(media(written, None, false), Some(Media::Json | Media::Form | Media::Parts))
}

/// What of a map by media type can be said.
#[derive(Clone)]
pub struct Content<'d> {
    /// The media types.
    pub types: Vec<&'d str>,
    /// The schema of all of them.
    pub schema: Option<Node<'d>>,
    /// How it is written.
    pub media: Media,
    /// Whether a form has a field for each single value, whose name says in brackets where it stands.
    pub brackets: bool,
    /// The name of the alternative that it is, where that is known.
    pub alternative: Option<String>,
    /// The lists that are one part of a form each.
    pub json_lists: Vec<&'d str>,
    /// What stands under the first media type.
    pub node: Node<'d>,
}

impl Content<'_> {
    /// Whether another media type has the same schema and way to be written.
    fn is_of(&self, other: &Self) -> bool {
        let fields = |media: Media| matches!(media, Media::Json | Media::Form | Media::Parts | Media::Xml);
        let alike = self.media == other.media || fields(self.media) && fields(other.media);
        let value = |content: &Self| content.schema.as_ref().map(|schema| schema.value);
        let same = value(self) == value(other) || matches!(other.media, Media::Text | Media::Bytes);
        self.alternative == other.alternative && alike && same
    }

    /// The type of what is not JSON and no form.
    pub fn raw<'d>(&self) -> Option<Form<'d>> {
        match self.media {
            Media::Text => Some(Form::plain("string", Inner::Text)),
            Media::Bytes => Some(Form::plain("bytes", Inner::Bytes)),
            Media::Json | Media::Form | Media::Parts | Media::Xml => None,
        }
    }

    /// Whether it can be sent as a form.
    pub fn has_form(&self) -> bool {
        self.types.iter().any(|written| matches!(media(written, None, false), Some(Media::Form | Media::Parts)))
    }

    /// Leaves out that it can be sent as a form.
    pub fn leave_forms_out(&mut self, node: &Node<'_>) {
        let is_form = |written: &str| has_fields(written) && media(written, None, false) != Some(Media::Json);
        self.types.retain(|written| !is_form(written));
        for (_, form) in node.entries("content").iter().filter(|(written, _)| is_form(written)) {
            form.whole_loss("left out: what is sent in a form is an object with known members");
        }
    }

    /// Whether it can be XML that says which elements there are.
    pub fn has_xml(&self) -> bool {
        self.media == Media::Xml
            || self.media != Media::Text && self.media != Media::Bytes && self.types.iter().any(|ty| is_xml(ty))
    }

    /// Leaves out that it can be XML.
    pub fn leave_xml_out(&mut self, node: &Node<'_>) {
        self.types.retain(|written| !is_xml(written));
        for (_, xml) in node.entries("content").iter().filter(|(written, _)| is_xml(written)) {
            xml.whole_loss("left out: what is XML is an object, a list, a map or a union");
        }
    }

    /// The media types, unless JSON is the only one.
    pub fn said(&self) -> Option<Vec<String>> {
        let said = self.types.iter().any(|media| *media != "application/json");
        said.then(|| self.types.iter().map(|media| (*media).to_owned()).collect())
    }
}

/// What is sent or answered, in the media types that have one schema and one way to be written: that of the JSON, where
/// there is any.
/// Of errors XML is taken as it is.
pub fn content<'d>(root: &Node<'d>, node: &Node<'d>, forms: bool, own: bool) -> Option<Content<'d>> {
    gather(root, node, (forms, false), own).into_iter().next()
}

/// What is sent or answered, each in the media types that have one schema and one way to be written: that of the JSON
/// first, where there is any.
pub fn contents<'d>(root: &Node<'d>, node: &Node<'d>, forms: bool, own: bool) -> Vec<Content<'d>> {
    gather(root, node, (forms, true), own)
}

fn gather<'d>(root: &Node<'d>, node: &Node<'d>, (forms, several): (bool, bool), own: bool) -> Vec<Content<'d>> {
    let entries = node.entries("content");
    let of = |written: &str, inner: &Node<'d>| {
        let schema = inner.get("schema");
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
        alternative: alternative(written, inner, own),
        json_lists: if own || brackets { Vec::new() } else { encoding::json_lists(root, inner) },
        node: inner.clone(),
    };
    let ways = entries.iter().filter_map(|(written, inner)| Some((of(written, inner)?, written, inner)));
    let first = ways.reduce(|first, other| if other.0 < first.0 { other } else { first });
    let mut found: Vec<Content<'d>> = first.iter().map(|(media, written, inner)| new(written, inner, *media)).collect();
    for (written, inner) in &entries {
        inner.only(&["schema", "example", "examples", "encoding"]);
        let Some(media) = of(written, inner) else {
            inner.whole_loss(format!("left out: `{}` has no place in a schema", written.escape_debug()));
            continue;
        };
        if !own {
            encoding::told(root, inner, media, brackets);
        }
        let is_raw = matches!(media, Media::Text | Media::Bytes);
        let of_same = new(written, inner, media);
        if !found.iter().any(|content| content.is_of(&of_same)) {
            if !several || !is_apart(&found, written, inner, is_raw) {
                inner.whole_loss("left out: another media type has another schema, or is written in another way");
                continue;
            }
            found.push(of_same.clone());
        }
        if is_raw {
            as_it_is(written, inner);
        }
        let Some(content) = found.iter_mut().find(|content| content.is_of(&of_same)) else { continue };
        // It says what that of the first does.
        let at = content.schema.as_ref().map(|first| &first.at);
        of_same.schema.iter().filter(|schema| at != Some(&schema.at)).for_each(Node::take);
        for name in of_same.json_lists {
            if !content.json_lists.contains(&name) {
                content.json_lists.push(name);
            }
        }
        let said = said(written, inner, media);
        if !content.types.contains(&said) {
            content.types.push(said);
        }
    }
    found
}

/// Whether what is taken as it is says no more of itself than that.
fn is_plain(inner: &Node<'_>) -> bool {
    inner.get("schema").is_none_or(|schema| is_text(&schema))
}

/// Whether a media type can be told apart from those before it, and is no other way to write what these say.
fn is_apart(found: &[Content<'_>], written: &str, inner: &Node<'_>, is_raw: bool) -> bool {
    let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let own = essence(written);
    let is_taken = found.iter().flat_map(|content| &content.types).any(|known| essence(known) == own);
    !is_taken && (!is_raw || is_plain(inner))
}

/// The name of the alternative that a media type is of: what a document of ours says, and that of a JSON Patch, which has
/// a form of its own whatever its schema is.
fn alternative(written: &str, inner: &Node<'_>, own: bool) -> Option<String> {
    if own {
        return inner.text("x-wireform-alternative").map(str::to_owned);
    }
    is_json_patch(written).then(|| JSON_PATCH.to_owned())
}

/// The name of the alternative that is a JSON Patch.
const JSON_PATCH: &str = "json_patch";

/// Whether a media type is that of a JSON Patch (RFC 6902).
pub fn is_json_patch(written: &str) -> bool {
    let essence = written.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json-patch+json")
}

/// What an alternative is called that has these media types, of which nobody says it.
pub fn called(types: &[&str]) -> String {
    let essence = types.first().copied().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let (kind, subtype) = essence.split_once('/').unwrap_or(("", essence));
    let name = match (kind, subtype) {
        ("*", _) => "any",
        (kind, "*") => kind,
        (_, "octet-stream") => "bytes",
        (_, "x-www-form-urlencoded") => "form",
        ("multipart", "form-data") => "multipart",
        ("text", "plain") => "text",
        (_, "json-patch+json") => JSON_PATCH,
        (_, "merge-patch+json") => "merge_patch",
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

/// Tells what a schema says of something that is taken as it is.
fn as_it_is(written: &str, inner: &Node<'_>) {
    let Some(schema) = inner.get("schema") else { return };
    schema.take();
    if !is_text(&schema) {
        schema.whole_loss(format!("left out: `{}` is taken as it is", written.escape_debug()));
    }
}

/// The media type that is written, of several one that is among them.
fn said<'d>(written: &'d str, inner: &Node<'_>, media: Media) -> &'d str {
    let is_range = written.trim() == "*/*" || written.trim() == "application/*";
    match media {
        Media::Json if is_range => "application/json",
        Media::Text if is_range => {
            inner.loss("is taken as `text/plain`: a text that could be of any media type is taken as it is");
            "text/plain"
        }
        _ => written,
    }
}

/// Whether a schema says no more than that something is text, or bytes.
fn is_text(schema: &Node<'_>) -> bool {
    let plain =
        ["type", "format", "description", "title", "example", "contentMediaType", "contentEncoding", "examples"];
    let text = schema.text_if("type").is_none_or(|ty| ty == "string");
    text && schema.members().iter().all(|(key, _)| plain.contains(key) || key.starts_with("x-"))
}

/// Whether a schema is that of any text, and of nothing that is written as text.
fn is_any_text(schema: &Node<'_>) -> bool {
    schema.text_if("type") == Some("string") && !schema.has("format") && is_text(schema)
}
