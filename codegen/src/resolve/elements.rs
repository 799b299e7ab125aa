//! Constraints on lists and maps that are elements of others, or whole bodies.

use crate::diagnostics::{Code, Sink};
use crate::model::{ElementConstraints, Range, Type};
use crate::schema::field::Elements;
use crate::schema::types;

/// Resolves the constraints on the elements of a type; reports those that do not apply.
pub fn of_elements(written: Option<&Elements>, ty: &Type, sink: &mut Sink) -> Vec<ElementConstraints> {
    resolve(written, inner(ty), "the elements of this type", sink)
}

/// Resolves the constraints on the values of a type; reports those that do not apply.
pub fn of_values(written: Option<&Elements>, ty: &Type, sink: &mut Sink) -> Vec<ElementConstraints> {
    resolve(written, ty.non_null(), "this type", sink)
}

/// Converts a range of the schema to that of the model.
pub fn resolve_range(range: &types::Range) -> Range {
    Range { min: range.min, max: range.max }
}

/// Returns the type of the elements, or the type itself if it has none.
fn inner(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) | Type::Map(inner) => inner.non_null(),
        _ => ty,
    }
}

/// Resolves constraints from the outermost list or map to the innermost.
fn resolve(written: Option<&Elements>, ty: &Type, what: &str, sink: &mut Sink) -> Vec<ElementConstraints> {
    let (mut found, mut written, mut ty, mut what) = (Vec::new(), written, ty, what);
    while let Some(own) = written.filter(|_| *ty != Type::Unresolved) {
        let keys = [
            (ty.is_collection(), own.items.map(|range| range.span), "items", "lists and maps"),
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
        found.push(ElementConstraints { items: own.items.as_ref().map(resolve_range), unique: is_unique });
        (written, ty, what) = (own.elements.as_deref(), inner(ty), "the elements of this type");
    }
    // The last one constrains something.
    let len = found.iter().rposition(|own| *own != ElementConstraints::default()).map_or(0, |last| last + 1);
    found.truncate(len);
    found
}
