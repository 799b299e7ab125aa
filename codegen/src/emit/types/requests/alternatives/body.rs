//! Bodies with alternatives.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::super::docs;
use super::super::super::super::rust::{RustTypes, exhaustive_match, ident};
use super::super::super::xml;
use super::super::{body, structs};
use super::{Variant, conversions, definition};
use crate::model::{Api, Body, BodyMode, Codec, Operation};

/// Returns the enum of body alternatives:
///
/// ```text
/// pub enum IssuesUpdateBody {
///     MergePatch(crate::IssuePatch),
///     JsonPatch(JsonPatch),
/// }
/// impl From<crate::IssuePatch> for IssuesUpdateBody { … }
/// ```
pub fn body_items(rust: &RustTypes<'_>, operation: &Operation, body: &Body) -> Vec<TokenStream> {
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
