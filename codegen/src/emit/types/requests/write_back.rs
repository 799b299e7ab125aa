//! Writing what was read, and what a write makes of what is stored.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::super::rust::{Rust, ident};
use super::elements::is_copy;
use super::structs;
use crate::model::{self, Api, Body, BodyMode, Conditional, Location, Operation, Parameter, Type};

/// That a read is the other side of a write at the same address.
pub fn items(rust: &Rust<'_>, read: &Operation) -> Vec<TokenStream> {
    let whole = writer(rust.api, read, BodyMode::Whole).map(|write| updates_read(read, write));
    let patch = writer(rust.api, read, BodyMode::MergePatch).map(|write| patches_read(read, write));
    whole.into_iter().chain(patch).chain(writes(rust, read)).collect()
}

/// ```text
/// impl Writes for EventsUpdate {
///     type Resource = crate::Event;
///     fn merged(&self, stored: Option<&Self::Resource>) -> Self::Resource { self.body.clone() }
/// }
/// ```
fn writes(rust: &Rust<'_>, write: &Operation) -> Option<TokenStream> {
    let resource = ident(&rust.api.resource(rust.api.written(write)?).name.ident);
    let (name, body, option) = (ident(&write.types.request), write.body.as_ref()?, &rust.option);
    if !body.alternatives.is_empty() {
        return Some(writes_alternatives(rust, write, body, &resource));
    }
    let (stored, merged) = match (body.mode, body.required) {
        // It is not known what it makes of a value, because it can fail.
        (BodyMode::JsonPatch, _) => return None,
        (BodyMode::Whole, true) => (quote!(_stored), quote!(self.body.clone())),
        (BodyMode::Whole, false) => (quote!(_stored), quote!(self.body.clone().unwrap_or_default())),
        (BodyMode::MergePatch, true) => (quote!(stored), quote!(::wireform_runtime::patched(&self.body, stored))),
        (BodyMode::MergePatch, false) => {
            let patched = quote!(::wireform_runtime::patched(&self.body.clone().unwrap_or_default(), stored));
            (quote!(stored), patched)
        }
    };
    Some(quote! {
        impl ::wireform_runtime::Writes for #name {
            type Resource = crate::#resource;

            fn merged(&self, #stored: #option<&Self::Resource>) -> Self::Resource {
                #merged
            }
        }
    })
}

/// The same of a body that is one of several alternatives: the whole resource, or a merge patch.
fn writes_alternatives(rust: &Rust<'_>, write: &Operation, body: &Body, resource: &Ident) -> TokenStream {
    let (name, alternatives, option) = (ident(&write.types.request), ident(&write.types.body), &rust.option);
    let patches = body.alternatives.iter().any(|one| one.body.mode == BodyMode::MergePatch);
    let stored = if patches || !body.required { quote!(stored) } else { quote!(_stored) };
    let arms = body.alternatives.iter().map(|one| {
        let case = ident(&one.name.ident);
        let case = quote!(crate::requests::#alternatives::#case(value));
        let case = if body.required { case } else { quote!(Some(#case)) };
        match one.body.mode {
            BodyMode::MergePatch => quote!(#case => ::wireform_runtime::patched(value, stored)),
            BodyMode::Whole | BodyMode::JsonPatch => quote!(#case => value.clone()),
        }
    });
    // Without a body nothing is changed.
    let absent = (!body.required).then(|| quote!(None => stored.cloned().unwrap_or_default(),));
    quote! {
        impl ::wireform_runtime::Writes for #name {
            type Resource = crate::#resource;

            fn merged(&self, #stored: #option<&Self::Resource>) -> Self::Resource {
                match &self.body { #(#arms,)* #absent }
            }
        }
    }
}

/// The operation that writes back what another reads: at its address, under the condition that nothing has changed.
pub fn writer<'a>(api: &'a Api, read: &Operation, mode: BodyMode) -> Option<&'a Operation> {
    let Some(Type::Resource(id)) = super::answer(read) else { return None };
    if read.bodiless().is_some() || !(read.safe && read.conditional.contains(&Conditional::IfNoneMatch)) {
        return None;
    }
    api.operations.iter().find(|write| {
        let required = write.body.as_ref().is_some_and(|body| body.required);
        // An alternative is made of the value by itself where it alone is of that type.
        let of_it = write.bodies().filter(|body| body.mode == mode && body.ty == Type::Resource(*id)).count();
        let same = required && of_it == 1;
        let bare = structs::required(write).iter().all(|parameter| parameter.location == Location::Path);
        same && bare
            && super::answer(write) == super::answer(read)
            && write.bodiless().is_none()
            && write.conditional.contains(&Conditional::IfMatch)
            && model::address(write) == model::address(read)
    })
}

/// ```text
/// impl UpdatesRead for EventsGet {
///     type Update = crate::requests::EventsUpdate;
///     fn update(&self, value: Self::Response) -> Self::Update {
///         crate::requests::EventsUpdate::new(self.calendar_id.clone(), self.event_id.clone(), value)
///     }
/// }
/// ```
fn updates_read(read: &Operation, write: &Operation) -> TokenStream {
    let (read_name, write_name) = (ident(&read.types.request), ident(&write.types.request));
    let copied = copied(read, write);
    quote! {
        impl ::wireform_runtime::UpdatesRead for #read_name {
            type Update = crate::requests::#write_name;

            fn update(&self, value: Self::Response) -> Self::Update {
                crate::requests::#write_name::new(#(#copied,)* value)
            }
        }
    }
}

fn patches_read(read: &Operation, write: &Operation) -> TokenStream {
    let (read_name, write_name) = (ident(&read.types.request), ident(&write.types.request));
    let copied = copied(read, write);
    quote! {
        impl ::wireform_runtime::PatchesRead for #read_name {
            type Patched = crate::requests::#write_name;

            fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::Patched {
                let patch = ::wireform_runtime::Merge::diff(old, new).unwrap_or_default();
                crate::requests::#write_name::new(#(#copied,)* patch)
            }
        }
    }
}

/// The path of a read as arguments of a write: the variables stand in the same places of both.
fn copied(read: &Operation, write: &Operation) -> Vec<TokenStream> {
    let at_same_place = |parameter: &Parameter| {
        let index = write.parameters.iter().position(|own| std::ptr::eq(own, parameter))?;
        let place = model::place(write, index)?;
        model::variable(read, place).map(|index| read.parameter(index))
    };
    let mut copied = Vec::new();
    for parameter in structs::required(write) {
        let source = at_same_place(parameter).unwrap_or(parameter);
        let member = ident(&source.name.ident);
        copied.push(if is_copy(&source.ty) { quote!(self.#member) } else { quote!(self.#member.clone()) });
    }
    copied
}
