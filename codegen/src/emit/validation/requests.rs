//! `src/operations/<group>.rs`: checks of the requests of a group.

use proc_macro2::TokenStream;
use quote::quote;

use super::locations::parameter_location;
use super::{Crate, checked_types, effective, expression, inline, members, operation_name, rules, sync_parameters};
use crate::emit::rust::{exhaustive_match, ident};
use crate::emit::types::requests::structs;
use crate::emit::{Part, RustFile, docs, features, groups};
use crate::model::condition::Condition;
use crate::model::{Body, BodyMode, Group, Operation, OperationId, Parameter, ResourceId, Rule, Type};

/// Returns the checks of the requests of a group.
pub fn file(of: &Crate<'_>, outermost: &Group, operations: &[OperationId]) -> RustFile {
    let places = crate::emit::types::requests::operation_modules(of.api(), of.max_operations, outermost);
    let file = features::requests_gate(of.api(), operations);
    let part = |id: &OperationId| {
        let attribute = features::part_attribute(of.api(), &file, of.api().request_gate(*id));
        Part::new(places.get(id).cloned().unwrap_or_default(), request(of, *id)).gated(attribute)
    };
    let module = groups::module(outermost);
    let head = docs::inner_attribute(&format!("Validation of the requests of `{module}`."));
    let uses = vec![
        super::imports(of),
        quote! { use ::wireform_validation::ValidationContext; use crate::{operation::request, requests}; },
    ];
    RustFile::with_parts(head, uses, operations.iter().map(part).collect())
}

/// Returns the checks of a request:
///
/// ```text
/// impl Validates<requests::EventsInsert> for Rules { … }
/// ```
fn request(of: &Crate<'_>, id: OperationId) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let (name, constant) = (ident(&operation.types.request), operation_name(operation));
    let mut checks: Vec<TokenStream> =
        operation.settable_parameters().filter_map(|(_, parameter)| self::parameter(of, parameter)).collect();
    checks.extend(sync_parameters::checks(of, operation));
    let effective = effective::method(of, id);
    checks.extend(effective.as_ref().map(|_| {
        quote! { checker.set_effective(<Self as Validates<requests::#name>>::effective_conditions(self, this)); }
    }));
    let body = body(of, id);
    let at_body = operation.rules.iter().any(|rule| violation_parameter(operation, rule).is_none());
    let uses_at = body.is_some() || at_body;
    checks.extend(body);
    checks.extend(rule_checks(of, id, RuleInput::Request));
    checks.extend(stored_rule_checks(of, id));
    let shape = operation.body.as_ref().and_then(|body| listed_resource(&body.ty)).map(|id| of.shape(id));
    let (this, at, checker) = super::check_parameters(!checks.is_empty());
    let at = if uses_at { at } else { quote!(_) };
    let mut items = vec![quote! {
        impl Validates<requests::#name> for Rules {
            const CONTEXT: ValidationContext<'static> = request(operation::#constant);
            #shape
            #effective

            fn check(&self, #this: &requests::#name, #at: Location<'_>, #checker: &mut Checker<'_>) {
                #(#checks)*
            }
        }
    }];
    items.extend(conditions(of, id));
    items
}

/// Returns the resource of a body, or of the elements of a list body: paths lead through lists.
fn listed_resource(ty: &Type) -> Option<ResourceId> {
    match ty {
        Type::Resource(id) => Some(*id),
        Type::List(inner) | Type::Nullable(inner) => listed_resource(inner),
        _ => None,
    }
}

/// Emits the checks of a parameter; `None` if any value is permitted.
fn parameter(of: &Crate<'_>, parameter: &Parameter) -> Option<TokenStream> {
    let (name, place) = (ident(&parameter.name.ident), parameter_location(parameter));
    let mut checks = Vec::new();
    if parameter.required && parameter.ty.is_collection() {
        checks.push(quote! { checker.required(at, !this.#name.is_empty()); });
    }
    if structs::is_never_optional(parameter) {
        checks.extend(members::place_checks(of, &parameter.ty, &parameter.constraints, &quote!(this.#name)));
    } else {
        let inside = members::value_checks(of, &parameter.ty, &parameter.constraints);
        let some = quote!(let Some(value) = &this.#name);
        checks.extend((!inside.is_empty()).then(|| inline::wrap_in_if(&some, &quote! { #(#inside)* })));
    }
    if parameter.deprecated.is_some() && !structs::is_never_optional(parameter) {
        let instead = members::optional(parameter.deprecated.as_ref().and_then(|it| it.replacement.as_deref()));
        checks.push(quote! { checker.deprecated(at, this.#name.is_some(), #instead); });
    }
    (!checks.is_empty()).then(|| inline::wrap_in_block(inline::bind_location(&place, &quote! { #(#checks)* })))
}

/// Emits the checks of a request's body; `None` if there is no body or any body is permitted.
fn body(of: &Crate<'_>, id: OperationId) -> Option<TokenStream> {
    let operation = of.api().operation(id);
    let body = operation.body.as_ref()?;
    if !body.alternatives.is_empty() {
        return alternatives(of, id, body);
    }
    let checks = body_checks(of, id, body);
    if checks.is_empty() {
        return None;
    }
    let pattern = match (body.required, is_nullable(body)) {
        (true, false) => {
            return Some(inline::wrap_in_block(inline::bind_value(&quote!(this.body), &quote! { #(#checks)* })));
        }
        (false, true) => quote!(Some(Some(value))),
        _ => quote!(Some(value)),
    };
    Some(inline::wrap_in_if(&quote!(let #pattern = &this.body), &quote! { #(#checks)* }))
}

fn is_nullable(body: &Body) -> bool {
    matches!(body.ty, Type::Nullable(_))
}

/// Returns the checks of body alternatives.
fn alternatives(of: &Crate<'_>, id: OperationId, body: &Body) -> Option<TokenStream> {
    let name = ident(&of.api().operation(id).types.body);
    let mut arms = Vec::new();
    for one in &body.alternatives {
        let checks = body_checks(of, id, &one.body);
        if !checks.is_empty() {
            let case = ident(&one.name.ident);
            let value = if is_nullable(&one.body) { quote!(Some(value)) } else { quote!(value) };
            let pattern = quote!(requests::#name::#case(#value));
            let pattern = if body.required { pattern } else { quote!(Some(#pattern)) };
            arms.push((pattern, quote! { #(#checks)* }));
        }
    }
    let is_exhaustive = body.required && !body.alternatives.iter().any(|one| is_nullable(&one.body));
    let all = if is_exhaustive { body.alternatives.len() } else { usize::MAX };
    exhaustive_match(all, &quote!(&this.body), &arms)
}

/// Returns the checks of a body without alternatives, which is named `value` and not null.
fn body_checks(of: &Crate<'_>, id: OperationId, body: &Body) -> Vec<TokenStream> {
    if body.raw().is_some() {
        return Vec::new();
    }
    if body.mode == BodyMode::JsonPatch {
        return json_patch(of, id).into_iter().collect();
    }
    match checked_types::patched_by(of.api(), body) {
        Some(patched) => patch(of, patched, &rule_checks(of, id, RuleInput::New)),
        None => {
            let mut checks = members::value_checks(of, body.ty.non_null(), &body.constraints());
            if let Type::Resource(id) = body.ty.non_null()
                && of.checked_types.has_immutable(*id)
            {
                let (types, name) = (&of.rust.types, ident(&of.api().resource(*id).name.ident));
                let function = of.unchanged_path(*id);
                checks.push(quote! {
                    if let Some(old) = checker.stored::<#types::#name>() {
                        #function(old, value, AbsentField::Keep, at, checker);
                    }
                });
            }
            checks
        }
    }
}

/// Returns the checks of a merge patch itself, and of its result if the stored resource is known.
fn patch(of: &Crate<'_>, id: ResourceId, requested: &[TokenStream]) -> Vec<TokenStream> {
    let (types, name) = (&of.rust.types, ident(&of.api().resource(id).name.ident));
    let mut checks = Vec::new();
    if of.checked_types.is_checked(id) {
        checks.push(quote! { Rules.check(value, at, checker); });
    }
    let unchanged = of.checked_types.has_immutable(id).then(|| {
        let function = of.unchanged_path(id);
        quote! { #function(old, &new, AbsentField::Clear, at, checker); }
    });
    let is_compared = unchanged.is_some() || !requested.is_empty();
    let new = if is_compared { quote!(let new =) } else { quote!(let _ =) };
    if of.checked_types.is_checked(id) || is_compared {
        checks.push(quote! {
            if let Some(old) = checker.stored::<#types::#name>() {
                #new ::wireform_validation::__private::check_patch_result(&Rules, old, value, at, checker);
                #unchanged
                #(#requested)*
            }
        });
    }
    checks
}

/// Returns the checks of the result of a JSON Patch, if the stored resource is known.
fn json_patch(of: &Crate<'_>, id: OperationId) -> Option<TokenStream> {
    let patched = of.api().json_patched_resource(of.api().operation(id))?;
    let (types, name) = (&of.rust.types, ident(&of.api().resource(patched).name.ident));
    let stored = quote!(let Some(old) = checker.stored::<#types::#name>());
    let result = quote!(::wireform_validation::__private::check_json_patch_result(&Rules, old, value, at, checker));
    if of.checked_types.has_immutable(patched) {
        let function = of.unchanged_path(patched);
        return Some(quote! {
            if #stored && let Some(new) = #result {
                #function(old, &new, AbsentField::Clear, at, checker);
            }
        });
    }
    of.checked_types.is_checked(patched).then(|| quote! { if #stored { let _ = #result; } })
}

/// Input of a rule besides the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleInput {
    /// None.
    Request,
    /// Stored resource.
    Old,
    /// Result of a merge patch.
    New,
}

impl RuleInput {
    /// Returns the input that a condition needs.
    fn of(condition: &Condition) -> Self {
        match condition.old {
            None => Self::Request,
            Some(_) if expression::arguments(condition).new => Self::New,
            Some(_) => Self::Old,
        }
    }
}

/// Returns the checks of the operation's rules with a kind of input.
fn rule_checks(of: &Crate<'_>, id: OperationId, input: RuleInput) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let rules = operation.rules.iter().zip(of.api().conditions.of_operation(id));
    let rules = rules.filter(|(_, condition)| RuleInput::of(condition) == input);
    let rule = |(rule, condition): (&Rule, &Condition)| {
        let (facts, call) = (of.names.constant(rule), rules::condition_call(&of.names.function(rule), condition));
        let place = violation_parameter(operation, rule).map_or_else(|| quote!(at), parameter_location);
        quote! { checker.rule(#place, &#facts, #call); }
    };
    rules.map(rule).collect()
}

/// Returns the checks of rules that compare the request with the stored resource, if that is known.
fn stored_rule_checks(of: &Crate<'_>, id: OperationId) -> Option<TokenStream> {
    let conditions = of.api().conditions.of_operation(id);
    let resource = conditions.iter().find(|condition| RuleInput::of(condition) == RuleInput::Old)?.old?;
    let (types, name) = (&of.rust.types, ident(&of.api().resource(resource).name.ident));
    let checks = rule_checks(of, id, RuleInput::Old);
    Some(quote! { if let Some(old) = checker.stored::<#types::#name>() { #(#checks)* } })
}

/// Returns the parameter to which a rule's violations are attributed; `None` if that is the body or a field of it.
fn violation_parameter<'o>(operation: &'o Operation, rule: &Rule) -> Option<&'o Parameter> {
    let at = rule.at.as_deref()?;
    operation.parameters.iter().find(|parameter| parameter.key == at)
}

/// Returns the conditions of the operation as functions, and the facts about its rules.
fn conditions(of: &Crate<'_>, id: OperationId) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let mut items = Vec::new();
    for (rule, condition) in operation.rules.iter().zip(of.api().conditions.of_operation(id)) {
        let way: Vec<&str> = match violation_parameter(operation, rule) {
            Some(_) => Vec::new(),
            None => rule.at.iter().flat_map(|at| at.split('.')).collect(),
        };
        items.push(rules::facts(of, rule, &way, condition));
        items.push(rules::function(of, rule, condition));
    }
    items
}
