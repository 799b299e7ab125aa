//! Locations of violations in a request.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Location, Parameter};

/// Returns the location of a parameter, by its wire name.
pub fn parameter_location(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.name.wire;
    match parameter.location {
        Location::Path | Location::Query => quote!(Location::parameter(#wire)),
        Location::Header | Location::Cookie => quote!(Location::header(#wire)),
    }
}
