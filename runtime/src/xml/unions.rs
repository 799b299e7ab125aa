//! Which variant of a union an element is, and a value.

use super::document::Element;
use super::{Object, Place, Union, Value};

/// How deep unions can be variants of each other: those that are of themselves in a circle have no end.
const MOST_UNIONS: usize = 8;

/// What an element of a union is, and the union among whose variants that was found; no value where it is none of them.
pub fn of(element: &Element<'_>, union: &'static Union) -> (&'static Union, Option<&'static Value>) {
    let mut union = union;
    for _ in 0..MOST_UNIONS {
        match of_element(element, union) {
            Some(Value::Union(inner)) => union = inner(),
            other => return (union, other),
        }
    }
    (union, None)
}

/// The variant that an element is.
fn of_element(element: &Element<'_>, union: &'static Union) -> Option<&'static Value> {
    if union.discriminator.is_empty() {
        return by_shape(element, union);
    }
    let told = |value: &Value| member_text(element, value, union.discriminator, MOST_UNIONS);
    union.variants.iter().find(|(name, value)| told(value).is_some_and(|text| text == *name)).map(|(_, value)| value)
}

/// Whether an element has nothing but text.
pub fn is_plain(element: &Element<'_>) -> bool {
    element.children.is_empty() && element.attributes.is_empty()
}

/// The text of the member that tells the variant, where it is in the place that the variant has for it.
fn member_text<'e>(element: &'e Element<'_>, value: &Value, discriminator: &str, depth: usize) -> Option<&'e str> {
    let depth = depth.checked_sub(1)?;
    let member = match value {
        Value::Object(object) => object().members.iter().find(|member| member.name == discriminator),
        Value::Union(inner) => {
            return inner().variants.iter().find_map(|(_, value)| member_text(element, value, discriminator, depth));
        }
        _ => None,
    };
    let child = |is: &dyn Fn(&Element<'_>) -> bool| element.children.iter().find(|child| is(child));
    let text = match member {
        None => child(&|child| child.name.local == discriminator).map(|child| &*child.text),
        Some(member) => match member.place {
            Place::Attribute => {
                element.attributes.iter().find(|(name, _)| name.is(&member.xml)).map(|(_, value)| &**value)
            }
            Place::Text => Some(&*element.text),
            Place::Element | Place::Elements => child(&|child| child.name.is(&member.xml)).map(|child| &*child.text),
        },
    };
    text.map(str::trim)
}

/// The variant whose members leave the fewest elements and attributes unknown; the first of those.
fn by_shape(element: &Element<'_>, union: &'static Union) -> Option<&'static Value> {
    let has_text = || !element.text.trim().is_empty();
    if is_plain(element) && has_text() {
        // A text alone is no object, unless that is what the text of one is for.
        return None;
    }
    let unknown = |value: &Value| match value {
        Value::Object(object) => Some(unknown(element, object())),
        Value::Map(_) if element.attributes.is_empty() => Some(element.children.len()),
        _ => None,
    };
    let values = || union.variants.iter().map(|(_, value)| value);
    let ranked = values().filter_map(|value| Some((unknown(value)?, value)));
    let best = ranked.reduce(|best, other| if other.0 < best.0 { other } else { best }).map(|(_, value)| value);
    // An element with nothing in it is a text, where there can be one.
    let is_empty = is_plain(element) && union.kinds & TEXT != 0;
    best.or_else(|| values().find(|value| matches!(value, Value::List(..)))).filter(|_| !is_empty)
}

/// That a union can be a text.
const TEXT: u8 = crate::unions::TEXT;

fn unknown(element: &Element<'_>, object: &Object) -> usize {
    let is_attribute = |name: &super::document::Named<'_>| {
        object.members.iter().any(|member| member.place == Place::Attribute && name.is(&member.xml))
    };
    let is_element = |child: &Element<'_>| {
        let is = |place| matches!(place, Place::Element | Place::Elements);
        object.members.iter().any(|member| is(member.place) && child.name.is(&member.xml))
    };
    let attributes = element.attributes.iter().filter(|(name, _)| !is_attribute(name)).count();
    attributes + element.children.iter().filter(|child| !is_element(child)).count()
}

/// How a value of a union is written: as the variant that it is.
pub fn variant(union: &'static Union, json: &serde_json::Value) -> Value {
    let mut union = union;
    for _ in 0..MOST_UNIONS {
        match of_json(union, json) {
            Value::Union(inner) => union = inner(),
            other => return other,
        }
    }
    Value::Any
}

fn of_json(union: &'static Union, json: &serde_json::Value) -> Value {
    let values = || union.variants.iter().map(|(_, value)| *value);
    let Some(members) = json.as_object() else {
        return values().find(|value| json.is_array() && matches!(value, Value::List(..))).unwrap_or(Value::Any);
    };
    if !union.discriminator.is_empty() {
        let told = members.get(union.discriminator).and_then(serde_json::Value::as_str);
        let variant = union.variants.iter().find(|(name, _)| Some(*name) == told);
        return variant.map_or(Value::Any, |(_, value)| *value);
    }
    let unknown = |value: Value| match value {
        Value::Object(object) => {
            let known = |name: &String| object().members.iter().any(|member| member.name == name);
            Some(members.keys().filter(|name| !known(name)).count())
        }
        Value::Map(_) => Some(members.len()),
        _ => None,
    };
    let ranked = values().filter_map(|value| Some((unknown(value)?, value)));
    ranked.reduce(|best, other| if other.0 < best.0 { other } else { best }).map_or(Value::Any, |(_, value)| value)
}
