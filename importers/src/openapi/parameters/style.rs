//! Serialization styles of structured parameters.

use wireform_codegen::schema::field::ListStyle;
use wireform_codegen::schema::types::TypeExpr;

use super::lists;
use crate::node::Node;
use crate::openapi::form::{Collection, Form};
use crate::openapi::importer::Importer;
use crate::openapi::resources::is_any;
use crate::openapi::types::unions::{self, Alternatives};
use crate::openapi::view::{AdditionalMembers, Kind, expanded};
use crate::value_kind::ValueKind;

/// Shape of the schema of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Object of scalars and lists of scalars.
    Flat,
    /// One of several types.
    Union,
    /// One of several kinds of text.
    Texts,
    /// List of scalars of several types.
    MixedList,
    /// Anything else.
    Other,
}

impl Shape {
    /// Detects the shape of a schema.
    pub fn of<'d>(importer: &Importer<'d>, schema: &Node<'d>) -> Self {
        let view = expanded(&importer.root, std::slice::from_ref(schema));
        let single = |nodes: &[Node<'d>]| {
            let view = expanded(&importer.root, nodes);
            let kind = view.kind().is_some_and(|kind| !matches!(kind, Kind::Object | Kind::List));
            match unions::alternatives(importer, &view) {
                Alternatives::Texts(_) | Alternatives::Free(_) => true,
                Alternatives::None => kind || view.values.is_some(),
                Alternatives::Types => false,
            }
        };
        let flat = |nodes: &[Node<'d>]| {
            let view = expanded(&importer.root, nodes);
            single(nodes) || view.kind() == Some(Kind::List) && single(&view.items)
        };
        // A separate parameter has a known name.
        let more = matches!(&view.additional, AdditionalMembers::Typed(nodes) if !nodes.iter().all(is_any));
        let is_text = |one: &Node<'d>| {
            let view = expanded(&importer.root, std::slice::from_ref(one));
            view.kind() == Some(Kind::Text) && view.alternatives.is_empty()
        };
        if matches!(unions::alternatives(importer, &view), Alternatives::Types) {
            let are_texts = view.alternatives.iter().flatten().all(is_text);
            if are_texts { Self::Texts } else { Self::Union }
        } else if !more && !view.properties.is_empty() && view.properties.iter().all(|(_, nodes)| flat(nodes)) {
            Self::Flat
        } else if view.kind() == Some(Kind::List) && lists::is_mixed(importer, &view.items) {
            Self::MixedList
        } else {
            Self::Other
        }
    }
}

/// Returns the style of a parameter that is neither a scalar nor a list of scalars.
pub fn structured(
    node: &Node<'_>,
    form: &Form<'_>,
    shape: Option<Shape>,
    location: &str,
    json: bool,
) -> Option<ListStyle> {
    let are_texts = shape == Some(Shape::Texts);
    let is_union = matches!(shape, Some(Shape::Union | Shape::Texts));
    let is_resource = form.inner == ValueKind::Other && form.collection.is_none() && !is_union;
    if json {
        if location != "query" {
            return None;
        }
        let is_json = form.collection.is_some() || is_resource || form.inner == ValueKind::Json;
        return is_json.then_some(ListStyle::Json);
    }
    let is_flat = is_resource && shape == Some(Shape::Flat);
    if node.text_if("style") == Some("deepObject") {
        let is_nested = is_resource || form.collection.is_some() || form.inner == ValueKind::Union && !are_texts;
        return match (location, is_flat && node.text_if("x-wireform-style").is_none()) {
            ("query", true) => Some(ListStyle::Deep),
            ("query", false) if is_nested => Some(ListStyle::Brackets),
            _ => None,
        };
    }
    let is_map = matches!(&form.ty, TypeExpr::Map(of, _) if matches!(**of, TypeExpr::Name(_)))
        && !matches!(form.inner, ValueKind::Json | ValueKind::Union | ValueKind::Other);
    if is_flat || is_map { of_members(node, location) } else { None }
}

/// Returns the style of members with their names, given by the document or the default of the location.
fn of_members(node: &Node<'_>, location: &str) -> Option<ListStyle> {
    let written = node.text_if("style");
    let style = written.unwrap_or(if location == "query" { "form" } else { "simple" });
    let explode = node.optional_flag("explode").unwrap_or(style == "form");
    Some(match (style, location, explode) {
        ("form", "query", true) => ListStyle::Members,
        ("form", "query", false) | ("simple", "path" | "header", false) => ListStyle::Pairs,
        ("simple", "path" | "header", true) => ListStyle::Assigned,
        ("label", "path", true) => ListStyle::LabelEach,
        ("label", "path", false) => ListStyle::Label,
        ("matrix", "path", true) => ListStyle::MatrixEach,
        ("matrix", "path", false) => ListStyle::Matrix,
        _ => return None,
    })
}

/// Returns whether the elements of a list are scalars.
fn is_simple(form: &Form<'_>) -> bool {
    let single = matches!(&form.ty, TypeExpr::List(of, _) if matches!(**of, TypeExpr::Name(_) | TypeExpr::Nullable(_)));
    single && !matches!(form.inner, ValueKind::Json | ValueKind::Union | ValueKind::Other)
}

/// Returns the style of a list. Unsupported types become strings.
pub fn style(node: &Node<'_>, form: &mut Form<'_>, shape: Option<Shape>, location: &str) -> Option<ListStyle> {
    let style = node.text("style");
    let explode = node.optional_flag("explode").unwrap_or(style.is_none_or(|style| style == "form"));
    if shape == Some(Shape::MixedList) && !is_simple(form) {
        node.loss("its elements become `string`: a list in a parameter has elements of one type");
        lists::replace_elements(form);
    }
    match (form.collection, location) {
        (Some(Collection::List), "header" | "path") if is_simple(form) => {}
        (Some(Collection::List), "query" | "cookie") => {
            return style_of_form_list(node, form, (style, explode), location);
        }
        (Some(_), _) => unsupported(node, form, "lists and maps of this kind are supported in bodies only"),
        (None, _) if form.inner == ValueKind::Union && shape == Some(Shape::Texts) => {
            node.note("becomes `string`: its alternatives are strings that cannot be distinguished");
            replace_by_string(form);
        }
        (None, _) if matches!(form.inner, ValueKind::Other | ValueKind::Union) => {
            unsupported(node, form, "objects in parameters are not supported");
        }
        (None, _) if form.inner == ValueKind::Json && form.is("object") => {
            unsupported(node, form, "objects in parameters are not supported");
        }
        (None, _) if form.inner == ValueKind::Json => {
            node.whole_note("becomes `string`: its type is not declared");
            form.ty = TypeExpr::named("string");
            form.inner = ValueKind::Text;
        }
        (None, _) => {}
    }
    match (style, location, explode) {
        (Some("label"), "path", false) => Some(ListStyle::Label),
        (Some("label"), "path", true) => Some(ListStyle::LabelEach),
        (Some("matrix"), "path", false) => Some(ListStyle::Matrix),
        (Some("matrix"), "path", true) => Some(ListStyle::MatrixEach),
        _ => None,
    }
}

/// Returns the style of a list in the query or in a cookie.
fn style_of_form_list(
    node: &Node<'_>,
    form: &mut Form<'_>,
    (style, explode): (Option<&str>, bool),
    location: &str,
) -> Option<ListStyle> {
    let is_cookie = location == "cookie";
    if !is_simple(form) {
        let place = if is_cookie { "a cookie" } else { "the query" };
        unsupported(node, form, &format!("a list in {place} must contain single values"));
        return None;
    }
    match style {
        None | Some("form") => (!explode).then_some(ListStyle::Comma),
        Some(other) if is_cookie => {
            unsupported(node, form, &format!("the style `{}` is not supported in cookies", other.escape_debug()));
            None
        }
        Some("spaceDelimited" | "pipeDelimited") if explode => {
            node.note("the parameter is repeated: `explode` is true");
            None
        }
        Some("spaceDelimited") => Some(ListStyle::Space),
        Some("pipeDelimited") => Some(ListStyle::Pipe),
        Some(other) => {
            unsupported(node, form, &format!("the style `{}` is not supported", other.escape_debug()));
            None
        }
    }
}

/// Replaces an unsupported type by a string, and reports the reason.
fn unsupported(node: &Node<'_>, form: &mut Form<'_>, why: &str) {
    node.whole_loss(format!("becomes `string`: {why}"));
    replace_by_string(form);
}

/// Replaces a type by a string with the same description and annotations.
fn replace_by_string(form: &mut Form<'_>) {
    let (nodes, doc) = (std::mem::take(&mut form.nodes), form.doc.take());
    *form = Form { nodes, doc, ..Form::plain("string", ValueKind::Text) };
}
