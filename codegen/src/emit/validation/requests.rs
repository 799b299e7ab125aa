//! `src/operations/<group>.rs`: what is checked of the requests of a group.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::places::place;
use super::{Crate, expression, forbidden, members, operation_name, reach, rules};
use crate::emit::rust::{by_pattern_of, ident};
use crate::emit::types::requests::structs;
use crate::emit::{Part, RustFile, docs, features};
use crate::model::condition::Condition;
use crate::model::{Body, Field, Operation, OperationId, Parameter, Resource, ResourceId, Rule, Type};

/// The checks of the requests of a group.
pub fn file(of: &Crate<'_>, module: &str, operations: &[OperationId]) -> RustFile {
    let places = crate::emit::types::requests::places(of.api(), of.most);
    let file = features::of_requests(of.api(), operations);
    let part = |id: &OperationId| {
        let behind = features::within(of.api(), &file, of.api().request_behind(*id));
        Part::new(places.get(id).cloned().unwrap_or_default(), request(of, *id)).behind(behind)
    };
    let head = docs::inner_line(&format!("What is checked of the requests of `{module}`."));
    let uses = vec![super::imports(of), quote! { use crate::requests; }];
    RustFile::of_parts(head, uses, operations.iter().map(part).collect())
}

/// ```text
/// impl Validates<requests::EventsInsert> for Rules { … }
/// ```
fn request(of: &Crate<'_>, id: OperationId) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let (name, constant) = (ident(&operation.types.request), operation_name(operation));
    let mut checks: Vec<TokenStream> =
        operation.given().filter_map(|(_, parameter)| self::parameter(of, parameter)).collect();
    checks.extend(forbidden::checks(of, operation));
    let effective = effective(of, id);
    checks.extend((!effective.is_empty()).then(|| {
        quote! { checker.set_effective(<Self as Validates<requests::#name>>::effective(self, this)); }
    }));
    let body = body(of, id);
    let at_body = operation.rules.iter().any(|rule| at_parameter(operation, rule).is_none());
    let uses_at = body.is_some() || at_body;
    checks.extend(body);
    checks.extend(asked(of, id, Asks::Request));
    checks.extend(asked_of_stored(of, id));
    let shape = operation.body.as_ref().and_then(|body| listed(&body.ty)).map(|id| of.shape(id));
    let effective_set = effective_set(&name, &effective);
    let (this, at, checker) = super::arguments(!checks.is_empty());
    let at = if uses_at { at } else { quote!(_at) };
    let mut items = vec![quote! {
        impl Validates<requests::#name> for Rules {
            const CONTEXT: ::wireform_validation::Context<'static> = operation::request(operation::#constant);
            #shape
            #effective_set

            fn check(&self, #this: &requests::#name, #at: At<'_>, #checker: &mut Checker<'_>) {
                #(#checks)*
            }
        }
    }];
    items.extend(conditions(of, id));
    items
}

/// The resource of a body, or of the elements of a body that is a list: paths go through lists.
fn listed(ty: &Type) -> Option<ResourceId> {
    match ty {
        Type::Resource(id) => Some(*id),
        Type::List(inner) | Type::Nullable(inner) => listed(inner),
        _ => None,
    }
}

fn parameter(of: &Crate<'_>, parameter: &Parameter) -> Option<TokenStream> {
    let (name, place) = (ident(&parameter.name.ident), place(parameter));
    let mut checks = Vec::new();
    if parameter.required && parameter.ty.is_collection() {
        checks.push(quote! { checker.required(at, !this.#name.is_empty()); });
    }
    let inside = members::value(of, &parameter.ty, &parameter.constraints);
    if !inside.is_empty() {
        checks.push(if structs::is_plain(parameter) {
            quote! { let value = &this.#name; #(#inside)* }
        } else {
            quote! { if let Some(value) = &this.#name { #(#inside)* } }
        });
    }
    if parameter.deprecated.is_some() && !structs::is_plain(parameter) {
        let instead = members::optional(parameter.deprecated.as_ref().and_then(|it| it.instead.as_deref()));
        checks.push(quote! { checker.deprecated(at, this.#name.is_some(), #instead); });
    }
    (!checks.is_empty()).then(|| quote! {{ let at = #place; #(#checks)* }})
}

/// ```text
/// fn effective(&self, this: &requests::EventsInsert) -> Effective {
///     let mut effective = Effective::ALL;
///     effective.set(0, matches!(events_insert_effective_0(this), Ok(true)));
///     effective
/// }
/// ```
fn effective_set(name: &Ident, conditions: &[Effect]) -> Option<TokenStream> {
    if conditions.is_empty() {
        return None;
    }
    let set = conditions.iter().map(|condition| {
        let (number, holds) = (&condition.number, &condition.holds);
        quote! { effective.set(#number, #holds); }
    });
    let this = if conditions.iter().any(|condition| condition.asks) { quote!(this) } else { quote!(_this) };
    Some(quote! {
        fn effective(&self, #this: &requests::#name) -> ::wireform_validation::wireform_runtime::Effective {
            let mut effective = ::wireform_validation::wireform_runtime::Effective::ALL;
            #(#set)*
            effective
        }
    })
}

/// The condition of a member.
struct Effect {
    number: TokenStream,
    /// Whether it holds.
    holds: TokenStream,
    /// Whether that depends on the request.
    asks: bool,
}

/// Which members of the body the server will look at, by the parameters.
fn effective(of: &Crate<'_>, id: OperationId) -> Vec<Effect> {
    let reached = of.api().conditions.effective.keys().filter(|(_, _, operation)| *operation == id);
    reached
        .filter_map(|(resource_id, field_index, _)| {
            let resource = of.api().resource(*resource_id);
            let field = resource.fields.get(*field_index)?;
            let bit = of.effective_bit(resource, field)?;
            let function = effective_function(of, id, resource, field)?;
            let condition = of.api().conditions.effective(*resource_id, *field_index, id)?;
            let (holds, asks) = match condition.constant() {
                Some(holds) => (quote!(#holds), false),
                None => {
                    let evaluated = rules::call(&function, condition);
                    (quote!(matches!(#evaluated, Ok(true))), true)
                }
            };
            Some(Effect { number: bit, holds, asks })
        })
        .collect()
}

/// The function that tells whether a member has an effect: `events_insert_event_attachments`.
fn effective_function(of: &Crate<'_>, id: OperationId, resource: &Resource, field: &Field) -> Option<Ident> {
    let bit = of.api().condition_number(resource, field)?;
    let operation = operation_name(of.api().operation(id)).to_string().to_ascii_lowercase();
    Some(quote::format_ident!("{operation}_effective_{bit}"))
}

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
    Some(if body.required {
        quote! {{ let value = &this.body; #(#checks)* }}
    } else {
        quote! { if let Some(value) = &this.body { #(#checks)* } }
    })
}

/// The checks of the alternative that a body is.
fn alternatives(of: &Crate<'_>, id: OperationId, body: &Body) -> Option<TokenStream> {
    let name = ident(&of.api().operation(id).types.body);
    let mut arms = Vec::new();
    for one in &body.alternatives {
        let checks = body_checks(of, id, &one.body);
        if !checks.is_empty() {
            let case = ident(&one.name.ident);
            let pattern = quote!(requests::#name::#case(value));
            let pattern = if body.required { pattern } else { quote!(Some(#pattern)) };
            arms.push((pattern, quote! { #(#checks)* }));
        }
    }
    let all = if body.required { body.alternatives.len() } else { usize::MAX };
    by_pattern_of(all, &quote!(&this.body), &arms)
}

/// The checks of a body without alternatives, which is called `value`.
fn body_checks(of: &Crate<'_>, id: OperationId, body: &Body) -> Vec<TokenStream> {
    if body.raw().is_some() {
        return Vec::new();
    }
    match reach::patched_by(of.api(), body) {
        Some(patched) => patch(of, patched, &asked(of, id, Asks::New)),
        None => {
            let mut checks = members::value(of, &body.ty, &crate::model::Constraints::default());
            if let Type::Resource(id) = &body.ty
                && of.reach.is_unchanging(*id)
            {
                let (types, name) = (&of.rust.types, ident(&of.api().resource(*id).name.ident));
                let function = of.unchanged_path(*id);
                checks.push(quote! {
                    if let Some(old) = checker.stored::<#types::#name>() {
                        #function(old, value, Absent::Kept, at, checker);
                    }
                });
            }
            checks
        }
    }
}

/// A merge patch by itself, and what comes of it where it is known what is stored.
fn patch(of: &Crate<'_>, id: ResourceId, asked: &[TokenStream]) -> Vec<TokenStream> {
    let (types, name) = (&of.rust.types, ident(&of.api().resource(id).name.ident));
    let mut checks = Vec::new();
    if of.reach.is_checked(id) {
        checks.push(quote! { Rules.check(value, at, checker); });
    }
    let unchanged = of.reach.is_unchanging(id).then(|| {
        let function = of.unchanged_path(id);
        quote! { #function(old, &new, Absent::Cleared, at, checker); }
    });
    let is_compared = unchanged.is_some() || !asked.is_empty();
    let new = if is_compared { quote!(let new =) } else { quote!(let _ =) };
    if of.reach.is_checked(id) || is_compared {
        checks.push(quote! {
            if let Some(old) = checker.stored::<#types::#name>() {
                #new ::wireform_validation::check_patched(&Rules, old, value, at, checker);
                #unchanged
                #(#asked)*
            }
        });
    }
    checks
}

/// What a rule needs beside the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// Nothing.
    Request,
    /// What is stored.
    Old,
    /// What comes of a merge patch.
    New,
}

impl Asks {
    fn of(condition: &Condition) -> Self {
        match condition.old {
            None => Self::Request,
            Some(_) if expression::arguments(condition).new => Self::New,
            Some(_) => Self::Old,
        }
    }
}

/// The rules of the operation that need no more than that.
fn asked(of: &Crate<'_>, id: OperationId, asks: Asks) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let rules = operation.rules.iter().zip(of.api().conditions.of_operation(id));
    let rules = rules.filter(|(_, condition)| Asks::of(condition) == asks);
    let rule = |(rule, condition): (&Rule, &Condition)| {
        let (facts, call) = (of.names.constant(rule), rules::call(&of.names.function(rule), condition));
        let place = at_parameter(operation, rule).map_or_else(|| quote!(at), place);
        quote! { checker.rule(#place, &#facts, #call); }
    };
    rules.map(rule).collect()
}

/// The rules that compare the request with what is stored, where that is known.
fn asked_of_stored(of: &Crate<'_>, id: OperationId) -> Option<TokenStream> {
    let conditions = of.api().conditions.of_operation(id);
    let resource = conditions.iter().find(|condition| Asks::of(condition) == Asks::Old)?.old?;
    let (types, name) = (&of.rust.types, ident(&of.api().resource(resource).name.ident));
    let asked = asked(of, id, Asks::Old);
    Some(quote! { if let Some(old) = checker.stored::<#types::#name>() { #(#asked)* } })
}

/// The parameter that a rule is about; otherwise it is about the body.
fn at_parameter<'o>(operation: &'o Operation, rule: &Rule) -> Option<&'o Parameter> {
    let at = rule.at.as_deref()?;
    operation.parameters.iter().find(|parameter| parameter.key == at)
}

/// The conditions of the operation as functions, and what is known of its rules.
fn conditions(of: &Crate<'_>, id: OperationId) -> Vec<TokenStream> {
    let operation = of.api().operation(id);
    let mut items = Vec::new();
    for (rule, condition) in operation.rules.iter().zip(of.api().conditions.of_operation(id)) {
        let way: Vec<&str> = match at_parameter(operation, rule) {
            Some(_) => Vec::new(),
            None => rule.at.iter().flat_map(|at| at.split('.')).collect(),
        };
        items.push(rules::facts(of, rule, &way, condition));
        items.push(rules::function(of, rule, condition));
    }
    for ((resource, field, operation), condition) in &of.api().conditions.effective {
        if *operation == id && condition.constant().is_none() {
            let resource = of.api().resource(*resource);
            let field = resource.fields.get(*field);
            if let Some(name) = field.and_then(|field| effective_function(of, id, resource, field)) {
                items.push(expression::function(&of.rust, &name, condition));
            }
        }
    }
    items
}
