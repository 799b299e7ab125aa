//! Request structs and their constructors.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::{RustTypes, bytes_of, ident};
use super::super::{builders, defaults};
use crate::model::{Body, BodyMode, Literal, Operation, Parameter, RawContent, Type};

/// Returns the struct of a request:
///
/// ```text
/// /// Request of `events.get`: reads an event.
/// #[derive(Clone, Debug, PartialEq)]
/// pub struct EventsGet {
///     pub calendar_id: String,
///     pub time_zone: Option<String>,
/// }
/// impl EventsGet {
///     pub fn new(calendar_id: impl Into<String>) -> Self { … }
/// }
/// ```
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    let name = ident(&operation.types.request);
    let doc = format!(" Request of {}: {}", docs::code_span(&operation.name), docs::lower_first(&operation.doc));
    let deprecated = docs::deprecated(operation.deprecated.as_ref());
    let members = operation.settable_parameters().map(|(_, parameter)| member(rust, parameter));
    let body = operation.body.as_ref().map(|body| body_member(rust, operation, body));
    let default = arguments(rust, operation).is_empty().then(|| quote!(, Default));
    vec![
        quote! {
            #[doc = #doc]
            #deprecated
            #[derive(Clone, Debug, PartialEq #default)]
            pub struct #name {
                #(#members)*
                #body
            }
        },
        constructor(rust, operation),
    ]
}

/// Emits the field of a request struct for a parameter.
fn member(rust: &RustTypes<'_>, parameter: &Parameter) -> TokenStream {
    let (name, ty) = (ident(&parameter.name.ident), parameter_type(rust, parameter));
    let doc = docs::attributes(&parameter.doc, &parameter_facts(rust, parameter));
    let deprecated = docs::deprecated(parameter.deprecated.as_ref());
    quote! { #doc #deprecated pub #name: #ty, }
}

/// Returns the facts about a parameter for its documentation.
pub fn parameter_facts(rust: &RustTypes<'_>, parameter: &Parameter) -> Vec<String> {
    docs::parameter_facts(parameter, &|literal| match literal {
        Literal::Enum(id, index) => docs::code_span(&rust.api.enumeration(*id).values[*index].name.wire),
        other => docs::literal(other),
    })
}

fn body_member(rust: &RustTypes<'_>, operation: &Operation, body: &Body) -> TokenStream {
    let ty = body_type(rust, operation, body);
    let ty = if body.required { ty } else { rust.optional(&ty) };
    let what = if body.doc.is_empty() { "The request body." } else { body.doc.as_str() };
    let doc = docs::attributes(what, &docs::constraint_facts(&body.constraints(), &Type::Any));
    quote! { #doc pub body: #ty, }
}

/// Returns the type of the body; with alternatives, their enum.
pub fn body_type(rust: &RustTypes<'_>, operation: &Operation, body: &Body) -> TokenStream {
    if body.alternatives.is_empty() {
        return one_body_type(rust, body);
    }
    let (types, name) = (&rust.types, ident(&operation.types.body));
    quote!(#types::requests::#name)
}

/// Returns the type of a body without alternatives; for a merge patch, that of the resource's patch.
pub fn one_body_type(rust: &RustTypes<'_>, body: &Body) -> TokenStream {
    match (body.raw(), body.mode) {
        (Some(raw), _) => raw_type(rust, raw),
        (None, BodyMode::JsonPatch) => rust.runtime(&quote!(JsonPatch)),
        (None, BodyMode::MergePatch) => rust.patch_value(&body.ty),
        (None, BodyMode::Whole) => rust.ty(&body.ty),
    }
}

/// Returns the type of a body that is not encoded.
pub fn raw_type(rust: &RustTypes<'_>, raw: RawContent) -> TokenStream {
    match raw {
        RawContent::Bytes => rust.runtime(&quote!(RawBody<::std::vec::Vec<u8>>)),
        RawContent::Text => rust.runtime(&quote!(RawBody<::std::string::String>)),
    }
}

/// Returns the type of a parameter's struct field: not an `Option` if it is required, or a list, for which empty
/// means absent.
fn parameter_type(rust: &RustTypes<'_>, parameter: &Parameter) -> TokenStream {
    let ty = rust.ty(&parameter.ty);
    if is_never_optional(parameter) { ty } else { rust.optional(&ty) }
}

/// Returns whether the struct field of a parameter is not an `Option`.
pub fn is_never_optional(parameter: &Parameter) -> bool {
    parameter.required || parameter.ty.is_collection()
}

/// Returns the parameters that the constructor requires.
pub fn required_parameters(operation: &Operation) -> Vec<&Parameter> {
    operation.settable_parameters().map(|(_, parameter)| parameter).filter(|parameter| parameter.required).collect()
}

/// Argument: its name, its type, and the expression that converts it.
pub struct Argument {
    /// Name.
    pub name: TokenStream,
    /// Type.
    pub ty: TokenStream,
    /// Value, of the type of the struct field.
    pub value: TokenStream,
}

/// Returns the arguments of the constructor: the required parameters in order, then the body.
pub fn arguments(rust: &RustTypes<'_>, operation: &Operation) -> Vec<Argument> {
    let mut arguments: Vec<Argument> =
        required_parameters(operation).into_iter().map(|parameter| parameter_argument(rust, parameter)).collect();
    if let Some(body) = operation.body.as_ref().filter(|body| body.required) {
        let (ty, value) = match is_converted(body) {
            true => {
                let (into, ty) = (&rust.into, body_type(rust, operation, body));
                (quote!(impl #into<#ty>), quote!(body.into()))
            }
            false => (body_type(rust, operation, body), quote!(body)),
        };
        arguments.push(Argument { name: quote!(body), ty, value });
    }
    arguments
}

/// Returns whether a body is passed as a type that converts to it: a text, bytes, an enum value, a union variant, an
/// alternative.
pub fn is_converted(body: &Body) -> bool {
    !body.alternatives.is_empty()
        || body.raw().is_some()
        || matches!(body.ty, Type::Number | Type::Enum(_) | Type::Union(_))
}

/// Returns a parameter as an argument.
pub fn parameter_argument(rust: &RustTypes<'_>, parameter: &Parameter) -> Argument {
    let name = ident(&parameter.name.ident);
    let into = &rust.into;
    let (ty, value) = match &parameter.ty {
        ty if ty.is_collection() || matches!(ty, Type::Bytes(encoding) if bytes_of(*encoding).is_some()) => {
            // The expression refers to an argument of that name.
            let (ty, value) = builders::argument(rust, &parameter.ty, false);
            (ty, quote! {{ let value = #name; #value }})
        }
        Type::Number | Type::String | Type::Enum(_) => {
            let ty = rust.ty(&parameter.ty);
            (quote!(impl #into<#ty>), quote!(#name.into()))
        }
        ty if ty.wrapper().is_some() => {
            let ty = rust.ty(&parameter.ty);
            (quote!(impl #into<#ty>), quote!(#name.into()))
        }
        other => (rust.ty(other), quote!(#name)),
    };
    Argument { name: quote!(#name), ty, value }
}

/// Emits `fn new`, which takes the required parameters, and the getters with defaults.
fn constructor(rust: &RustTypes<'_>, operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    let arguments = arguments(rust, operation);
    let signature = arguments.iter().map(|Argument { name, ty, .. }| quote!(#name: #ty));
    let members = operation.settable_parameters().map(|(_, parameter)| {
        let member = ident(&parameter.name.ident);
        if parameter.required {
            let value = parameter_argument(rust, parameter).value;
            // A value without conversion has the name of its field.
            if member == value.to_string() { quote!(#member) } else { quote!(#member: #value) }
        } else if is_never_optional(parameter) {
            quote!(#member: ::std::default::Default::default())
        } else {
            quote!(#member: None)
        }
    });
    let body = operation.body.as_ref().map(|body| match (body.required, is_converted(body)) {
        (true, true) => quote!(body: body.into()),
        (true, false) => quote!(body),
        (false, _) => quote!(body: None),
    });
    let doc = " Creates a request from its required parameters.";
    let defaults = operation.settable_parameters().filter_map(|(_, parameter)| {
        let default = parameter.default.as_ref().filter(|_| !parameter.required)?;
        let member = ident(&parameter.name.ident);
        let value = match is_never_optional(parameter) {
            true => quote!(Some(&self.#member).filter(|value| !value.is_empty())),
            false => quote!(self.#member.as_ref()),
        };
        Some(defaults::accessor(rust, (&parameter.name, &parameter.ty), default, None, &value))
    });
    quote! {
        impl #name {
            #[doc = #doc]
            #[must_use]
            pub fn new(#(#signature),*) -> Self {
                Self { #(#members,)* #body }
            }

            #(#defaults)*
        }
    }
}
