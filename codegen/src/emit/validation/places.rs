//! Where in a request a violation is.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Location, Parameter};

/// A parameter by the name it has on the wire.
pub fn place(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.name.wire;
    match parameter.location {
        Location::Path | Location::Query => quote!(At::parameter(#wire)),
        Location::Header | Location::Cookie => quote!(At::header(#wire)),
    }
}
