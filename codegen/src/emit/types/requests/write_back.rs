//! Writing back a value that was read, and the result of a write.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::super::rust::{RustTypes, ident};
use super::elements::is_copy;
use super::structs;
use crate::model::{self, Api, Body, BodyMode, Conditional, Location, Operation, Parameter, Type};

/// Returns the implementations for a read whose result a write at the same path can take.
pub fn items(rust: &RustTypes<'_>, read: &Operation) -> Vec<TokenStream> {
    let whole = writer(rust.api, read, BodyMode::Whole).map(|write| updates_read(read, write));
    let patch = writer(rust.api, read, BodyMode::MergePatch).map(|write| patches_read(read, write));
    whole.into_iter().chain(patch).chain(writes(rust, read)).collect()
}

/// Returns the implementation of `WriteRequest`:
///
/// ```text
/// impl WriteRequest for EventsUpdate {
///     type Resource = crate::Event;
///     fn apply_to(&self, stored: Option<&Self::Resource>) -> Self::Resource { self.body.clone() }
/// }
/// ```
fn writes(rust: &RustTypes<'_>, write: &Operation) -> Option<TokenStream> {
    let resource = ident(&rust.api.resource(rust.api.written_resource(write)?).name.ident);
    let (name, body, option) = (ident(&write.types.request), write.body.as_ref()?, &rust.option);
    if !body.alternatives.is_empty() {
        return Some(writes_alternatives(rust, write, body, &resource));
    }
    let (stored, merged) = match (body.mode, body.required) {
        // The result is unknown, because the patch can fail.
        (BodyMode::JsonPatch, _) => return None,
        (BodyMode::Whole, true) => (quote!(_stored), quote!(self.body.clone())),
        // Without a body nothing changes.
        (BodyMode::Whole, false) => {
            (quote!(stored), quote!(self.body.as_ref().or(stored).cloned().unwrap_or_default()))
        }
        (BodyMode::MergePatch, true) => (quote!(stored), quote!(::wireform_runtime::apply_patch(&self.body, stored))),
        (BodyMode::MergePatch, false) => {
            let patched = quote!(::wireform_runtime::apply_patch(&self.body.clone().unwrap_or_default(), stored));
            (quote!(stored), patched)
        }
    };
    Some(quote! {
        impl ::wireform_runtime::WriteRequest for #name {
            type Resource = crate::#resource;

            fn apply_to(&self, #stored: #option<&Self::Resource>) -> Self::Resource {
                #merged
            }
        }
    })
}

/// Returns the implementation for a body with alternatives: the whole resource, or a merge patch.
fn writes_alternatives(rust: &RustTypes<'_>, write: &Operation, body: &Body, resource: &Ident) -> TokenStream {
    let (name, alternatives, option) = (ident(&write.types.request), ident(&write.types.body), &rust.option);
    let patches = body.alternatives.iter().any(|one| one.body.mode == BodyMode::MergePatch);
    let stored = if patches || !body.required { quote!(stored) } else { quote!(_stored) };
    let arms = body.alternatives.iter().map(|one| {
        let case = ident(&one.name.ident);
        let case = quote!(crate::requests::#alternatives::#case(value));
        let case = if body.required { case } else { quote!(Some(#case)) };
        match one.body.mode {
            BodyMode::MergePatch => quote!(#case => ::wireform_runtime::apply_patch(value, stored)),
            BodyMode::Whole | BodyMode::JsonPatch => quote!(#case => value.clone()),
        }
    });
    // Without a body nothing changes.
    let absent = (!body.required).then(|| quote!(None => stored.cloned().unwrap_or_default(),));
    quote! {
        impl ::wireform_runtime::WriteRequest for #name {
            type Resource = crate::#resource;

            fn apply_to(&self, #stored: #option<&Self::Resource>) -> Self::Resource {
                match &self.body { #(#arms,)* #absent }
            }
        }
    }
}

/// Returns the operation that writes back the result of a read: at its path, conditional on the entity tag.
pub fn writer<'a>(api: &'a Api, read: &Operation, mode: BodyMode) -> Option<&'a Operation> {
    let Some(Type::Resource(id)) = super::response_type(read) else { return None };
    if read.bodiless_status().is_some() || !(read.safe && read.conditional.contains(&Conditional::IfNoneMatch)) {
        return None;
    }
    api.operations.iter().find(|write| {
        let required = write.body.as_ref().is_some_and(|body| body.required);
        // The value converts to an alternative if no other one has its type.
        let of_it = write.bodies().filter(|body| body.mode == mode && body.ty == Type::Resource(*id)).count();
        let same = required && of_it == 1;
        let bare = structs::required_parameters(write).iter().all(|parameter| parameter.location == Location::Path);
        same && bare
            && super::response_type(write) == super::response_type(read)
            && write.bodiless_status().is_none()
            && write.conditional.contains(&Conditional::IfMatch)
            && model::path_key(write) == model::path_key(read)
    })
}

/// Returns the implementation of `ReadForUpdate`:
///
/// ```text
/// impl ReadForUpdate for EventsGet {
///     type UpdateRequest = crate::requests::EventsUpdate;
///     fn update(&self, value: Self::Response) -> Self::UpdateRequest {
///         crate::requests::EventsUpdate::new(self.calendar_id.clone(), self.event_id.clone(), value)
///     }
/// }
/// ```
fn updates_read(read: &Operation, write: &Operation) -> TokenStream {
    let (read_name, write_name) = (ident(&read.types.request), ident(&write.types.request));
    let copied = path_arguments(read, write);
    quote! {
        impl ::wireform_runtime::ReadForUpdate for #read_name {
            type UpdateRequest = crate::requests::#write_name;

            fn update(&self, value: Self::Response) -> Self::UpdateRequest {
                crate::requests::#write_name::new(#(#copied,)* value)
            }
        }
    }
}

fn patches_read(read: &Operation, write: &Operation) -> TokenStream {
    let (read_name, write_name) = (ident(&read.types.request), ident(&write.types.request));
    let copied = path_arguments(read, write);
    quote! {
        impl ::wireform_runtime::ReadForPatch for #read_name {
            type PatchRequest = crate::requests::#write_name;

            fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::PatchRequest {
                let patch = ::wireform_runtime::Merge::diff(old, new).unwrap_or_default();
                crate::requests::#write_name::new(#(#copied,)* patch)
            }
        }
    }
}

/// Returns the path parameters of a read as arguments of a write: the variables have the same positions in both.
fn path_arguments(read: &Operation, write: &Operation) -> Vec<TokenStream> {
    let at_same_place = |parameter: &Parameter| {
        let index = write.parameters.iter().position(|own| std::ptr::eq(own, parameter))?;
        let place = model::variable_position(write, index)?;
        model::variable_at(read, place).map(|index| read.parameter(index))
    };
    let mut copied = Vec::new();
    for parameter in structs::required_parameters(write) {
        let source = at_same_place(parameter).unwrap_or(parameter);
        let member = ident(&source.name.ident);
        copied.push(if is_copy(&source.ty) { quote!(self.#member) } else { quote!(self.#member.clone()) });
    }
    copied
}
