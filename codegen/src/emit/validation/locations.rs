//! Locations of violations.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Field, Location, Parameter};

/// Returns the location of a parameter, by its wire name.
pub fn parameter_location(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.name.wire;
    match parameter.location {
        Location::Path | Location::Query => quote!(Location::parameter(#wire)),
        Location::Header | Location::Cookie => quote!(Location::header(#wire)),
    }
}

/// Returns the location of a field of the resource at the location `at`.
pub fn field_location(field: &Field) -> TokenStream {
    let wire = &field.name.wire;
    let secret = field.sensitive.then(|| quote!(.secret()));
    quote!(at.field(#wire)#secret)
}
