//! Variants of unions in XML, for elements and for JSON values.

use super::super::document::{Element, is_blank};
use super::super::names::QualifiedName;
use super::super::{ObjectDescription, Representation, UnionDescription, XmlName, XmlValue};

/// Maximum depth of nested unions: recursive ones have no end.
const MAX_DEPTH: usize = 8;

/// Returns the variant of an element, and the union that contains it; no variant if none matches.
pub fn find_variant(
    element: &Element<'_>,
    union: &'static UnionDescription,
) -> (&'static UnionDescription, Option<&'static XmlValue>) {
    let mut union = union;
    for _ in 0..MAX_DEPTH {
        match element_variant(element, union) {
            Some(XmlValue::Union(inner)) => union = inner(),
            other => return (union, other),
        }
    }
    (union, None)
}

/// Returns the variant of an element in a single union.
fn element_variant(element: &Element<'_>, union: &'static UnionDescription) -> Option<&'static XmlValue> {
    if union.discriminator.is_empty() {
        return variant_by_shape(element, union);
    }
    let tag = |value: &XmlValue| discriminator_text(element, value, union.discriminator, MAX_DEPTH);
    union.variants.iter().find(|(name, value)| tag(value).is_some_and(|text| text == *name)).map(|(_, value)| value)
}

/// Returns whether an element contains only text.
pub fn has_only_text(element: &Element<'_>) -> bool {
    element.children.is_empty() && element.attributes.is_empty()
}

/// Returns the text of the discriminator, if it is represented as the variant describes.
fn discriminator_text<'e>(
    element: &'e Element<'_>,
    value: &XmlValue,
    discriminator: &str,
    depth: usize,
) -> Option<&'e str> {
    let depth = depth.checked_sub(1)?;
    let member = match value {
        XmlValue::Object(object) => object().fields.iter().find(|member| member.name == discriminator),
        XmlValue::Union(inner) => {
            return inner()
                .variants
                .iter()
                .find_map(|(_, value)| discriminator_text(element, value, discriminator, depth));
        }
        _ => None,
    };
    let child = |name: &XmlName| element.children.iter().find(|child| element.is_child_named(&child.name, name));
    let own = |name: &XmlName| {
        let plain = element.attributes.iter().find(|(found, _)| found.is_attribute(name));
        plain.or_else(|| element.instance.iter().find(|(found, _)| found.is_exactly(name)))
    };
    let text = match member {
        None => element
            .children
            .iter()
            .find(|child| child.name.local == discriminator && element.accepts_namespace(&child.name, ""))
            .map(|child| &*child.text),
        Some(member) => match member.representation {
            Representation::Attribute => own(&member.xml).map(|(_, value)| &**value),
            Representation::Text => Some(&*element.text),
            Representation::Element | Representation::Elements => child(&member.xml).map(|child| &*child.text),
        },
    };
    text.map(str::trim)
}

/// Returns the variant that loses the fewest elements, attributes and texts; of those the one with the fewest unknown
/// fields; of those the first.
fn variant_by_shape(element: &Element<'_>, union: &'static UnionDescription) -> Option<&'static XmlValue> {
    let values = || union.variants.iter().map(|(_, value)| value);
    if has_only_text(element) && !is_blank(&element.text) {
        // A text alone is an object if the text of one matches, and no scalar does.
        let is_scalar = union.kinds & TEXT != 0 || super::is_json_of_kind(union.kinds, element.text.trim());
        let has_text = |value: &XmlValue| matches!(value, XmlValue::Object(object) if object().text().is_some());
        return values().find(|value| has_text(value)).filter(|_| !is_scalar);
    }
    let unknown = |value: &XmlValue| match value {
        XmlValue::Object(object) => Some(count_unknown(element, object())),
        XmlValue::Map(_) if element.attributes.is_empty() => {
            Some((usize::from(!is_blank(&element.text)), element.children.len()))
        }
        _ => None,
    };
    let ranked = values().filter_map(|value| Some((unknown(value)?, value)));
    let best = ranked.reduce(|best, other| if other.0 < best.0 { other } else { best }).map(|(_, value)| value);
    // An empty element is a text, if the union allows one.
    let is_empty = has_only_text(element) && union.kinds & TEXT != 0;
    best.or_else(|| values().find(|value| matches!(value, XmlValue::List(..)))).filter(|_| !is_empty)
}

/// Kind bit of strings.
const TEXT: u8 = crate::unions::TEXT;

/// Returns how much of an element a resource would lose, and how much it does not know.
fn count_unknown(element: &Element<'_>, object: &ObjectDescription) -> (usize, usize) {
    let is_attribute = |name: &QualifiedName<'_>| {
        object
            .fields
            .iter()
            .any(|member| member.representation == Representation::Attribute && name.is_attribute(&member.xml))
    };
    let is_element = |child: &Element<'_>| {
        let is = |place| matches!(place, Representation::Element | Representation::Elements);
        object.fields.iter().any(|member| is(member.representation) && element.is_child_named(&child.name, &member.xml))
    };
    let attributes = element.attributes.iter().filter(|(name, _)| !is_attribute(name)).count();
    let unknown = attributes + element.children.iter().filter(|child| !is_element(child)).count();
    let text = usize::from(object.text().is_none() && !is_blank(&element.text));
    (text + if object.rest.is_some() { 0 } else { unknown }, unknown)
}

/// Returns the XML description of a value of a union: that of its variant.
pub fn json_description(union: &'static UnionDescription, json: &serde_json::Value) -> XmlValue {
    let mut union = union;
    for _ in 0..MAX_DEPTH {
        match json_variant(union, json) {
            XmlValue::Union(inner) => union = inner(),
            other => return other,
        }
    }
    XmlValue::Any
}

/// Returns the description of the variant for a value: by its discriminator, or with the fewest unknown fields.
fn json_variant(union: &'static UnionDescription, json: &serde_json::Value) -> XmlValue {
    let values = || union.variants.iter().map(|(_, value)| *value);
    let Some(members) = json.as_object() else {
        return values().find(|value| json.is_array() && matches!(value, XmlValue::List(..))).unwrap_or(XmlValue::Any);
    };
    if !union.discriminator.is_empty() {
        let tag = members.get(union.discriminator).and_then(serde_json::Value::as_str);
        let variant = union.variants.iter().find(|(name, _)| Some(*name) == tag);
        return variant.map_or(XmlValue::Any, |(_, value)| *value);
    }
    let unknown = |value: XmlValue| match value {
        XmlValue::Object(object) => {
            let known = |name: &String| object().fields.iter().any(|member| member.name == name);
            let unknown = members.keys().filter(|name| !known(name)).count();
            Some((if object().rest.is_some() { 0 } else { unknown }, unknown))
        }
        XmlValue::Map(_) => Some((0, members.len())),
        _ => None,
    };
    let ranked = values().filter_map(|value| Some((unknown(value)?, value)));
    ranked.reduce(|best, other| if other.0 < best.0 { other } else { best }).map_or(XmlValue::Any, |(_, value)| value)
}
