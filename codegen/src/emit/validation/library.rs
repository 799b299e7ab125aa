//! `lib.rs`, and the files that list modules.

use proc_macro2::TokenStream;
use quote::quote;

use super::Crate;
use crate::emit::rust::ident;
use crate::emit::{RustFile, docs, features};
use crate::model::{Api, OperationId, Rule, RuleSeverity};

/// Generates `lib.rs` of the validation crate:
///
/// ```text
/// //! Calendar events, v3: validation.
/// pub struct Rules;
/// pub trait Validate { … }
/// ```
pub fn lib(of: &Crate<'_>) -> RustFile {
    let types = &of.types;
    let has_operations = !of.api().operations.is_empty();
    let resources = (!of.api().modules.is_empty()).then(|| quote! { mod resources; });
    let operations = has_operations.then(|| quote! { mod checked; pub mod operation; mod operations; });
    let patterns = (!of.patterns.is_empty()).then(|| quote! { mod patterns; });
    let requests = has_operations.then(|| {
        quote! {
            #[doc = " Request types: the parameters and the body of each operation."]
            pub use #types::requests;
        }
    });
    let mut items = vec![
        quote! { #operations #patterns #resources mod sources; },
        quote! {
            #requests
            #[doc = " Data types of the API."]
            pub use #types as types;
            #[doc = " Runtime of the validation: violations, checks, formats."]
            pub use ::wireform_validation as runtime;
            pub use ::wireform_validation::{Violation, Violations, Warnings};
        },
        quote! {
            #[doc = " Validation rules of the API, to pass to clients and servers."]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct Rules;
        },
    ];
    items.extend(convenience_api(of));
    items.extend(has_operations.then(|| erased(of)));
    RustFile::new(head(of), items)
}

/// Returns the convenience API of the crate: `value.validate()`, `patch.validate_against(&stored)`, `read(bytes)`.
fn convenience_api(of: &Crate<'_>) -> [TokenStream; 3] {
    [trait_definition(of), blanket_impl(of), read(of)]
}

/// Returns the trait with the validation methods.
fn trait_definition(of: &Crate<'_>) -> TokenStream {
    let result = &of.rust.result;
    quote! {
        #[doc = " Types that can be validated: resources, patches of resources, and requests."]
        pub trait Validate {
            #[doc = " Validates the value: a resource on its own, a request with all its parameters."]
            #[doc = ""]
            #[doc = " # Errors"]
            #[doc = " Returns every violation, in the order of the document. Warnings alone are not an error."]
            fn validate(&self) -> #result<Warnings, Violations>;

            #[doc = " Validates a request against the stored resource that it changes: transitions and immutable fields are"]
            #[doc = " checked, and so is the result of a patch. Pass the resource itself as `stored`, not a pointer to it."]
            #[doc = ""]
            #[doc = " # Errors"]
            #[doc = " Returns the violations of [`validate`](Self::validate), or one at `stored` if its type is not that of the resource."]
            fn validate_against<S: ::core::any::Any>(&self, stored: &S) -> #result<Warnings, Violations>
            where
                Self: ::wireform_validation::wireform_runtime::Request;
        }
    }
}

/// Returns the blanket implementation of the trait.
fn blanket_impl(of: &Crate<'_>) -> TokenStream {
    let result = &of.rust.result;
    quote! {
        impl<T: ?::core::marker::Sized> Validate for T
        where
            Rules: ::wireform_validation::Validates<T>,
        {
            fn validate(&self) -> #result<Warnings, Violations> {
                ::wireform_validation::Validates::validate(&Rules, self, <Rules as ::wireform_validation::Validates<T>>::CONTEXT)
            }

            fn validate_against<S: ::core::any::Any>(&self, stored: &S) -> #result<Warnings, Violations>
            where
                Self: ::wireform_validation::wireform_runtime::Request,
            {
                let context = <Rules as ::wireform_validation::Validates<T>>::CONTEXT.with_stored(stored);
                ::wireform_validation::Validates::validate(&Rules, self, context)
            }
        }
    }
}

/// Returns `read(bytes)`, which decodes and validates.
fn read(of: &Crate<'_>) -> TokenStream {
    let result = &of.rust.result;
    quote! {
        #[doc = " Parses and validates a value in one pass, reporting malformed values along with violations."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = " Returns every violation, in the order of the text, with line and column where the JSON itself is malformed."]
        pub fn read<T>(json: &[u8]) -> #result<(T, Warnings), Violations>
        where
            T: for<'de> ::wireform_validation::wireform_runtime::FromWire<'de>,
            Rules: ::wireform_validation::Validates<T>,
        {
            let context = <Rules as ::wireform_validation::Validates<T>>::CONTEXT;
            let options = ::wireform_validation::ReadOptions::for_type::<T, Rules>(context);
            ::wireform_validation::read_body(json, &options, |value: T, checker| {
                ::wireform_validation::Validates::check(&Rules, &value, ::wireform_validation::__private::Location::BODY, checker);
                value
            })
        }
    }
}

/// Returns the type-erased rules for clients and servers.
fn erased(of: &Crate<'_>) -> TokenStream {
    let (option, result) = (&of.rust.option, &of.rust.result);
    quote! {
        impl ::wireform_validation::CheckRequests for Rules {
            fn check_request(
                &self,
                operation: &'static ::wireform_validation::wireform_runtime::operation::Operation,
                request: &dyn ::core::any::Any,
                stored: #option<&dyn ::core::any::Any>,
            ) -> #option<#result<Warnings, Violations>> {
                ::wireform_validation::__private::OperationValidator::find(checked::OPERATIONS, operation)?.check_request(self, request, stored)
            }

            fn check_response(
                &self,
                operation: &'static ::wireform_validation::wireform_runtime::operation::Operation,
                response: &[u8],
            ) -> #option<::wireform_validation::DriftReport> {
                ::wireform_validation::__private::OperationValidator::find(checked::OPERATIONS, operation)?.check_response(self, response)
            }
        }
    }
}

/// Emits the head of `lib.rs`: the documentation of the crate with a table of its rules, and its lint attributes.
fn head(of: &Crate<'_>) -> TokenStream {
    let api = of.api();
    let title = docs::inner_attribute(&docs::paragraph(&format!("{}, {}: validation.", api.title, api.version)));
    let about = [
        "",
        "Every constraint and every rule of the schema, compiled to Rust: nothing is interpreted, and nothing is",
        "allocated for valid values. Validate a value with [`Validate::validate`], JSON text with [`read`]; both return",
        "all violations at once, each with its path and the id of the rule.",
    ];
    let about = about.iter().map(|line| docs::inner_attribute(line));
    let rules = table(of).into_iter().map(|line| docs::inner_attribute(&line));
    let features = features::feature_docs(api).into_iter().map(|line| docs::inner_attribute(&line));
    let dead = unused(api);
    quote! { #title #(#about)* #(#features)* #(#rules)* #![allow(deprecated)]
    #dead
    // Conditions keep the structure that they have in the schema.
    #![allow(
        clippy::comparison_to_empty,
        clippy::manual_range_contains,
        clippy::neg_cmp_op_on_partial_ord,
        clippy::nonminimal_bool,
        clippy::redundant_closure
    )] }
}

/// Returns an attribute for comparisons that no request uses if some groups are left out.
fn unused(api: &Api) -> Option<TokenStream> {
    let all = features::ALL_GROUPS;
    api.features.has_group_features().then(|| quote! { #![cfg_attr(not(feature = #all), allow(dead_code))] })
}

/// Returns one line for each rule.
fn table(of: &Crate<'_>) -> Vec<String> {
    let api = of.api();
    let row = |about: &str, rule: &Rule| {
        let severity = match rule.severity {
            RuleSeverity::Error => "",
            RuleSeverity::Warning => " (a warning)",
        };
        let at = rule.at.as_ref().map(|at| docs::code_span(at)).unwrap_or_default();
        let operations: Vec<String> =
            rule.operations.iter().map(|OperationId(index)| docs::code_span(&api.operations[*index].name)).collect();
        format!(
            "| {} | {about} | {at} | {}{severity} | {} |",
            docs::code_span(&rule.id),
            docs::paragraph(&rule.message),
            operations.join(", ")
        )
    };
    let resources = api
        .resources
        .iter()
        .flat_map(|resource| resource.rules.iter().map(move |rule| (docs::code_span(&resource.name.wire), rule)));
    let operations = api
        .operations
        .iter()
        .flat_map(|operation| operation.rules.iter().map(move |rule| (docs::code_span(&operation.name), rule)));
    let rows: Vec<String> = resources.chain(operations).map(|(about, rule)| row(&about, rule)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        String::new(),
        "# Rules".to_owned(),
        String::new(),
        "In addition to the constraints of the fields, which their documentation lists:".to_owned(),
        String::new(),
        "| rule | type or operation | path | message | operations |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows);
    lines
}

/// Returns `src/resources/mod.rs`.
pub fn resources_mod(of: &Crate<'_>) -> RustFile {
    let modules = of.api().modules.iter().map(|module| {
        let cfg = features::cfg(of.api(), &super::resources::module_gate(of, module));
        let module = ident(&module.name);
        quote! { #cfg pub mod #module; }
    });
    RustFile::new(docs::inner_attribute("Validation of resources."), vec![quote! { #(#modules)* }])
}

/// Returns `src/operations/mod.rs`.
pub fn operations_mod(of: &Crate<'_>) -> RustFile {
    let modules = crate::emit::types::requests::modules(of.api()).into_iter().map(|(module, (_, ids))| {
        let (module, cfg) = (ident(&module), features::cfg(of.api(), &features::requests_gate(of.api(), &ids)));
        quote! { #cfg mod #module; }
    });
    RustFile::new(docs::inner_attribute("Validation of requests."), vec![quote! { #(#modules)* }])
}
