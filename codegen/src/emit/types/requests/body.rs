//! Writing of bodies, and of body alternatives.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::unions::forms as unions;
use crate::model::{Api, Body, Codec, FormList, FormStyle, Type};

/// Returns a function that creates the statement for a body without alternatives: `parts.body(&self.body);`.
///
/// An XML body is written with a root element named `root`.
pub fn writer<'b>(api: &'b Api, body: &'b Body, root: &'b TokenStream) -> impl Fn(&TokenStream) -> TokenStream + 'b {
    let lists = &body.lists;
    let (method, free) = match body.client_codec() {
        _ if body.raw().is_some() => (quote!(raw), None),
        Some((_, Codec::Form)) if body.style == FormStyle::Brackets => (quote!(form_with_brackets), None),
        Some((_, Codec::Multipart)) if body.style == FormStyle::Brackets => (quote!(multipart_with_brackets), None),
        Some((_, Codec::Form)) if lists.is_empty() => (quote!(form), free(api, &body.ty)),
        Some((_, Codec::Multipart)) if lists.is_empty() => (quote!(multipart), free(api, &body.ty)),
        Some((_, Codec::Form)) => (quote!(form_with_lists), free(api, &body.ty)),
        Some((_, Codec::Multipart)) => (quote!(multipart_with_json_lists), free(api, &body.ty)),
        Some((_, Codec::Xml)) => (quote!(xml), None),
        Some((_, Codec::Json)) | None => (quote!(body), None),
    };
    let names = lists.iter().map(|(name, _)| name);
    let more = match body.client_codec() {
        Some((_, Codec::Xml)) => Some(quote!(, #root)),
        _ if lists.is_empty() => None,
        Some((_, Codec::Multipart)) => Some(quote!(, &[#(#names),*])),
        Some((_, Codec::Form)) => {
            let lists = lists.iter().map(|(name, list)| form_list(name, *list));
            Some(quote!(, &[#(#lists),*]))
        }
        Some((_, Codec::Json)) | None => None,
    };
    move |place| quote! { #free parts.#method(#place #more); }
}

/// Returns the name of a list with its notation in a single form field: `("tags", Some(Delimiter::Comma))`.
fn form_list(name: &str, list: FormList) -> TokenStream {
    let delimiter = match list {
        FormList::Json => return quote!((#name, None)),
        FormList::Comma => quote!(Comma),
        FormList::Space => quote!(Space),
        FormList::Pipe => quote!(Pipe),
    };
    quote!((#name, Some(::wireform_runtime::operation::Delimiter::#delimiter)))
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
