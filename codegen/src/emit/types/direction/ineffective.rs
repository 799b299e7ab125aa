//! Fields without effect, which are dropped before a request is validated.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::{constant, ident, match_expression};
use super::{ClearedForm, Statement, clear};
use crate::model::{Api, Field, Literal, Resource, Union, Unless};

/// Returns the method that drops fields without effect:
///
/// ```text
/// fn strip_ineffective(&mut self, context: &WriteContext<'_>) {
///     if !context.has_effect(Event::CONFERENCE_DATA) {
///         self.conference_data = None;
///     }
///     FieldBehavior::strip_ineffective(&mut self.attendees, context);
/// }
/// ```
///
/// A merge patch does not contain the other fields, so fields whose effect depends on them are dropped from its
/// result.
pub fn method(
    api: &Api,
    resource: &Resource,
    is_patch: bool,
    cleared: &dyn Fn(&Field) -> ClearedForm,
) -> Option<TokenStream> {
    if !resource.has_ineffective {
        return None;
    }
    let statements: Vec<Statement> = resource
        .fields
        .iter()
        .filter(|field| !field.is_kind)
        .flat_map(|field| statements(api, resource, field, is_patch, cleared))
        .collect();
    if statements.is_empty() {
        return None;
    }
    let context = argument(&statements);
    let tokens = statements.iter().map(|statement| &statement.tokens);
    Some(quote! { fn strip_ineffective(&mut self, #context: &::wireform_runtime::WriteContext<'_>) { #(#tokens)* } })
}

/// Returns the constants of the conditions:
///
/// ```text
/// impl Event {
///     /// Condition under which `conferenceData` has an effect.
///     pub const CONFERENCE_DATA: Condition = Condition::new(3);
/// }
/// ```
pub fn conditions(api: &Api, resource: &Resource) -> Option<TokenStream> {
    let constants = resource.fields.iter().filter_map(|field| {
        let (name, number) = (constant(&field.name), Lit::u32_unsuffixed(api.condition_number(resource, field)?));
        let doc = docs::line_attribute(&format!("Condition under which {} has an effect.", docs::code_span(&field.name.wire)));
        Some(quote! {
            #doc
            pub const #name: ::wireform_runtime::__private::Condition = ::wireform_runtime::__private::Condition::new(#number);
        })
    });
    let constants: Vec<TokenStream> = constants.collect();
    let name = ident(&resource.name.ident);
    (!constants.is_empty()).then(|| quote! { impl #name { #(#constants)* } })
}

/// Returns the condition under which a field has an effect: `crate::Event::CONFERENCE_DATA`.
pub(super) fn condition(resource: &Resource, field: &Field) -> Option<TokenStream> {
    let (name, constant) = (ident(&resource.name.ident), constant(&field.name));
    field.is_conditional().then(|| quote!(crate::#name::#constant))
}

/// Returns the name of the argument, with an underscore if it is unused.
fn argument(statements: &[Statement]) -> TokenStream {
    if statements.iter().any(|statement| statement.uses_operation) { quote!(context) } else { quote!(_context) }
}

/// Emits the statements that clear a field without effect, or fields without effect in its value.
fn statements(
    api: &Api,
    resource: &Resource,
    field: &Field,
    is_patch: bool,
    cleared: &dyn Fn(&Field) -> ClearedForm,
) -> Vec<Statement> {
    let member = ident(&field.name.ident);
    let clear = clear(field, cleared);
    let mut found = Vec::new();
    if let Some(condition) = condition(resource, field) {
        found.push(Statement::with_operation(quote! { if !context.has_effect(#condition) { #clear } }));
    }
    if let (Some(unless), false) = (&field.ignored.unless, is_patch) {
        let differs = differs(api, resource, unless);
        found.push(Statement::plain(quote! { if #differs { #clear } }));
    }
    if api.field_kinds(&field.ty).ineffective {
        found.push(Statement::with_operation(quote! {
            ::wireform_runtime::FieldBehavior::strip_ineffective(&mut self.#member, context);
        }));
    }
    found
}

/// Returns the test whether the other field has a different value. If it is absent without a default, its value is
/// unknown and the test is false.
fn differs(api: &Api, resource: &Resource, unless: &Unless) -> TokenStream {
    let of = &resource.fields[unless.field];
    let member = ident(&of.name.ident);
    let value = match &unless.value {
        Literal::Enum(id, index) => {
            let definition = api.enumeration(*id);
            let (name, variant) = (ident(&definition.name.ident), ident(&definition.values[*index].name.ident));
            quote!(crate::#name::#variant)
        }
        Literal::Bool(value) => quote!(#value),
        Literal::Text(text) => quote!(#text),
        // Such values cannot be compared with.
        Literal::Number(_) | Literal::Json(_) => quote!(()),
    };
    let test = match &of.default {
        Some(default) if *default != unless.value => quote!(is_none_or),
        _ => quote!(is_some_and),
    };
    quote!(self.#member.as_ref().#test(|value| *value != #value))
}

/// Returns the implementation for a union, which drops from its variants.
pub fn of_union(api: &Api, union: &Union) -> Option<TokenStream> {
    if !union.field_kinds.ineffective {
        return None;
    }
    let kept = union.variants.iter().filter(|variant| api.field_kinds(&variant.ty).ineffective);
    let arms: Vec<_> = kept
        .map(|variant| {
            let case = ident(&variant.name.ident);
            let dropped = quote! { ::wireform_runtime::FieldBehavior::strip_ineffective(value, context); };
            (quote!(Self::#case(value)), dropped)
        })
        .collect();
    match_expression(&quote!(self), &arms).map(|drops| {
        quote! { fn strip_ineffective(&mut self, context: &::wireform_runtime::WriteContext<'_>) { #drops } }
    })
}
