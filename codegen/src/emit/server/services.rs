//! Traits that a service implements.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::groups::Run;
use super::super::rust::ident;
use super::super::{Part, RustFile, docs, features, operation_docs};
use super::{Crate, imports, outermost, request_type, response_type, with_operations};
use crate::model::{FeatureGate, Group, Operation, OperationId, Type};

/// Returns `service/mod.rs`, which re-exports the traits.
pub fn modules(of: &Crate<'_>) -> RustFile {
    let modules: Vec<_> = outermost(of.api());
    let declared = modules.iter().map(|(module, group)| {
        let (module, cfg) = (ident(module), of.cfg(group));
        quote! { #cfg mod #module; }
    });
    let exported = modules.iter().map(|(module, group)| {
        let module = ident(module);
        let names = with_operations(of.api(), group).into_iter().map(|group| ident(&group.service_trait));
        if of.api().features.has_group_features() {
            let cfg = features::cfg(of.api(), &gate(of, group));
            return quote! { #cfg pub use self::#module::*; };
        }
        quote! { pub use self::#module::{#(#names),*}; }
    });
    RustFile {
        head: docs::inner_attribute("Traits that a service implements, one for each group of operations."),
        items: vec![quote! { #(#declared)* }, quote! { #(#exported)* }],
        ..RustFile::default()
    }
}

/// Returns the gate of the traits of an outermost group: that of any of its groups.
fn gate(of: &Crate<'_>, group: &Group) -> FeatureGate {
    let features = &of.api().features;
    let all: Vec<FeatureGate> =
        with_operations(of.api(), group).into_iter().map(|group| features.group_gate(group)).collect();
    features.any_gate(&all)
}

/// Returns the file with the traits of a group and of nested groups.
pub fn file(of: &Crate<'_>, module: &str, group: &Group) -> RustFile {
    let part = |inner: &Group| {
        let attribute = features::part_attribute(of.api(), &of.file_gate(group), &of.api().features.group_gate(inner));
        parts(of, inner).into_iter().map(move |part| part.gated(attribute.clone()))
    };
    let parts = with_operations(of.api(), group).into_iter().flat_map(part).collect();
    RustFile::with_parts(
        docs::inner_attribute(&format!("Services of {}.", docs::code_span(module))),
        vec![imports()],
        parts,
    )
}

/// Returns the traits of a group:
///
/// ```text
/// /// Implements `events`. Functions that are not overridden return 501.
/// pub trait Events: Send + Sync + 'static {
///     fn get(&self, request: requests::EventsGet, context: &Context) -> impl Future<Output = Result<types::Event>> + Send { … }
/// }
/// ```
///
/// A trait cannot be split into several files, but macros can generate its functions: each run of a group of hundreds
/// of operations is one.
///
/// ```text
/// macro_rules! events__list_functions { () => { fn list(&self, …) … } }
/// pub trait Events: Send + Sync + 'static { events__list_functions!(); … }
/// ```
fn parts(of: &Crate<'_>, group: &Group) -> Vec<Part> {
    let functions = |run: &Run| -> TokenStream { run.operations.iter().map(|id| method(of, *id)).collect() };
    let place = super::nested_modules(group);
    let runs = super::runs(of, group);
    if let [whole] = runs.as_slice() {
        return vec![Part::new(place, vec![definition(of, group, &functions(whole))])];
    }
    let macros = |run: &Run| format_ident!("{}_functions", run.constant_prefix(group).to_string().to_lowercase());
    let macro_parts = runs.iter().map(|run| {
        let (name, functions) = (macros(run), functions(run));
        let modules = place.iter().chain(&run.modules).cloned().collect();
        Part::new(modules, vec![quote! { macro_rules! #name { () => { #functions }; } }])
    });
    let names = runs.iter().map(macros);
    let calls = quote! { #(#names!();)* };
    macro_parts.chain([Part::new(place.clone(), vec![definition(of, group, &calls)])]).collect()
}

/// Returns the trait of a group, with a diagnostic for missing implementations that names the group.
fn definition(of: &Crate<'_>, group: &Group, functions: &TokenStream) -> TokenStream {
    let name = ident(&group.service_trait);
    let path: Vec<&str> = group.path.iter().map(|name| name.wire.as_str()).collect();
    let what = if path.is_empty() { "the operations in no group".to_owned() } else { docs::code_span(&path.join(".")) };
    let doc = format!(" Implements {what}. Functions that are not overridden return 501.");
    let whole = if path.is_empty() { what } else { format!("the group {what}") };
    let message = format!("`{{Self}}` does not implement {whole}");
    let note = format!(
        "write `impl {}::service::{} for {{Self}} {{{{}}}}`; functions that are not overridden return 501",
        of.name, group.service_trait
    );
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #message, label = "a group of operations is not implemented", note = #note)]
        pub trait #name: ::std::marker::Send + ::std::marker::Sync + 'static {
            #functions
        }
    }
}

/// Emits the method of a service trait for an operation; its default implementation returns 501.
fn method(of: &Crate<'_>, id: OperationId) -> TokenStream {
    let operation = of.api().operation(id);
    let (doc, wire) = (documentation(of, id), &operation.name);
    let (name, request) = (ident(&operation.method.ident), request_type(operation));
    let output = if of.api().requires_admission(id) {
        quote!(::wireform_server::WriteResult<#request>)
    } else if operation.has_list_entity_tag() {
        quote!(::wireform_server::ListResult<#request>)
    } else {
        let response = response_type(of, operation);
        quote!(::wireform_server::Result<#response>)
    };
    quote! {
        #doc
        fn #name(
            &self,
            request: #request,
            context: &::wireform_server::Context,
        ) -> impl ::std::future::Future<Output = #output> + ::std::marker::Send {
            let _ = (request, context);
            async { Err(::wireform_server::Error::not_implemented(#wire)) }
        }
    }
}

/// Returns the function of the context that checks a write against the stored resource.
fn admission(of: &Crate<'_>, operation: &Operation) -> String {
    if of.api().written_resource(operation).is_some() {
        return "prepare".to_owned();
    }
    if matches!(operation.response_type(), Some(Type::Resource(_))) {
        return "admit".to_owned();
    }
    // The stored resource has the type that the reading operation returns, as for a deletion.
    match of.api().read_operation(operation) {
        Some(read) => format!("admit_as::<requests::{}, _>", read.types.request),
        None => "admit_tagged".to_owned(),
    }
}

/// Emits the documentation of a service method: its requirements, what it must do, and its errors.
fn documentation(of: &Crate<'_>, id: OperationId) -> TokenStream {
    let operation = of.api().operation(id);
    let mut lines = vec![docs::markdown(&operation.doc), String::new(), operation_docs::method_and_path(operation)];
    let needs = operation_docs::requirement_docs(of.api(), operation);
    if !needs.is_empty() {
        lines.extend([String::new(), needs.join(" ")]);
    }
    if of.api().requires_admission(id) {
        let method = admission(of, operation);
        let admitted = format!(
            "Call `context.{method}` with the stored resource to check preconditions and rules; its result builds the response."
        );
        lines.extend([String::new(), admitted]);
    }
    if operation.has_list_entity_tag() {
        let tagged = "`context.list_tag` sets the entity tag of the response and evaluates `If-None-Match`.";
        lines.extend([String::new(), tagged.to_owned()]);
    }
    if let Some(status) = operation.bodiless_status() {
        lines.extend([String::new(), format!("`None` becomes a response with the status {status} and no body.")]);
    }
    if let Some(media) = operation_docs::media_docs(operation) {
        lines.extend([String::new(), format!("{media} `context.take_media()` takes the uploaded media.")]);
    }
    if operation.media.as_ref().is_some_and(|media| media.download) {
        let media = "If `context.wants_media()`, respond with `Reply::media`.";
        lines.extend([String::new(), media.to_owned()]);
    }
    lines.extend([String::new(), "# Errors".to_owned(), String::new()]);
    if operation.errors.is_empty() {
        lines.push("Any error of the service.".to_owned());
    }
    lines.extend(operation.errors.iter().map(operation_docs::error_docs));
    if !operation.types.error.is_empty() {
        let name = &operation.types.error;
        let text =
            format!("`Error::from_error` creates them with their bodies from [`{name}`](crate::requests::{name}).");
        lines.extend([String::new(), text]);
    }
    operation_docs::attributes(&lines)
}
