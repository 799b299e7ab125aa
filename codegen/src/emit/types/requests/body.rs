//! Writing of bodies, and of body alternatives.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::unions::forms as unions;
use crate::model::{Api, Body, Codec, FormStyle, Type};

/// Returns a function that creates the statement for a body without alternatives: `parts.body(&self.body);`.
///
/// An XML body is written with a root element named `root`.
pub fn writer<'b>(api: &'b Api, body: &'b Body, root: &'b TokenStream) -> impl Fn(&TokenStream) -> TokenStream + 'b {
    let lists = &body.json_lists;
    let (method, free) = match body.client_codec() {
        _ if body.raw().is_some() => (quote!(raw), None),
        Some((_, Codec::Form)) if body.style == FormStyle::Brackets => (quote!(form_with_brackets), None),
        Some((_, Codec::Multipart)) if body.style == FormStyle::Brackets => (quote!(multipart_with_brackets), None),
        Some((_, Codec::Form)) if lists.is_empty() => (quote!(form), free(api, &body.ty)),
        Some((_, Codec::Multipart)) if lists.is_empty() => (quote!(multipart), free(api, &body.ty)),
        Some((_, Codec::Form)) => (quote!(form_with_json_lists), free(api, &body.ty)),
        Some((_, Codec::Multipart)) => (quote!(multipart_with_json_lists), free(api, &body.ty)),
        Some((_, Codec::Xml)) => (quote!(xml), None),
        Some((_, Codec::Json)) | None => (quote!(body), None),
    };
    let is_form = matches!(body.client_codec(), Some((_, Codec::Form | Codec::Multipart)));
    let is_xml = matches!(body.client_codec(), Some((_, Codec::Xml)));
    let more =
        if is_xml { Some(quote!(, #root)) } else { (is_form && !lists.is_empty()).then(|| quote!(, &[#(#lists),*])) };
    move |place| quote! { #free parts.#method(#place #more); }
}

/// Returns `parts.any_json_fields(&["more"]);` with the fields of any type, which forms encode differently. If the map
/// of other fields has any type, returns the typed fields instead: `parts.any_json_fields_except(&["size"]);`.
pub fn free(api: &Api, ty: &Type) -> Option<TokenStream> {
    let Type::Resource(id) = ty else { return None };
    // A server decodes a union of all JSON kinds like `any`.
    let is_any = |ty: &Type| match ty.non_null() {
        Type::Any => true,
        Type::Union(_) => unions::kinds(api, ty) == unions::ANY,
        _ => false,
    };
    let is_free = |ty: &Type| match ty {
        Type::List(inner) => is_any(inner),
        other => is_any(other),
    };
    let resource = api.resource(*id);
    let others = resource.rest_field().is_some_and(|rest| matches!(&rest.ty, Type::Map(inner) if is_free(inner)));
    let fields = resource.named_fields().iter().filter(|field| is_free(&field.ty) != others);
    let names: Vec<&String> =
        fields.flat_map(|field| std::iter::once(&field.name.wire).chain(&field.aliases)).collect();
    if others {
        return Some(quote! { parts.any_json_fields_except(&[#(#names),*]); });
    }
    (!names.is_empty()).then(|| quote! { parts.any_json_fields(&[#(#names),*]); })
}
