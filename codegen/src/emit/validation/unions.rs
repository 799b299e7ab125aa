//! Checks of unions: the variant is known, and its contents are valid.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Crate, members};
use crate::emit::rust::{ident, match_expression};
use crate::model::{Constraints, Field, Type, Union, UnionId, Variant};

/// Returns the checks of a union:
///
/// ```text
/// impl Validates<types::Contact> for Rules {
///     fn check(&self, this: &types::Contact, at: Location<'_>, checker: &mut Checker<'_>) { … }
/// }
/// ```
pub fn union(of: &Crate<'_>, id: UnionId) -> TokenStream {
    let union = of.api().union(id);
    let (types, name) = (&of.rust.types, ident(&union.name.ident));
    let arms: Vec<_> = union.variants.iter().filter_map(|variant| arm(of, union, variant)).collect();
    let held = match_expression(&quote!(this), &arms);
    quote! {
        impl Validates<#types::#name> for Rules {
            ::wireform_validation::facts!(sources::SOURCES);

            fn check(&self, this: &#types::#name, at: Location<'_>, checker: &mut Checker<'_>) {
                checker.variant_known(at, this);
                #held
            }
        }
    }
}

/// Emits the arm that checks a variant, as a pattern and its checks; `None` if any value is permitted.
fn arm(of: &Crate<'_>, union: &Union, variant: &Variant) -> Option<(TokenStream, TokenStream)> {
    let (types, name, case) = (&of.rust.types, ident(&union.name.ident), ident(&variant.name.ident));
    let mut checks: Vec<TokenStream> = discriminator(of, union, variant).into_iter().collect();
    checks.extend(variant.deprecated.as_ref().map(|deprecated| {
        let (wire, instead) = (&variant.name.wire, members::optional(deprecated.replacement.as_deref()));
        quote! { checker.deprecated_value(at, true, #wire, #instead); }
    }));
    let held = members::value_checks(of, &variant.ty, &Constraints::default());
    if checks.is_empty() && held.is_empty() {
        return None;
    }
    let is_read = !held.is_empty() || variant.discriminator.is_some();
    let value = if is_read { quote!(value) } else { quote!(_) };
    let inner = (is_read && matches!(variant.ty, Type::Resource(_))).then(|| quote! { let value = &**value; });
    Some((quote!(#types::#name::#case(#value)), quote! { #inner #(#checks)* #(#held)* }))
}

/// Returns the check that a resource's own discriminator matches the variant.
fn discriminator(of: &Crate<'_>, union: &Union, variant: &Variant) -> Option<TokenStream> {
    let (wire, Type::Resource(id)) = (union.discriminator.as_ref()?, &variant.ty) else { return None };
    let field: &Field = of.api().resource(*id).field(variant.discriminator?);
    let (member, expected) = (ident(&field.name.ident), &variant.name.wire);
    let formatted = union.tag.json(expected).to_string();
    let found = match field.ty {
        Type::Enum(_) => {
            let text = of.rust.runtime(&quote!(OpenEnum::as_str));
            quote!(value.#member.as_ref().map(#text))
        }
        Type::String => quote!(value.#member.as_deref()),
        _ => quote!(value.#member.map(|value| value.to_string()).as_deref()),
    };
    Some(quote! { checker.discriminator(at.field(#wire), #found, #expected, #formatted); })
}
