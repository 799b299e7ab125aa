//! Presence of fields.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::rust::{ident, is_never_optional};
use crate::model::Field;

/// Returns the test whether a field is present: `this.id.is_some()`.
pub fn is_present(field: &Field) -> TokenStream {
    let name = ident(&field.name.ident);
    match (is_never_optional(field), field.nullable) {
        (true, _) => quote!(!this.#name.is_empty()),
        (false, true) => quote!(!this.#name.is_absent()),
        (false, false) => quote!(this.#name.is_some()),
    }
}
