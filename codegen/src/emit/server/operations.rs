//! Contracts of operations, and the readers of their requests.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::rust::{ident, number};
use super::super::types::requests as types_requests;
use super::super::types::requests::structs;
use super::super::{Part, RustFile, docs, features, groups};
use super::{Crate, contract_name, imports, reader_name, request_type};
use crate::model::{
    Body, Codec, Conditional, Encoding, FeatureGate, Group, ListStyle, Number, Operation, OperationId, Parameter, Type,
};

/// Returns `operations/mod.rs`.
pub fn modules(of: &Crate<'_>) -> RustFile {
    let modules = super::modules(of.api()).into_iter().map(|(module, (group, operations))| {
        let (module, cfg) = (ident(&module), features::cfg(of.api(), &gate(of, group, &operations)));
        quote! { #cfg pub mod #module; }
    });
    RustFile {
        head: docs::inner_attribute("Contract of each operation: how its request is decoded from HTTP."),
        items: vec![quote! { #(#modules)* }],
        ..RustFile::default()
    }
}

/// Returns the gate of a file of operations: that of any of their groups.
fn gate(of: &Crate<'_>, outermost: &Group, operations: &[OperationId]) -> FeatureGate {
    let gates = features::operation_gates(of.api(), outermost);
    of.api().features.any_gate(operations.iter().filter_map(|id| gates.get(id)))
}

/// Returns the file with the operations of an outermost group.
pub fn file(of: &Crate<'_>, outermost: &Group, operations: &[OperationId]) -> RustFile {
    let uses = quote! { use ::wireform_server::__private::{Contract, Parameters}; };
    let places = types_requests::operation_modules(of.api(), of.max_operations, outermost);
    let (gates, file) = (features::operation_gates(of.api(), outermost), gate(of, outermost, operations));
    let part = |id: &OperationId| {
        let operation = of.api().operation(*id);
        let mut items = vec![contract(of, operation), read(of, operation)];
        items.extend(super::forms::items(of.api(), operation));
        items.extend(super::xml::items(of.api(), operation));
        items.extend(alternatives(operation));
        let attribute = features::part_attribute(of.api(), &file, &gates[id]);
        Part::new(places.get(id).cloned().unwrap_or_default(), items).gated(attribute)
    };
    let head = docs::inner_attribute(&format!("Operations of {}.", docs::code_span(groups::module(outermost))));
    RustFile::with_parts(head, vec![uses, imports()], operations.iter().map(part).collect())
}

/// Returns the contract of an operation:
///
/// ```text
/// /// Contract of `events.get`.
/// pub static EVENTS_GET: Contract = Contract::of::<requests::EventsGet>().if_none_match();
/// ```
fn contract(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (name, request) = (contract_name(operation), request_type(operation));
    let doc = docs::line_attribute(&format!("Contract of {}.", docs::code_span(&operation.name)));
    let status = operation.default_status().filter(|status| *status != 200).map(|status| {
        let status = Lit::u16_unsuffixed(status);
        quote!(.status(#status))
    });
    let body = operation.body.as_ref().map(|body| {
        let (method, types) = (if body.required { quote!(body) } else { quote!(optional_body) }, &body.content_types);
        quote!(.#method(&[#(#types),*]))
    });
    let takes = |conditional| operation.conditional.contains(&conditional);
    let if_none_match = takes(Conditional::IfNoneMatch).then(|| quote!(.if_none_match()));
    let if_match = takes(Conditional::IfMatch).then(|| quote!(.if_match()));
    let paged = operation.pages.is_some().then(|| quote!(.paged()));
    let sync = operation.sync.as_ref().map(|sync| {
        let parameter = &operation.parameters[sync.resume].name.wire;
        quote!(.sync(#parameter, <#request as ::wireform_server::wireform_runtime::Syncable>::EXPIRED_TOKEN))
    });
    let media = operation.media.iter().any(|media| media.upload_endpoints().next().is_some());
    let media = media.then(|| quote!(.media(<#request as ::wireform_server::wireform_runtime::Upload>::MEDIA)));
    let binary = binary_fields(of, operation);
    let binary = (!binary.is_empty()).then(|| quote!(.binary(&[#(#binary),*])));
    quote! {
        #doc
        pub static #name: Contract =
            Contract::of::<#request>() #status #body #if_none_match #if_match #paged #sync #media #binary;
    }
}

/// Returns the top-level fields of a JSON body that are binary data.
fn binary_fields<'a>(of: &Crate<'a>, operation: &Operation) -> Vec<&'a str> {
    let body = operation.body.as_ref().filter(|body| body.accepts_codec(Codec::Json) && body.alternatives.is_empty());
    let Some(Type::Resource(id)) = body.map(|body| body.ty.non_null()) else { return Vec::new() };
    let is_binary = |ty: &Type| matches!(ty, Type::Bytes(encoding) if *encoding != Encoding::File);
    let fields = of.api().resource(*id).fields.iter().filter(|field| is_binary(&field.ty));
    fields.map(|field| field.name.wire.as_str()).collect()
}

/// Returns the reader of an operation's request:
///
/// ```text
/// /// Decodes the request of `events.insert`.
/// pub fn read_events_insert(parameters: &mut Parameters<'_, '_>, body: types::Event) -> requests::EventsInsert {
///     requests::EventsInsert { calendar_id: parameters.take(), body }
/// }
/// ```
fn read(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (name, request) = (reader_name(operation), request_type(operation));
    let doc = format!(" Decodes the request of {}.", docs::code_span(&operation.name));
    let members = operation.settable_parameters().map(|(_, parameter)| {
        let value =
            if parameter.is_structured() { structured_value(of, parameter) } else { parameter_value(parameter) };
        let member = ident(&parameter.name.ident);
        quote!(#member: #value,)
    });
    let used = if operation.settable_parameters().next().is_none() { quote!(_parameters) } else { quote!(parameters) };
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

/// Returns the media types of body alternatives:
///
/// ```text
/// pub static ALTERNATIVES_OF_EVENTS_INSERT: &[&[&str]] = &[&["application/json"], &["application/json-patch+json"]];
/// ```
fn alternatives(operation: &Operation) -> Option<TokenStream> {
    let body = operation.body.as_ref().filter(|body| !body.alternatives.is_empty())?;
    let (name, list) =
        (super::alternatives_name(operation), body.alternatives.iter().map(|one| &one.body.content_types));
    let list = list.map(|types| quote!(&[#(#types),*]));
    let doc = format!(" Media types of the request bodies of {}.", docs::code_span(&operation.name));
    Some(quote! {
        #[doc = #doc]
        pub static #name: &[&[&str]] = &[#(#list),*];
    })
}

fn body_type(of: &Crate<'_>, operation: &Operation, body: &Body) -> TokenStream {
    let ty = structs::body_type(&of.rust, operation, body);
    if body.required { ty } else { of.rust.optional(&ty) }
}

/// Returns the value of a structured parameter.
fn structured_value(of: &Crate<'_>, parameter: &Parameter) -> TokenStream {
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
        quote!(parameters.required_structured_or(#form, || #unknown))
    } else if parameter.required {
        quote!(parameters.required_structured(#form))
    } else if parameter.ty.is_collection() {
        quote!(parameters.structured(#form).unwrap_or_default())
    } else {
        quote!(parameters.structured(#form))
    }
}

/// Returns the value of a parameter, lowered to its `clamp` if it has one.
fn parameter_value(parameter: &Parameter) -> TokenStream {
    let Some(most) = parameter.constraints.clamp.filter(|_| !parameter.ty.is_collection()) else {
        return quote!(parameters.take());
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
    if structs::is_never_optional(parameter) {
        quote!(parameters.clamped(#most))
    } else {
        quote!(parameters.clamped_optional(#most))
    }
}

/// Emits a 64-bit integer that is a decimal string on the wire: `Decimal::from(10_i64)`.
fn decimal(number: Lit) -> TokenStream {
    quote!(types::runtime::Decimal::from(#number))
}
