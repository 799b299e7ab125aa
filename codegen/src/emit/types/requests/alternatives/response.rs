//! Responses with alternatives.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::super::super::docs;
use super::super::super::super::rust::{RustTypes, exhaustive_match, ident, screaming_snake};
use super::super::super::xml;
use super::super::structs;
use super::{Variant, conversions, definition};
use crate::model::{Api, Operation, ResponseAlternative, Type};

/// Returns the enums of response alternatives:
///
/// ```text
/// pub enum ReportsGetResponse { Json(crate::Report), Csv(RawBody<String>) }
/// pub enum ReportsGetFormat { Json, Csv }
/// impl Format for ReportsGetFormat { … }
/// impl WireBody for ReportsGetResponse { … }
/// ```
pub fn response_items(
    rust: &RustTypes<'_>,
    operation: &Operation,
    alternatives: &[ResponseAlternative],
) -> Vec<TokenStream> {
    let (name, format) = (ident(&operation.types.response), ident(&operation.types.format));
    let variants: Vec<Variant<'_>> = alternatives
        .iter()
        .map(|one| Variant {
            name: &one.name.ident,
            ty: response_type(rust, one),
            doc: if one.doc.is_empty() { "The response body." } else { &one.doc },
            media_types: &one.content_types,
        })
        .collect();
    let of = docs::code_span(&operation.name);
    let definition = definition(&name, &format!(" Response of {of}, by media type."), &variants);
    let formats = format_items(&format, &of, alternatives);
    let roots = alternatives.iter().filter(|one| one.has_xml()).map(|one| root_item(rust.api, operation, one));
    std::iter::once(definition)
        .chain(conversions(&name, &variants))
        .chain(formats)
        .chain(roots)
        .chain([response_impl(operation, &name, &format, alternatives)])
        .collect()
}

/// Returns the root element of an alternative that can be XML: `static RESPONSE_XML_ROOT_0_REPORTS_GET: Root = …;`
fn root_item(api: &Api, operation: &Operation, one: &ResponseAlternative) -> TokenStream {
    let name = root_name(operation, one);
    let root = xml::root(api, &xml::XmlPaths::in_types_crate(), &one.xml, &one.ty, &one.content_types);
    quote! { static #name: ::wireform_runtime::xml::XmlRoot = #root; }
}

fn root_name(operation: &Operation, one: &ResponseAlternative) -> proc_macro2::Ident {
    // Named by index, because `get` and `Table` would collide with `getTable`. The alternative is always found.
    let place = operation.response_alternatives().iter().take_while(|other| other.name.ident != one.name.ident).count();
    format_ident!("RESPONSE_XML_ROOT_{place}_{}", screaming_snake(&operation.types.request))
}

/// Returns `fn xml`, if an alternative of the response can be XML.
pub fn xml(operation: &Operation) -> Option<TokenStream> {
    operation.response_alternatives().first()?;
    let name = ident(&operation.types.response);
    let arms: Vec<_> = operation
        .response_alternatives()
        .iter()
        .filter(|one| one.has_xml())
        .map(|one| {
            let (case, root) = (ident(&one.name.ident), root_name(operation, one));
            quote! { crate::requests::#name::#case(_) => Some(&#root), }
        })
        .collect();
    let others = (arms.len() < operation.response_alternatives().len()).then(|| quote! { _ => None, });
    (!arms.is_empty()).then(|| {
        quote! {
            fn response_xml(response: &Self::Response) -> ::core::option::Option<&'static ::wireform_runtime::xml::XmlRoot> {
                match response { #(#arms)* #others }
            }
        }
    })
}

/// Returns the type of a response alternative.
pub fn response_type(rust: &RustTypes<'_>, alternative: &ResponseAlternative) -> TokenStream {
    match alternative.raw() {
        Some(raw) => structs::raw_type(rust, raw),
        None => rust.ty(&alternative.ty),
    }
}

fn format_items(format: &proc_macro2::Ident, of: &str, alternatives: &[ResponseAlternative]) -> Vec<TokenStream> {
    let doc = format!(" Response types of {of}.");
    let cases = alternatives.iter().map(|one| {
        let (case, types) = (ident(&one.name.ident), one.content_types.iter().map(|one| docs::code_span(one)));
        let doc = format!(" {}.", types.collect::<Vec<_>>().join(", "));
        quote! { #[doc = #doc] #case, }
    });
    let all = alternatives.iter().map(|one| {
        let (case, types) = (ident(&one.name.ident), &one.content_types);
        quote! { (Self::#case, &[#(#types),*]) }
    });
    let first = alternatives.first().map(|one| ident(&one.name.ident));
    vec![
        quote! {
            #[doc = #doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum #format { #(#cases)* }
        },
        quote! {
            impl ::wireform_runtime::ResponseAlternative for #format {
                const FIRST: Self = Self::#first;
                const ALL: &'static [(Self, &'static [&'static str])] = &[#(#all),*];
            }
        },
    ]
}

/// Returns the decoder of a response alternative.
fn decoder(operation: &Operation, one: &ResponseAlternative) -> TokenStream {
    if one.has_xml() {
        let root = root_name(operation, one);
        quote!(#root.decode(body, content_type))
    } else {
        quote!(::wireform_runtime::WireBody::decode_with_type(body, content_type))
    }
}

fn response_impl(
    operation: &Operation,
    name: &proc_macro2::Ident,
    format: &proc_macro2::Ident,
    alternatives: &[ResponseAlternative],
) -> TokenStream {
    let cases: Vec<_> = alternatives.iter().map(|one| ident(&one.name.ident)).collect();
    let wire_body = quote!(::wireform_runtime::WireBody);
    let decoders = alternatives.iter().map(|one| decoder(operation, one));
    let types = alternatives.iter().zip(&cases).map(|(one, case)| {
        let media_type = one.media_type();
        quote! { Self::#case(value) => #wire_body::content_type(value).or(Some(#media_type)), }
    });
    let raw: Vec<_> =
        alternatives.iter().zip(&cases).filter(|(one, _)| one.raw().is_some()).map(|(_, case)| case).collect();
    let is_raw = if raw.is_empty() { quote!(false) } else { quote!(matches!(self, #(Self::#raw(_))|*)) };
    let (option, result) = (quote!(::core::option::Option), quote!(::core::result::Result));
    let json = quote!(::wireform_runtime::json);
    quote! {
        impl #wire_body for #name {
            const IS_RAW: bool = true;

            fn decode(body: &[u8]) -> #result<Self, #json::DecodeError> { Self::decode_with_type(body, None) }

            fn decode_with_type(body: &[u8], content_type: #option<&str>) -> #result<Self, #json::DecodeError> {
                match <#format as ::wireform_runtime::ResponseAlternative>::from_content_type(content_type)? {
                    #(#format::#cases => #decoders.map(Self::#cases),)*
                }
            }

            fn content_type(&self) -> #option<&str> {
                match self { #(#types)* }
            }

            fn is_raw(&self) -> bool { #is_raw }

            fn encode(&self) -> #result<::std::vec::Vec<u8>, #json::EncodeError> {
                match self { #(Self::#cases(value) => #wire_body::encode(value),)* }
            }

            fn encode_selected(
                &self,
                selection: &::wireform_runtime::fields::AnySelection,
            ) -> #result<::std::vec::Vec<u8>, #json::EncodeError> {
                match self { #(Self::#cases(value) => #wire_body::encode_selected(value, selection),)* }
            }
        }
    }
}

/// Returns a `match` over the response alternatives for which code is needed; their value is named `value`.
pub fn in_response(
    operation: &Operation,
    is_needed: impl Fn(&Type) -> bool,
    does: &TokenStream,
) -> Option<TokenStream> {
    let name = ident(&operation.types.response);
    let needed = operation.response_alternatives().iter().filter(|one| one.raw().is_none() && is_needed(&one.ty));
    let arms: Vec<_> = needed
        .map(|one| {
            let case = ident(&one.name.ident);
            (quote!(crate::requests::#name::#case(value)), does.clone())
        })
        .collect();
    exhaustive_match(operation.response_alternatives().len(), &quote!(response), &arms)
}
