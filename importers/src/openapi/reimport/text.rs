//! Descriptions without the generated sentences that repeat other members.

use crate::value::Value;

/// Returns the document with the original descriptions of the schema.
pub fn strip_generated_text(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(strip_generated_text).collect()),
        Value::Object(members) => {
            let suffix = suffixes(&members);
            let text = |(name, value): (String, Value)| match value {
                Value::Text(text) if matches!(name.as_str(), "description" | "x-wireform-description" | "summary") => {
                    let text = suffix.iter().rev().fold(text, |text, suffix| strip_suffix(text, suffix));
                    (name, Value::Text(text))
                }
                // Text copied verbatim is not escaped.
                value
                    if name.starts_with("x-wireform-")
                        && !name.ends_with("-values")
                        && !name.ends_with("-variants")
                        && name != "x-wireform-api" =>
                {
                    (name, value)
                }
                other => (name, strip_generated_text(other)),
            };
            Value::Object(members.into_iter().map(text).collect())
        }
        other => other,
    }
}

/// Removes a suffix and the whitespace before it, if the text ends with it.
fn strip_suffix(text: String, suffix: &str) -> String {
    text.strip_suffix(suffix).map(|text| text.trim_end().to_owned()).unwrap_or(text)
}

/// Returns the generated sentences at the end of a description, in order.
fn suffixes(members: &[(String, Value)]) -> Vec<String> {
    let get = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let mut found = vec!["A merge patch (RFC 7396).".to_owned(), "A JSON Patch (RFC 6902).".to_owned()];
    if let Some(Value::Number(cost)) = get("x-wireform-cost") {
        found.push(format!("Costs {cost} quota units."));
    }
    if let Some(Value::Number(most)) = get("x-wireform-clamp") {
        found.push(format!("Larger values are clamped to {most}."));
    }
    if let Some(parts) = get("x-wireform-deprecation") {
        let part = |name: &str| parts.get(name).and_then(Value::text);
        let since = part("since").map(|since| format!("Deprecated since {since}."));
        let instead = part("use").map(|instead| format!("Use `{instead}` instead."));
        let all: Vec<String> = [since, instead, part("doc").map(str::to_owned)].into_iter().flatten().collect();
        found.push(all.join(" "));
    }
    found
}
