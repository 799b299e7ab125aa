//! The XML that operations are sent.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::types::xml::{Places, root};
use crate::model::{Api, Codec, Operation};

/// ```text
/// /// The XML that `items.add` is sent.
/// pub fn xml_items_add() -> &'static Root {
///     static ROOT: Root = Root::new(Name::new("Item"), Value::Object(<types::Item as XmlObject>::xml), &["application/xml"]);
///     &ROOT
/// }
/// ```
pub fn items(api: &Api, operation: &Operation) -> Vec<TokenStream> {
    let Some(body) = &operation.body else { return Vec::new() };
    let alternatives = body.alternatives.iter().map(|one| (super::xml_of_alternative(operation, one), &one.body));
    let alone = body.alternatives.is_empty().then(|| (super::xml(operation), body));
    let all = alone.into_iter().chain(alternatives).filter(|(_, body)| body.takes(Codec::Xml));
    all.map(|(name, body)| {
        let places = Places { types: quote!(types), runtime: quote!(::wireform_server::wireform_runtime) };
        let root = root(api, &places, &body.xml, &body.ty, &body.content_types);
        let runtime = places.runtime;
        let doc = format!(" The XML that {} is sent.", docs::code(&operation.name));
        quote! {
            #[doc = #doc]
            pub fn #name() -> &'static #runtime::xml::Root {
                static ROOT: #runtime::xml::Root = #root;
                &ROOT
            }
        }
    })
    .collect()
}
