//! How the parts of a form are written, where a document says it: ours are written in one way.

use super::media::kind::{Media, empty_is_bytes, is_bytes};
use crate::node::Node;
use crate::value::Value;

/// What a part of a form holds, as far as its schema says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A file.
    File,
    /// A text.
    Text,
    /// A number, or `true` or `false`.
    Scalar,
    /// A list.
    List,
    /// An object.
    Object,
    /// Nobody knows.
    Unknown,
}

/// Tells what `encoding` says of the parts of a body: a note where they are written like that, a loss where not.
pub fn told(root: &Node<'_>, body: &Node<'_>, media: Media, brackets: bool) {
    if brackets && matches!(media, Media::Form | Media::Parts) {
        all_in_brackets(root, body);
    }
    let Some(encoding) = body.get("encoding") else { return };
    if !matches!(media, Media::Form | Media::Parts) {
        return encoding.whole_note("left out: it is for the parts of a form");
    }
    for (name, part) in encoding.members() {
        let is_list = !brackets && is_json_list(root, body, (name, &part));
        one(&part, part_of(root, body, name), media, (brackets, is_list));
    }
}

/// The lists that are one part of a form each, because their parts are said to be JSON.
pub fn json_lists<'d>(root: &Node<'d>, body: &Node<'d>) -> Vec<&'d str> {
    let encoding = body.object().and_then(|body| body.get("encoding"));
    let all = encoding.map(|encoding| encoding.members()).unwrap_or_default();
    all.into_iter().filter(|(name, part)| is_json_list(root, body, (name, part))).map(|(name, _)| name).collect()
}

fn is_json_list(root: &Node<'_>, body: &Node<'_>, (name, part): (&str, &Node<'_>)) -> bool {
    let is_json = part.text_if("contentType").is_some_and(|written| is_written(written, Part::Object));
    is_json && part.text_if("style").is_none() && part_of(root, body, name) == Part::List
}

/// Whether a part of a form says that each single value within it is a field of its own: then all of them are.
pub fn has_brackets(body: &Node<'_>) -> bool {
    let encoding = body.get("encoding");
    encoding.iter().flat_map(Node::members).any(|(_, part)| part.text_if("style") == Some(DEEP))
}

/// The style of parts whose names say in brackets where a value stands.
const DEEP: &str = "deepObject";

/// Tells of the members that are written in another way than with brackets.
fn all_in_brackets(root: &Node<'_>, body: &Node<'_>) {
    let properties = body.get("schema").and_then(|schema| schema.resolved(root)?.get("properties"));
    for (name, _) in properties.iter().flat_map(Node::members) {
        let encoding = body.get("encoding").and_then(|all| all.get(name));
        let is_deep = encoding.as_ref().is_some_and(|node| node.text_if("style") == Some(DEEP));
        if !is_deep && matches!(part_of(root, body, name), Part::List | Part::Object) {
            let name = name.escape_debug();
            body.loss(format!("`{name}` is written with brackets, as other members of the form are"));
        }
    }
}

fn one(node: &Node<'_>, part: Part, media: Media, (brackets, is_json_list): (bool, bool)) {
    node.only(&["allowReserved", "contentType", "explode", "headers", "style"]);
    if let Some(headers) = node.get("headers") {
        headers.whole_loss("left out: a part of a form has no headers of its own");
    }
    if media == Media::Form && node.flag("allowReserved") {
        node.note("`allowReserved` is left out: who reads a form takes both");
    }
    let (style, explode) = (node.text("style"), node.said("explode"));
    if is_json_list {
        // The list is one part, whatever would take it apart.
        let _ = node.text("contentType");
        return;
    }
    if brackets && style == Some(DEEP) {
        if explode == Some(false) {
            node.loss("`explode` is left out: the names of fields say where a value stands");
        }
        return content_type(node, part);
    }
    if brackets && matches!(part, Part::List | Part::Object) {
        // That it has brackets all the same is told of the form.
        return content_type(node, part);
    }
    let is_one = matches!(part, Part::Text | Part::Scalar);
    let is_ours = style.is_none_or(|style| style == "form") && (is_one || explode != Some(false));
    // A style says how an object is taken apart, which ours never is.
    let is_object = matches!(part, Part::Object | Part::Unknown) && (style.is_some() || explode.is_some());
    if !is_ours && !is_one || is_object {
        node.loss("`style` and `explode` are left out: lists in a form are repeated, and objects are JSON");
    } else if style.is_some() || explode.is_some() {
        node.note("`style` and `explode` are left out: a form is written like that");
    }
    content_type(node, part);
}

fn content_type(node: &Node<'_>, part: Part) {
    let Some(written) = node.text("contentType") else { return };
    if is_written(written, part) {
        node.note("`contentType` is left out: such a part is written like that, and a file has any media type");
    } else {
        node.loss("`contentType` is left out: values in a form are texts, and objects are JSON");
    }
}

/// Whether a part can be written as a media type.
fn is_written(written: &str, part: Part) -> bool {
    let essence = written.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = essence == "application/json" || essence.ends_with("+json");
    match part {
        Part::File => true,
        Part::Text => essence == "text/plain",
        // A number is the same in JSON.
        Part::Scalar => is_json || essence == "text/plain",
        Part::Object => is_json,
        Part::List | Part::Unknown => false,
    }
}

fn part_of(root: &Node<'_>, body: &Node<'_>, name: &str) -> Part {
    let schema = body.get("schema").and_then(|schema| schema.resolved(root));
    let properties = schema.and_then(|schema| schema.get("properties"));
    let Some(part) = properties.and_then(|all| all.get(name)).and_then(|part| part.resolved(root)) else {
        return Part::Unknown;
    };
    let is_empty =
        |part: &Node<'_>| empty_is_bytes(root) && matches!(part.value, Value::Object(keys) if keys.is_empty());
    let of = |part: &Node<'_>| match (part.value.get("type").and_then(Value::text), part.text_if("format")) {
        _ if is_bytes(part) || is_empty(part) => Part::File,
        (Some("string"), _) => Part::Text,
        (Some("integer" | "number" | "boolean"), _) => Part::Scalar,
        (Some("array"), _) => Part::List,
        (Some("object"), _) => Part::Object,
        _ => Part::Unknown,
    };
    // Each file of a list is a part.
    match (of(&part), part.get("items")) {
        (Part::List, Some(items)) if of(&items) == Part::File => Part::File,
        (part, _) => part,
    }
}
