//! Checks of a merge patch itself: the values that it sets. Rules across fields, and required fields, are checked on
//! its result.

use proc_macro2::TokenStream;
use quote::quote;

use super::locations::field_location;
use super::members::{self, Empty};
use super::{Crate, checked_types, effective, inline, operation_pattern};
use crate::emit::rust::{ident, is_never_optional};
use crate::model::{Field, OperationId, OutputOnly, Required, Resource, ResourceId, Type};

/// Returns the implementation for a merge patch:
///
/// ```text
/// impl Validates<types::EventPatch> for Rules { … }
/// ```
pub fn resource(of: &Crate<'_>, id: ResourceId) -> Option<TokenStream> {
    let resource = of.api().resource(id);
    let name = ident(resource.patch.as_deref()?);
    let types = &of.rust.types;
    let shape = of.shape(id);
    let checks: Vec<TokenStream> = resource.fields.iter().filter_map(|field| member(of, resource, field)).collect();
    let (this, at, checker) = super::check_parameters(!checks.is_empty());
    Some(quote! {
        impl Validates<#types::#name> for Rules {
            #shape

            fn check(&self, #this: &#types::#name, #at: Location<'_>, #checker: &mut Checker<'_>) {
                #(#checks)*
            }
        }
    })
}

/// Emits the checks of a field of a merge patch; `None` if any change is permitted.
fn member(of: &Crate<'_>, resource: &Resource, field: &Field) -> Option<TokenStream> {
    let (name, wire) = (ident(&field.name.ident), &field.name.wire);
    let mut checks = Vec::new();
    // Null sets a nullable field to null.
    if !field.nullable {
        checks.extend(not_removed(of, field));
    }
    let condition = of.condition(resource, field);
    checks.extend(effective::warning(of, resource, field, &quote!(!this.#name.is_keep())));
    let constrained = field.constrained.as_deref().map(|operations| operation_pattern(of.api(), operations));
    let looked_at = [
        condition.map(|condition| quote!(checker.is_effective(#condition) &&)),
        constrained.map(|operations| quote!(matches!(checker.operation_index(), #operations) &&)),
    ];
    let looked_at: TokenStream = looked_at.into_iter().flatten().collect();
    checks.extend(set_value_checks(of, field, Some(&looked_at).filter(|tokens| !tokens.is_empty())));
    let checks = (!checks.is_empty()).then(|| quote! { #(#checks)* });
    let place = |checks| if field.is_rest { checks } else { inline::bind_location(&field_location(field), &checks) };
    let checks = checks.map(place);
    let Some(OutputOnly { except, reject: refuse }) = &field.behavior.output_only else {
        return checks.map(inline::wrap_in_block);
    };
    // Rejected fields are reported even if there is nothing else to check.
    let refused = refuse.then(|| quote! { checker.output_only_rejected(at.field(#wire), !this.#name.is_keep()); });
    if except.is_empty() {
        return refused;
    }
    let except = operation_pattern(of.api(), except);
    match (checks, refused) {
        (None, None) => None,
        (Some(checks), None) => {
            Some(inline::wrap_in_if(&quote!(matches!(checker.operation_index(), #except)), &checks))
        }
        (None, Some(refused)) => Some(quote! { if !matches!(checker.operation_index(), #except) { #refused } }),
        (Some(checks), Some(refused)) => {
            Some(quote! { if matches!(checker.operation_index(), #except) { #checks } else { #refused } })
        }
    }
}

/// Returns the check that a required field is not removed.
fn not_removed(of: &Crate<'_>, field: &Field) -> Option<TokenStream> {
    let name = ident(&field.name.ident);
    let check = quote! { checker.required_in_patch(at, this.#name.is_clear()); };
    let Required::In(operations) = &field.behavior.required else {
        return (field.behavior.required == Required::Everywhere).then_some(check);
    };
    let patches: Vec<OperationId> =
        operations.iter().copied().filter(|id| checked_types::is_patch(of.api(), *id)).collect();
    let patches = (!patches.is_empty()).then(|| operation_pattern(of.api(), &patches))?;
    Some(quote! { if matches!(checker.operation_index(), #patches) { #check } })
}

/// Returns the checks of the value that a field is set to.
fn set_value_checks(of: &Crate<'_>, field: &Field, looked_at: Option<&TokenStream>) -> Option<TokenStream> {
    let name = ident(&field.name.ident);
    let checks = match &field.ty {
        // A nested patch, entry by entry.
        Type::Map(_) => map(of, field),
        Type::Resource(id) if of.api().resource(*id).patch.is_some() => {
            if of.checked_types.is_patch_checked(*id) {
                vec![quote! { Rules.check(value, at, checker); }]
            } else {
                Vec::new()
            }
        }
        // An empty list removes a field without explicit presence.
        ty if is_never_optional(field) => {
            members::collection(of, ty, &field.constraints, (quote!(value), quote!(value)), Empty::Absence)
        }
        ty => members::value_checks(of, ty, &field.constraints),
    };
    if checks.is_empty() || field.is_kind {
        return None;
    }
    let value =
        if field.boxed { quote!(this.#name.as_set().map(|value| &**value)) } else { quote!(this.#name.as_set()) };
    Some(inline::wrap_in_if(&quote!(#looked_at let Some(value) = #value), &quote! { #(#checks)* }))
}

/// Emits the checks of the entries that a merge patch sets in a map; removed entries are not checked.
fn map(of: &Crate<'_>, field: &Field) -> Vec<TokenStream> {
    let Type::Map(inner) = &field.ty else { return Vec::new() };
    let constraints = field.constraints.for_elements();
    let checks = match &**inner {
        Type::Map(_) => Vec::new(),
        ty => match ty.non_null() {
            Type::Resource(id) if of.api().resource(*id).patch.is_some() => {
                let check = of.checked_types.is_patch_checked(*id).then(|| quote! { Rules.check(value, at, checker); });
                let or_null = |check| match ty {
                    Type::Nullable(_) => inline::wrap_in_if(&quote!(let Some(value) = value), &check),
                    _ => check,
                };
                check.map(or_null).into_iter().collect()
            }
            _ => members::value_checks(of, ty, &constraints),
        },
    };
    let set =
        if checks.is_empty() { quote!(value.as_set().is_some()) } else { quote!(let Some(value) = value.as_set()) };
    let checks: Vec<TokenStream> = members::key_checks(of, &field.constraints).into_iter().chain(checks).collect();
    if checks.is_empty() {
        return Vec::new();
    }
    let checks = inline::bind_location(&quote!(at.key(key)), &quote! { #(#checks)* });
    let set = inline::wrap_in_if(&set, &checks);
    vec![quote! {
        for (key, value) in value { #set }
    }]
}
