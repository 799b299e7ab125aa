//! Encoding of the parts of a form, as far as a document declares it; a schema supports one encoding.

use wireform_codegen::model::essence;

use super::media::kind::{Media, empty_is_bytes, is_bytes};
use crate::node::Node;
use crate::value::Value;

/// Kind of value of a part of a form, as far as its schema specifies it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// File.
    File,
    /// Text.
    Text,
    /// Number, or `true` or `false`.
    Scalar,
    /// List.
    List,
    /// Object.
    Object,
    /// Unknown.
    Unknown,
}

/// Reports the `encoding` of the parts of a body: a note if it is the supported one, otherwise a loss.
pub fn report(root: &Node<'_>, body: &Node<'_>, media: Media, brackets: bool) {
    if brackets && matches!(media, Media::Form | Media::Parts) {
        report_unbracketed(root, body);
    }
    let Some(encoding) = body.get("encoding") else { return };
    if !matches!(media, Media::Form | Media::Parts) {
        return encoding.whole_note("left out: supported for the parts of a form only");
    }
    for (name, part) in encoding.members() {
        let is_list = !brackets && is_json_list(root, body, (name, &part));
        report_part(&part, part_of(root, body, name), media, (brackets, is_list));
    }
}

/// Returns the lists that are encoded as a single JSON part of a form.
pub fn json_lists<'d>(root: &Node<'d>, body: &Node<'d>) -> Vec<&'d str> {
    let encoding = body.object().and_then(|body| body.get("encoding"));
    let all = encoding.map(|encoding| encoding.members()).unwrap_or_default();
    all.into_iter().filter(|(name, part)| is_json_list(root, body, (name, part))).map(|(name, _)| name).collect()
}

/// Returns whether a field of the form is a list in one part as JSON: `contentType` is JSON, and there is no `style`.
fn is_json_list(root: &Node<'_>, body: &Node<'_>, (name, part): (&str, &Node<'_>)) -> bool {
    let is_json = part.text_if("contentType").is_some_and(|written| can_encode(written, PartKind::Object));
    is_json && part.text_if("style").is_none() && part_of(root, body, name) == PartKind::List
}

/// Returns whether the document declares bracket notation for nested values; then it applies to all parts.
pub fn has_brackets(body: &Node<'_>) -> bool {
    let encoding = body.get("encoding");
    encoding.iter().flat_map(Node::members).any(|(_, part)| part.text_if("style") == Some(DEEP))
}

/// Style with bracket notation.
const DEEP: &str = "deepObject";

/// Reports members without bracket notation.
fn report_unbracketed(root: &Node<'_>, body: &Node<'_>) {
    let properties = body.get("schema").and_then(|schema| schema.resolved(root)?.get("properties"));
    for (name, _) in properties.iter().flat_map(Node::members) {
        let encoding = body.get("encoding").and_then(|all| all.get(name));
        let is_deep = encoding.as_ref().is_some_and(|node| node.text_if("style") == Some(DEEP));
        if !is_deep && matches!(part_of(root, body, name), PartKind::List | PartKind::Object) {
            let name = name.escape_debug();
            body.loss(format!("`{name}` is encoded in bracket notation, like other members of the form"));
        }
    }
}

/// Reports what the encoding of one part of a form loses. `is_json_list` is whether a list is a single JSON part.
fn report_part(node: &Node<'_>, part: PartKind, media: Media, (brackets, is_json_list): (bool, bool)) {
    node.report_unknown(&["allowReserved", "contentType", "explode", "headers", "style"]);
    if let Some(headers) = node.get("headers") {
        headers.whole_loss("left out: headers of the parts of a form are not supported");
    }
    if media == Media::Form && node.flag("allowReserved") {
        node.note("`allowReserved` is left out: servers decode forms with and without percent-encoding");
    }
    let (style, explode) = (node.text("style"), node.optional_flag("explode"));
    if is_json_list {
        // The list is a single part, whatever its style.
        let _ = node.text("contentType");
        return;
    }
    if brackets && style == Some(DEEP) {
        if explode == Some(false) {
            node.loss("`explode` is left out: bracket notation encodes each value separately");
        }
        return report_content_type(node, part);
    }
    if brackets && matches!(part, PartKind::List | PartKind::Object) {
        // The bracket notation is reported for the whole form.
        return report_content_type(node, part);
    }
    let is_one = matches!(part, PartKind::Text | PartKind::Scalar);
    let is_ours = style.is_none_or(|style| style == "form") && (is_one || explode != Some(false));
    // A style describes how an object is split, which is not supported.
    let is_object = matches!(part, PartKind::Object | PartKind::Unknown) && (style.is_some() || explode.is_some());
    if !is_ours && !is_one || is_object {
        node.loss("`style` and `explode` are left out: forms repeat the fields of lists, and encode objects as JSON");
    } else if style.is_some() || explode.is_some() {
        node.note("`style` and `explode` are left out: they match the encoding of forms");
    }
    report_content_type(node, part);
}

/// Reports the omitted `contentType` of a part: a note if forms encode the part in that way anyway, else a loss.
fn report_content_type(node: &Node<'_>, part: PartKind) {
    let Some(written) = node.text("contentType") else { return };
    if can_encode(written, part) {
        node.note(
            "`contentType` is left out: it matches the encoding of the part, or the part is a file of any media type",
        );
    } else {
        node.loss("`contentType` is left out: forms encode scalars as text, and objects as JSON");
    }
}

/// Returns whether a part can be encoded in a media type.
fn can_encode(written: &str, part: PartKind) -> bool {
    let essence = essence(written);
    let is_json = essence == "application/json" || essence.ends_with("+json");
    match part {
        PartKind::File => true,
        PartKind::Text => essence == "text/plain",
        // A number has the same representation in JSON.
        PartKind::Scalar => is_json || essence == "text/plain",
        PartKind::Object => is_json,
        PartKind::List | PartKind::Unknown => false,
    }
}

/// Returns how forms encode a field of the body, by its schema.
fn part_of(root: &Node<'_>, body: &Node<'_>, name: &str) -> PartKind {
    let schema = body.get("schema").and_then(|schema| schema.resolved(root));
    let properties = schema.and_then(|schema| schema.get("properties"));
    let Some(part) = properties.and_then(|all| all.get(name)).and_then(|part| part.resolved(root)) else {
        return PartKind::Unknown;
    };
    let is_empty =
        |part: &Node<'_>| empty_is_bytes(root) && matches!(part.value, Value::Object(keys) if keys.is_empty());
    let of = |part: &Node<'_>| match (part.value.get("type").and_then(Value::text), part.text_if("format")) {
        _ if is_bytes(part) || is_empty(part) => PartKind::File,
        (Some("string"), _) => PartKind::Text,
        (Some("integer" | "number" | "boolean"), _) => PartKind::Scalar,
        (Some("array"), _) => PartKind::List,
        (Some("object"), _) => PartKind::Object,
        _ => PartKind::Unknown,
    };
    // Each file of a list is a separate part.
    match (of(&part), part.get("items")) {
        (PartKind::List, Some(items)) if of(&items) == PartKind::File => PartKind::File,
        (part, _) => part,
    }
}
