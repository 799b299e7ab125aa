//! Bounds of values.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::place::Place;
use crate::model::{Constraints, Number, Range, Type};
use crate::patterns;

/// Emits the form of integers in an inclusive range; with `digits`, they are decimal strings.
pub fn integers(min: i128, max: i128, digits: bool) -> TokenStream {
    let (min, max) = (Lit::i128_unsuffixed(min), Lit::i128_unsuffixed(max));
    quote!(ValueForm::Integers { min: #min, max: #max, digits: #digits })
}

/// Emits the bounds of the values at a place.
pub fn bounds(place: &Place) -> Vec<TokenStream> {
    let Constraints { length, items, .. } = &place.constraints;
    if place.ty.is_collection() {
        return items.iter().map(|items| counted(&quote!(Items), *items)).collect();
    }
    let length = length.filter(|_| place.ty == Type::String).map(|length| counted(&quote!(Length), length));
    let patterns = place.constraints.patterns().into_iter().filter(|_| place.ty == Type::String).filter_map(matching);
    length.into_iter().chain(numbers(place)).chain(patterns).collect()
}

/// Emits the pattern of texts.
fn matching(pattern: &str) -> Option<TokenStream> {
    let matcher = patterns::compile_anchored(pattern).ok()?;
    let module = quote!(::wireform_runtime::__private::pattern);
    let (ty, table) = (matcher.ty(&module), matcher.tokens(&module));
    Some(quote! {
        Bounds::Matches(|text| {
            static PATTERN: #ty = #table;
            #module::Matcher::is_match(&PATTERN, text)
        })
    })
}

/// Emits the bounds of a number of characters or elements.
fn counted(of: &TokenStream, range: Range) -> TokenStream {
    let min = Lit::u64_unsuffixed(range.min.unwrap_or_default());
    let max = range.max.map_or_else(
        || quote!(u64::MAX),
        |max| {
            let max = Lit::u64_unsuffixed(max);
            quote!(#max)
        },
    );
    quote!(Bounds::#of(#min, #max))
}

/// Emits the bounds of a number.
fn numbers(place: &Place) -> Option<TokenStream> {
    let (min, max) = (place.constraints.min, place.constraints.max);
    min.or(max)?;
    if let Some((least, most)) = place.ty.integer_range() {
        let end = |end: Option<Number>, otherwise| match end {
            Some(Number::Int(value)) => value,
            _ => otherwise,
        };
        let (min, max) = (Lit::i128_unsuffixed(end(min, least)), Lit::i128_unsuffixed(end(max, most)));
        return Some(quote!(Bounds::Integers(#min, #max)));
    }
    // The nearest number within an exclusive end.
    let next = |value: f64, exclusive: Option<fn(f64) -> f64>| exclusive.map_or(value, |next| next(value));
    let end = |end: Option<Number>, exclusive: Option<fn(f64) -> f64>, otherwise: TokenStream| match end {
        #[allow(clippy::cast_precision_loss)] // as where the bound is checked
        Some(Number::Int(value)) => literal(value as f64),
        Some(Number::Float(value)) => literal(next(value, exclusive)),
        Some(Number::Decimal(value)) => literal(next(value.nearest(), exclusive)),
        _ => otherwise,
    };
    let exclusive = place.constraints.exclusive;
    let above = exclusive.min.then_some(f64::next_up as fn(f64) -> f64);
    let below = exclusive.max.then_some(f64::next_down as fn(f64) -> f64);
    let (min, max) = (end(min, above, quote!(f64::NEG_INFINITY)), end(max, below, quote!(f64::INFINITY)));
    matches!(place.ty, Type::Float | Type::Double | Type::Number).then(|| quote!(Bounds::Numbers(#min, #max)))
}

fn literal(value: f64) -> TokenStream {
    let value = Lit::f64_unsuffixed(value);
    quote!(#value)
}
