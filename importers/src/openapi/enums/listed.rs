//! Parsing of lists of values: texts, numbers, or values of several kinds.

use std::borrow::Cow;
use std::collections::BTreeSet;

use wireform_codegen::model::Decimal;
use wireform_codegen::resolve::shortest;
use wireform_codegen::schema::enums::EnumValue;

use crate::lowering::text;
use crate::node::Node;
use crate::openapi::view::{Kind, View};
use crate::prose;
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Listed value with its metadata.
#[derive(Clone)]
pub struct ListedValue<'d> {
    /// Text on the wire, decimal digits of a number, or JSON if there are values of several kinds.
    pub wire: Cow<'d, str>,
    /// Numeric type of the values, or `any`.
    pub number: Option<&'static str>,
    /// Name in code, if the document gives one.
    pub name: Option<String>,
    /// Metadata of the enum value.
    pub details: EnumValue,
}

/// Returns the texts or integers that a schema lists; `None` if there are none, or also other values.
pub fn listed_values<'d>(view: &View<'d>) -> Option<Vec<ListedValue<'d>>> {
    let values = view.values.as_ref()?;
    let number = number(view, values).or_else(|| fractional_type(view, values)).or_else(|| mixed_type(view, values));
    let extra = |keys: [&str; 2]| -> Vec<Option<&'d str>> {
        let node = keys.iter().find_map(|key| Some((view.first(key)?, *key)));
        node.map(|(node, key)| node.list(key).iter().map(Node::read_text).collect()).unwrap_or_default()
    };
    let docs = extra(["x-enum-descriptions", "x-enumDescriptions"]);
    let names = extra(["x-enum-varnames", "x-enumNames"]);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let wire = match (number, value.value) {
            (Some("any"), value) => Cow::Owned(json(value)?),
            (Some("double"), value) => Cow::Owned(shortest_of(value)?),
            (Some(_), number) => Cow::Borrowed(digits(number)?),
            // In YAML texts can be unquoted, and `enum: [1, 2]` of texts is a list of texts.
            (None, Value::Number(text)) if view.kind() == Some(Kind::Text) => Cow::Borrowed(text.as_str()),
            (None, Value::Bool(flag)) if view.kind() == Some(Kind::Text) => {
                Cow::Borrowed(if *flag { "true" } else { "false" })
            }
            (None, other) => Cow::Borrowed(other.text()?),
        };
        if !seen.insert(wire.clone()) {
            continue;
        }
        let doc = docs.get(index).copied().flatten().and_then(|doc| prose::markdown(doc, Some("")));
        found.push(ListedValue {
            wire,
            number,
            name: names.get(index).copied().flatten().map(str::to_owned),
            details: EnumValue { doc: text(doc), ..EnumValue::default() },
        });
    }
    (!found.is_empty()).then_some(found)
}

/// Returns the digits of an integer.
fn digits(value: &Value) -> Option<&str> {
    let Value::Number(text) = value else { return None };
    let digits = text.strip_suffix(".0").unwrap_or(text);
    digits.parse::<i128>().ok().filter(|number| number.to_string() == *digits).map(|_| digits)
}

/// Returns the type that can hold all of the integers: the one that the document names, if it can.
fn number(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let values: Option<Vec<i128>> = values.iter().map(|value| digits(value.value)?.parse().ok()).collect();
    let values = values.filter(|values| !values.is_empty() && view.kind() != Some(Kind::Text))?;
    let named = ["int32", "uint32", "uint64"].into_iter().filter(|name| view.text("format") == Some(name));
    let holds = |name: &&str| {
        let ValueKind::Whole(least, most) = ValueKind::integer_of(name) else { return false };
        values.iter().all(|value| (least..=most).contains(value))
    };
    named.chain(["int64", "uint64"]).find(holds)
}

/// Returns the type of several numbers of which at least one has a fraction.
fn fractional_type(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let are_numbers = !values.is_empty() && values.iter().all(|value| shortest_of(value.value).is_some());
    (are_numbers && view.kind() != Some(Kind::Text)).then_some("double")
}

/// Returns the type of values of several kinds.
fn mixed_type(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let is_text = view.kind() == Some(Kind::Text);
    let kinds: BTreeSet<u8> = values
        .iter()
        .map(|value| match value.value {
            Value::Text(_) => 0,
            Value::Number(_) => 1,
            Value::Bool(_) => 2,
            _ => 3,
        })
        .collect();
    (!is_text && kinds.len() > 1 && !kinds.contains(&3)).then_some("any")
}

/// Returns the shortest literal of a number for an enum value.
fn shortest_of(value: &Value) -> Option<String> {
    let Value::Number(text) = value else { return None };
    let number = serde_json::from_str::<serde_json::Number>(text).ok()?;
    number.as_f64().filter(|value| value.is_finite()).map(|_| shortest(&number))
}

/// Reports the numbers of an enum that a double rounds.
pub fn report_rounded(view: &View<'_>) {
    for value in view.values.iter().flatten() {
        let Value::Number(text) = value.value else { continue };
        let rounded = digits(value.value).is_none().then(|| shortest_of(value.value)).flatten();
        if let Some(rounded) = rounded.filter(|rounded| Decimal::parse_json(rounded) != Decimal::parse_json(text)) {
            value.loss(format!(
                "the value `{text}` becomes `{rounded}`: values of enums have the precision of a double"
            ));
        }
    }
}

/// Formats a text, a number or a boolean as JSON.
pub fn json(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(serde_json::Value::from(text.as_str()).to_string()),
        Value::Number(_) => shortest_of(value),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
