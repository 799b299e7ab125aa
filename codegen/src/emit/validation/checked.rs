//! `src/checked.rs`: how operations are checked by those who do not know their types.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Crate;
use crate::emit::rust::{ident, screaming};
use crate::emit::types::requests;
use crate::emit::{Part, RustFile, docs, groups};
use crate::model::{Group, Operation};

/// ```text
/// pub const OPERATIONS: &[&[Checked<Rules>]] = &[OF_EVENTS];
/// pub const OF_EVENTS: &[Checked<Rules>] = &[Checked::exchange::<requests::EventsGet, types::Event>()];
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let all = groups::all(of.api());
    let names = all.iter().map(|group| name(group));
    let items = vec![
        quote! { use ::wireform_validation::Checked; },
        quote! {
            #[allow(unused_imports)]
            use crate::{Rules, requests, types};
        },
        quote! {
            #[doc = " The operations of all groups."]
            pub const OPERATIONS: &[&[Checked<Rules>]] = &[#(#names),*];
        },
    ];
    let parts = all.iter().map(|group| Part::new(groups::modules(of.api(), group), vec![list(of, group)])).collect();
    RustFile::of_parts(
        docs::inner_line("How operations are checked where the types of their requests and answers are not known."),
        items,
        parts,
    )
}

fn name(group: &Group) -> Ident {
    format_ident!("OF_{}", screaming(&group.service))
}

fn list(of: &Crate<'_>, group: &Group) -> TokenStream {
    let name = name(group);
    let what = if group.path.is_empty() { "no group".to_owned() } else { docs::code(&groups::path(group)) };
    let doc = docs::line(&format!("The operations of {what}."));
    let entries = group.operations.iter().map(|id| entry(of, of.api().operation(*id)));
    quote! {
        #doc
        pub const #name: &[Checked<Rules>] = &[#(#entries),*];
    }
}

fn entry(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let request = ident(&operation.types.request);
    match requests::answer_resource(of.api(), operation) {
        Some(answer) => {
            let answer = ident(&answer.name.ident);
            quote!(Checked::exchange::<requests::#request, types::#answer>())
        }
        None => quote!(Checked::request::<requests::#request>()),
    }
}
