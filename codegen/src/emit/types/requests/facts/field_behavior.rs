//! Methods of a request that apply the behavior of fields: they strip or fill fields of the body and of the response.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::super::rust::RustTypes;
use super::super::alternatives;
use crate::model::{Body, Operation};

/// Returns the methods of `Request` for the behavior of fields.
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> TokenStream {
    let output_only = strip_output_only(rust, operation);
    let ineffective = strip_ineffective(rust, operation);
    let input_only = strip_input_only(rust, operation);
    let fill = fill(rust, operation);
    quote! {
        #output_only
        #ineffective
        #input_only
        #fill
    }
}

fn strip_output_only(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let strip = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).output_only,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_output_only(#value, #name);),
    )?;
    let refused = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).rejected,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_ignored_output_only(#value, #name);),
    );
    let refuses = refused.is_some().then(|| quote! { const REJECTS_OUTPUT_ONLY: bool = true; });
    let refused = refused.map(|_| {
        // Without rejected fields the default implementation applies.
        let drop = in_body(
            operation,
            |body| rust.api.field_kinds(&body.ty).output_only,
            &|value| quote!(::wireform_runtime::FieldBehavior::strip_ignored_output_only(#value, #name);),
        );
        quote! { fn strip_ignored_output_only(&mut self) { #drop } }
    });
    Some(quote! {
        #refuses

        fn strip_output_only(&mut self) { #strip }
        #refused
    })
}

/// Returns code for the body, or for the alternatives that need it.
fn in_body(
    operation: &Operation,
    is_needed: impl Fn(&Body) -> bool,
    does: &dyn Fn(TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let body = operation.body.as_ref()?;
    if body.alternatives.is_empty() {
        return is_needed(body).then(|| does(quote!(&mut self.body)));
    }
    alternatives::in_body(operation, body, is_needed, &quote!(&mut self.body), &|_| does(quote!(value)))
}

/// Returns the method that drops ineffective fields:
///
/// ```text
/// fn strip_ineffective(&mut self, effective: &ConditionSet) { … }
/// ```
fn strip_ineffective(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let drop = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).ineffective,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_ineffective(#value, &context);),
    )?;
    Some(quote! {
        fn strip_ineffective(&mut self, effective: &::wireform_runtime::ConditionSet) {
            let context = ::wireform_runtime::WriteContext { operation: #name, effective };
            #drop
        }
    })
}

fn strip_input_only(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let strip = |value: TokenStream| quote!(::wireform_runtime::FieldBehavior::strip_input_only(#value, #name););
    if !operation.response_alternatives().is_empty() {
        let strip =
            alternatives::in_response(operation, |ty| rust.api.field_kinds(ty).input_only, &strip(quote!(value)))?;
        return Some(quote! { fn strip_input_only(response: &mut Self::Response) { #strip } });
    }
    if operation.has_types_by_status() {
        let is_needed = |ty: &_| rust.api.field_kinds(ty).input_only;
        let strip = alternatives::strip_input_only(operation, is_needed, &strip(quote!(value)))?;
        return Some(quote! { fn strip_input_only(response: &mut Self::Response) { #strip } });
    }
    rust.api.field_kinds(super::super::response_type(operation)?).input_only.then(|| {
        let strip = strip(quote!(response));
        let strip = if operation.bodiless_status().is_some() {
            quote! {
                if let Some(response) = response {
                    #strip
                }
            }
        } else {
            strip
        };
        quote! {
            fn strip_input_only(response: &mut Self::Response) {
                #strip
            }
        }
    })
}

/// Emits `fn fill`, which generates missing values in the body; `None` if no field of the body is generated.
fn fill(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let fill = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).fill,
        &|value| quote!(::wireform_runtime::__private::Fill::fill(#value, new_id);),
    )?;
    Some(quote! {
        fn fill(&mut self, new_id: &mut dyn FnMut() -> ::std::string::String) { #fill }
    })
}
