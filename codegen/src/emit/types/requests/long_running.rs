//! Long-running operations: polling and results.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional};
use super::elements::is_copy;
use crate::model::{Argument, Field, LongRunning, LongRunningStart, Operation, Resource, Type};

/// Returns the implementation of `LongRunning`:
///
/// ```text
/// impl LongRunning for ServicesCreate {
///     type Poll = crate::requests::OperationsGet;
///     type Outcome = crate::Service;
///     …
/// }
/// ```
pub fn item(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let started = operation.long_running_start.as_ref()?;
    let response = super::response_resource(rust.api, operation)?;
    let work = response.long_running.as_ref()?;
    let name = ident(&operation.types.request);
    let poll = ident(&rust.api.operation(started.poll).types.request);
    let (outcome, metadata, failure) = types(rust, started, work, response);
    let built = build_response(rust, started, work, response);
    let (requested, stage) = (poll_request(rust, operation, started, response), stage(started, work, response));
    let named = member(&response.fields[work.name]);
    let message = work.error.map(|index| response.field(index)).and_then(|field| message(rust, field));
    let (option, result) = (&rust.option, &rust.result);
    Some(quote! {
        impl ::wireform_runtime::LongRunning for #name {
            type Poll = crate::requests::#poll;
            type Outcome = #outcome;
            type Metadata = #metadata;
            type Failure = #failure;

            fn poll(&self, response: &Self::Response) -> #option<Self::Poll> {
                #requested
            }

            fn operation_name(response: &Self::Response) -> #option<&str> {
                response.#named.as_deref()
            }

            fn state(
                response: &Self::Response,
            ) -> #result<
                ::wireform_runtime::OperationStateOf<Self>,
                ::wireform_runtime::json::DecodeError,
            > {
                #stage
            }

            fn build_response(
                name: ::std::string::String,
                stage: ::wireform_runtime::OperationStateOf<Self>,
            ) -> #result<Self::Response, ::wireform_runtime::json::EncodeError> {
                #built
            }

            #message
        }
    })
}

/// Returns the types of the result, of the metadata and of the error.
fn types(
    rust: &RustTypes<'_>,
    started: &LongRunningStart,
    work: &LongRunning,
    response: &Resource,
) -> (TokenStream, TokenStream, TokenStream) {
    let of = |member: Option<usize>| member.map(|index| response.field(index));
    let outcome = match (of(work.response), &started.response) {
        (Some(field), typed) => rust.ty(typed.as_ref().unwrap_or(&field.ty)),
        (None, _) => quote!(Self::Response),
    };
    let metadata = of(work.metadata).map(|field| rust.ty(started.metadata.as_ref().unwrap_or(&field.ty)));
    let failure = of(work.error).map(|field| rust.ty(&field.ty));
    (outcome, metadata.unwrap_or_else(|| quote!(())), failure.unwrap_or_else(|| quote!(::std::convert::Infallible)))
}

/// Returns the Rust name of a field.
fn member(field: &Field) -> proc_macro2::Ident {
    ident(&field.name.ident)
}

/// Returns the poll request: `Some(OperationsGet::new(response.name.clone()?))`
fn poll_request(
    rust: &RustTypes<'_>,
    operation: &Operation,
    started: &LongRunningStart,
    response: &Resource,
) -> TokenStream {
    let poll = ident(&rust.api.operation(started.poll).types.request);
    let copied = |value: TokenStream, ty: &Type| if is_copy(ty) { value } else { quote!(#value.clone()) };
    let arguments = started.arguments.iter().map(|argument| match argument {
        Argument::Member(index) => {
            let field = &response.fields[*index];
            let name = member(field);
            let value = copied(quote!(response.#name), &field.ty);
            if is_never_optional(field) { value } else { quote!(#value?) }
        }
        Argument::Parameter(index) => {
            let parameter = &operation.parameters[*index];
            let name = ident(&parameter.name.ident);
            let value = copied(quote!(self.#name), &parameter.ty);
            if super::structs::is_never_optional(parameter) { value } else { quote!(#value?) }
        }
    });
    quote!(Some(crate::requests::#poll::new(#(#arguments),*)))
}

/// Returns the code that determines the stage of an operation:
///
/// ```text
/// if response.done != Some(true) {
///     return Ok(OperationState::Running(…));
/// }
/// if let Some(failure) = &response.error {
///     return Ok(OperationState::Failed(failure.clone()));
/// }
/// Ok(OperationState::Succeeded(…))
/// ```
fn stage(started: &LongRunningStart, work: &LongRunning, response: &Resource) -> TokenStream {
    let of = |member: Option<usize>| member.map(|index| response.field(index));
    let done = is_done(work, &response.fields[work.done]);
    let metadata = match (of(work.metadata), &started.metadata) {
        (None, _) => quote!(None),
        (Some(field), Some(_)) => {
            let value = reference(field);
            quote!(::wireform_runtime::__private::to_typed(#value).ok())
        }
        (Some(field), None) => {
            let value = reference(field);
            quote!(#value.cloned())
        }
    };
    let failed = of(work.error).map(|field| {
        let value = reference(field);
        let some = if is_never_optional(field) { quote!(.filter(|failure| !failure.is_empty())) } else { quote!() };
        quote! {
            if let Some(failure) = #value #some {
                return Ok(::wireform_runtime::OperationState::Failed(failure.clone()));
            }
        }
    });
    let outcome = match (of(work.response), &started.response) {
        (None, _) => quote!(response.clone()),
        (Some(field), Some(_)) => {
            let value = reference(field);
            quote!(::wireform_runtime::__private::to_typed(#value)?)
        }
        (Some(field), None) => {
            let value = reference(field);
            quote!(#value.cloned().unwrap_or_default())
        }
    };
    quote! {
        if !#done {
            return Ok(::wireform_runtime::OperationState::Running(#metadata));
        }
        #failed
        Ok(::wireform_runtime::OperationState::Succeeded(#outcome))
    }
}

/// Returns a field as an option of a reference: `response.response.as_ref()`
fn reference(field: &Field) -> TokenStream {
    let name = member(field);
    match (is_never_optional(field), field.boxed) {
        (true, _) => quote!(Some(&response.#name)),
        (false, true) => quote!(response.#name.as_deref()),
        (false, false) => quote!(response.#name.as_ref()),
    }
}

/// Returns the test whether a response says that the operation is done.
fn is_done(work: &LongRunning, field: &Field) -> TokenStream {
    let (name, values) = (member(field), &work.done_values);
    match &field.ty {
        Type::Enum(_) => quote! {
            response.#name.as_ref().is_some_and(|state| {
                [#(#values),*].contains(&::wireform_runtime::OpenEnum::as_str(state))
            })
        },
        Type::String => quote!(response.#name.as_deref().is_some_and(|state| [#(#values),*].contains(&state))),
        _ => quote!(response.#name.unwrap_or_default()),
    }
}

/// Returns the code that builds a response from a stage:
///
/// ```text
/// let mut response = Self::Response::default();
/// match stage {
///     OperationState::Running(metadata) => …,
///     OperationState::Succeeded(outcome) => { response.done = Some(true); … }
///     OperationState::Failed(failure) => { response.done = Some(true); … }
/// }
/// response.name = Some(name);
/// Ok(response)
/// ```
fn build_response(
    rust: &RustTypes<'_>,
    started: &LongRunningStart,
    work: &LongRunning,
    response: &Resource,
) -> TokenStream {
    let of = |member: Option<usize>| member.map(|index| response.field(index));
    let ended = mark_done(rust, work, &response.fields[work.done]);
    let running = match of(work.metadata) {
        Some(field) => {
            let set = set(field, started.metadata.is_some(), &quote!(metadata));
            quote!(if let Some(metadata) = metadata { #set })
        }
        None => quote!(let _ = metadata;),
    };
    let succeeded = match of(work.response) {
        Some(field) => set(field, started.response.is_some(), &quote!(outcome)),
        None => quote!(response = outcome;),
    };
    let failed = match of(work.error) {
        Some(field) => {
            let set = set(field, false, &quote!(failure));
            quote!({ #set #ended })
        }
        None => quote!(match failure {}),
    };
    let name = member(&response.fields[work.name]);
    quote! {
        let mut response = Self::Response::default();
        match stage {
            ::wireform_runtime::OperationState::Running(metadata) => { #running }
            ::wireform_runtime::OperationState::Succeeded(outcome) => { #succeeded #ended }
            ::wireform_runtime::OperationState::Failed(failure) => #failed
        }
        response.#name = Some(name);
        Ok(response)
    }
}

/// Returns the statement that sets a field: `response.response = Some(untyped(&outcome)?);`
fn set(field: &Field, typed: bool, value: &TokenStream) -> TokenStream {
    let name = member(field);
    let value = if typed { quote!(::wireform_runtime::__private::to_untyped(&#value)?) } else { value.clone() };
    let value = if field.boxed { quote!(::std::boxed::Box::new(#value)) } else { value };
    let value = if is_never_optional(field) { value } else { quote!(Some(#value)) };
    quote!(response.#name = #value;)
}

/// Returns the statement that marks a response as done.
fn mark_done(rust: &RustTypes<'_>, work: &LongRunning, field: &Field) -> TokenStream {
    let (name, value) = (member(field), work.done_values.first());
    let value = match &field.ty {
        Type::Enum(_) => {
            let ty = rust.ty(&field.ty);
            quote!(<#ty as ::wireform_runtime::OpenEnum>::from_text(#value))
        }
        Type::String => quote!(::std::string::String::from(#value)),
        _ => quote!(true),
    };
    quote!(response.#name = Some(#value);)
}

/// Returns the message of the error, if it has a field for it.
fn message(rust: &RustTypes<'_>, field: &Field) -> Option<TokenStream> {
    let Type::Resource(id) = field.ty else { return None };
    let resource = rust.api.resource(id);
    let message = resource.fields.iter().find(|field| field.name.wire == "message" && field.ty == Type::String)?;
    if resource.outcome.is_some() {
        return None;
    }
    let (name, option) = (member(message), &rust.option);
    Some(quote! {
        fn failure_message(failure: &Self::Failure) -> #option<&str> {
            failure.#name.as_deref()
        }
    })
}
