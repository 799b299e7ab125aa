//! Module paths of client groups.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::rust::ident;
use crate::model::Group;

/// Returns the path of a group's module from the crate root.
pub fn module_path(group: &Group) -> TokenStream {
    if group.path.is_empty() {
        return quote!(crate::client);
    }
    let modules = group.modules.iter().map(|module| ident(module));
    quote!(crate #(::#modules)*)
}
