//! XML of body alternatives; for other bodies the request has it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::types::xml::{XmlPaths, root};
use crate::model::{Api, Codec, Operation};

/// Returns the functions that describe the XML of body alternatives:
///
/// ```text
/// /// XML body of `items.add`.
/// pub fn alternative_xml_0_items_add() -> &'static XmlRoot {
///     static ROOT: XmlRoot = XmlRoot::new(XmlName::new("Item"), Value::Object(<types::Item as XmlObject>::xml), &["application/xml"]);
///     &ROOT
/// }
/// ```
pub fn items(api: &Api, operation: &Operation) -> Vec<TokenStream> {
    let Some(body) = &operation.body else { return Vec::new() };
    let alternatives = body.alternatives.iter().enumerate();
    alternatives
        .map(|(place, one)| (super::alternative_xml_name(operation, place), &one.body))
        .filter(|(_, body)| body.accepts_codec(Codec::Xml))
        .map(|(name, body)| {
            let places = XmlPaths { types: quote!(types), runtime: quote!(::wireform_server::wireform_runtime) };
            let root = root(api, &places, &body.xml, &body.ty, &body.content_types);
            let runtime = places.runtime;
            let doc = format!(" XML body of {}.", docs::code_span(&operation.name));
            quote! {
                #[doc = #doc]
                pub fn #name() -> &'static #runtime::xml::XmlRoot {
                    static ROOT: #runtime::xml::XmlRoot = #root;
                    &ROOT
                }
            }
        })
        .collect()
}
