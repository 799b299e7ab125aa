//! What the wire demands of operations, and how their requests are read.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::rust::{ident, number};
use super::super::types::requests as types_requests;
use super::super::types::requests::structs;
use super::super::{Part, RustFile, docs, features};
use super::{Crate, contract, imports, reader, request};
use crate::model::{Behind, Body, Conditional, Encoding, ListStyle, Number, Operation, OperationId, Parameter, Type};

/// `operations/mod.rs`
pub fn modules(of: &Crate<'_>) -> RustFile {
    let modules = super::modules(of.api()).into_iter().map(|(module, operations)| {
        let (module, cfg) = (ident(&module), features::cfg(of.api(), &behind(of, &operations)));
        quote! { #cfg pub mod #module; }
    });
    RustFile {
        head: docs::inner_line("What the wire demands of each operation, and how its request is read."),
        items: vec![quote! { #(#modules)* }],
        ..RustFile::default()
    }
}

/// What the file of some operations is behind: it is there where one of their groups is.
fn behind(of: &Crate<'_>, operations: &[OperationId]) -> Behind {
    let groups = features::of_operations(of.api());
    of.api().features.any(operations.iter().filter_map(|id| groups.get(id.0)))
}

/// The operations of an outermost group.
pub fn file(of: &Crate<'_>, module: &str, operations: &[OperationId]) -> RustFile {
    let uses = quote! { use ::wireform_server::{BodyNeed, Contract, Parameters, wireform_runtime::Request}; };
    let places = types_requests::places(of.api(), of.most);
    let (groups, file) = (features::of_operations(of.api()), behind(of, operations));
    let part = |id: &OperationId| {
        let operation = of.api().operation(*id);
        let mut items = vec![demands(operation), read(of, operation)];
        items.extend(super::forms::items(of.api(), operation));
        items.extend(super::xml::items(of.api(), operation));
        items.extend(alternatives(operation));
        let behind = features::within(of.api(), &file, &groups[id.0]);
        Part::new(places.get(id).cloned().unwrap_or_default(), items).behind(behind)
    };
    let head = docs::inner_line(&format!("Operations of {}.", docs::code(module)));
    RustFile::of_parts(head, vec![uses, imports()], operations.iter().map(part).collect())
}

/// ```text
/// /// `events.get`
/// pub static EVENTS_GET: Contract = Contract { operation: requests::EventsGet::OPERATION, status: 200, … };
/// ```
fn demands(operation: &Operation) -> TokenStream {
    let (name, request) = (contract(operation), request(operation));
    let doc = docs::line(&docs::code(&operation.name));
    let status = Lit::u16_unsuffixed(operation.usual_status().unwrap_or(200));
    let body = match &operation.body {
        None => quote!(BodyNeed::None),
        Some(body) if body.required => quote!(BodyNeed::Required),
        Some(_) => quote!(BodyNeed::Optional),
    };
    let content_types = operation.body.iter().flat_map(|body| &body.content_types);
    let takes = |conditional| operation.conditional.contains(&conditional);
    let (if_none_match, if_match) = (takes(Conditional::IfNoneMatch), takes(Conditional::IfMatch));
    let paged = operation.pages.is_some();
    quote! {
        #doc
        pub static #name: Contract = Contract {
            operation: <#request as Request>::OPERATION,
            status: #status,
            body: #body,
            content_types: &[#(#content_types),*],
            if_none_match: #if_none_match,
            if_match: #if_match,
            paged: #paged,
        };
    }
}

/// ```text
/// /// Reads the request of `events.insert`.
/// pub fn read_events_insert(parameters: &mut Parameters<'_, '_>, body: types::Event) -> requests::EventsInsert {
///     requests::EventsInsert { calendar_id: parameters.take(0), body }
/// }
/// ```
fn read(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (name, request) = (reader(operation), request(operation));
    let doc = format!(" Reads the request of {}.", docs::code(&operation.name));
    let members = operation.given().map(|(index, parameter)| {
        let structured = || structured(of, index, parameter);
        let value = if parameter.is_structured() { structured() } else { taken(index, parameter) };
        let member = ident(&parameter.name.ident);
        quote!(#member: #value,)
    });
    let used = if operation.given().next().is_none() { quote!(_parameters) } else { quote!(parameters) };
    let body = operation.body.as_ref().map(|body| {
        let ty = body_type(of, operation, body);
        quote!(, body: #ty)
    });
    let body_member = operation.body.as_ref().map(|_| quote!(body));
    quote! {
        #[doc = #doc]
        pub fn #name(#used: &mut Parameters<'_, '_> #body) -> #request {
            #request { #(#members)* #body_member }
        }
    }
}

/// ```text
/// pub static ALTERNATIVES_OF_EVENTS_INSERT: &[&[&str]] = &[&["application/json"], &["application/json-patch+json"]];
/// ```
fn alternatives(operation: &Operation) -> Option<TokenStream> {
    let body = operation.body.as_ref().filter(|body| !body.alternatives.is_empty())?;
    let (name, list) = (super::alternatives(operation), body.alternatives.iter().map(|one| &one.body.content_types));
    let list = list.map(|types| quote!(&[#(#types),*]));
    let doc = format!(" The media types of the bodies that {} takes.", docs::code(&operation.name));
    Some(quote! {
        #[doc = #doc]
        pub static #name: &[&[&str]] = &[#(#list),*];
    })
}

fn body_type(of: &Crate<'_>, operation: &Operation, body: &Body) -> TokenStream {
    let ty = structs::body_type(&of.rust, operation, body);
    if body.required { ty } else { of.rust.optional(&ty) }
}

/// The value of a parameter that holds more than a text.
fn structured(of: &Crate<'_>, index: usize, parameter: &Parameter) -> TokenStream {
    let index = Lit::usize_unsuffixed(index);
    let form = match (&parameter.ty, parameter.style) {
        (_, ListStyle::Json) => quote!(None),
        (ty, ListStyle::Brackets) => {
            let form = super::forms::brackets::form_of_parameter(of.api(), ty);
            quote!(Some({ #form &FORM }))
        }
        (Type::Resource(id), _) => {
            let form = super::forms::form_of(of.api(), *id);
            quote!(Some({ #form &FORM }))
        }
        (Type::Map(inner), _) => {
            let form = super::forms::form_of_map(of.api(), inner);
            quote!(Some({ #form &FORM }))
        }
        _ => quote!(None),
    };
    if let (true, Type::Union(id)) = (parameter.required, &parameter.ty) {
        let union = ident(&of.api().union(*id).name.ident);
        let unknown = quote!(types::#union::Unknown(types::runtime::Value::Null));
        quote!(parameters.required_structured_or(#index, #form, || #unknown))
    } else if parameter.required {
        quote!(parameters.required_structured(#index, #form))
    } else if parameter.ty.is_collection() {
        quote!(parameters.structured(#index, #form).unwrap_or_default())
    } else {
        quote!(parameters.structured(#index, #form))
    }
}

/// The value of a parameter; one that has a greatest effect is lowered to it.
fn taken(index: usize, parameter: &Parameter) -> TokenStream {
    let index = Lit::usize_unsuffixed(index);
    let Some(most) = parameter.constraints.clamp.filter(|_| !parameter.ty.is_collection()) else {
        return quote!(parameters.take(#index));
    };
    let most = match (&parameter.ty, most) {
        (Type::Int64(Encoding::DecimalString), Number::Int(most)) => {
            decimal(Lit::i64_suffixed(i64::try_from(most).unwrap_or(i64::MAX)))
        }
        (Type::Uint64(Encoding::DecimalString), Number::Int(most)) => {
            decimal(Lit::u64_suffixed(u64::try_from(most).unwrap_or(u64::MAX)))
        }
        (ty, most) => match ty.wrapper().map(ident) {
            Some(wrapper) => {
                let most = number(most);
                quote!(types::runtime::#wrapper(#most))
            }
            None => number(most),
        },
    };
    if structs::is_plain(parameter) {
        quote!(parameters.clamped(#index, #most))
    } else {
        quote!(parameters.clamped_optional(#index, #most))
    }
}

fn decimal(number: Lit) -> TokenStream {
    quote!(types::runtime::Decimal::from(#number))
}
