//! Module paths of client groups.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::groups;
use super::super::rust::ident;
use crate::model::{Api, Group};

/// Returns the path of a group's module from the crate root.
pub fn module_path(api: &Api, group: &Group) -> TokenStream {
    if group.path.is_empty() {
        return quote!(crate::client);
    }
    let modules = groups::modules(api, group);
    let modules = modules.iter().map(|module| ident(module));
    quote!(crate #(::#modules)*)
}
