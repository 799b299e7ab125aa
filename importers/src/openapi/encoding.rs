//! Encoding of the parts of a form, as far as a document declares it; a schema supports one encoding.

use wireform_codegen::model::essence;
use wireform_codegen::schema::operation::FormList;

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
        let list = if brackets { None } else { list_in_one_field(root, body, (name, &part), media) };
        report_part(&part, part_of(root, body, name), media, (brackets, list));
    }
}

/// Returns the lists that are encoded as a single part of a form.
pub fn lists<'d>(root: &Node<'d>, body: &Node<'d>, media: Media) -> Vec<(&'d str, FormList)> {
    let encoding = body.object().and_then(|body| body.get("encoding"));
    let all = encoding.map(|encoding| encoding.members()).unwrap_or_default();
    let list = |(name, part): (&'d str, Node<'d>)| Some((name, list_in_one_field(root, body, (name, &part), media)?));
    all.into_iter().filter_map(list).collect()
}

/// Returns how a list is encoded as a single part of a form; `None` if each element is a part.
fn list_in_one_field(
    root: &Node<'_>,
    body: &Node<'_>,
    (name, part): (&str, &Node<'_>),
    media: Media,
) -> Option<FormList> {
    if is_json_list(root, body, (name, part)) {
        return Some(FormList::Json);
    }
    let style = part.text_if("style").unwrap_or("form");
    let list = match (style, part.optional_flag("explode").unwrap_or(style == "form")) {
        ("form", false) => FormList::Comma,
        ("spaceDelimited", false) => FormList::Space,
        ("pipeDelimited", false) => FormList::Pipe,
        _ => return None,
    };
    (media == Media::Form && has_single_texts(root, body, name)).then_some(list)
}

/// Returns whether a field of the form is a list of texts, numbers or booleans, none of which is null.
fn has_single_texts(root: &Node<'_>, body: &Node<'_>, name: &str) -> bool {
    let part = property_of(root, body, name).filter(|_| part_of(root, body, name) == PartKind::List);
    let Some(items) = part.and_then(|part| part.get("items")).and_then(|items| items.resolved(root)) else {
        return false;
    };
    let has_null = items.flag("nullable")
        || matches!(items.value.get("type"), Some(Value::List(_)))
        || items.list("enum").iter().any(|one| matches!(one.value, Value::Null));
    let is_plain = ["allOf", "anyOf", "oneOf"].iter().all(|key| !items.has(key));
    is_plain && !has_null && matches!(kind_of(root, &items), PartKind::Text | PartKind::Scalar)
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

/// Styles with a delimiter, unless lists are repeated.
const DELIMITED: [&str; 2] = ["spaceDelimited", "pipeDelimited"];

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

/// Reports what the encoding of one part of a form loses. `list` is the notation of a list that is a single part.
fn report_part(node: &Node<'_>, part: PartKind, media: Media, (brackets, list): (bool, Option<FormList>)) {
    node.report_unknown(&["allowReserved", "contentType", "explode", "headers", "style"]);
    if let Some(headers) = node.get("headers") {
        headers.whole_loss("left out: headers of the parts of a form are not supported");
    }
    if media == Media::Form && node.flag("allowReserved") {
        node.note("`allowReserved` is left out: servers decode forms with and without percent-encoding");
    }
    let (style, explode) = (node.text("style"), node.optional_flag("explode"));
    if let Some(list) = list {
        // A media type next to a style is ignored, and a style next to JSON.
        if let (Some(_), false) = (node.text("contentType"), list == FormList::Json) {
            node.note("`contentType` is left out: `style` and `explode` determine the encoding of the part");
        }
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
    let is_repeated = explode.unwrap_or(style.is_none_or(|style| style == "form"));
    let is_ours = style.is_none_or(|style| style == "form" || DELIMITED.contains(&style)) && (is_one || is_repeated);
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
    let Some(part) = property_of(root, body, name) else { return PartKind::Unknown };
    // Each file of a list is a separate part.
    match (kind_of(root, &part), part.get("items")) {
        (PartKind::List, Some(items)) if kind_of(root, &items) == PartKind::File => PartKind::File,
        (part, _) => part,
    }
}

/// Returns the schema of a field of the body.
fn property_of<'d>(root: &Node<'d>, body: &Node<'d>, name: &str) -> Option<Node<'d>> {
    body.get("schema")?.resolved(root)?.get("properties")?.get(name)?.resolved(root)
}

/// Returns the only type other than null, which is an absent field.
fn only_type(written: &Value) -> Option<&str> {
    let Value::List(types) = written else { return written.text() };
    let mut types = types.iter().filter_map(Value::text).filter(|name| *name != "null");
    types.next().filter(|_| types.next().is_none())
}

/// Returns how forms encode a value, by its schema.
fn kind_of(root: &Node<'_>, part: &Node<'_>) -> PartKind {
    let is_empty = empty_is_bytes(root) && matches!(part.value, Value::Object(keys) if keys.is_empty());
    match part.value.get("type").and_then(only_type) {
        _ if is_bytes(part) || is_empty => PartKind::File,
        Some("string") => PartKind::Text,
        Some("integer" | "number" | "boolean") => PartKind::Scalar,
        Some("array") => PartKind::List,
        Some("object") => PartKind::Object,
        _ => PartKind::Unknown,
    }
}
