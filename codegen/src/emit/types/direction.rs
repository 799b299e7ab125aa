//! Direction of fields: output-only fields are stripped from requests, input-only ones from responses.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::rust::{ident, is_never_optional, match_expression};
use crate::model::{Api, Field, FieldKinds, Outcome, OutputOnly, Resource, Union};

mod ineffective;
mod stored;

pub use ineffective::conditions;

/// Kind of fields that are stripped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strip {
    OutputOnly,
    /// Output-only fields, except those that are rejected.
    Dropped,
    InputOnly,
}

impl Strip {
    /// Returns the method that strips values of a type, if there is anything to strip.
    fn call(self, inside: FieldKinds) -> Option<TokenStream> {
        match self {
            Self::Dropped if inside.rejected => {
                Some(quote!(::wireform_runtime::FieldBehavior::strip_ignored_output_only))
            }
            Self::OutputOnly | Self::Dropped => {
                inside.output_only.then(|| quote!(::wireform_runtime::FieldBehavior::strip_output_only))
            }
            Self::InputOnly => inside.input_only.then(|| quote!(::wireform_runtime::FieldBehavior::strip_input_only)),
        }
    }
}

/// Returns the implementation for a resource:
///
/// ```text
/// impl FieldBehavior for Event {
///     fn strip_output_only(&mut self, operation: &str) {
///         self.etag = None;
///         FieldBehavior::strip_output_only(&mut self.attendees, operation);
///     }
/// }
/// ```
pub fn of_resource(api: &Api, resource: &Resource) -> TokenStream {
    let name = ident(&resource.name.ident);
    let cleared = |field: &Field| match (is_never_optional(field), field.nullable) {
        (true, _) => ClearedForm::Collection,
        (false, true) => ClearedForm::Nullable,
        (false, false) => ClearedForm::Option,
    };
    let (dropped, kept) = (ineffective::method(api, resource, false, &cleared), stored::method(api, resource));
    let identifiers = stored::identifiers(resource);
    let more = quote!(#dropped #kept #identifiers);
    implementation(&quote!(#name), &more, resource.has_rejected, |strip| statements(api, resource, strip, &cleared))
}

/// Returns the implementation for the merge patch of a resource: a stripped field keeps the stored value.
pub fn of_patch(api: &Api, resource: &Resource, patch: &Ident) -> TokenStream {
    let dropped = ineffective::method(api, resource, true, &|_| ClearedForm::Patch);
    implementation(&quote!(#patch), &quote!(#dropped), resource.has_rejected, |strip| {
        statements(api, resource, strip, &|_| ClearedForm::Patch)
    })
}

/// How a field is cleared.
enum ClearedForm {
    Option,
    Nullable,
    Collection,
    Patch,
}

/// Emits `impl FieldBehavior` for a type, with a method for each kind of stripping that has statements.
fn implementation(
    target: &TokenStream,
    more: &TokenStream,
    refused: bool,
    statements: impl Fn(Strip) -> Vec<Statement>,
) -> TokenStream {
    let method = |strip: Strip, name: TokenStream| {
        let statements = statements(strip);
        // The default implementation drops what is stripped, unless some fields are rejected.
        if statements.is_empty() && strip != Strip::Dropped {
            return None;
        }
        let uses = statements.iter().any(|statement| statement.uses_operation);
        let operation = if uses { quote!(operation) } else { quote!(_operation) };
        let tokens = statements.iter().map(|statement| &statement.tokens);
        Some(quote! { fn #name(&mut self, #operation: &str) { #(#tokens)* } })
    };
    let output_only = method(Strip::OutputOnly, quote!(strip_output_only));
    let dropped = refused.then(|| method(Strip::Dropped, quote!(strip_ignored_output_only)));
    let input_only = method(Strip::InputOnly, quote!(strip_input_only));
    quote! {
        impl ::wireform_runtime::FieldBehavior for #target {
            #output_only
            #dropped
            #input_only
            #more
        }
    }
}

/// Statement of a method, and whether it depends on the operation.
struct Statement {
    tokens: TokenStream,
    uses_operation: bool,
}

impl Statement {
    /// Creates a statement that does not depend on the operation.
    fn plain(tokens: TokenStream) -> Self {
        Self { tokens, uses_operation: false }
    }

    /// Creates a statement that uses the operation.
    fn with_operation(tokens: TokenStream) -> Self {
        Self { tokens, uses_operation: true }
    }
}

/// Emits the statements that strip the fields of a resource; `cleared` is the form in which a field is cleared.
fn statements(api: &Api, resource: &Resource, strip: Strip, cleared: &dyn Fn(&Field) -> ClearedForm) -> Vec<Statement> {
    let statement = |field: &Field| {
        let clear = clear(field, cleared);
        match (strip, &field.behavior.output_only) {
            (Strip::Dropped, Some(OutputOnly { reject: true, .. })) => {}
            (Strip::OutputOnly | Strip::Dropped, Some(OutputOnly { except, .. })) if except.is_empty() => {
                return Some(Statement::plain(clear));
            }
            (Strip::OutputOnly | Strip::Dropped, Some(OutputOnly { except, .. })) => {
                let names = except.iter().map(|id| &api.operation(*id).name);
                let inside = strip_contents(api, field, strip).map(|statement| statement.tokens);
                return Some(Statement::with_operation(
                    quote! { if !matches!(operation, #(#names)|*) { #clear } #inside },
                ));
            }
            (Strip::InputOnly, _) if field.behavior.input_only => return Some(Statement::plain(clear)),
            _ => {}
        }
        strip_contents(api, field, strip)
    };
    resource.fields.iter().filter_map(statement).collect()
}

/// Returns the statement that clears a field.
fn clear(field: &Field, cleared: &dyn Fn(&Field) -> ClearedForm) -> TokenStream {
    let member = ident(&field.name.ident);
    match cleared(field) {
        ClearedForm::Option => quote! { self.#member = None; },
        ClearedForm::Nullable => quote! { self.#member = ::wireform_runtime::Nullable::Absent; },
        ClearedForm::Collection => quote! { self.#member.clear(); },
        ClearedForm::Patch => quote! { self.#member = ::wireform_runtime::Patch::Keep; },
    }
}

/// Returns the call that strips the contents of a field, if there is anything to strip.
fn strip_contents(api: &Api, field: &Field, strip: Strip) -> Option<Statement> {
    let member = ident(&field.name.ident);
    let call = strip.call(api.field_kinds(&field.ty))?;
    Some(Statement::with_operation(quote! { #call(&mut self.#member, operation); }))
}

/// Returns the implementation for a union, which strips the contents of its variants.
pub fn of_union(api: &Api, union: &Union) -> TokenStream {
    let name = ident(&union.name.ident);
    let (dropped, kept) = (ineffective::of_union(api, union), stored::of_union(api, union));
    implementation(&quote!(#name), &quote!(#dropped #kept), union.field_kinds.rejected, |strip| {
        let arms: Vec<_> = union
            .variants
            .iter()
            .filter_map(|variant| {
                let (case, call) = (ident(&variant.name.ident), strip.call(api.field_kinds(&variant.ty))?);
                Some((quote!(Self::#case(value)), quote! { #call(value, operation); }))
            })
            .collect();
        match_expression(&quote!(self), &arms).map(Statement::with_operation).into_iter().collect()
    })
}

/// Returns the implementation for an outcome, which strips the contents of its variants.
pub fn of_outcome(api: &Api, resource: &Resource, outcome: Outcome) -> TokenStream {
    let name = ident(&resource.name.ident);
    let statement = |strip: Strip| {
        let arm = |index: usize, variant: TokenStream| {
            let call = strip.call(api.field_kinds(&resource.fields[index].ty))?;
            Some(Statement::with_operation(quote! { if let Self::#variant(inner) = self { #call(inner, operation); } }))
        };
        [arm(outcome.success, quote!(Succeeded)), arm(outcome.failure, quote!(Failed))].into_iter().flatten().collect()
    };
    implementation(&quote!(#name), &TokenStream::new(), resource.has_rejected, statement)
}
