//! `fields.rs`: the fields of partial responses, as constants and as shapes.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{RustTypes, constant_name, ident, snake};
use super::super::super::{Part, RustFile, docs, features};
use crate::model::{Api, Field, Operation, Resource, ResourceId, Role, Type, TypeId};

/// Returns the constants of all resources in responses, and the implementations of `Selectable` for all with shapes.
pub fn file(api: &Api) -> RustFile {
    let rust = RustTypes::new(api);
    let response = response_resources(api);
    let part = |index: usize, place: Vec<String>| {
        let resource = &api.resources[index];
        let mut items = Vec::new();
        if response.contains(&index) {
            items.extend(constants(&rust, resource));
        }
        items.push(selectable(resource));
        Part::new(place, items)
    };
    let head = module_doc(api);
    let items = vec![uses(api), quote! { mod shapes; }];
    RustFile::with_parts(head, items, parts(api, part))
}

/// Returns the documentation of the module, which depends on whether there are calls with a selection.
fn module_doc(api: &Api) -> TokenStream {
    let members = docs::inner_attribute(
        "Field selections for partial responses: a constant for each field, in a type named after the resource.",
    );
    let selected = match api.standard_parameter(Role::Fields) {
        Some(parameter) => {
            let name = docs::code_span(&parameter.name.wire);
            format!("Pass a selection to a call with `.fields(…)`, the standard parameter {name} of the API.")
        }
        None => {
            "The schema declares no standard parameter with the role `fields` (`standard_parameters`), without which \
                 calls take no selection; update masks are built from these constants in any case."
                .to_owned()
        }
    };
    let (empty, selected) = (docs::inner_attribute(""), docs::inner_attribute(&selected));
    quote! { #members #empty #selected }
}

/// Returns the shapes. They are statics, because they can refer to each other in cycles, and have the unique names of
/// the types.
pub fn shapes(api: &Api) -> RustFile {
    let rust = RustTypes::new(api);
    let doc = docs::inner_attribute("The tree of selectable fields.");
    let head = quote! { #doc #![allow(non_upper_case_globals)] };
    let sent = request_resources(api);
    let part = |index: usize, place: Vec<String>| {
        let resource = &api.resources[index];
        let dropped = if sent.contains(&index) { dropped(api, resource) } else { None };
        Part::new(place, vec![shape(&rust, resource, dropped)])
    };
    let uses = [uses(api), own_module(api)];
    RustFile::with_parts(head, vec![quote! { #(#uses)* }], parts(api, part))
}

/// Returns the import of the module of shapes, from which a shape names the others wherever its part is.
fn own_module(api: &Api) -> TokenStream {
    let refers = |field: &Field| holds_resource(&field.ty);
    if !shaped_resources(api).into_iter().flat_map(|index| &api.resources[index].fields).any(refers) {
        return TokenStream::new();
    }
    let allowed = api.features.has_group_features().then(|| quote! { #[allow(unused_imports)] });
    quote! { #allowed use crate::fields::shapes; }
}

/// Returns whether a type is a resource, through lists and maps.
fn holds_resource(ty: &Type) -> bool {
    match ty {
        Type::List(inner) | Type::Nullable(inner) | Type::Map(inner) => holds_resource(inner),
        Type::Resource(_) => true,
        _ => false,
    }
}

/// Returns the imports of the file.
fn uses(api: &Api) -> TokenStream {
    if shaped_resources(api).is_empty() {
        return TokenStream::new();
    }
    // With few features there may be nothing to select.
    let allowed = api.features.has_group_features().then(|| quote! { #[allow(unused_imports)] });
    quote! { #allowed use ::wireform_runtime::fields; }
}

/// Returns a part for each resource with a field order, since the module of its type may have too many of them.
fn parts(api: &Api, part: impl Fn(usize, Vec<String>) -> Part) -> Vec<Part> {
    let place = |index: usize| {
        let module = api.modules.iter().find(|module| module.items.contains(&TypeId::Resource(ResourceId(index))));
        // The name of the adjacent file is taken.
        let module = module
            .map(|module| module.name.as_str())
            .map_or("shapes_", |it| if it == "shapes" { "shapes_" } else { it });
        vec![module.to_owned(), snake(&api.resources[index].name.ident)]
    };
    let attribute = |index: usize| features::attribute(api, api.type_gate(&TypeId::Resource(ResourceId(index))));
    shaped_resources(api).into_iter().map(|index| part(index, place(index)).gated(attribute(index))).collect()
}

/// Returns the indices of the resources in responses.
fn response_resources(api: &Api) -> BTreeSet<usize> {
    reachable(api, api.operations.iter().flat_map(Operation::response_types))
}

/// Returns the indices of the resources in request bodies.
fn request_resources(api: &Api) -> BTreeSet<usize> {
    reachable(api, bodies(api))
}

/// Returns the types of all request bodies.
fn bodies(api: &Api) -> impl Iterator<Item = &Type> {
    api.operations.iter().flat_map(Operation::bodies).map(|body| &body.ty)
}

/// Returns the indices of the resources in responses, request bodies and errors, whose fields have an order.
pub fn shaped_resources(api: &Api) -> BTreeSet<usize> {
    let shared = api.error_body.map(Type::Resource);
    let errors = api.operations.iter().flat_map(|operation| &operation.errors).filter_map(|error| error.body.as_ref());
    reachable(
        api,
        api.operations.iter().flat_map(Operation::response_types).chain(bodies(api)).chain(&shared).chain(errors),
    )
}

/// Returns the indices of the resources in some types, with those of their fields.
fn reachable<'t>(api: &Api, from: impl Iterator<Item = &'t Type>) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<ResourceId> = from.flat_map(|ty| api.resources_of(ty)).collect();
    while let Some(id) = open.pop() {
        if reached.insert(id.0) {
            open.extend(api.resource(id).fields.iter().flat_map(|field| api.resources_of(&field.ty)));
        }
    }
    reached
}

/// Returns the constants of a resource's fields:
///
/// ```text
/// /// Constants for the fields of [`Event`](crate::Event), to select partial responses.
/// pub enum Event {}
/// impl Event {
///     /// Field `summary`.
///     pub const SUMMARY: fields::Field<crate::Event> = fields::Field::new("summary");
/// }
/// ```
fn constants(rust: &RustTypes<'_>, resource: &Resource) -> [TokenStream; 2] {
    let name = ident(&resource.name.ident);
    let doc =
        format!(" Constants for the fields of [`{0}`](crate::{0}), to select partial responses.", resource.name.ident);
    let members = resource.named_fields().iter().map(|field| constant(rust, resource, field));
    [
        quote! {
            #[doc = #doc]
            pub enum #name {}
        },
        quote! { impl #name { #(#members)* } },
    ]
}

/// Returns the constant of a field.
fn constant(rust: &RustTypes<'_>, resource: &Resource, field: &Field) -> TokenStream {
    let (of, name, wire) = (ident(&resource.name.ident), constant_name(&field.name), &field.name.wire);
    let nested = matches!(field.ty.innermost_type(), Type::Resource(_));
    let doc = format!(
        "Field {}{}.",
        docs::code_span(wire),
        if nested { ": select some of its fields with `.select([…])`, or all with `.all()`" } else { "" }
    );
    let doc = docs::line_attribute(&doc);
    let deprecated = docs::deprecated(field.deprecated.as_ref());
    let (ty, value) = match field.ty.innermost_type() {
        Type::Resource(_) => {
            let inner = rust.ty(field.ty.innermost_type());
            (quote!(fields::NestedField<crate::#of, #inner>), quote!(fields::NestedField::new(#wire)))
        }
        _ => (quote!(fields::Field<crate::#of>), quote!(fields::Field::new(#wire))),
    };
    quote! { #doc #deprecated pub const #name: #ty = #value; }
}

/// Returns the implementation: `impl fields::Selectable for crate::Event { const SHAPE: &'static fields::Shape =
/// &crate::fields::shapes::Event; }`
fn selectable(resource: &Resource) -> TokenStream {
    let name = ident(&resource.name.ident);
    quote! {
        impl fields::Selectable for crate::#name {
            const SHAPE: &'static fields::Shape = &crate::fields::shapes::#name;
        }
    }
}

/// Returns the shape of a resource:
///
/// ```text
/// pub static Event: fields::Shape = fields::Shape::of_object::<crate::Event>()
///     .with_contents(&[("creator", fields::FieldContent::Shape(&shapes::Person))]);
/// ```
fn shape(rust: &RustTypes<'_>, resource: &Resource, dropped: Option<TokenStream>) -> TokenStream {
    let name = ident(&resource.name.ident);
    let inner = resource.named_fields().iter().filter_map(|field| {
        let (name, inner) = (&field.name.wire, nested_fields(rust, &field.ty)?);
        Some(quote!((#name, #inner)))
    });
    let rest = resource.rest_field().and_then(|rest| match &rest.ty {
        Type::Map(inner) => {
            let inner = nested_fields(rust, inner).unwrap_or_else(|| quote!(fields::FieldContent::Leaf));
            Some(quote!(.with_rest(#inner)))
        }
        _ => None,
    });
    let inner: Vec<TokenStream> = inner.collect();
    let holding = (!inner.is_empty()).then(|| quote!(.with_contents(&[#(#inner),*])));
    let sensitive: Vec<&String> =
        resource.named_fields().iter().filter(|field| field.sensitive).map(|field| &field.name.wire).collect();
    let sensitive = (!sensitive.is_empty()).then(|| quote!(.with_sensitive(&[#(#sensitive),*])));
    let shape = if resource.outcome.is_some() {
        let (wire, members) = (&resource.name.wire, resource.fields.iter().map(|field| &field.name.wire));
        quote!(fields::Shape::new(#wire, &[#(#members),*])#holding #rest #sensitive)
    } else {
        quote!(fields::Shape::of_object::<crate::#name>()#holding #rest #dropped #sensitive)
    };
    quote! { pub static #name: fields::Shape = #shape; }
}

/// Returns the output-only fields that are dropped: `.dropping(&[("etag", &[]), ("created", &["events.import"])])`
fn dropped(api: &Api, resource: &Resource) -> Option<TokenStream> {
    let entry = |field: &Field| {
        let only = field.behavior.output_only.as_ref().filter(|only| !only.reject)?;
        let (name, except) = (&field.name.wire, only.except.iter().map(|id| &api.operation(*id).name));
        Some(quote!((#name, &[#(#except),*])))
    };
    let entries: Vec<TokenStream> = resource.named_fields().iter().filter_map(entry).collect();
    (!entries.is_empty()).then(|| quote!(.with_dropped(&[#(#entries),*])))
}

/// Returns the fields that can be selected within a field's type, through lists.
fn nested_fields(rust: &RustTypes<'_>, ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::List(inner) | Type::Nullable(inner) => nested_fields(rust, inner),
        Type::Map(inner) => {
            let inner = nested_fields(rust, inner).unwrap_or_else(|| quote!(fields::FieldContent::Leaf));
            Some(quote!(fields::FieldContent::Map(&#inner)))
        }
        Type::Resource(id) => {
            let name = ident(&rust.api.resource(*id).name.ident);
            Some(quote!(fields::FieldContent::Shape(&shapes::#name)))
        }
        // A union has the fields of any of its variants.
        Type::Any | Type::Object | Type::Union(_) => Some(quote!(fields::FieldContent::Any)),
        _ => None,
    }
}
