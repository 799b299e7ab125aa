//! `bounds.rs`, if groups are features: the bounds of a service for any selection of features, since a trait cannot
//! refer to one that may be left out.

use quote::quote;

use super::super::rust::ident;
use super::super::{RustFile, docs, features, groups};
use super::Crate;

/// Returns `bounds.rs`:
///
/// ```text
/// #[cfg(feature = "events")]
/// pub use crate::service::Events;
/// #[cfg(not(feature = "events"))]
/// pub use self::left_out::LeftOut as Events;
/// mod left_out { … }
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let api = of.api();
    let traits = groups::all_with_operations(api).into_iter().map(|group| {
        let (name, gate) = (ident(&group.service_trait), api.features.group_gate(group));
        let cfg = features::cfg(api, &gate);
        let left_out = (!gate.is_always()).then(|| {
            let not = features::cfg_not(api, &gate);
            quote! { #not pub use self::left_out::LeftOut as #name; }
        });
        quote! { #cfg pub use crate::service::#name; #left_out }
    });
    let left_out = quote! {
        mod left_out {
            #[doc = " Replaces the trait of a group whose feature is disabled; every type implements it."]
            #[allow(dead_code)]
            pub trait LeftOut: ::std::marker::Send + ::std::marker::Sync + 'static {}
            impl<S: ::std::marker::Send + ::std::marker::Sync + 'static> LeftOut for S {}
        }
    };
    RustFile::new(
        docs::inner_attribute("Trait bounds of a service; the trait of a group whose feature is disabled is empty."),
        vec![quote! { #(#traits)* }, left_out],
    )
}
