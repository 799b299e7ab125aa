//! Conditions as Rust. (Signatures only, until the lowering is here.)

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::rust::Rust;
use crate::model::condition::{Condition, Subject};

/// Which arguments the function of a condition takes.
pub struct Arguments {
    pub this: bool,
    pub request: bool,
    pub old: bool,
}

pub fn arguments(condition: &Condition) -> Arguments {
    let this = matches!(condition.subject, Subject::Resource(_));
    Arguments { this, request: !this, old: condition.old.is_some() }
}

pub fn function(_rust: &Rust<'_>, name: &Ident, condition: &Condition) -> TokenStream {
    let old = condition.old.is_some().then(|| quote!(, _old: &U));
    let u = condition.old.is_some().then(|| quote!(, U));
    quote! { fn #name<T #u>(_this: &T #old) -> ::wireform_validation::cel::Evaluated { Ok(true) } }
}
