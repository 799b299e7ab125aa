//! Values that a schema allows: at bounds, with null, with empty lists and maps, and of each alternative.

use serde_json::{Map, Value, json};

use crate::Direction;
use crate::conversion::is_left_out;
use crate::document::decode;
use crate::random::Random;
use crate::strings;

/// Depth at which optional properties are left out.
const MAX_DEPTH: usize = 5;

/// What a generated value looks like.
#[derive(Clone, Copy)]
pub struct Style {
    /// Optional properties: none, some or all of them.
    pub optional: Amount,
    /// Lengths and numbers: lowest, any or highest.
    pub bound: Amount,
    /// True if nullable values are null.
    pub nulls: bool,
}

/// None, some or all; lowest, any or highest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    Least,
    Some,
    Most,
}

/// Styles that every schema is tried with; the others are random.
pub const STYLES: [Style; 6] = [
    Style { optional: Amount::Least, bound: Amount::Least, nulls: false },
    Style { optional: Amount::Most, bound: Amount::Some, nulls: false },
    Style { optional: Amount::Most, bound: Amount::Most, nulls: false },
    Style { optional: Amount::Most, bound: Amount::Least, nulls: false },
    Style { optional: Amount::Most, bound: Amount::Some, nulls: true },
    Style { optional: Amount::Least, bound: Amount::Least, nulls: true },
];

/// Generator of values for the schemas of a converted document.
pub struct Generator<'d> {
    pub document: &'d Value,
    pub direction: Direction,
    pub style: Style,
    pub random: &'d mut Random,
    /// Number of values that one value may still have.
    pub budget: usize,
}

/// Schema with its references and `allOf` merged, and one of its alternatives selected.
#[derive(Default)]
struct Flat {
    members: Map<String, Value>,
    /// Name and value of a discriminator.
    tag: Option<(String, String)>,
}

impl Generator<'_> {
    /// Returns a value that the schema may allow; the oracle decides.
    pub fn value(&mut self, schema: &Value, depth: usize) -> Value {
        self.budget = self.budget.saturating_sub(1);
        let mut flat = Flat::default();
        self.flatten(schema, None, &mut flat, 0);
        let all = &flat.members;
        if let Some(value) = all.get("const") {
            return value.clone();
        }
        if let Some(values) = all.get("enum").and_then(Value::as_array) {
            let values: Vec<&Value> = values.iter().filter(|value| !value.is_null() || self.style.nulls).collect();
            return values.get(self.random.below(values.len())).map_or(Value::Null, |value| (*value).clone());
        }
        match self.kind(all) {
            "null" => Value::Null,
            "boolean" => json!(self.random.below(2) == 0),
            "integer" => self.integer(all),
            "number" => self.number(all),
            "string" => Value::String(strings::text(all, self.style.bound, self.random)),
            "array" => self.list(all, depth),
            "object" => {
                let mut value = self.object(all, depth);
                if let (Some((name, tag)), Some(members)) = (flat.tag, value.as_object_mut()) {
                    members.insert(name, Value::String(tag));
                }
                value
            }
            _ => [json!("any"), json!(3), json!({ "any": [1, null] }), json!(true), json!(null)][self.random.below(5)]
                .clone(),
        }
    }

    /// Selects one of the types of a schema.
    fn kind<'s>(&mut self, all: &'s Map<String, Value>) -> &'s str {
        let types: Vec<&str> = match all.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if self.style.nulls && types.contains(&"null") {
            return "null";
        }
        let others: Vec<&str> = types.iter().copied().filter(|ty| *ty != "null").collect();
        if !others.is_empty() {
            return others[self.random.below(others.len())];
        }
        let has = |keys: &[&str]| keys.iter().any(|key| all.contains_key(*key));
        match () {
            () if types.contains(&"null") => "null",
            () if has(&["properties", "required", "additionalProperties", "minProperties", "patternProperties"]) => {
                "object"
            }
            () if has(&["items", "minItems", "maxItems"]) => "array",
            () if has(&["pattern", "minLength", "maxLength", "format"]) => "string",
            () if has(&["minimum", "maximum", "multipleOf"]) => "number",
            () => "any",
        }
    }

    /// Merges a schema into another one. `name` is that of the component that it is.
    fn flatten(&mut self, schema: &Value, name: Option<&str>, flat: &mut Flat, depth: usize) {
        let (Some(members), true) = (schema.as_object(), depth < 12) else { return };
        if let Some(target) = members.get("$ref").and_then(Value::as_str) {
            let pointer = target.strip_prefix('#').unwrap_or_default();
            let decoded = decode(pointer);
            let own = name.or_else(|| target.rsplit('/').next()).map(str::to_owned);
            if let Some(inner) = self.document.pointer(&decoded).cloned() {
                self.flatten(&inner, own.as_deref(), flat, depth + 1);
            }
        }
        for (key, value) in members {
            match key.as_str() {
                "$ref" | "anyOf" => {}
                "allOf" => {
                    value.as_array().into_iter().flatten().for_each(|part| self.flatten(part, name, flat, depth + 1));
                }
                "discriminator" => self.tag(value, name, flat),
                key => merge(&mut flat.members, key, value),
            }
        }
        if let Some(alternatives) = members.get("anyOf").and_then(Value::as_array) {
            let is_null = |schema: &&Value| schema["type"] == "null";
            let nulls = alternatives.iter().filter(is_null);
            let others = alternatives.iter().filter(|schema| !is_null(schema));
            let mut chosen: Vec<&Value> = if self.style.nulls { nulls.collect() } else { Vec::new() };
            if chosen.is_empty() {
                chosen = others.collect();
            }
            if let Some(one) = chosen.get(self.random.below(chosen.len())) {
                self.flatten(one, None, flat, depth + 1);
                if let Some(discriminator) = members.get("discriminator") {
                    self.tag(discriminator, one["$ref"].as_str().and_then(|target| target.rsplit('/').next()), flat);
                }
            }
        }
    }

    /// Records the value of a discriminator for the component of a name.
    fn tag(&mut self, discriminator: &Value, name: Option<&str>, flat: &mut Flat) {
        let (Some(property), Some(name)) = (discriminator["propertyName"].as_str(), name) else { return };
        let mapped = discriminator["mapping"]
            .as_object()
            .into_iter()
            .flatten()
            .find(|(_, target)| target.as_str().is_some_and(|target| target.rsplit('/').next() == Some(name)));
        let tag = mapped.map_or(name, |(tag, _)| tag.as_str());
        flat.tag = Some((property.to_owned(), tag.to_owned()));
    }

    fn object(&mut self, all: &Map<String, Value>, depth: usize) -> Value {
        let required: Vec<&str> =
            all.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut made = Map::new();
        let none = Map::new();
        let properties = all.get("properties").and_then(Value::as_object).unwrap_or(&none);
        for (name, property) in properties {
            let is_required = required.contains(&name.as_str());
            let is_wanted = match self.style.optional {
                Amount::Least => false,
                Amount::Some => self.random.below(2) == 0,
                Amount::Most => true,
            };
            let fits = depth < MAX_DEPTH && self.budget > 0;
            if is_left_out(self.document, property, self.direction) || !(is_required || is_wanted && fits) || depth > 12
            {
                continue;
            }
            made.insert(name.clone(), self.value(property, depth + 1));
        }
        let others = all.get("additionalProperties");
        let open = others != Some(&Value::Bool(false));
        for name in required.iter().filter(|name| !properties.contains_key(**name)) {
            let value =
                others.filter(|schema| schema.is_object()).map_or(json!("any"), |schema| self.value(schema, depth + 1));
            made.insert((*name).to_owned(), value);
        }
        let least = size(all, "minProperties").unwrap_or(0);
        let wants_others = open && self.style.optional != Amount::Least && depth < MAX_DEPTH;
        let extra = if wants_others && (others.is_some_and(Value::is_object) || self.random.below(8) == 0) {
            1 + self.random.below(2)
        } else {
            0
        };
        let missing = least.saturating_sub(made.len()).max(extra).min(50);
        for index in 0..if open { missing } else { 0 } {
            let value =
                others.filter(|schema| schema.is_object()).map_or(json!(index), |schema| self.value(schema, depth + 1));
            made.insert(format!("other{index}"), value);
        }
        Value::Object(made)
    }

    fn list(&mut self, all: &Map<String, Value>, depth: usize) -> Value {
        let least = size(all, "minItems").unwrap_or(0);
        let most = size(all, "maxItems").unwrap_or(least + 3).min(40);
        let count = match self.style.bound {
            Amount::Least => least,
            Amount::Most => most.min(least + 20),
            Amount::Some => (1 + self.random.below(2)).clamp(least, most.max(least)),
        };
        let count = if depth > MAX_DEPTH || self.budget == 0 { least } else { count };
        let nothing = Value::Bool(true);
        let items = all.get("items").unwrap_or(&nothing);
        let mut made: Vec<Value> = Vec::new();
        for _ in 0..count * 3 {
            if made.len() >= count || depth > 12 {
                break;
            }
            let value = self.value(items, depth + 1);
            if all.get("uniqueItems") != Some(&Value::Bool(true)) || !made.contains(&value) {
                made.push(value);
            }
        }
        Value::Array(made)
    }

    fn integer(&mut self, all: &Map<String, Value>) -> Value {
        let (least, limit) = match all.get("format").and_then(Value::as_str).unwrap_or_default() {
            "int8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
            "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
            "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
            "uint8" => (0, i64::from(u8::MAX)),
            "uint16" => (0, i64::from(u16::MAX)),
            "uint32" => (0, i64::from(u32::MAX)),
            "uint" | "uint64" => (0, i64::MAX),
            _ => (i64::MIN, i64::MAX),
        };
        let number = |key: &str| all.get(key).and_then(Value::as_f64);
        let low = number("minimum").map(f64::ceil).or_else(|| number("exclusiveMinimum").map(|it| it.floor() + 1.0));
        let high = number("maximum").map(f64::floor).or_else(|| number("exclusiveMaximum").map(|it| it.ceil() - 1.0));
        let low = low.map_or(least, |low| low as i64);
        let high = high.map_or(limit, |high| high as i64);
        let mut value = match self.style.bound {
            Amount::Least => low,
            Amount::Most => high,
            Amount::Some => i64::try_from(self.random.below(200)).unwrap_or(1).clamp(low, high.max(low)),
        };
        if let Some(step) = number("multipleOf").filter(|step| *step >= 1.0) {
            let step = step as i64;
            value = value / step * step;
            value = if value < low { value + step } else { value };
        }
        json!(value)
    }

    fn number(&mut self, all: &Map<String, Value>) -> Value {
        let number = |key: &str| all.get(key).and_then(Value::as_f64);
        let low = number("minimum").or_else(|| number("exclusiveMinimum").map(|it| it + 0.5));
        let high = number("maximum").or_else(|| number("exclusiveMaximum").map(|it| it - 0.5));
        let as_written = |key: &str, otherwise: f64| all.get(key).cloned().unwrap_or_else(|| json!(otherwise));
        match (self.style.bound, self.random.below(3)) {
            (Amount::Least, _) if low.is_some() => as_written("minimum", low.unwrap_or_default()),
            (Amount::Most, _) if high.is_some() => as_written("maximum", high.unwrap_or_default()),
            (_, 0) => json!(low.unwrap_or(0.0).ceil().min(high.unwrap_or(1e9)) as i64),
            _ => json!((low.unwrap_or(0.0) + 0.25).min(high.unwrap_or(1e9))),
        }
    }
}

/// Returns a count that a keyword limits.
pub fn size(all: &Map<String, Value>, key: &str) -> Option<usize> {
    all.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
}

/// Merges a keyword into a schema.
fn merge(into: &mut Map<String, Value>, key: &str, value: &Value) {
    let Some(known) = into.get_mut(key) else {
        into.insert(key.to_owned(), value.clone());
        return;
    };
    let (own, more) = (known.as_f64(), value.as_f64());
    match (key, &mut *known, value) {
        ("properties", Value::Object(known), Value::Object(more)) => {
            for (name, schema) in more {
                let both = known.get(name).map(|own| json!({ "allOf": [own, schema] }));
                known.insert(name.clone(), both.unwrap_or_else(|| schema.clone()));
            }
        }
        ("required", Value::Array(known), Value::Array(more)) => {
            let new: Vec<Value> = more.iter().filter(|name| !known.contains(name)).cloned().collect();
            known.extend(new);
        }
        ("enum", Value::Array(known), Value::Array(more)) => known.retain(|value| more.contains(value)),
        ("minimum" | "minLength" | "minItems" | "minProperties", ..) if own < more => *known = value.clone(),
        ("maximum" | "maxLength" | "maxItems" | "maxProperties", ..) if own > more => *known = value.clone(),
        ("type", Value::Array(known), Value::String(_)) if known.contains(value) => {
            into.insert(key.to_owned(), value.clone());
        }
        ("additionalProperties", _, Value::Bool(_)) => {}
        ("additionalProperties", Value::Bool(true), _) => *known = value.clone(),
        _ => {}
    }
}
