//! Media: uploads, and responses that are not JSON.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::super::rust::ident;
use super::super::xml;
use super::alternatives::status;
use super::{http, write};
use crate::model::{Api, Body, Codec, Operation, UploadEndpoint};

/// Returns `const ACCEPT`, `const RESPONSE_XML` and `const SUPPORTS_DOWNLOAD`, unless they have the defaults.
pub fn constants(api: &Api, operation: &Operation) -> TokenStream {
    let alternatives = operation.response_alternatives();
    let all: Vec<&str> = match super::raw_response(operation) {
        Some((response, _)) => response.content_types.iter().map(String::as_str).collect(),
        None if let Some(response) = super::xml_response(operation) => {
            response.content_types.iter().map(String::as_str).collect()
        }
        None => alternatives.iter().flat_map(|one| &one.content_types).map(String::as_str).collect(),
    };
    let all = if all.is_empty() { media_types_of_json(operation) } else { all };
    let accept = (!all.is_empty()).then(|| {
        let types = all.join(", ");
        let has_several = !alternatives.is_empty() || operation.has_types_by_status();
        let negotiated = has_several.then(|| quote! { const HAS_ALTERNATIVES: bool = true; });
        quote! { const ACCEPT: &'static str = #types; #negotiated }
    });
    let download = operation.media.as_ref().filter(|media| media.download).map(|_| {
        quote! { const SUPPORTS_DOWNLOAD: bool = true; }
    });
    let xml = super::xml_response(operation).and_then(|response| {
        let ty = response.ty.as_ref()?;
        let root = xml::root(api, &xml::XmlPaths::in_types_crate(), &response.xml, ty, &response.content_types);
        Some(quote! { const RESPONSE_XML: ::core::option::Option<&'static ::wireform_runtime::xml::XmlRoot> = Some(&#root); })
    });
    let root = write::xml_root(operation);
    let body = xml_body(operation).map(|_| {
        quote! { const BODY_XML: ::core::option::Option<&'static ::wireform_runtime::xml::XmlRoot> = Some(&#root); }
    });
    let types = json_types(operation);
    quote! { #accept #types #body #xml #download }
}

/// Returns `const JSON_TYPES: &[(u16, &str)] = &[(201, "application/vnd.note+json")];`, the media types of JSON that differ
/// from that of the operation.
fn json_types(operation: &Operation) -> Option<TokenStream> {
    let is_raw = super::raw_response(operation).is_some() || super::xml_response(operation).is_some();
    if is_raw || operation.has_types_by_status() || !operation.response_alternatives().is_empty() {
        return None;
    }
    let default = media_types_of_json(operation).first().copied().unwrap_or("application/json");
    let successes = operation.responses.iter().filter(|response| response.status < 300 && response.ty.is_some());
    let types = successes.map(|response| (response.status, status::media_type(response)));
    let types = types.filter(|(_, media_type)| *media_type != default).map(|(status, media_type)| {
        let status = Lit::u16_unsuffixed(status);
        quote!((#status, #media_type))
    });
    let types: Vec<_> = types.collect();
    (!types.is_empty()).then(|| quote! { const JSON_TYPES: &'static [(u16, &'static str)] = &[#(#types),*]; })
}

/// Returns the media types of the responses of an operation without alternatives; empty if `application/json` is the first
/// and only one, or if one type of body is also `application/json`.
fn media_types_of_json(operation: &Operation) -> Vec<&str> {
    let variants = operation.responses.iter().filter(|response| response.status < 400 && response.ty.is_some());
    let mut all: Vec<&str> = Vec::new();
    for media_type in variants.flat_map(|response| &response.content_types) {
        if !all.contains(&media_type.as_str()) {
            all.push(media_type);
        }
    }
    let is_default =
        if operation.has_types_by_status() { all == ["application/json"] } else { all.contains(&"application/json") };
    if is_default { Vec::new() } else { all }
}

/// Returns the body, if it has no alternatives and can be XML.
fn xml_body(operation: &Operation) -> Option<&Body> {
    operation.body.as_ref().filter(|body| body.alternatives.is_empty() && body.accepts_codec(Codec::Xml))
}

/// Returns the root element of a body that can be XML: `static BODY_XML_ROOT_ITEMS_ADD: Root = …;`
pub fn xml_item(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let (body, name) = (xml_body(operation)?, write::xml_root(operation));
    let root = xml::root(api, &xml::XmlPaths::in_types_crate(), &body.xml, &body.ty, &body.content_types);
    Some(quote! { static #name: ::wireform_runtime::xml::XmlRoot = #root; })
}

/// Returns the implementation of `Upload`:
///
/// ```text
/// impl Upload for FilesAdd {
///     const MEDIA: &'static UploadDescription =
///         &UploadDescription { types: &["image/*"], max_bytes: Some(1024), simple: Some(…), resumable: None };
/// }
/// ```
pub fn upload(operation: &Operation) -> Option<TokenStream> {
    let media = operation.media.as_ref()?;
    media.upload_endpoints().next()?;
    let name = ident(&operation.types.request);
    let types = &media.upload;
    let max_bytes = match media.max_bytes {
        Some(bytes) => {
            let bytes = Lit::u64_unsuffixed(bytes);
            quote!(Some(#bytes))
        }
        None => quote!(None),
    };
    let (simple, resumable) =
        [&media.simple, &media.resumable].map(|upload| upload_endpoint(operation, upload.as_ref())).into();
    Some(quote! {
        impl ::wireform_runtime::Upload for #name {
            const MEDIA: &'static operation::UploadDescription = &operation::UploadDescription {
                types: &[#(#types),*],
                max_bytes: #max_bytes,
                simple: #simple,
                resumable: #resumable,
            };
        }
    })
}

fn upload_endpoint(operation: &Operation, upload: Option<&UploadEndpoint>) -> TokenStream {
    let Some(upload) = upload else { return quote!(None) };
    let (path, verb, multipart) = (http::path(operation, &upload.http), http::verb(&upload.http), upload.multipart);
    quote! {
        Some(operation::UploadEndpoint {
            operation: operation::Operation {
                path: #path,
                verb: #verb,
                ..*<Self as ::wireform_runtime::Request>::OPERATION
            },
            multipart: #multipart,
        })
    }
}
