//! Checks of single values: their constraints, and those of their contents.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::{Crate, inline};
use crate::emit::rust::{ident, number};
use crate::model::{Constraints, EnumId, Exclusive, Format, Literal, Number, Range, Type};

/// Returns the checks of `value`, a reference to a value of a type, at the location `at`. Constraints on texts and
/// numbers apply to each element of a list or map.
pub fn value_checks(of: &Crate<'_>, ty: &Type, constraints: &Constraints) -> Vec<TokenStream> {
    match ty {
        Type::List(_) | Type::Map(_) => collection(of, ty, constraints, (quote!(value), quote!(value)), Empty::Value),
        Type::Resource(id) if of.checked_types.is_checked(*id) => vec![quote! { Rules.check(value, at, checker); }],
        Type::Nullable(inner) => {
            let checks = self::value_checks(of, inner, constraints);
            let some = quote!(let Some(value) = value);
            if checks.is_empty() { checks } else { vec![inline::wrap_in_if(&some, &quote! { #(#checks)* })] }
        }
        Type::Union(_) => vec![quote! { Rules.check(value, at, checker); }],
        Type::Enum(id) => enumeration(of, *id, constraints),
        Type::String => text(of, constraints),
        Type::Lexical(lexical) if lexical.is_text() => {
            let mut checks = text(of, constraints);
            checks.extend(decimals(constraints));
            checks
        }
        Type::Bytes(_) => bytes(constraints),
        Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_) | Type::Float | Type::Double => {
            numbers(ty, constraints)
        }
        Type::Number => exact_numbers(constraints),
        Type::Bool | Type::Any => constant(of, constraints).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the checks of a place with a value of a type, or `None` if there are none.
pub fn place_checks(of: &Crate<'_>, ty: &Type, constraints: &Constraints, place: &TokenStream) -> Option<TokenStream> {
    let checks = match ty {
        Type::List(_) | Type::Map(_) => {
            collection(of, ty, constraints, (place.clone(), quote!(&#place)), Empty::Absence)
        }
        _ => {
            let checks = value_checks(of, ty, constraints);
            return (!checks.is_empty()).then(|| inline::bind_value(place, &quote! { #(#checks)* }));
        }
    };
    (!checks.is_empty()).then(|| quote! { #(#checks)* })
}

/// Meaning of a list or map without elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// It is a value, and has no fewer elements than the minimum.
    Value,
    /// It is absent, so that only [`required`](crate::model::Required) rejects it.
    Absence,
}

/// Returns the checks of a list or a map, given its place and a reference to it.
pub fn collection(
    of: &Crate<'_>,
    ty: &Type,
    constraints: &Constraints,
    place: (TokenStream, TokenStream),
    empty: Empty,
) -> Vec<TokenStream> {
    let count = items(constraints, &place.0, empty);
    let checks = match ty {
        Type::List(inner) => list(of, inner, constraints, place),
        Type::Map(inner) => map(of, inner, constraints, place).into_iter().collect(),
        _ => Vec::new(),
    };
    count.into_iter().chain(checks).collect()
}

/// Returns the checks of a list besides the number of its elements.
fn list(
    of: &Crate<'_>,
    inner: &Type,
    constraints: &Constraints,
    (list, reference): (TokenStream, TokenStream),
) -> Vec<TokenStream> {
    let mut checks = Vec::new();
    checks.extend(constraints.unique.then(|| quote! { checker.unique(at, #reference); }));
    let each = value_checks(of, inner, &constraints.for_elements());
    checks.extend((!each.is_empty()).then(|| {
        let each = inline::bind_location(&quote!(at.index(index)), &quote! { #(#each)* });
        quote! { for (index, value) in #list.iter().enumerate() { #each } }
    }));
    checks
}

/// Returns the checks of a map besides the number of its elements.
fn map(
    of: &Crate<'_>,
    inner: &Type,
    constraints: &Constraints,
    (map, reference): (TokenStream, TokenStream),
) -> Option<TokenStream> {
    let mut each = key_checks(of, constraints);
    let values = value_checks(of, inner, &constraints.for_elements());
    let has_values = !values.is_empty();
    each.extend(values);
    (!each.is_empty()).then(|| {
        let each = inline::bind_location(&quote!(at.key(key)), &quote! { #(#each)* });
        match has_values {
            true => quote! { for (key, value) in #reference { #each } },
            false => quote! { for key in #map.keys() { #each } },
        }
    })
}

/// Returns the checks of `key`, the key of an entry of a map, at the location of the entry.
pub fn key_checks(of: &Crate<'_>, constraints: &Constraints) -> Vec<TokenStream> {
    let checks = constraints.keys.as_ref().map(|keys| text(of, &keys.constraints())).unwrap_or_default();
    let block = (!checks.is_empty()).then(|| quote! { { let value = key; #(#checks)* } });
    block.into_iter().collect()
}

/// Returns the check of the number of elements. It has no condition of its own, so that it can be the body of another
/// one.
fn items(constraints: &Constraints, list: &TokenStream, empty: Empty) -> Option<TokenStream> {
    let (least, most) = bound_tokens(constraints.items?);
    Some(match empty {
        Empty::Value => quote! { checker.items(at, #list.len(), #least, #most); },
        Empty::Absence => quote! { checker.items_unless_empty(at, #list.len(), #least, #most); },
    })
}

/// Emits the checks of an enum value: whether it is known, can be sent, is deprecated, and equals the constant.
fn enumeration(of: &Crate<'_>, id: EnumId, constraints: &Constraints) -> Vec<TokenStream> {
    let definition = of.api().enumeration(id);
    let (types, name) = (&of.rust.types, ident(&definition.name.ident));
    let mut checks = vec![quote! { checker.enum_known(at, value); }];
    for value in &definition.values {
        let (variant, wire) = (ident(&value.name.ident), &value.name.wire);
        let is = quote!(matches!(value, #types::#name::#variant));
        checks.extend(value.output_only.then(|| quote! { checker.enum_not_sendable(at, #is, #wire); }));
        checks.extend(value.deprecated.as_ref().map(|deprecated| {
            let instead = optional(deprecated.replacement.as_deref());
            quote! { checker.deprecated_value(at, #is, #wire, #instead); }
        }));
    }
    checks.extend(constraints.constant.as_ref().and_then(|constant| match constant {
        Literal::Enum(_, index) => {
            let value = definition.value(*index);
            let (variant, formatted) =
                (ident(&value.name.ident), serde_json::Value::from(value.name.wire.as_str()).to_string());
            Some(quote! { checker.constant(at, value, &#types::#name::#variant, #formatted); })
        }
        _ => None,
    }));
    checks
}

/// Emits the checks of a string: constant, length, pattern, format.
fn text(of: &Crate<'_>, constraints: &Constraints) -> Vec<TokenStream> {
    let mut checks: Vec<TokenStream> = constant(of, constraints).into_iter().collect();
    checks.extend(constraints.length.map(|range| {
        let (least, most) = bound_tokens(range);
        quote! { checker.length(at, value, #least, #most); }
    }));
    checks.extend(constraints.pattern.as_ref().and_then(|pattern| {
        let name = of.patterns.name(pattern)?;
        Some(quote! { checker.pattern(at, value, &patterns::#name, #pattern); })
    }));
    let schemes = &constraints.schemes;
    checks.extend(constraints.format.and_then(|format| match format {
        Format::Uri if !schemes.is_empty() => {
            let schemes = schemes.iter().map(|scheme| scheme.to_ascii_lowercase());
            Some(quote! { checker.uri(at, value, &[#(#schemes),*]); })
        }
        // Only the issuer knows the format of a token; HTML is not checked.
        Format::PageToken | Format::SyncToken | Format::Html => None,
        format => {
            let name = format_name(format);
            Some(quote! { checker.format(at, value, Format::#name); })
        }
    }));
    checks
}

fn format_name(format: Format) -> proc_macro2::Ident {
    ident(match format {
        Format::Email => "Email",
        Format::Uri => "Uri",
        Format::TimeZone => "TimeZone",
        Format::Recurrence => "Recurrence",
        Format::MediaType => "MediaType",
        Format::Etag => "Etag",
        Format::PageToken => "PageToken",
        Format::SyncToken => "SyncToken",
        Format::Hostname => "Hostname",
        Format::Ip => "Ip",
        Format::Uuid => "Uuid",
        Format::Html => "Html",
        Format::FieldMask => "FieldMask",
    })
}

/// Emits the check of the length of binary data, if it is constrained.
fn bytes(constraints: &Constraints) -> Vec<TokenStream> {
    let length = constraints.length.map(|range| {
        let (least, most) = bound_tokens(range);
        quote! { checker.bytes_length(at, value.len(), #least, #most); }
    });
    length.into_iter().collect()
}

/// Emits the checks of a number: range, multiple, constant.
fn numbers(ty: &Type, constraints: &Constraints) -> Vec<TokenStream> {
    let value = if ty.wrapper().is_some() { quote!(value.0) } else { quote!(*value) };
    let bound = |number: Option<Number>| optional_number(ty, number);
    let mut checks = Vec::new();
    let (Ends { min, max, above, below }, is_bounded) = ends(constraints);
    if is_bounded {
        let (min, max) = (bound(min), bound(max));
        checks.push(quote! { checker.range(at, #value, #min, #max); });
    }
    for (end, check) in [(above, quote!(above)), (below, quote!(below))] {
        checks.extend(end.map(|end| {
            let end = number(end);
            quote! { checker.#check(at, #value, #end); }
        }));
    }
    checks.extend(constraints.multiple_of.map(|divisor| {
        let divisor = number(divisor);
        quote! { checker.multiple_of(at, #value, #divisor); }
    }));
    if let Some(Literal::Number(constant)) = &constraints.constant {
        let (constant, formatted) = (number(*constant), number(*constant).to_string());
        let place = if ty.wrapper().is_some() { quote!(&value.0) } else { quote!(value) };
        checks.push(quote! { checker.constant(at, #place, &#constant, #formatted); });
    }
    checks
}

/// Emits the checks of a number of any precision: range, multiple, constant.
fn exact_numbers(constraints: &Constraints) -> Vec<TokenStream> {
    let mut checks = decimals(constraints);
    checks.extend(constraints.multiple_of.map(|divisor| {
        let divisor = number(divisor);
        quote! { checker.decimal_multiple_of(at, value, #divisor); }
    }));
    if let Some(Literal::Number(constant)) = &constraints.constant {
        let constant = number(*constant);
        checks.push(quote! { checker.decimal_constant(at, value, #constant); });
    }
    checks
}

/// Ends of a range, inclusive and exclusive ones.
struct Ends {
    min: Option<Number>,
    max: Option<Number>,
    above: Option<Number>,
    below: Option<Number>,
}

/// Returns the ends of the range of a number, and whether any of them is inclusive.
fn ends(constraints: &Constraints) -> (Ends, bool) {
    let Exclusive { min, max } = constraints.exclusive;
    let ends = Ends {
        min: constraints.min.filter(|_| !min),
        max: constraints.max.filter(|_| !max),
        above: constraints.min.filter(|_| min),
        below: constraints.max.filter(|_| max),
    };
    let is_bounded = ends.min.is_some() || ends.max.is_some();
    (ends, is_bounded)
}

/// Returns the checks of a decimal number's range, compared exactly.
fn decimals(constraints: &Constraints) -> Vec<TokenStream> {
    let end = |number: Option<Number>| {
        number.map_or_else(
            || quote!(None),
            |number| {
                let digits = self::number(number);
                quote!(Some(#digits))
            },
        )
    };
    let (Ends { min, max, above, below }, is_bounded) = ends(constraints);
    let (min, max) = (end(min), end(max));
    let mut checks = Vec::new();
    checks.extend(is_bounded.then(|| quote! { checker.decimal_range(at, value, #min, #max); }));
    for (end, check) in [(above, quote!(decimal_above)), (below, quote!(decimal_below))] {
        checks.extend(end.map(|end| {
            let end = number(end);
            quote! { checker.#check(at, value, #end); }
        }));
    }
    checks
}

fn optional_number(ty: &Type, value: Option<Number>) -> TokenStream {
    let Some(value) = value else { return quote!(None) };
    let value = match (ty, value) {
        // Integer bounds of a floating-point type.
        (Type::Float | Type::Double, Number::Int(value)) => {
            let digits = Lit::f64_unsuffixed(value as f64);
            quote!(#digits)
        }
        (_, value) => number(value),
    };
    quote!(Some(#value))
}

/// Returns the check of a constant text, boolean or null.
fn constant(of: &Crate<'_>, constraints: &Constraints) -> Option<TokenStream> {
    match constraints.constant.as_ref()? {
        Literal::Text(text) => {
            let formatted = serde_json::Value::from(text.as_str()).to_string();
            Some(quote! { checker.constant(at, value.as_str(), #text, #formatted); })
        }
        Literal::Bool(expected) => {
            let formatted = expected.to_string();
            Some(quote! { checker.constant(at, value, &#expected, #formatted); })
        }
        // The resolver accepts no other constant of JSON.
        Literal::Json(_) => {
            let json = of.rust.runtime(&quote!(Value));
            Some(quote! { checker.constant(at, value, &#json::Null, "null"); })
        }
        Literal::Number(_) | Literal::Enum(..) => None,
    }
}

fn bound_tokens(range: Range) -> (TokenStream, TokenStream) {
    let number = |value: u64| {
        let digits = Lit::u64_unsuffixed(value);
        quote!(#digits)
    };
    let most = range.max.map_or_else(|| quote!(usize::MAX), number);
    (number(range.min.unwrap_or(0)), most)
}

/// Returns `Some("text")` or `None` as tokens.
pub fn optional(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(Some(#text)),
        None => quote!(None),
    }
}
