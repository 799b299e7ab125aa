//! Conversion of properties to fields, and the parts shared with parameters.

use wireform_codegen::schema::Field;
use wireform_codegen::schema::behavior::{Behavior, BehaviorWord, Required};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node as Yaml;

use super::constraints::{is_within, literal};
use super::enums;
use super::form::Form;
use super::importer::Importer;
use super::reimport;
use super::types;
use super::view::Description;
use crate::lowering::{DefinitionPath, Lowering, Member, REQUIRED_OUTPUT_ONLY, deprecated, flag, text};
use crate::node::Node;
use crate::number::Number;
use crate::prose::join_descriptions;
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Converts a property to a field, including whether it is nullable.
pub fn field<'d>(
    importer: &mut Importer<'d>,
    wire: &str,
    nodes: &[Node<'d>],
    place: &DefinitionPath,
    name: Option<String>,
    required: bool,
) -> Field {
    let form = types::form(importer, nodes, place, 0);
    let mut member = Member { ty: form.ty.clone(), doc: text(doc(&form)), name: text(name), ..Member::default() };
    let (read_only, write_only) = (form.flag("readOnly"), form.flag("writeOnly"));
    if let (true, true, Some(node)) = (read_only, write_only, form.first("writeOnly")) {
        node.loss("`writeOnly` is left out: the field is `readOnly`");
    }
    if let (true, true, Some(node)) = (read_only, required, nodes.first()) {
        node.note(REQUIRED_OUTPUT_ONLY);
    }
    add_keys(&mut importer.lowering, &form, &mut member);
    member.deprecated = deprecated(form.flag("deprecated"));
    let xml = importer.elements.member(wire, (&form.ty, form.is_element()), nodes);
    if let Some(node) = nodes.first().filter(|_| importer.is_generated) {
        return Field { xml, ..reimport::field(node, member) };
    }
    let word = match (read_only, write_only) {
        (true, _) => Some(BehaviorWord::OutputOnly),
        (false, true) => Some(BehaviorWord::InputOnly),
        (false, false) => None,
    };
    Field {
        behavior: word.map(Behavior::from).into_iter().collect(),
        required: (required && !read_only).then_some(Required::Everywhere(true)),
        // A value of any type can be null.
        nullable: flag(form.nullable || form.is("any")),
        xml,
        ..member.into_field()
    }
}

/// Returns the combined description of the value and its elements.
pub fn doc(form: &Form<'_>) -> Option<String> {
    match (form.doc.as_ref().and_then(Description::text), form.element_doc.as_ref().and_then(Description::text)) {
        (Some(own), Some(elements)) if own != elements => {
            Some(join_descriptions(&own, &format!("Each element: {elements}")))
        }
        (own, elements) => own.or(elements),
    }
}

/// Adds the default, the constraints and an example.
pub fn add_keys(lowering: &mut Lowering, form: &Form<'_>, member: &mut Member) {
    match &form.keys.constant {
        None => member.default = default(lowering, form).map(Raw),
        // A constant has the same value if it is absent.
        Some(only) => form
            .first("default")
            .and_then(|node| node.get("default"))
            .filter(|node| node.value.to_raw() == *only)
            .iter()
            .for_each(Node::mark_used),
    }
    member.constraints = form.keys.clone();
    member.example = example(form).map(Raw);
}

/// Reads the default of a member. One of a list, an object or a union is checked when all types are known.
fn default(lowering: &mut Lowering, form: &Form<'_>) -> Option<Yaml> {
    // An explicit null means that there is no default, even if the type has one.
    let first = form.nodes.iter().find_map(|node| node.value.get("default"));
    if first.is_some() {
        // It overrides those of the schemas that the value refers to.
        let all = form.nodes.iter().skip_while(|node| node.value.get("default").is_none()).skip(1).chain(&form.default);
        all.filter_map(|node| node.get("default")).for_each(|default| default.mark_used());
    }
    if first == Some(&Value::Null) {
        return None;
    }
    let node = form.first("default").or(form.default.as_ref())?.get("default")?;
    node.mark_used();
    let is_plain = !matches!(form.inner, ValueKind::Scalar | ValueKind::Json | ValueKind::Union | ValueKind::Other);
    if form.collection.is_some() || !is_plain {
        return Some(lowering.checked_default(node.value.to_node(), &node.at));
    }
    let is_bounded = form.inner != ValueKind::Bytes;
    let found = value(node.value, form).filter(|value| !is_bounded || is_within(&node, value, form));
    let found = found.filter(|_| !form.is("file"));
    if found.is_none() {
        node.whole_loss("left out: not a valid default of this type");
    }
    found
}

/// Reads an example of a member.
fn example(form: &Form<'_>) -> Option<Yaml> {
    let node = form.first("example").or_else(|| form.first("examples"))?;
    let node = node.get("example").or_else(|| {
        let examples = node.get("examples")?;
        match examples.value {
            Value::List(_) => node.list("examples").into_iter().next(),
            _ => examples.members().into_iter().next().and_then(|(_, one)| one.get("value")),
        }
    })?;
    node.mark_used();
    let found = if form.collection.is_some() { collection(node.value, &form.ty) } else { value(node.value, form) };
    if found.is_none() {
        node.whole_note("left out: the example is not a value of this type");
    }
    found.filter(|found| {
        let fits = form.collection.is_some() || is_within(&node, found, form);
        if !fits {
            node.whole_note("left out: the example violates the constraints");
        }
        fits
    })
}

/// Converts a JSON list or map according to its type.
fn collection(value: &Value, ty: &TypeExpr) -> Option<Yaml> {
    match (ty, value) {
        (TypeExpr::List(..), Value::List(_)) | (TypeExpr::Map(..), Value::Object(_)) => Some(value.to_node()),
        _ => None,
    }
}

/// Converts a value according to its type.
fn value(value: &Value, form: &Form<'_>) -> Option<Yaml> {
    let flag = |flag: bool| Yaml::plain(flag.to_string());
    match &form.inner {
        ValueKind::Text => match value {
            // In YAML texts can be unquoted, and `example: 12` of a text is a text.
            Value::Text(text) | Value::Number(text) => Some(Yaml::quoted(text.as_str())),
            Value::Bool(flag) => Some(Yaml::quoted(flag.to_string())),
            _ => None,
        },
        ValueKind::Bool => match value {
            Value::Bool(value) => Some(flag(*value)),
            Value::Text(text) => text.parse().ok().map(flag),
            _ => None,
        },
        ValueKind::Whole(..) | ValueKind::Float | ValueKind::Number => match value {
            Value::Number(text) | Value::Text(text) => literal(text, &form.inner, false).map(Number::to_node),
            _ => None,
        },
        ValueKind::Values(values) => match value {
            Value::Text(text) => values.contains(text).then(|| Yaml::quoted(text.as_str())),
            Value::Number(text) => values.contains(text).then(|| value.to_node()),
            Value::Bool(flag) => Some(flag.to_string()).filter(|text| values.contains(text)).map(Yaml::quoted),
            _ => None,
        }
        // Values of an enum of several kinds are JSON.
        .or_else(|| enums::json(value).filter(|json| values.contains(json)).map(Yaml::quoted)),
        inner @ (ValueKind::Date | ValueKind::DateTime | ValueKind::Bytes | ValueKind::Lexical(_)) => match value {
            // In YAML texts can be unquoted, and `example: 0.10` of a decimal is a text.
            Value::Text(text) | Value::Number(text) => Some(text),
            _ => None,
        }
        .filter(|text| inner.is_text(text))
        .map(|text| Yaml::quoted(text.as_str())),
        ValueKind::Json if form.is("object") => types::is_object(value).then(|| value.to_node()),
        ValueKind::Json | ValueKind::Union => Some(value.to_node()),
        ValueKind::Scalar | ValueKind::Other => None,
    }
}
