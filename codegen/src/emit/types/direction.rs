//! Who writes a member: what is stripped from what a client sends, and from what a server sends.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::super::rust::{ident, is_plain};
use crate::model::{Api, Field, Outcome, OutputOnly, Resource, ResourceId, Type};

/// Which of the two directions is stripped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strip {
    OutputOnly,
    InputOnly,
}

/// ```text
/// impl Direction for Event {
///     fn strip_output_only(&mut self, operation: &str) {
///         self.etag = None;
///         Direction::strip_output_only(&mut self.attendees, operation);
///     }
/// }
/// ```
pub fn of_resource(api: &Api, resource: &Resource) -> TokenStream {
    let name = ident(&resource.name.ident);
    implementation(&quote!(#name), |strip| statements(api, resource, strip, &|field| if is_plain(field) { Cleared::Collection } else { Cleared::Option }))
}

/// The same for the merge patch of a resource: a stripped member is kept as it is stored.
pub fn of_patch(api: &Api, resource: &Resource, patch: &Ident) -> TokenStream {
    implementation(&quote!(#patch), |strip| statements(api, resource, strip, &|_| Cleared::Patch))
}

/// How a member is cleared.
enum Cleared {
    Option,
    Collection,
    Patch,
}

fn implementation(target: &TokenStream, statements: impl Fn(Strip) -> Vec<TokenStream>) -> TokenStream {
    let method = |strip: Strip, name: TokenStream| {
        let statements = statements(strip);
        if statements.is_empty() {
            return None;
        }
        let uses = statements.iter().any(|statement| mentions_operation(statement.clone()));
        let operation = if uses { quote!(operation) } else { quote!(_operation) };
        Some(quote! { fn #name(&mut self, #operation: &str) { #(#statements)* } })
    };
    let output_only = method(Strip::OutputOnly, quote!(strip_output_only));
    let input_only = method(Strip::InputOnly, quote!(strip_input_only));
    quote! {
        impl ::wireform_runtime::Direction for #target {
            #output_only
            #input_only
        }
    }
}

/// Whether the tokens use the argument `operation`.
fn mentions_operation(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "operation",
        TokenTree::Group(group) => mentions_operation(group.stream()),
        _ => false,
    })
}

fn statements(api: &Api, resource: &Resource, strip: Strip, cleared: &dyn Fn(&Field) -> Cleared) -> Vec<TokenStream> {
    let statement = |field: &Field| {
        let member = ident(&field.name.ident);
        let clear = match cleared(field) {
            Cleared::Option => quote! { self.#member = None; },
            Cleared::Collection => quote! { self.#member.clear(); },
            Cleared::Patch => quote! { self.#member = ::wireform_runtime::Patch::Keep; },
        };
        match (strip, &field.behavior.output_only) {
            (Strip::OutputOnly, Some(OutputOnly { except, .. })) if except.is_empty() => return Some(clear),
            (Strip::OutputOnly, Some(OutputOnly { except, .. })) => {
                let names = except.iter().map(|id| &api.operation(*id).name);
                let inside = descend(api, field, strip);
                return Some(quote! { if !matches!(operation, #(#names)|*) { #clear } #inside });
            }
            (Strip::InputOnly, _) if field.behavior.input_only => return Some(clear),
            _ => {}
        }
        descend(api, field, strip)
    };
    resource.fields.iter().filter_map(statement).collect()
}

/// The call that strips what a member holds, where that has anything to strip.
fn descend(api: &Api, field: &Field, strip: Strip) -> Option<TokenStream> {
    let member = ident(&field.name.ident);
    let inside = held(api, field)?;
    match strip {
        Strip::OutputOnly => inside.has_output_only.then(|| quote! { ::wireform_runtime::Direction::strip_output_only(&mut self.#member, operation); }),
        Strip::InputOnly => inside.has_input_only.then(|| quote! { ::wireform_runtime::Direction::strip_input_only(&mut self.#member, operation); }),
    }
}

fn held<'a>(api: &'a Api, field: &Field) -> Option<&'a Resource> {
    match field.ty.innermost() {
        Type::Resource(ResourceId(index)) => Some(&api.resources[*index]),
        _ => None,
    }
}

/// An outcome strips what its variants hold.
pub fn of_outcome(api: &Api, resource: &Resource, outcome: Outcome) -> TokenStream {
    let name = ident(&resource.name.ident);
    let statement = |strip: Strip| {
        let arm = |index: usize, variant: TokenStream| {
            let inside = held(api, &resource.fields[index])?;
            match strip {
                Strip::OutputOnly => inside.has_output_only.then(|| quote! { Self::#variant(inner) => ::wireform_runtime::Direction::strip_output_only(inner, operation), }),
                Strip::InputOnly => inside.has_input_only.then(|| quote! { Self::#variant(inner) => ::wireform_runtime::Direction::strip_input_only(inner, operation), }),
            }
        };
        let arms: Vec<TokenStream> = [arm(outcome.success, quote!(Succeeded)), arm(outcome.failure, quote!(Failed))].into_iter().flatten().collect();
        if arms.is_empty() { Vec::new() } else { vec![quote! { match self { #(#arms)* _ => {} } }] }
    };
    implementation(&quote!(#name), statement)
}
