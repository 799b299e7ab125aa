//! Bounds, lengths, patterns and counts.

mod foreign;

pub use foreign::report as foreign;

use wireform_codegen::patterns;
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::{Node as Yaml, Style, Value as Written};

use super::form::{Collection, Form};
use super::importer::Importer;
use super::limits::min_unless_empty;
use super::view::{Kind, View};
use crate::lowering::{Key, flag, range, text};
use crate::node::Node;
use crate::number::{self, Number};
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Adds the constraints of a list or a map: its count and uniqueness.
pub fn of_collection<'d>(view: &View<'d>, form: &mut Form<'d>, kind: Kind) {
    let of_list = form.collection == Some(Collection::List);
    let of_map = form.collection == Some(Collection::Map);
    let ends = |low: &str, high: &str, applies: bool| {
        if !applies {
            let limits = [low, high].into_iter().filter_map(|key| view.first(key)?.get(key));
            limits.for_each(|limit| limit.whole_loss("left out: supported for lists and maps only"));
            return None;
        }
        let one = |key: &str| view.first(key).and_then(|node| Some((node.clone(), node.count(key)?)));
        let unless_empty = view.alternatives.iter().find_map(|list| {
            let count = min_unless_empty(list, low, high)?;
            Some((list.first()?.clone(), count))
        });
        let closed = view.closed_at.clone().filter(|_| of_list);
        let most = one(high).into_iter().chain(closed).min_by_key(|(_, count)| *count);
        let least = one(low).or(unless_empty);
        if let (Some((node, low)), Some((_, high))) = (&least, &most)
            && low > high
        {
            node.loss(format!("the minimum and maximum counts are left out: {low} is greater than {high}"));
            return None;
        }
        range(least.map(|(_, count)| count), most.map(|(_, count)| count))
    };
    let counts = match kind {
        Kind::List => ends("minItems", "maxItems", of_list),
        Kind::Object => ends("minProperties", "maxProperties", of_map),
        _ => None,
    };
    form.keys.items = counts.or(form.keys.items);
    let is_unique = view.flag("uniqueItems");
    form.keys.unique = flag(is_unique && of_list).or(form.keys.unique);
}

/// Adds the constraints of a scalar.
pub fn of_value<'d>(importer: &mut Importer<'d>, view: &View<'d>, form: &mut Form<'d>) {
    match form.inner {
        ValueKind::Whole(..) | ValueKind::Float | ValueKind::Number => bounds(view, form),
        ValueKind::Text => texts(view, form),
        ValueKind::Lexical(lexical) if lexical.is_text() => texts(view, form),
        // Keywords next to a boolean have no effect, like limits of other types.
        ValueKind::Bool => {}
        _ if view.is_variant || importer.is_generated && is_wire_form(form) => {}
        _ => {
            for key in ["minLength", "maxLength", "pattern"] {
                let limit =
                    view.nodes.iter().filter(|node| !node.has("x-wireform-bytes")).find_map(|node| node.get(key));
                limit.iter().for_each(|limit| limit.whole_loss("left out: not supported for this type"));
            }
        }
    }
}

/// Returns whether the pattern is implied by the type.
fn is_wire_form(form: &Form<'_>) -> bool {
    form.keys.has(Key::Encoding) || form.inner == ValueKind::Scalar
}

/// Adds the constraints of a text: its length and pattern.
pub fn texts<'d>(view: &View<'d>, form: &mut Form<'d>) {
    let counts = |key: &'static str| view.nodes.iter().filter_map(move |node| node.count(key));
    let (mut least, most) = (counts("minLength").max(), counts("maxLength").min());
    if let (Some(low), Some(high), Some(node)) = (least, most, view.first("minLength"))
        && low > high
    {
        node.loss("`minLength` is left out: it is greater than `maxLength`");
        least = None;
    }
    form.keys.length = range(least, most).or(form.keys.length);
    let patterns: Vec<&Node<'d>> = view.nodes.iter().filter(|node| node.has("pattern")).collect();
    if let Some(node) = patterns.first() {
        form.keys.pattern = text(pattern(node)).or(form.keys.pattern.take());
    }
    for node in patterns.iter().skip(1) {
        node.loss("`pattern` is left out: a string has one pattern only");
    }
}

/// Returns a pattern in the syntax of the schema language; `None` if the schema reader rejects it.
fn pattern(node: &Node<'_>) -> Option<String> {
    let pattern = whole_pattern(node.text("pattern")?).and_then(|pattern| node.compile(&pattern).map(|_| pattern));
    pattern.map_err(|why| node.loss(format!("`pattern` is left out: {why}"))).ok()
}

/// Returns a pattern in the syntax of the schema language, which matches the whole text.
///
/// # Errors
/// Returns an error with the reason if it is not valid in ECMA-262.
pub fn whole_pattern(written: &str) -> Result<String, String> {
    patterns::from_ecma(written).map(|pattern| strip_anchors(&pattern)).map_err(|why| why.to_string())
}

/// Returns a pattern without anchors.
fn strip_anchors(written: &str) -> String {
    // Look-around needs the anchors of its own alternative.
    if patterns::count_look_around(written) > 0 && has_alternatives(written) {
        let alternatives: Vec<String> = patterns::alternatives(written).map(strip_anchors).collect();
        return alternatives.join("|");
    }
    let start = written.strip_prefix('^');
    let inner = start.unwrap_or(written);
    let end = inner.strip_suffix('$').filter(|rest| !ends_escaped(rest));
    let inner = end.unwrap_or(inner);
    // `^a|b$` is `^a` or `b$`.
    let whole = (!has_alternatives(inner)).then_some(inner);
    match (start, end, whole) {
        (Some(_), Some(_), Some(inner)) => inner.to_owned(),
        (Some(_), None, Some(inner)) => format!("(?:{inner})(?s:.*)"),
        (None, Some(_), Some(inner)) => format!("(?s:.*)(?:{inner})"),
        _ => format!("(?s:.*)(?:{written})(?s:.*)"),
    }
}

/// Returns whether a character after the text would be escaped: an odd number of backslashes ends it.
fn ends_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Returns whether there is an alternative outside of all groups.
fn has_alternatives(pattern: &str) -> bool {
    patterns::alternatives(pattern).count() > 1
}

/// Sets the minimum and the maximum of a form, unless they contradict each other.
fn bounds<'d>(view: &View<'d>, form: &mut Form<'d>) {
    let (mut min, mut max) = (tightest_bound(view, form, true), tightest_bound(view, form, false));
    let bounded =
        ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].into_iter().find_map(|key| view.first(key));
    if let (Some((low, above)), Some((high, below)), Some(node)) = (&min, &max, bounded)
        && (low.is_greater_than(*high) || (*above || *below) && !high.is_greater_than(*low))
    {
        let than = if low.is_greater_than(*high) { "greater than" } else { "not less than" };
        node.loss(format!("the minimum and maximum are left out: {low} is {than} {high}"));
        (min, max) = (None, None);
    }
    // Bounds that the type implies.
    if let ValueKind::Whole(least, most) = form.inner {
        min = min.filter(|(min, _)| min.as_integer() != Some(least));
        max = max.filter(|(max, _)| max.as_integer() != Some(most));
    } else if view.nodes.iter().any(|node| node.text_if("format") == Some("float")) {
        // A decimal literal can be parsed as an adjacent number.
        let is_end = |end: &Number| end.as_f64().abs() >= f64::from(f32::MAX) * (1.0 - f64::EPSILON * 4.0);
        min = min.filter(|(min, _)| !is_end(min));
        max = max.filter(|(max, _)| !is_end(max));
    }
    let raw = |(end, is_exclusive): (Number, bool)| end.to_end(is_exclusive);
    form.keys.min = min.map(raw).or(form.keys.min.take());
    form.keys.max = max.map(raw).or(form.keys.max.take());
    let Some(node) = view.first("multipleOf") else { return };
    let Some(text) = node.number("multipleOf") else { return };
    match literal(text, &form.inner, true).filter(|step| step.is_divisor()) {
        Some(step) => form.keys.multiple_of = Some(step.to_raw()),
        None => {
            node.loss(format!("`multipleOf: {}` is left out: it is not a number of this type", text.escape_debug()))
        }
    }
}

/// Returns one bound of a range, the tightest of all schemas, and whether values must not equal it.
fn tightest_bound<'d>(view: &View<'d>, form: &Form<'d>, low: bool) -> Option<(Number, bool)> {
    let (key, beyond) = if low { ("minimum", "exclusiveMinimum") } else { ("maximum", "exclusiveMaximum") };
    let mut found: Option<(Number, bool)> = None;
    for node in &view.nodes {
        let flag = node.get(beyond).is_some_and(|flag| matches!(flag.value, Value::Bool(_)) && node.flag(beyond));
        let inclusive = node.has(key).then(|| (node.number(key), key, flag));
        let number = matches!(node.value.get(beyond), Some(Value::Number(_)));
        let exclusive = number.then(|| (node.number(beyond), beyond, true));
        for (text, key, exclusive) in inclusive.into_iter().chain(exclusive) {
            let Some(text) = text else { continue };
            let is_exclusive = exclusive && matches!(form.inner, ValueKind::Float | ValueKind::Number);
            let own = bound(text, &form.inner, low, exclusive, node, key).map(|own| (own, is_exclusive));
            found = match (found, own) {
                (Some(known), Some(own)) => {
                    let is_beyond =
                        |a: Number, b: Number| if low { a.is_greater_than(b) } else { b.is_greater_than(a) };
                    let is_tighter = is_beyond(own.0, known.0) || own.1 && !is_beyond(known.0, own.0);
                    Some(if is_tighter { own } else { known })
                }
                (known, own) => own.or(known),
            };
        }
    }
    found
}

/// Returns a bound as a number of the type; `None`, without a loss, if the type has no number beyond it.
fn bound(text: &str, inner: &ValueKind, low: bool, exclusive: bool, node: &Node<'_>, key: &str) -> Option<Number> {
    match inner {
        ValueKind::Whole(least, most) => {
            let (floor, is_exact) = number::floor(text)?;
            let rounded = if low && !is_exact { floor.saturating_add(1) } else { floor };
            let step = i128::from(exclusive && is_exact);
            let value = if low { rounded.saturating_add(step) } else { rounded.saturating_sub(step) };
            let is_unreachable = if low { value < *least } else { value > *most };
            if is_unreachable {
                report_unreachable_bound(node, key, text);
                return None;
            }
            Number::integer(value).filter(|_| (*least..=*most).contains(&value)).or_else(|| {
                node.loss(format!("`{key}: {}` is left out: it is not a number of this type", text.escape_debug()));
                None
            })
        }
        _ => literal(text, inner, false).or_else(|| {
            node.loss(format!("`{key}: {}` is left out: it is not a number of this type", text.escape_debug()));
            None
        }),
    }
}

/// Reports a bound that no number of the type reaches: a note if the document names the type, and a loss if the type
/// was inferred, since the document's numbers can then exceed it.
fn report_unreachable_bound(node: &Node<'_>, key: &str, text: &str) {
    let text = text.escape_debug();
    if node.text_if("format").is_some_and(is_of_whole_numbers) {
        node.note(format!("`{key}: {text}` is left out: it exceeds the range of the format"));
    } else {
        node.loss(format!("`{key}: {text}` is left out: it exceeds the range of all integer types"));
    }
}

/// Parses a number of the type.
pub fn literal(text: &str, inner: &ValueKind, exact: bool) -> Option<Number> {
    match inner {
        ValueKind::Whole(least, most) => {
            let (value, _) = number::floor(text).filter(|(_, is_exact)| *is_exact)?;
            let value = Some(value).filter(|value| exact || (*least..=*most).contains(value))?;
            Number::integer(value)
        }
        ValueKind::Float => Number::parse(text),
        ValueKind::Number => Number::exact(text),
        _ => None,
    }
}

/// Returns whether a format names an integer type.
fn is_of_whole_numbers(format: &str) -> bool {
    let plain = format.strip_prefix('u').unwrap_or(format);
    matches!(plain, "int" | "int8" | "int16" | "int32" | "int64") && format != "int" || format == "long"
}

/// Returns whether a value is within its bounds.
pub fn is_within(node: &Node<'_>, value: &Yaml, form: &Form<'_>) -> bool {
    let step = |raw: &Option<Raw>| raw.as_ref().and_then(Number::of_raw);
    let end = |raw: &Option<Raw>| raw.as_ref().and_then(Number::of_end);
    // Whether the first number is beyond the end of a range, which is the second one.
    let is_out =
        |a: Number, b: Number, is_exclusive: bool| a.is_greater_than(b) || is_exclusive && !b.is_greater_than(a);
    match &value.value {
        Written::Scalar(text, Style::Plain) => {
            let Some(number) = Number::parse(text) else { return true };
            let step = step(&form.keys.multiple_of).filter(|step| *step != Number::Whole(0));
            step.is_none_or(|step| number.is_multiple_of(step))
                && !end(&form.keys.min).is_some_and(|(min, is_exclusive)| is_out(min, number, is_exclusive))
                && !end(&form.keys.max).is_some_and(|(max, is_exclusive)| is_out(number, max, is_exclusive))
        }
        Written::Scalar(text, Style::Text) => {
            let count = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
            let fits = form.keys.length.is_none_or(|length| {
                length.min.is_none_or(|least| count >= least) && length.max.is_none_or(|most| count <= most)
            });
            fits && form
                .keys
                .pattern
                .as_ref()
                .is_none_or(|pattern| node.compile(&pattern.text).map_or(true, |matcher| matcher.is_match(text)))
        }
        _ => true,
    }
}
