//! `src/resources/<module>.rs`: what is checked of the resources of a module.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Crate, members, one_of, patches, rules, unchanged};
use crate::emit::rust::{ident, is_plain};
use crate::emit::{RustFile, docs};
use crate::model::{Field, Module, OutputOnly, Required, Resource, ResourceId, TypeId};

/// The checks of the resources of a module, of their patches and of what does not change.
pub fn file(of: &Crate<'_>, module: &Module) -> RustFile {
    let mut items = vec![super::imports(of)];
    for item in &module.items {
        let TypeId::Resource(id) = item else { continue };
        items.extend(resource(of, *id));
        items.extend(patches::resource(of, *id));
        items.extend(unchanged::resource(of, *id));
    }
    RustFile { head: docs::inner_line(&format!("What is checked of the resources of `{}`.", module.name)), items }
}

/// ```text
/// impl Validates<types::Event> for Rules {
///     fn check(&self, this: &types::Event, at: At<'_>, checker: &mut Checker<'_>) { … }
/// }
/// ```
fn resource(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let resource = of.api().resource(id);
    let name = ident(&resource.name.ident);
    let checks = if resource.outcome.is_some() { outcome(of, resource) } else { object(of, id) };
    let shape = of.shape(id);
    let types = &of.rust.types;
    let (this, at, checker) = super::arguments(!checks.is_empty());
    let mut items = vec![quote! {
        impl Validates<#types::#name> for Rules {
            #shape

            fn check(&self, #this: &#types::#name, #at: At<'_>, #checker: &mut Checker<'_>) {
                #(#checks)*
            }
        }
    }];
    if resource.outcome.is_none() {
        items.extend(rules::of_resource(of, id));
    }
    items
}

fn object(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let resource = of.api().resource(id);
    let mut checks: Vec<TokenStream> = resource.fields.iter().filter_map(|field| member(of, resource, field)).collect();
    checks.extend(rules::checks(of, id));
    checks
}

/// What an ended operation holds.
fn outcome(of: &Crate<'_>, resource: &Resource) -> Vec<TokenStream> {
    let Some(outcome) = resource.outcome else { return Vec::new() };
    let (types, name) = (&of.rust.types, ident(&resource.name.ident));
    let arms = [(outcome.success, quote!(Succeeded)), (outcome.failure, quote!(Failed))];
    let arms: Vec<TokenStream> = arms
        .iter()
        .filter_map(|(index, variant)| {
            let field = &resource.fields[*index];
            let checks = members::value(of, &field.ty, &field.constraints);
            let wire = &field.name.wire;
            (!checks.is_empty()).then(|| {
                quote! {
                    if let #types::#name::#variant(value) = this {
                        let at = at.member(#wire);
                        #(#checks)*
                    }
                }
            })
        })
        .collect();
    arms
}

/// The checks of a member: whether it is there, and what it holds.
fn member(of: &Crate<'_>, resource: &Resource, field: &Field) -> Option<TokenStream> {
    let presence = presence(of, field);
    let mut inside = Vec::new();
    if field.is_kind {
        inside.extend(kind(field));
    } else {
        inside.extend(present(field, members::value(of, &field.ty, &field.constraints)));
    }
    let inside = when_effective(of, resource, field, inside);
    let checks = [presence, inside].concat();
    if checks.is_empty() {
        return None;
    }
    let wire = &field.name.wire;
    let checks = quote! { let at = at.member(#wire); #(#checks)* };
    // What a resource is holds on either side.
    Some(if field.is_kind {
        quote! {{ #checks }}
    } else {
        on_its_side(of, field, checks)
    })
}

/// `if let Some(value) = &this.id { … }`
fn present(field: &Field, checks: Vec<TokenStream>) -> Option<TokenStream> {
    if checks.is_empty() {
        return None;
    }
    let name = ident(&field.name.ident);
    Some(match (is_plain(field), field.boxed) {
        (true, _) => quote! { let value = &this.#name; #(#checks)* },
        (false, true) => quote! { if let Some(value) = this.#name.as_deref() { #(#checks)* } },
        (false, false) => quote! { if let Some(value) = &this.#name { #(#checks)* } },
    })
}

/// Whether the member is there: `this.id.is_some()`.
pub fn is_present(field: &Field) -> TokenStream {
    let name = ident(&field.name.ident);
    if is_plain(field) { quote!(!this.#name.is_empty()) } else { quote!(this.#name.is_some()) }
}

fn kind(field: &Field) -> Option<TokenStream> {
    let crate::model::Literal::Text(expected) = field.constraints.constant.as_ref()? else { return None };
    let (name, shown) = (ident(&field.name.ident), serde_json::Value::from(expected.as_str()).to_string());
    Some(quote! { checker.kind(at, this.#name.as_deref(), #expected, #shown); })
}

/// What is said of a member for being there or not.
fn presence(of: &Crate<'_>, field: &Field) -> Vec<TokenStream> {
    let present = is_present(field);
    let mut checks = Vec::new();
    match &field.behavior.required {
        Required::Never => {}
        Required::Everywhere => checks.push(quote! {
            if checker.is_request() {
                checker.required(at, #present);
            }
        }),
        Required::In(operations) => {
            let operations = one_of(of.api(), operations);
            checks.push(quote! {
                if checker.is_request() && matches!(checker.index(), #operations) {
                    checker.required(at, #present);
                }
            });
        }
    }
    checks.extend(field.deprecated.as_ref().map(|deprecated| {
        let instead = members::optional(deprecated.instead.as_deref());
        quote! { checker.deprecated(at, #present, #instead); }
    }));
    checks
}

/// A member that the server ignores is told of and not looked at.
fn when_effective(of: &Crate<'_>, resource: &Resource, field: &Field, checks: Vec<TokenStream>) -> Vec<TokenStream> {
    let mut all = checks;
    if field.effective_when.is_some()
        && let Some(bit) = of.effective_bit(&resource.name.wire, &field.name.wire)
    {
        let present = is_present(field);
        let inner = std::mem::take(&mut all);
        all.push(quote! { checker.ignored(at, #present, #bit); });
        if !inner.is_empty() {
            all.push(quote! { if checker.is_effective(#bit) { #(#inner)* } });
        }
    }
    all
}

/// A member that the other side writes is dropped before it is sent, or refused.
fn on_its_side(of: &Crate<'_>, field: &Field, checks: TokenStream) -> TokenStream {
    let behavior = &field.behavior;
    let Some(OutputOnly { except, refuse }) = &behavior.output_only else {
        return if behavior.input_only {
            quote! { if checker.is_request() { #checks } }
        } else {
            quote! {{ #checks }}
        };
    };
    let may = if except.is_empty() {
        quote!(!checker.is_request())
    } else {
        let except = one_of(of.api(), except);
        quote!(!checker.is_request() || matches!(checker.index(), #except))
    };
    let refused = refuse.then(|| {
        let (wire, present) = (&field.name.wire, is_present(field));
        quote! { else { checker.output_only_refused(at.member(#wire), #present); } }
    });
    quote! { if #may { #checks } #refused }
}
