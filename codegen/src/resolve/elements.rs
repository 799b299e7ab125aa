//! Constraints on lists and maps that are elements of others, or whole bodies.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::patterns;
use crate::diagnostics::{Code, Sink};
use crate::model::{ElementConstraints, Keys, Range, Type};
use crate::patterns::Matcher;
use crate::schema::field::{Elements, KeysDef};
use crate::schema::{Text, types};

/// Compiled patterns.
type Patterns = RefCell<BTreeMap<String, Matcher>>;

/// Resolves the constraints on the elements of a type; reports those that do not apply.
pub fn of_elements(
    written: Option<&Elements>,
    ty: &Type,
    patterns: &Patterns,
    sink: &mut Sink,
) -> Vec<ElementConstraints> {
    resolve(written, (inner(ty), "the elements of this type"), patterns, sink)
}

/// Resolves the constraints on the values of a type; reports those that do not apply.
pub fn of_values(
    written: Option<&Elements>,
    ty: &Type,
    patterns: &Patterns,
    sink: &mut Sink,
) -> Vec<ElementConstraints> {
    resolve(written, (ty.non_null(), "this type"), patterns, sink)
}

/// Converts a range of the schema to that of the model.
pub fn resolve_range(range: &types::Range) -> Range {
    Range { min: range.min, max: range.max }
}

/// Resolves the constraints on the keys of a map.
pub fn resolve_keys(keys: &KeysDef, patterns: &Patterns, sink: &mut Sink) -> Keys {
    let pattern = resolve_pattern(keys.pattern.as_ref(), patterns, sink);
    Keys { length: keys.length.as_ref().map(resolve_range), pattern }
}

/// Resolves a pattern, if it can be compiled.
pub fn resolve_pattern(written: Option<&Text>, patterns: &Patterns, sink: &mut Sink) -> Option<String> {
    written.filter(|pattern| patterns::check(pattern, patterns, sink)).map(|pattern| pattern.text.clone())
}

/// Returns the type of the elements, or the type itself if it has none.
fn inner(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) | Type::Map(inner) => inner.non_null(),
        _ => ty,
    }
}

/// Resolves constraints from the outermost list or map to the innermost.
fn resolve(
    written: Option<&Elements>,
    (ty, what): (&Type, &str),
    patterns: &Patterns,
    sink: &mut Sink,
) -> Vec<ElementConstraints> {
    let (mut found, mut written, mut ty, mut what) = (Vec::new(), written, ty, what);
    while let Some(own) = written.filter(|_| *ty != Type::Unresolved) {
        let keys = [
            (ty.is_collection(), own.items.map(|range| range.span), "items", "lists and maps"),
            (matches!(ty, Type::Map(_)), own.keys.as_ref().map(|keys| keys.span), "keys", "maps"),
            (matches!(ty, Type::List(_)), own.unique.map(|unique| unique.span), "unique", "lists"),
            (ty.is_collection(), own.elements.as_ref().map(|own| own.span), "elements", "lists and maps"),
        ];
        for (applies, span, key, kinds) in keys {
            if let (false, Some(span)) = (applies, span) {
                sink.report(Code::Misplaced, span, format!("`{key}` does not apply to {what}"))
                    .help(format!("it applies to {kinds}"));
            }
        }
        if !ty.is_collection() {
            return found;
        }
        let is_unique = own.unique.is_some_and(|unique| unique.value);
        let keys = own.keys.as_ref().map(|keys| resolve_keys(keys, patterns, sink));
        found.push(ElementConstraints { items: own.items.as_ref().map(resolve_range), keys, unique: is_unique });
        (written, ty, what) = (own.elements.as_deref(), inner(ty), "the elements of this type");
    }
    // The last one constrains something.
    let len = found.iter().rposition(|own| *own != ElementConstraints::default()).map_or(0, |last| last + 1);
    found.truncate(len);
    found
}
