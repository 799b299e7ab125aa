//! `src/resources/<module>.rs`: checks of the resources of a module.

use proc_macro2::TokenStream;
use quote::quote;

use super::locations::field_location;
use super::presence::is_present;
use super::{Crate, effective, equality, inline, is_sent_to, members, patches, rules, unchanged, unions};
use crate::emit::rust::{ident, is_never_optional, snake};
use crate::emit::types::type_name;
use crate::emit::{Part, RustFile, docs, features};
use crate::model::{FeatureGate, Field, Module, OutputOnly, Required, Resource, ResourceId, TypeId};

/// Returns the checks of the resources of a module, of their patches, and of immutable fields.
pub fn file(of: &Crate<'_>, module: &Module) -> RustFile {
    let items = |item: &TypeId| match item {
        TypeId::Resource(id) => {
            let mut items = resource(of, *id);
            items.extend(patches::resource(of, *id));
            items.extend(unchanged::resource(of, *id));
            items.extend(equality::resource(of, *id));
            items
        }
        TypeId::Union(id) => vec![unions::union(of, *id)],
        TypeId::Enum(_) => Vec::new(),
    };
    let file = module_gate(of, module);
    let part = |item: &TypeId| {
        let attribute = features::part_attribute(of.api(), &file, of.api().type_gate(item));
        Part::new(vec![snake(type_name(of.api(), item))], items(item)).gated(attribute)
    };
    let checked = module.items.iter().filter(|item| is_checked(item));
    let head = docs::inner_attribute(&format!("Validation of the resources of `{}`.", module.name));
    RustFile::with_parts(head, vec![super::imports(of)], checked.map(part).collect())
}

/// Returns the gate of a module's file.
pub fn module_gate(of: &Crate<'_>, module: &Module) -> FeatureGate {
    features::module_gate(of.api(), module, is_checked)
}

fn is_checked(item: &TypeId) -> bool {
    !matches!(item, TypeId::Enum(_))
}

/// Returns the checks of a resource:
///
/// ```text
/// impl Validates<types::Event> for Rules {
///     fn check(&self, this: &types::Event, at: Location<'_>, checker: &mut Checker<'_>) { … }
/// }
/// ```
fn resource(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let resource = of.api().resource(id);
    let name = ident(&resource.name.ident);
    let checks = if resource.outcome.is_some() { outcome(of, resource) } else { object(of, id) };
    let shape = of.shape(id);
    let types = &of.rust.types;
    let (this, at, checker) = super::check_parameters(!checks.is_empty());
    let mut items = vec![quote! {
        impl Validates<#types::#name> for Rules {
            #shape

            fn check(&self, #this: &#types::#name, #at: Location<'_>, #checker: &mut Checker<'_>) {
                #(#checks)*
            }
        }
    }];
    if resource.outcome.is_none() {
        items.extend(rules::of_resource(of, id));
    }
    items
}

/// Emits the checks of a resource: those of its fields, then its rules.
fn object(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let resource = of.api().resource(id);
    let mut checks: Vec<TokenStream> = resource.fields.iter().filter_map(|field| member(of, resource, field)).collect();
    checks.extend(rules::checks(of, id));
    checks
}

/// Returns the checks of an outcome's contents.
fn outcome(of: &Crate<'_>, resource: &Resource) -> Vec<TokenStream> {
    let Some(outcome) = resource.outcome else { return Vec::new() };
    let (types, name) = (&of.rust.types, ident(&resource.name.ident));
    let arms = [(outcome.success, quote!(Succeeded)), (outcome.failure, quote!(Failed))];
    let arms: Vec<TokenStream> = arms
        .iter()
        .filter_map(|(index, variant)| {
            let field = &resource.fields[*index];
            let checks = members::value_checks(of, &field.ty, &field.constraints);
            let wire = &field.name.wire;
            (!checks.is_empty()).then(|| {
                let checks = inline::bind_location(&quote!(at.field(#wire)), &quote! { #(#checks)* });
                inline::wrap_in_if(&quote!(let #types::#name::#variant(value) = this), &checks)
            })
        })
        .collect();
    arms
}

/// Returns the checks of a field: its presence and its value.
fn member(of: &Crate<'_>, resource: &Resource, field: &Field) -> Option<TokenStream> {
    // An ignored field is reported and not validated.
    let condition = of.condition(resource, field);
    let mut checks = presence(of, field, condition.as_ref());
    checks.extend(effective::warning(of, resource, field, &is_present(field)));
    if field.is_kind {
        checks.extend(kind(field));
    } else {
        let constrained = field.constrained.as_deref().map(|operations| is_sent_to(of, operations));
        let looked_at = match (condition.map(|condition| quote!(checker.is_effective(#condition))), constrained) {
            (Some(effective), Some(constrained)) => Some(quote!(#effective && #constrained)),
            (one, other) => one.or(other),
        };
        checks.extend(present_checks(of, field, looked_at));
    }
    let refused = field.behavior.output_only.as_ref().is_some_and(|only| only.reject);
    if checks.is_empty() {
        return refused.then(|| on_writing_side(of, field, TokenStream::new()));
    }
    // Fields in the map of other fields are at the level of the named ones.
    let checks = quote! { #(#checks)* };
    let checks = if field.is_rest { checks } else { inline::bind_location(&field_location(field), &checks) };
    Some(on_writing_side(of, field, checks))
}

/// Returns the checks of a present field: `if let Some(value) = &this.id { … }`
fn present_checks(of: &Crate<'_>, field: &Field, looked_at: Option<TokenStream>) -> Option<TokenStream> {
    let name = ident(&field.name.ident);
    if is_never_optional(field) && !field.nullable {
        let checks = members::place_checks(of, &field.ty, &field.constraints, &quote!(this.#name))?;
        return Some(match looked_at {
            Some(looked_at) => inline::wrap_in_if(&looked_at, &checks),
            None => checks,
        });
    }
    let checks = members::value_checks(of, &field.ty, &field.constraints);
    if checks.is_empty() {
        return None;
    }
    let is = looked_at.as_ref().map(|looked_at| quote!(#looked_at &&));
    let checks = quote! { #(#checks)* };
    if field.nullable {
        let view = if field.boxed { quote!(as_deref) } else { quote!(as_ref) };
        return Some(inline::wrap_in_if(&quote!(#is let Some(value) = this.#name.#view()), &checks));
    }
    let place = if field.boxed { quote!(this.#name.as_deref()) } else { quote!(&this.#name) };
    Some(inline::wrap_in_if(&quote!(#is let Some(value) = #place), &checks))
}

/// Emits the check of a field with the kind of the resource; `None` if the field has no constant text.
fn kind(field: &Field) -> Option<TokenStream> {
    let crate::model::Literal::Text(expected) = field.constraints.constant.as_ref()? else { return None };
    let (name, shown) = (ident(&field.name.ident), serde_json::Value::from(expected.as_str()).to_string());
    Some(quote! { checker.kind(at, this.#name.as_deref(), #expected, #shown); })
}

/// Returns the checks of presence and absence.
fn presence(of: &Crate<'_>, field: &Field, condition: Option<&TokenStream>) -> Vec<TokenStream> {
    let present = is_present(field);
    // A server has dropped fields without effect.
    let given = condition.map_or_else(|| present.clone(), |it| quote!(#present || !checker.is_effective(#it)));
    let mut checks = Vec::new();
    match &field.behavior.required {
        Required::Never => {}
        Required::Everywhere => checks.push(quote! {
            if checker.is_request() {
                checker.required(at, #given);
            }
        }),
        Required::In(operations) => {
            let sent = is_sent_to(of, operations);
            checks.push(quote! {
                if #sent {
                    checker.required(at, #given);
                }
            });
        }
    }
    checks.extend(field.deprecated.as_ref().map(|deprecated| {
        let instead = members::optional(deprecated.replacement.as_deref());
        quote! { checker.deprecated(at, #present, #instead); }
    }));
    checks
}

/// Restricts checks to the side that writes the field: on the other one it is dropped before it is sent, or rejected.
fn on_writing_side(of: &Crate<'_>, field: &Field, checks: TokenStream) -> TokenStream {
    let behavior = &field.behavior;
    let Some(OutputOnly { except, reject: refuse }) = &behavior.output_only else {
        return if behavior.input_only {
            inline::wrap_in_if(&quote!(checker.is_request()), &checks)
        } else {
            inline::wrap_in_block(checks)
        };
    };
    let may = if field.is_kind {
        quote!(!checker.is_operation_request())
    } else if except.is_empty() {
        quote!(!checker.is_request())
    } else {
        let sent = is_sent_to(of, except);
        quote!(!checker.is_request() || #sent)
    };
    let refused = refuse.then(|| {
        let (wire, present) = (&field.name.wire, is_present(field));
        quote! { else { checker.output_only_rejected(at.field(#wire), #present); } }
    });
    match (checks.is_empty(), refused) {
        (true, Some(_)) => {
            let (wire, present) = (&field.name.wire, is_present(field));
            let sent = if except.is_empty() { quote!(checker.is_request()) } else { quote!(!(#may)) };
            quote! { if #sent { checker.output_only_rejected(at.field(#wire), #present); } }
        }
        (false, None) => inline::wrap_in_if(&may, &checks),
        (_, refused) => quote! { if #may { #checks } #refused },
    }
}
