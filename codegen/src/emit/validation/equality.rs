//! Semantic equality. Types compare date-times, durations and decimals by their text, which they preserve; rules
//! compare by value.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Crate;
use crate::emit::rust::{RustTypes, ident, is_never_optional, screaming_snake, suffixed};
use crate::model::condition::{CelType, Condition, Expr, ExprKind};
use crate::model::{Api, Field, Lexical, ResourceId, Type, TypeId};

/// Returns whether a value of a type can have several texts: it is a date-time, a duration or a decimal, or contains
/// one.
pub fn has_several_texts(api: &Api, ty: &Type) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty.innermost_type() {
            Type::DateTime | Type::Duration | Type::Lexical(Lexical::Decimal) => return true,
            // An outcome is compared as it is, since nothing declares it immutable.
            Type::Resource(id) if api.resource(*id).outcome.is_none() && seen.insert(*id) => {
                open.extend(api.resource(*id).fields.iter().map(|field| &field.ty));
            }
            _ => {}
        }
    }
    false
}

/// Returns the path of the function that compares two values of a resource.
pub fn path(api: &Api, id: ResourceId) -> TokenStream {
    let function = function(api, id);
    let module = api.modules.iter().find(|module| module.items.contains(&TypeId::Resource(id)));
    let module = module.map(|module| ident(&module.name));
    quote!(crate::resources::#module::#function)
}

/// Returns its name: `event_date_time_same`.
pub fn function(api: &Api, id: ResourceId) -> Ident {
    let name = screaming_snake(&api.resource(id).name.ident).to_string().to_ascii_lowercase();
    format_ident!("{name}_same")
}

/// Returns the resources that are compared semantically, by conditions and for immutability, including nested ones.
pub fn compared_resources(api: &Api, is_unchanging: impl Fn(ResourceId) -> bool) -> BTreeSet<ResourceId> {
    let mut open: Vec<ResourceId> = Vec::new();
    let conditions = &api.conditions;
    let all = conditions.resources.iter().chain(&conditions.operations).flatten().chain(conditions.effective.values());
    all.for_each(|condition| of_condition(condition, &mut open));
    for id in (0..api.resources.len()).map(ResourceId).filter(|id| is_unchanging(*id)) {
        let immutable = api.resource(id).fields.iter().filter(|field| field.behavior.rejects_changes());
        open.extend(immutable.filter_map(|field| of_type(&field.ty)));
    }
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if has_several_texts(api, &Type::Resource(id)) && found.insert(id) {
            open.extend(api.resource(id).fields.iter().filter_map(|field| of_type(&field.ty)));
        }
    }
    found
}

fn of_type(ty: &Type) -> Option<ResourceId> {
    match ty.innermost_type() {
        Type::Resource(id) => Some(*id),
        _ => None,
    }
}

fn of_condition(condition: &Condition, found: &mut Vec<ResourceId>) {
    let message = |expr: &Expr| match &expr.ty {
        CelType::Resource(id) => Some(*id),
        CelType::List(inner) => match **inner {
            CelType::Resource(id) => Some(id),
            _ => None,
        },
        _ => None,
    };
    condition.value.walk(&mut |expr| {
        if let ExprKind::Equal(one, _) | ExprKind::In(_, one) = &expr.kind {
            found.extend(message(one));
        }
    });
}

/// Returns the function that compares two values of a resource:
///
/// ```text
/// pub fn event_date_time_same(one: &types::EventDateTime, other: &types::EventDateTime) -> bool { … }
/// ```
pub fn resource(of: &Crate<'_>, id: ResourceId) -> Option<TokenStream> {
    if !of.compared.contains(&id) {
        return None;
    }
    let resource = of.api().resource(id);
    let (types, name, function) = (&of.rust.types, ident(&resource.name.ident), function(of.api(), id));
    let members = resource.fields.iter().map(|field| {
        let member = ident(&field.name.ident);
        self::field(&of.rust, field, &quote!(one.#member), &quote!(other.#member))
    });
    let unknown = resource.preserves_unknown.then(|| quote!(one.unknown_members == other.unknown_members));
    let members = members.chain(unknown);
    let doc = format!(
        " Returns whether two values of {} are equivalent, whatever the offset of their times.",
        crate::emit::docs::code_span(&resource.name.wire)
    );
    Some(quote! {
        #[doc = #doc]
        pub fn #function(one: &#types::#name, other: &#types::#name) -> bool {
            #(#members)&&*
        }
    })
}

/// Returns the test whether two versions of a field are equal, given two places.
pub fn field(rust: &RustTypes<'_>, field: &Field, one: &TokenStream, other: &TokenStream) -> TokenStream {
    if !has_several_texts(rust.api, &field.ty) {
        return quote!(#one == #other);
    }
    if is_never_optional(field) {
        return values(rust, &field.ty, &quote!(&#one), &quote!(&#other));
    }
    let view = if field.boxed { quote!(as_deref) } else { quote!(as_ref) };
    let test = test(rust, &field.ty);
    quote!(cel::eq_options(#one.#view(), #other.#view(), #test))
}

/// Returns the test whether two versions of a field with a default are equal: an absent value is the default.
pub fn of_defaults(rust: &RustTypes<'_>, field: &Field, one: &TokenStream, other: &TokenStream) -> TokenStream {
    let (member, value) = (ident(&field.name.ident), suffixed(&field.name, "_or_default"));
    let (first, second) = (quote!(#one.#value()), quote!(#other.#value()));
    let same = match &field.ty {
        ty if !has_several_texts(rust.api, ty) => quote!(#first == #second),
        ty @ (Type::DateTime | Type::Duration) => values(rust, ty, &quote!(&#first), &quote!(&#second)),
        ty @ Type::Lexical(_) => {
            // The accessor returns the text.
            let decimal = rust.runtime(&quote!(__private::constants::big_decimal));
            values(rust, ty, &quote!(&#decimal(#first)), &quote!(&#decimal(#second)))
        }
        ty => values(rust, ty, &first, &second),
    };
    // Null is no absent value.
    if field.nullable { quote!(#one.#member.is_null() == #other.#member.is_null() && #same) } else { same }
}

/// Returns the test whether two values are equal, given two references.
fn values(rust: &RustTypes<'_>, ty: &Type, one: &TokenStream, other: &TokenStream) -> TokenStream {
    let same = |function: TokenStream, inner: &Type| {
        let test = test(rust, inner);
        quote!(cel::#function(#one, #other, #test))
    };
    match ty {
        Type::List(inner) => same(quote!(eq_lists), inner),
        Type::Map(inner) => same(quote!(eq_maps), inner),
        Type::Nullable(inner) => {
            let test = test(rust, inner);
            quote!(cel::eq_options(#one.as_ref(), #other.as_ref(), #test))
        }
        _ => {
            let test = test(rust, ty);
            quote!(#test(#one, #other))
        }
    }
}

/// Returns the test as a callable.
fn test(rust: &RustTypes<'_>, ty: &Type) -> TokenStream {
    match ty {
        Type::Resource(id) => path(rust.api, *id),
        Type::DateTime => rust.runtime(&quote!(DateTime::same_instant)),
        Type::Lexical(Lexical::Decimal) => rust.runtime(&quote!(BigDecimal::eq_value)),
        Type::Duration => quote!(cel::eq_duration),
        ty => {
            let same = values(rust, ty, &quote!(one), &quote!(other));
            quote!(|one, other| #same)
        }
    }
}
