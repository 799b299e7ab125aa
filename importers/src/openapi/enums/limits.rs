//! Limits next to a list of values, which are redundant if all values satisfy them.

use crate::node::Node;
use crate::number::Number;
use crate::openapi::constraints::{self, literal};
use crate::openapi::form::Form;
use crate::openapi::view::{Kind, View};
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Reports limits that a listed value violates: the values stay.
pub fn report_violated(view: &View<'_>, values: &[&str], are_texts: bool) {
    for node in &view.nodes {
        if are_texts {
            check_length(node, values);
            check_pattern(node, values);
        } else {
            check_bounds(node, values);
        }
    }
}

/// Reports a limit that a listed value violates, or marks it as used because the list implies it.
fn report_contradiction(node: &Node<'_>, key: &str, value: Option<&&str>) {
    let Some(limit) = node.get(key) else { return };
    match value {
        Some(value) => limit.whole_loss(format!("left out: the listed value `{}` violates it", value.escape_debug())),
        None => limit.mark_used(),
    }
}

/// Checks the listed values against `minLength` and `maxLength`.
fn check_length(node: &Node<'_>, values: &[&str]) {
    type Breaks = fn(u64, u64) -> bool;
    for (key, breaks) in [("minLength", (|count, end| count < end) as Breaks), ("maxLength", |count, end| count > end)]
    {
        let Some(end) = node.count(key) else { continue };
        let count = |value: &str| u64::try_from(value.chars().count()).unwrap_or(u64::MAX);
        report_contradiction(node, key, values.iter().find(|value| breaks(count(value), end)));
    }
}

/// Reports a `pattern` that cannot be compiled, or that one of the enum values next to it violates.
fn check_pattern(node: &Node<'_>, values: &[&str]) {
    let Some(written) = node.text("pattern") else { return };
    match constraints::whole_pattern(written).and_then(|pattern| node.compile(&pattern)) {
        Ok(matcher) => report_contradiction(node, "pattern", values.iter().find(|value| !matcher.is_match(value))),
        Err(why) => node.loss(format!("`pattern` is left out: {why}")),
    }
}

/// Checks the listed values against `minimum`, `maximum` and `multipleOf`.
fn check_bounds(node: &Node<'_>, values: &[&str]) {
    let number = |text: &str| literal(text, &ValueKind::Float, true);
    for (key, exclusive, low) in [("minimum", "exclusiveMinimum", true), ("maximum", "exclusiveMaximum", false)] {
        let flag = node.get(exclusive).filter(|flag| matches!(flag.value, Value::Bool(_)));
        flag.iter().for_each(Node::mark_used);
        let excludes_end = flag.is_some_and(|flag| *flag.value == Value::Bool(true));
        let own = matches!(node.value.get(exclusive), Some(Value::Number(_))).then_some((exclusive, true));
        for (key, without_end) in [(key, excludes_end)].into_iter().chain(own) {
            let Some(end) = node.number(key).and_then(number) else { continue };
            let is_beyond = |value: Number| {
                let beyond = if low { end.is_greater_than(value) } else { value.is_greater_than(end) };
                beyond || without_end && !end.is_greater_than(value) && !value.is_greater_than(end)
            };
            report_contradiction(node, key, values.iter().find(|value| number(value).is_some_and(is_beyond)));
        }
    }
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<i128>().ok();
    if let Some(text) = node.number("multipleOf") {
        match whole(text).filter(|step| *step > 0) {
            Some(step) => {
                let breaks = |value: &&&str| whole(value).is_some_and(|value| value % step != 0);
                report_contradiction(node, "multipleOf", values.iter().find(breaks));
            }
            None => node.loss("`multipleOf` is left out: expected a positive integer"),
        }
    }
}

/// Reports limits that apply to types other than those of the listed values.
pub fn foreign(view: &View<'_>) {
    let is_text = |value: &Node<'_>| matches!(value.value, Value::Text(_));
    let values = view.values.as_deref().unwrap_or_default();
    let kind = view.kind().or_else(|| values.iter().all(is_text).then_some(Kind::Text));
    if let Some(kind) = kind.filter(|_| !values.is_empty()) {
        constraints::foreign(view, &Form::plain("string", ValueKind::Text), kind);
    }
}
