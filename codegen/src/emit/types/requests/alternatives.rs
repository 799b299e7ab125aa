//! Bodies and responses with alternatives: an enum with a variant for each.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::super::docs;
use super::super::super::rust::{RustTypes, exhaustive_match, ident, screaming_snake};
use super::super::xml;
use super::{body, structs};
use crate::model::{Api, Body, BodyMode, Codec, Operation, ResponseAlternative, Type};

/// Returns the types of the alternatives of an operation.
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    let mut items = operation.body.as_ref().map(|body| body_items(rust, operation, body)).unwrap_or_default();
    if !operation.response_alternatives().is_empty() {
        items.extend(response_items(rust, operation, operation.response_alternatives()));
    }
    items
}

/// Returns the enum of body alternatives:
///
/// ```text
/// pub enum IssuesUpdateBody {
///     MergePatch(crate::IssuePatch),
///     JsonPatch(JsonPatch),
/// }
/// impl From<crate::IssuePatch> for IssuesUpdateBody { … }
/// ```
fn body_items(rust: &RustTypes<'_>, operation: &Operation, body: &Body) -> Vec<TokenStream> {
    if body.alternatives.is_empty() {
        return Vec::new();
    }
    let name = ident(&operation.types.body);
    let variants: Vec<Variant<'_>> = body
        .alternatives
        .iter()
        .map(|one| Variant {
            name: &one.name.ident,
            ty: structs::one_body_type(rust, &one.body),
            doc: if one.body.doc.is_empty() { default_doc(&one.body) } else { &one.body.doc },
            media_types: &one.body.content_types,
        })
        .collect();
    let doc = format!(" Request body of {}, by media type.", docs::code_span(&operation.name));
    let definition = definition(&name, &doc, &variants);
    std::iter::once(definition).chain(conversions(&name, &variants)).collect()
}

/// Returns the default description of an alternative.
const fn default_doc(body: &Body) -> &'static str {
    match body.mode {
        BodyMode::MergePatch => "A merge patch (RFC 7396).",
        BodyMode::JsonPatch => "A JSON Patch (RFC 6902).",
        BodyMode::Whole => "The request body.",
    }
}

struct Variant<'a> {
    name: &'a str,
    ty: TokenStream,
    doc: &'a str,
    media_types: &'a [String],
}

fn definition(name: &proc_macro2::Ident, doc: &str, variants: &[Variant<'_>]) -> TokenStream {
    let cases = variants.iter().map(|variant| {
        let (name, ty) = (ident(variant.name), &variant.ty);
        let types: Vec<String> = variant.media_types.iter().map(|one| docs::code_span(one)).collect();
        let doc = docs::attributes(variant.doc, &[format!("Media types: {}.", types.join(", "))]);
        quote! { #doc #name(#ty), }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum #name { #(#cases)* }
    }
}

/// Returns the conversions from types that only one variant has.
fn conversions(name: &proc_macro2::Ident, variants: &[Variant<'_>]) -> Vec<TokenStream> {
    let mut often: BTreeMap<String, usize> = BTreeMap::new();
    for variant in variants {
        *often.entry(variant.ty.to_string()).or_default() += 1;
    }
    let alone = variants.iter().filter(|variant| often.get(&variant.ty.to_string()) == Some(&1));
    alone
        .map(|variant| {
            let (case, ty) = (ident(variant.name), &variant.ty);
            quote! {
                impl ::core::convert::From<#ty> for #name {
                    fn from(value: #ty) -> Self { Self::#case(value) }
                }
            }
        })
        .collect()
}

/// Returns the code that writes the alternative of a body with its media type.
pub fn write(api: &Api, operation: &Operation, body: &Body) -> TokenStream {
    let name = ident(&operation.types.body);
    let arms = body.alternatives.iter().map(|one| {
        let (case, media_type) = (ident(&one.name.ident), one.body.client_media_type());
        let root = one.body.accepts_codec(Codec::Xml).then(|| {
            xml::root(api, &xml::XmlPaths::in_types_crate(), &one.body.xml, &one.body.ty, &one.body.content_types)
        });
        let root = quote!(&#root);
        let write = body::writer(api, &one.body, &root)(&quote!(body));
        quote! { crate::requests::#name::#case(body) => { #write parts.media_type(#media_type); } }
    });
    if body.required {
        quote! { match &self.body { #(#arms)* } }
    } else {
        quote! { if let Some(body) = &self.body { match body { #(#arms)* } } }
    }
}

/// Returns a `match` over the alternatives of a body for which code is needed, wrapped if the body is optional.
pub fn in_body(
    operation: &Operation,
    body: &Body,
    is_needed: impl Fn(&Body) -> bool,
    place: &TokenStream,
    does: &dyn Fn(&Body) -> TokenStream,
) -> Option<TokenStream> {
    let name = ident(&operation.types.body);
    let needed: Vec<_> = body.alternatives.iter().filter(|one| is_needed(&one.body)).collect();
    let arms: Vec<_> = needed
        .iter()
        .map(|one| {
            let case = ident(&one.name.ident);
            let pattern = quote!(crate::requests::#name::#case(value));
            (if body.required { pattern } else { quote!(Some(#pattern)) }, does(&one.body))
        })
        .collect();
    // An absent body is another pattern.
    let all = if body.required { body.alternatives.len() } else { usize::MAX };
    exhaustive_match(all, place, &arms)
}

/// Returns the enums of response alternatives:
///
/// ```text
/// pub enum ReportsGetResponse { Json(crate::Report), Csv(Raw<String>) }
/// pub enum ReportsGetFormat { Json, Csv }
/// impl Format for ReportsGetFormat { … }
/// impl WireBody for ReportsGetResponse { … }
/// ```
fn response_items(
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

/// Returns the root element of an alternative that can be XML: `static XML_OF_ANSWER_0_REPORTS_GET: Root = …;`
fn root_item(api: &Api, operation: &Operation, one: &ResponseAlternative) -> TokenStream {
    let name = root_name(operation, one);
    let root = xml::root(api, &xml::XmlPaths::in_types_crate(), &one.xml, &one.ty, &one.content_types);
    quote! { static #name: ::wireform_runtime::xml::XmlRoot = #root; }
}

fn root_name(operation: &Operation, one: &ResponseAlternative) -> proc_macro2::Ident {
    // Named by index, because `get` and `Table` would collide with `getTable`. The alternative is always found.
    let place = operation.response_alternatives().iter().take_while(|other| other.name.ident != one.name.ident).count();
    format_ident!("XML_OF_ANSWER_{place}_{}", screaming_snake(&operation.types.request))
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
    let answer = quote!(::wireform_runtime::WireBody);
    let decoders = alternatives.iter().map(|one| decoder(operation, one));
    let types = alternatives.iter().zip(&cases).map(|(one, case)| {
        let media_type = one.media_type();
        quote! { Self::#case(value) => #answer::content_type(value).or(Some(#media_type)), }
    });
    let raw: Vec<_> =
        alternatives.iter().zip(&cases).filter(|(one, _)| one.raw().is_some()).map(|(_, case)| case).collect();
    let is_raw = if raw.is_empty() { quote!(false) } else { quote!(matches!(self, #(Self::#raw(_))|*)) };
    let (option, result) = (quote!(::core::option::Option), quote!(::core::result::Result));
    let json = quote!(::wireform_runtime::json);
    quote! {
        impl #answer for #name {
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
                match self { #(Self::#cases(value) => #answer::encode(value),)* }
            }

            fn encode_selected(
                &self,
                selection: &::wireform_runtime::fields::AnySelection,
            ) -> #result<::std::vec::Vec<u8>, #json::EncodeError> {
                match self { #(Self::#cases(value) => #answer::encode_selected(value, selection),)* }
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
