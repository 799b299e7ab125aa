//! Values with one change, of which the oracle selects the invalid ones.

use serde_json::{Value, json};

use crate::random::Random;

/// Returns the value with one random change.
pub fn mutate(value: &Value, random: &mut Random) -> Value {
    let mut changed = value.clone();
    let mut places = Vec::new();
    collect(value, String::new(), &mut places);
    let place = places.get(random.below(places.len())).cloned().unwrap_or_default();
    if let Some(part) = changed.pointer_mut(&place) {
        change(part, random);
    }
    changed
}

/// Collects the pointers of all values within a value.
fn collect(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, inner)| collect(inner, format!("{place}/{}", crate::document::escape(name)), places)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| collect(inner, format!("{place}/{index}"), places));
        }
        _ => {}
    }
    places.push(place);
}

fn change(part: &mut Value, random: &mut Random) {
    if random.below(4) == 0 {
        *part = other(random);
        return;
    }
    match part {
        Value::Object(members) => match random.below(4) {
            0 => members.clear(),
            1 => {
                members.insert("undeclared".to_owned(), json!(1));
            }
            _ => {
                let names: Vec<String> = members.keys().cloned().collect();
                names.get(random.below(names.len())).and_then(|name| members.remove(name));
            }
        },
        Value::Array(items) => match random.below(4) {
            0 => items.clear(),
            1 => items.extend(items.first().cloned()),
            2 => items.extend(items.clone().into_iter().cycle().take(200)),
            _ => drop(items.pop()),
        },
        Value::String(text) => match random.below(4) {
            0 => text.clear(),
            1 => *text = format!("{text}{}", "!".repeat(300)),
            2 => drop(text.pop()),
            _ => text.insert(0, ' '),
        },
        Value::Number(number) => {
            let (value, steps) = (number.as_i64(), [-1_000_000, -1, 1, 1_000_000]);
            *part = match (value, random.below(5)) {
                (Some(value), 4) => json!(value as f64 + 0.5),
                (Some(value), step) => json!(value.saturating_add(steps[step.min(3)])),
                (None, 0) => json!(-1e9),
                (None, _) => json!(number.as_f64().unwrap_or_default() * 1e6 + 1e9),
            };
        }
        Value::Bool(is_true) => *is_true = !*is_true,
        Value::Null => *part = other(random),
    }
}

/// Returns a value of a random type.
fn other(random: &mut Random) -> Value {
    let all = [
        json!(null),
        json!("text"),
        json!(7),
        json!(7.5),
        json!(true),
        json!([]),
        json!({}),
        json!(["text"]),
        json!({ "a": 1 }),
    ];
    all[random.below(all.len())].clone()
}
