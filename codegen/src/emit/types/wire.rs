//! How resources stand on the wire: the names of their members, reading and writing.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::quote;

use super::super::rust::{Rust, ident};
use super::{direction, fill};
use crate::model::{Field, Name, Outcome, Resource, Type};

/// Everything about a resource on the wire.
pub fn items(rust: &Rust<'_>, resource: &Resource) -> Vec<TokenStream> {
    if let Some(outcome) = resource.outcome {
        return outcome_items(rust, resource, outcome);
    }
    let name = ident(&resource.name.ident);
    let mut items = vec![
        object(rust, resource),
        quote! { ::wireform_runtime::object!(#name); },
        direction::of_resource(rust.api, resource),
    ];
    items.extend(fill::of(rust.api, resource, &name));
    items
}

/// ```text
/// impl Object for Event {
///     const NAME: &'static str = "Event";
///     const MEMBERS: &'static [&'static str] = &["id", "status"];
///     fn index(name: &str) -> Option<usize> { … }
///     fn read<'de, A>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> { … }
///     fn write<M>(&self, map: &mut M) -> Result<(), M::Error> { … }
/// }
/// ```
fn object(rust: &Rust<'_>, resource: &Resource) -> TokenStream {
    let members = resource.named().iter().map(|field| &field.name.wire);
    implementation(rust, resource, &resource.name, &quote!(&[#(#members),*]), &index(rust, resource))
}

/// The same for the merge patch of a resource, which has the members of the resource.
pub fn patch_object(rust: &Rust<'_>, resource: &Resource, patch: &Name) -> TokenStream {
    let name = ident(&resource.name.ident);
    let option = &rust.option;
    let of = quote!(<crate::#name as ::wireform_runtime::Object>);
    let index = quote! { fn index(name: &str) -> #option<usize> { #of::index(name) } };
    implementation(rust, resource, patch, &quote!(#of::MEMBERS), &index)
}

fn implementation(
    rust: &Rust<'_>,
    resource: &Resource,
    name: &Name,
    members: &TokenStream,
    index: &TokenStream,
) -> TokenStream {
    let (target, schema_name, result) = (ident(&name.ident), &name.wire, &rust.result);
    let (reads, writes) = (reads(rust, resource), writes(resource));
    let kept = kept(resource);
    let preserves = kept.as_ref().map(|_| quote! { const PRESERVES: bool = true; });
    let read_unknown = kept.map(|kept| {
        quote! {
            fn read_unknown<'de, A: ::wireform_runtime::MapAccess<'de>>(
                &mut self,
                name: ::std::string::String,
                map: &mut A,
            ) -> #result<(), A::Error> {
                self.#kept.read(name, map)
            }
        }
    });
    let map = if resource.fields.is_empty() && !resource.preserves_unknown { quote!(_map) } else { quote!(map) };
    quote! {
        impl ::wireform_runtime::Object for #target {
            const NAME: &'static str = #schema_name;
            const MEMBERS: &'static [&'static str] = #members;
            #preserves

            #index

            #reads

            #read_unknown

            fn write<M: ::wireform_runtime::SerializeMap>(&self, #map: &mut M) -> #result<(), M::Error> {
                #writes
            }
        }
    }
}

/// The map of the members beside the named ones.
fn kept(resource: &Resource) -> Option<Ident> {
    match resource.rest() {
        Some(rest) => Some(ident(&rest.name.ident)),
        None => resource.preserves_unknown.then(|| ident("unknown_members")),
    }
}

/// The member of a name. The length is compared first: one comparison of numbers throws out most
/// names before any text is looked at.
fn index(rust: &Rust<'_>, resource: &Resource) -> TokenStream {
    let option = &rust.option;
    if resource.named().is_empty() {
        return quote! { fn index(_name: &str) -> #option<usize> { None } };
    }
    let arms = resource.named().iter().enumerate().map(|(at, field)| {
        let at = Lit::usize_unsuffixed(at);
        let spellings = std::iter::once(&field.name.wire).chain(&field.aliases).map(|spelling| {
            let length = Lit::usize_unsuffixed(spelling.len());
            quote! { (#length, #spelling) }
        });
        quote! { #(#spellings)|* => #at }
    });
    quote! {
        fn index(name: &str) -> #option<usize> {
            let index = match (name.len(), name) {
                #(#arms,)*
                _ => return None,
            };
            Some(index)
        }
    }
}

/// The further spellings of the values of a text: `&[("manifest", "appsscript")]`.
fn known_spellings(field: &Field) -> Option<TokenStream> {
    let pairs = field.constraints.known.iter().flat_map(|known| {
        let value = &known.value;
        known.aliases.iter().map(move |alias| quote!((#value, #alias)))
    });
    let pairs: Vec<TokenStream> = pairs.collect();
    (field.ty == Type::String && !pairs.is_empty()).then(|| quote!(&[#(#pairs),*]))
}

fn reads(rust: &Rust<'_>, resource: &Resource) -> TokenStream {
    let arms = resource.named().iter().enumerate().map(|(at, field)| {
        let at = Lit::usize_unsuffixed(at);
        let member = ident(&field.name.ident);
        match known_spellings(field) {
            Some(known) => quote! { #at => ::wireform_runtime::known_member(map, &mut self.#member, #known) },
            None => quote! { #at => ::wireform_runtime::member(map, &mut self.#member) },
        }
    });
    let body = if resource.named().is_empty() {
        quote! { ::wireform_runtime::skip_member(map) }
    } else {
        quote! {
            match index {
                #(#arms,)*
                _ => ::wireform_runtime::skip_member(map),
            }
        }
    };
    let index = if resource.named().is_empty() { quote!(_index) } else { quote!(index) };
    let result = &rust.result;
    quote! {
        fn read<'de, A: ::wireform_runtime::MapAccess<'de>>(&mut self, #index: usize, map: &mut A) -> #result<(), A::Error> {
            #body
        }
    }
}

fn writes(resource: &Resource) -> TokenStream {
    let writes = resource.named().iter().map(|field| {
        let (member, wire) = (ident(&field.name.ident), &field.name.wire);
        match known_spellings(field) {
            Some(known) => quote! { members.known(#wire, &self.#member, #known); },
            None => quote! { members.member(#wire, &self.#member); },
        }
    });
    let unknown = kept(resource).map(|kept| quote! { self.#kept.write(map) });
    if resource.named().is_empty() {
        return unknown.unwrap_or_else(|| quote! { Ok(()) });
    }
    let end = match unknown {
        Some(unknown) => quote! { members.finish()?; #unknown },
        None => quote! { members.finish() },
    };
    quote! {
        let mut members = ::wireform_runtime::Members::new(map);
        #(#writes)*
        #end
    }
}

/// ```text
/// impl Outcome for Operation {
///     type Success = ExecutionResponse;
///     …
/// }
/// ```
fn outcome_items(rust: &Rust<'_>, resource: &Resource, outcome: Outcome) -> Vec<TokenStream> {
    let name = ident(&resource.name.ident);
    let schema_name = &resource.name.wire;
    let [done, success, failure] =
        [outcome.done, outcome.success, outcome.failure].map(|index| &resource.fields[index]);
    let (success_ty, failure_ty) = (rust.ty(&success.ty), rust.ty(&failure.ty));
    let [done, success, failure] = [done, success, failure].map(|field| &field.name.wire);
    let implementation = quote! {
        impl ::wireform_runtime::Outcome for #name {
            type Success = #success_ty;
            type Failure = #failure_ty;

            const NAME: &'static str = #schema_name;
            const DONE: &'static str = #done;
            const SUCCESS: &'static str = #success;
            const FAILURE: &'static str = #failure;

            fn running() -> Self {
                Self::Running
            }

            fn succeeded(success: Self::Success) -> Self {
                Self::Succeeded(success)
            }

            fn failed(failure: Self::Failure) -> Self {
                Self::Failed(failure)
            }

            fn parts(&self) -> ::wireform_runtime::OutcomeRef<'_, Self::Success, Self::Failure> {
                match self {
                    Self::Running => ::wireform_runtime::OutcomeRef::Running,
                    Self::Succeeded(success) => ::wireform_runtime::OutcomeRef::Succeeded(success),
                    Self::Failed(failure) => ::wireform_runtime::OutcomeRef::Failed(failure),
                }
            }
        }
    };
    vec![
        implementation,
        quote! { ::wireform_runtime::outcome!(#name); },
        direction::of_outcome(rust.api, resource, outcome),
    ]
}
