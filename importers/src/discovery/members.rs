//! Conversion of properties to fields, and of parameters.

use wireform_codegen::resolve::{BUILTINS, is_duration};
use wireform_codegen::schema::behavior::{Behavior, BehaviorWord, Presence, Required, RequiredIn};
use wireform_codegen::schema::field::{Field, Parameter};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node as Yaml;

use super::importer::Importer;
use super::types::{self, Form, TYPE_KEYS};
use crate::lowering::{DefinitionPath, Member, REQUIRED_OUTPUT_ONLY, deprecated, flag, text, texts};
use crate::node::Node;
use crate::number::Number;
use crate::value_kind::ValueKind;

/// Location of a field or a parameter in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberLocation {
    /// Member of a resource.
    Field,
    /// Parameter in a path.
    Path,
    /// Parameter in the query.
    Query,
}

/// Keys of the document that fields and parameters have, besides those of their type.
const KEYS: [&str; 8] = ["default", "deprecated", "description", "id", "maximum", "minimum", "pattern", "required"];

impl MemberLocation {
    /// Returns the keys of a Discovery document that only a field or only a parameter has, in addition to [`KEYS`].
    const fn additional_keys(self) -> [&'static str; 2] {
        match self {
            Self::Field => ["annotations", "readOnly"],
            Self::Path | Self::Query => ["location", "repeated"],
        }
    }
}

/// Converts a property to a field, with `name:` if needed.
pub fn field<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, name: Option<String>) -> Field {
    let mut field = member(importer, node, place, name, MemberLocation::Field).into_field();
    behavior(importer, node, &mut field);
    field
}

/// Converts a parameter, with `name:` if needed.
pub fn parameter<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    name: Option<String>,
    location: MemberLocation,
) -> Parameter {
    let mut parameter = member(importer, node, place, name, location).into_parameter();
    if location == MemberLocation::Query {
        parameter.required = flag(node.flag("required"));
    } else if node.optional_flag("required") == Some(false) {
        node.note("`required` is left out: path parameters are always required");
    }
    parameter
}

/// Converts the keys that fields and parameters share.
fn member<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    name: Option<String>,
    location: MemberLocation,
) -> Member {
    let known: Vec<&str> = TYPE_KEYS.iter().chain(&KEYS).copied().chain(location.additional_keys()).collect();
    node.report_unknown(&known);
    let mut form = types::form(importer, node, place, 0);
    if location != MemberLocation::Field {
        parameter_type(node, &mut form, location);
    }
    let mut member = Member { ty: form.ty.clone(), doc: text(doc(node, &form)), name: text(name), ..Member::default() };
    constraints(node, &form, &mut member);
    member.constraints.encoding = form.encoding.map(Into::into);
    member.deprecated = deprecated(node.flag("deprecated"));
    member
}

/// Returns the description of a member, with that of its type.
fn doc(node: &Node<'_>, form: &Form) -> Option<String> {
    let own = node.prose("description");
    form.combined_doc(own)
}

/// Restricts the type of a parameter to a single value, or a list of them in the query.
fn parameter_type(node: &Node<'_>, form: &mut Form, location: MemberLocation) {
    let is_value = |name: &str| {
        matches!(form.inner, ValueKind::Values(_))
            || !matches!(name, "any" | "object") && BUILTINS.iter().any(|(builtin, _)| *builtin == name)
    };
    if form.is_collection || !form.ty.name().is_some_and(is_value) {
        node.whole_loss("becomes `string`: a parameter must be a single value, or `repeated`");
        *form = Form::plain("string", ValueKind::Text);
    }
    if !node.flag("repeated") {
        return;
    }
    if location == MemberLocation::Path {
        node.loss("becomes a single value: path parameters cannot be repeated");
        return;
    }
    form.ty = TypeExpr::list_of(form.ty.clone());
    form.is_collection = true;
}

/// Converts `readOnly`, `required` and `annotations` of a property.
fn behavior(importer: &Importer<'_>, node: &Node<'_>, field: &mut Field) {
    let read_only = node.flag("readOnly");
    if read_only {
        field.behavior = vec![Behavior::from(BehaviorWord::OutputOnly)];
    }
    if node.flag("required") {
        if read_only {
            node.note(REQUIRED_OUTPUT_ONLY);
        } else {
            field.required = Some(Required::Everywhere(true));
        }
    }
    let Some(annotations) = node.child("annotations") else { return };
    annotations.report_unknown(&["required"]);
    let mut operations = Vec::new();
    for id in annotations.texts("required") {
        match importer.operations.get(id) {
            Some(_) if field.required.is_some() => {}
            Some(name) if !read_only => operations.push(name.as_str()),
            Some(_) => annotations.note(REQUIRED_OUTPUT_ONLY),
            None => annotations.loss(format!("`{}` is left out: unknown method", id.escape_debug())),
        }
    }
    if !operations.is_empty() {
        field.required = Some(Required::In(RequiredIn { operations: texts(operations), ..RequiredIn::default() }));
    }
    // A required collection can be empty.
    if field.required.is_some() && matches!(field.ty, TypeExpr::List(..) | TypeExpr::Map(..)) {
        field.presence = Some(Presence::Explicit.into());
    }
}

/// Converts the default and the limits of a member.
fn constraints(node: &Node<'_>, form: &Form, member: &mut Member) {
    let bound = |key: &str| {
        let written = node.scalar(key)?;
        let number = number(&written, &form.inner);
        if number.is_none() {
            node.loss(format!("`{key}: {}` is left out: it is not a number of this type", written.escape_debug()));
        }
        number
    };
    let (mut min, mut max) = (bound("minimum"), bound("maximum"));
    if let (Some(low), Some(high)) = (&min, &max)
        && low.is_greater_than(*high)
    {
        node.loss("`minimum` and `maximum` are left out: `minimum` is greater than `maximum`");
        (min, max) = (None, None);
    }
    let pattern = pattern(node, form);
    if pattern.as_deref().is_some_and(is_digits) && form.inner.is_signed() {
        min = min.filter(|min| min.is_greater_than(Number::Whole(0))).or(Some(Number::Whole(0)));
    }
    member.default = default(node, form, (min, max), pattern.as_deref()).map(Raw);
    member.constraints.pattern = text(pattern.filter(|_| form.inner == ValueKind::Text));
    member.constraints.format = form.format.map(Into::into);
    member.constraints.min = min.map(Number::to_raw);
    member.constraints.max = max.map(Number::to_raw);
}

/// Returns the default: a value of the type within its bounds, which matches its pattern.
fn default(
    node: &Node<'_>,
    form: &Form,
    (min, max): (Option<Number>, Option<Number>),
    pattern: Option<&str>,
) -> Option<Yaml> {
    let written = node.scalar("default")?;
    let value = match &form.inner {
        _ if form.is_collection => None,
        ValueKind::Text => {
            pattern.is_none_or(|pattern| is_match(node, pattern, &written)).then(|| Yaml::quoted(written.as_str()))
        }
        ValueKind::Bool => written.parse::<bool>().ok().map(|flag| Yaml::plain(flag.to_string())),
        ValueKind::Values(values) => values.contains(&written).then(|| Yaml::quoted(written.as_str())),
        ValueKind::Whole(..) | ValueKind::Float => number(&written, &form.inner)
            .filter(|value| !min.is_some_and(|min| min.is_greater_than(*value)))
            .filter(|value| !max.is_some_and(|max| value.is_greater_than(max)))
            .map(Number::to_node),
        ValueKind::Scalar => is_duration(&written).then(|| Yaml::quoted(written.as_str())),
        inner => inner.is_text(&written).then(|| Yaml::quoted(written.as_str())),
    };
    if value.is_none() {
        node.loss(format!("`default: {}` is left out: it is not a value of this type", written.escape_debug()));
    }
    value
}

/// Parses a number of this type.
fn number(text: &str, of: &ValueKind) -> Option<Number> {
    match of {
        ValueKind::Whole(least, greatest) => {
            let value = text.parse::<i128>().ok().filter(|value| (least..=greatest).contains(&value))?;
            Number::integer(value)
        }
        ValueKind::Float => Number::float(text),
        _ => None,
    }
}

/// Returns a pattern in the syntax of the schema language, which matches the whole text and so has no anchors. The
/// patterns of these documents are those of Java, whose `matches` also requires the whole text.
fn pattern(node: &Node<'_>, form: &Form) -> Option<String> {
    let written = node.text("pattern")?;
    let whole = written.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let whole = whole.filter(|inner| !inner.contains('|') && !inner.ends_with('\\')).unwrap_or(written);
    if let Err(why) = node.compile(whole) {
        node.loss(format!("`pattern` is left out: {why}"));
        return None;
    }
    if form.inner == ValueKind::Text || form.inner.is_signed() && is_digits(whole) {
        return Some(whole.to_owned());
    }
    if !is_redundant_pattern(node, whole, &form.inner) {
        node.loss("`pattern` is left out: it applies to strings");
    }
    None
}

/// Returns whether a valid pattern matches the whole text.
fn is_match(node: &Node<'_>, pattern: &str, text: &str) -> bool {
    node.compile(pattern).is_ok_and(|matcher| matcher.is_match(text))
}

/// Returns whether a pattern matches only digits: for a number this means that it is not negative.
fn is_digits(pattern: &str) -> bool {
    matches!(pattern, "[0-9]+" | "[0-9]*" | r"\d+" | r"\d*")
}

/// Returns whether a pattern matches every value of a non-text type, and is thus redundant.
fn is_redundant_pattern(node: &Node<'_>, pattern: &str, inner: &ValueKind) -> bool {
    let takes = |text: &str| is_match(node, pattern, text);
    match inner {
        ValueKind::Values(values) => values.iter().all(|value| takes(value)),
        // Numbers are tested with every digit and the sign, in short and long texts.
        ValueKind::Whole(least, greatest) => {
            (0..=9).all(|digit| takes(&digit.to_string())) && takes(&least.to_string()) && takes(&greatest.to_string())
        }
        ValueKind::Bool => takes("true") && takes("false"),
        _ => false,
    }
}
