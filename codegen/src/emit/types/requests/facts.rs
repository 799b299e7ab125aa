//! Facts about an operation, and the writing of its request.

mod field_behavior;
mod parameters;

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional as field_is_plain};
use super::security::Constants;
use super::{alternatives, http, media, write};
use crate::model::{Body, Field, Format, Operation, Type};
pub use parameters::parameter;

/// Returns the implementation of `Request`:
///
/// ```text
/// impl Request for EventsGet {
///     const API: &'static Api = &crate::requests::API;
///     const OPERATION: &'static Operation = &Operation { name: "events.get", … };
///     type Response = crate::Event;
///     type ErrorBody = crate::ErrorResponse;
///     fn write(&self, parts: &mut RequestEncoder) { … }
/// }
/// ```
pub fn request(rust: &RustTypes<'_>, constants: &Constants, operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    let facts = operation_facts(rust, constants, operation);
    let response = super::rust_response_type(rust, operation);
    let error = match rust.api.error_body {
        Some(id) => rust.ty(&Type::Resource(id)),
        None => quote!(::wireform_runtime::Value),
    };
    let shape = super::response_resource(rust.api, operation).map(|resource| {
        let name = ident(&resource.name.ident);
        let option = &rust.option;
        quote! {
            const RESPONSE_SHAPE: #option<&'static ::wireform_runtime::fields::Shape> =
                Some(<crate::#name as ::wireform_runtime::fields::Selectable>::SHAPE);
        }
    });
    let behavior = field_behavior::items(rust, operation);
    let (bodiless, has_body) = bodiless(rust, operation).unzip();
    let has_body = has_body.or_else(|| alternatives::has_body(operation));
    let redirects: Vec<_> = operation.redirects().map(Lit::u16_unsuffixed).collect();
    let redirects = (!redirects.is_empty()).then(|| quote! { const REDIRECTS: &'static [u16] = &[#(#redirects),*]; });
    let option = &rust.option;
    let root = operation.root.as_ref().map(|root| quote! { const ROOT_URL: #option<&'static str> = Some(#root); });
    let (etag, write) = (etag(rust, operation), write::item(rust.api, operation));
    let (etag_member, etag) = etag.map(|etag| (etag.constant, etag.reader)).unzip();
    let content_type = operation.bodies().next().map(Body::client_media_type);
    let content_type = content_type.filter(|media_type| *media_type != "application/json").map(|media_type| {
        quote! { const CONTENT_TYPE: &'static str = #media_type; }
    });
    let media = media::constants(rust.api, operation);
    let xml = alternatives::xml(operation);
    quote! {
        impl ::wireform_runtime::Request for #name {
            const API: &'static operation::Api = &crate::requests::API;
            const OPERATION: &'static operation::Operation = &#facts;
            #content_type
            #media
            #shape
            #etag_member
            #bodiless
            #redirects
            #root

            type Response = #response;
            type ErrorBody = #error;

            #xml
            #behavior
            #has_body
            #etag
            #write
        }
    }
}

fn operation_facts(rust: &RustTypes<'_>, constants: &Constants, operation: &Operation) -> TokenStream {
    let (name, method) = (&operation.name, &operation.http.method);
    let (path, verb) = (http::path(operation, &operation.http), http::verb(&operation.http));
    let parameters = parameters::parameters(rust, &operation.parameters);
    let scopes = constants.need(operation);
    let (api_key, safe, idempotent) = (operation.api_key, operation.safe, operation.idempotent);
    let cost = Lit::u32_unsuffixed(operation.cost);
    quote! {
        operation::Operation {
            name: #name,
            method: #method,
            path: #path,
            verb: #verb,
            parameters: #parameters,
            scopes: #scopes,
            api_key: #api_key,
            safe: #safe,
            idempotent: #idempotent,
            cost: #cost,
        }
    }
}

/// Returns the items for a success without a body:
///
/// ```text
/// const BODILESS: Option<u16> = Some(204);
/// fn has_body(response: &Self::Response) -> bool { response.is_some() }
/// ```
fn bodiless(rust: &RustTypes<'_>, operation: &Operation) -> Option<(TokenStream, TokenStream)> {
    let (status, option) = (Lit::u16_unsuffixed(operation.bodiless_status()?), &rust.option);
    Some((
        quote! { const NO_BODY_STATUS: #option<u16> = Some(#status); },
        quote! {
            fn has_body(response: &Self::Response) -> bool {
                response.is_some()
            }
        },
    ))
}

/// Entity tag in a field of the response.
struct EtagItems {
    /// `const ETAG`.
    constant: TokenStream,
    /// `fn etag`.
    reader: TokenStream,
}

/// Emits the access to the entity tag of a response; `None` if no field of the response is one.
fn etag(rust: &RustTypes<'_>, operation: &Operation) -> Option<EtagItems> {
    let is_etag = |field: &&Field| field.constraints.format == Some(Format::Etag) && field.ty == Type::String;
    let resource = super::response_resource(rust.api, operation).filter(|resource| resource.outcome.is_none())?;
    let field = resource.fields.iter().find(is_etag).filter(|field| !field_is_plain(field))?;
    let (member, wire, option) = (ident(&field.name.ident), &field.name.wire, &rust.option);
    let is_optional = operation.bodiless_status().is_some();
    let response = if is_optional { quote!(response.as_ref()?) } else { quote!(response) };
    let set = quote!(response.#member = Some(etag.to_owned()););
    let set = if is_optional { quote!(if let Some(response) = response { #set }) } else { set };
    let set = operation.has_list_entity_tag().then(|| {
        quote! {
            fn set_etag(response: &mut Self::Response, etag: &str) {
                #set
            }
        }
    });
    Some(EtagItems {
        constant: quote! { const ETAG_FIELD: #option<&'static str> = Some(#wire); },
        reader: quote! {
            fn etag(response: &Self::Response) -> #option<&str> {
                #response.#member.as_deref()
            }

            #set
        },
    })
}
