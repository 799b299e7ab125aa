//! Limits beside a list of values, of which each keeps them or not: where all do, they say nothing.

use wireform_codegen::patterns;

use crate::inner::{Inner, is_above};
use crate::node::Node;
use crate::openapi::constraints::{self, literal};
use crate::openapi::view::View;

/// Tells of the limits that a listed value does not keep: the values stay.
pub fn told(view: &View<'_>, values: &[&str], are_texts: bool) {
    for node in &view.nodes {
        if are_texts {
            length(node, values);
            pattern(node, values);
        } else {
            bounds(node, values);
        }
    }
}

fn contradicted(node: &Node<'_>, key: &str, value: Option<&&str>) {
    let Some(limit) = node.get(key) else { return };
    match value {
        Some(value) => {
            limit.whole_loss(format!("left out: `{}`, which is listed, does not keep it", value.escape_debug()))
        }
        None => limit.take(),
    }
}

fn length(node: &Node<'_>, values: &[&str]) {
    type Breaks = fn(u64, u64) -> bool;
    for (key, breaks) in [("minLength", (|count, end| count < end) as Breaks), ("maxLength", |count, end| count > end)]
    {
        let Some(end) = node.count(key) else { continue };
        let count = |value: &str| u64::try_from(value.chars().count()).unwrap_or(u64::MAX);
        contradicted(node, key, values.iter().find(|value| breaks(count(value), end)));
    }
}

fn pattern(node: &Node<'_>, values: &[&str]) {
    let Some(written) = node.text("pattern") else { return };
    match patterns::anchored(&constraints::of_whole_text(written)) {
        Ok(matcher) => contradicted(node, "pattern", values.iter().find(|value| !matcher.is_match(value))),
        Err(why) => node.loss(format!("`pattern` is left out: {why}")),
    }
}

fn bounds(node: &Node<'_>, values: &[&str]) {
    for (key, low) in [("minimum", true), ("maximum", false)] {
        let Some(end) = node.number(key).and_then(|text| literal(text, &Inner::Float, true)) else { continue };
        let value = |value: &str| literal(value, &Inner::Float, true);
        let is_beyond = |text: &str| {
            value(text).is_some_and(|value| if low { is_above(&end, &value) } else { is_above(&value, &end) })
        };
        contradicted(node, key, values.iter().find(|value| is_beyond(value)));
    }
}
