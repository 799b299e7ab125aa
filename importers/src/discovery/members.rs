//! Properties → fields, and parameters → parameters.

use serde_yaml::{Mapping, Number, Value};
use wireform_codegen::patterns;
use wireform_codegen::resolve::BUILTINS;

use super::draft::Draft;
use super::types::{self, Form, TYPE_KEYS};
use crate::draft::{ONLY_THE_SERVER, Place};
use crate::files::put;
use crate::inner::{self, Inner, is_above};
use crate::node::Node;
use crate::prose;

/// Which of the two a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A member of a resource.
    Field,
    /// A parameter in a path.
    Path,
    /// A parameter in the query.
    Query,
}

/// What a member can say beside its type.
const KEYS: [&str; 8] = ["default", "deprecated", "description", "id", "maximum", "minimum", "pattern", "required"];

impl Side {
    /// What it can say beside that.
    const fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Field => ["annotations", "readOnly"],
            Self::Path | Self::Query => ["location", "repeated"],
        }
    }
}

/// A field or a parameter, with `name:` where it needs one.
pub fn member<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place, name: Option<String>, side: Side) -> Mapping {
    let known: Vec<&str> = TYPE_KEYS.iter().chain(&KEYS).copied().chain(side.keys()).collect();
    node.only(&known);
    let mut form = types::form(draft, node, place, 0);
    if side != Side::Field {
        parameter_type(node, &mut form, side);
    }
    let mut body = Mapping::new();
    put(&mut body, "type", Some(form.ty.clone()));
    put(&mut body, "doc", doc(node, &form));
    put(&mut body, "name", name);
    if side == Side::Field {
        behavior(draft, node, &mut body);
    } else if side == Side::Query {
        put(&mut body, "required", node.flag("required").then_some(true));
    } else if node.said("required") == Some(false) {
        node.note("`required` is left out: what stands in a path is always there");
    }
    constraints(draft, node, &form, &mut body);
    put(&mut body, "encoding", form.encoding);
    put(&mut body, "deprecated", node.flag("deprecated").then_some(true));
    body
}

fn doc(node: &Node<'_>, form: &Form) -> Option<String> {
    let own = node.text("description").and_then(prose::paragraph);
    form.said(own)
}

/// A parameter is a single value, or a list of them in the query.
fn parameter_type(node: &Node<'_>, form: &mut Form, side: Side) {
    let is_value = |name: &str| {
        matches!(form.inner, Inner::Values(_))
            || !matches!(name, "any" | "object") && BUILTINS.iter().any(|(builtin, _)| *builtin == name)
    };
    if form.is_collection || !form.ty.as_str().is_some_and(is_value) {
        node.whole_loss("becomes `string`: a parameter is a single value, or is `repeated`");
        *form = Form::plain("string", Inner::Text);
    }
    if !node.flag("repeated") {
        return;
    }
    if side == Side::Path {
        node.loss("becomes a single value: what stands in a path cannot be repeated");
        return;
    }
    form.ty = Value::Sequence(vec![form.ty.clone()]);
    form.is_collection = true;
}

fn behavior(draft: &Draft<'_>, node: &Node<'_>, body: &mut Mapping) {
    let read_only = node.flag("readOnly");
    if read_only {
        put(body, "behavior", Some(vec!["output_only"]));
    }
    if node.flag("required") {
        if read_only {
            node.note(ONLY_THE_SERVER);
        } else {
            put(body, "required", Some(true));
        }
    }
    let Some(annotations) = node.child("annotations") else { return };
    annotations.only(&["required"]);
    let mut operations = Vec::new();
    for id in annotations.texts("required") {
        match draft.operations.get(id) {
            Some(_) if body.contains_key("required") => {}
            Some(name) if !read_only => operations.push(Value::from(name.as_str())),
            Some(_) => annotations.note(ONLY_THE_SERVER),
            None => annotations.loss(format!("`{}` is left out: there is no such method", id.escape_debug())),
        }
    }
    if !operations.is_empty() {
        let mut required = Mapping::new();
        put(&mut required, "in", Some(operations));
        put(body, "required", Some(required));
    }
}

fn constraints(draft: &mut Draft<'_>, node: &Node<'_>, form: &Form, body: &mut Mapping) {
    let bound = |key: &str| {
        let written = node.scalar(key)?;
        let number = number(&written, &form.inner);
        if number.is_none() {
            node.loss(format!("`{key}: {}` is left out: it is no number of this type", written.escape_debug()));
        }
        number
    };
    let (mut min, mut max) = (bound("minimum"), bound("maximum"));
    if let (Some(low), Some(high)) = (&min, &max)
        && is_above(low, high)
    {
        node.loss("`minimum` and `maximum` are left out: no number is between them");
        (min, max) = (None, None);
    }
    let pattern = pattern(draft, node, form);
    if pattern.as_deref().is_some_and(is_digits) && form.inner.is_signed() {
        min = min.filter(|min| is_above(min, &0.into())).or(Some(0.into()));
    }
    put(body, "default", default(node, form, (min.as_ref(), max.as_ref())));
    put(body, "pattern", pattern.filter(|_| form.inner == Inner::Text));
    put(body, "format", form.format);
    put(body, "min", min.map(Value::Number));
    put(body, "max", max.map(Value::Number));
}

fn default(node: &Node<'_>, form: &Form, (min, max): (Option<&Number>, Option<&Number>)) -> Option<Value> {
    let written = node.scalar("default")?;
    let value = match &form.inner {
        _ if form.is_collection => None,
        Inner::Text => Some(Value::String(written.clone())),
        Inner::Bool => written.parse::<bool>().ok().map(Value::Bool),
        Inner::Values(values) => values.contains(&written).then(|| Value::String(written.clone())),
        Inner::Whole(..) | Inner::Float => number(&written, &form.inner)
            .filter(|value| !min.is_some_and(|min| is_above(min, value)))
            .filter(|value| !max.is_some_and(|max| is_above(value, max)))
            .map(Value::Number),
        _ => None,
    };
    if value.is_none() {
        node.loss(format!("`default: {}` is left out: it is no value of this type", written.escape_debug()));
    }
    value
}

fn number(text: &str, of: &Inner) -> Option<Number> {
    match of {
        Inner::Whole(least, greatest) => {
            let value = text.parse::<i128>().ok().filter(|value| (least..=greatest).contains(&value))?;
            inner::number(value)
        }
        Inner::Float => text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Number::from),
        _ => None,
    }
}

/// A pattern as the language writes it: of the whole text, so without the marks of its ends. The patterns of these
/// documents are those of Java, whose `matches` asks about the whole text as well.
fn pattern(draft: &mut Draft<'_>, node: &Node<'_>, form: &Form) -> Option<String> {
    let written = node.text("pattern")?;
    let whole = written.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let whole = whole.filter(|inner| !inner.contains('|') && !inner.ends_with('\\')).unwrap_or(written);
    if let Some(why) = draft.made.refused(whole) {
        node.loss(format!("`pattern` is left out: {why}"));
        return None;
    }
    if form.inner == Inner::Text || form.inner.is_signed() && is_digits(whole) {
        return Some(whole.to_owned());
    }
    if !says_nothing(whole, &form.inner) {
        node.loss("`pattern` is left out: it is for texts");
    }
    None
}

/// Whether a pattern takes digits and nothing else: of a number it says that it is not below zero.
fn is_digits(pattern: &str) -> bool {
    matches!(pattern, "[0-9]+" | "[0-9]*" | r"\d+" | r"\d*")
}

/// Whether a pattern takes every value of a type that is no text: what it says, the type says already.
fn says_nothing(pattern: &str, inner: &Inner) -> bool {
    let takes = |text: &str| patterns::anchored(pattern).is_ok_and(|matcher| matcher.is_match(text));
    match inner {
        Inner::Values(values) => values.iter().all(|value| takes(value)),
        // Of numbers every digit and the sign are asked about, in a short text and a long one.
        Inner::Whole(least, greatest) => {
            (0..=9).all(|digit| takes(&digit.to_string())) && takes(&least.to_string()) && takes(&greatest.to_string())
        }
        Inner::Bool => takes("true") && takes("false"),
        _ => false,
    }
}
