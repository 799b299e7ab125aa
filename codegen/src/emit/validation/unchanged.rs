//! Immutability: fields that do not change after creation, and state transitions.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Crate, equality};
use crate::emit::rust::{ident, is_never_optional, screaming_snake};
use crate::model::{Field, Resource, ResourceId, States, TransitionPolicy, Type};

/// Returns whether some transitions are rejected.
pub fn rejects_transitions(states: &States) -> bool {
    states.unlisted == TransitionPolicy::Refused
}

/// Returns the name of the function that compares two versions of a resource: `event_unchanged`.
pub fn function(resource: &Resource) -> Ident {
    let name = screaming_snake(&resource.name.ident).to_string().to_ascii_lowercase();
    format_ident!("{name}_unchanged")
}

/// Returns the function that compares two versions of a resource:
///
/// ```text
/// pub fn event_unchanged(old: &types::Event, this: &types::Event, absent: AbsentField, …) { … }
/// ```
pub fn resource(of: &Crate<'_>, id: ResourceId) -> Option<TokenStream> {
    let resource = of.api().resource(id);
    if !of.checked_types.has_immutable(id) {
        return None;
    }
    let (types, name, function) = (&of.rust.types, ident(&resource.name.ident), function(resource));
    let mut checks: Vec<TokenStream> = resource.fields.iter().filter_map(|field| member(of, field)).collect();
    checks.extend(
        resource
            .states
            .iter()
            .filter(|states| rejects_transitions(states))
            .map(|states| transition_checks(of, resource, states)),
    );
    let doc = format!(
        " Checks that the immutable fields of {} stay as they are stored.",
        crate::emit::docs::code_span(&resource.name.wire)
    );
    // Transitions do not depend on absent fields.
    let has_members = checks.len() > resource.states.iter().filter(|states| rejects_transitions(states)).count();
    let absent = if has_members { quote!(absent) } else { quote!(_absent) };
    Some(quote! {
        #[doc = #doc]
        pub fn #function(
            old: &#types::#name,
            this: &#types::#name,
            #absent: AbsentField,
            at: Location<'_>,
            checker: &mut Checker<'_>,
        ) {
            #(#checks)*
        }
    })
}

/// Emits the comparison of a field with the stored one; `None` if changes are permitted or ignored.
fn member(of: &Crate<'_>, field: &Field) -> Option<TokenStream> {
    let (name, wire) = (ident(&field.name.ident), &field.name.wire);
    let present = super::presence::is_present(field);
    if field.behavior.immutable && field.behavior.ignores_changes {
        return None;
    }
    if field.behavior.immutable {
        if of.api().field_kinds(&field.ty).output_only {
            return Some(without_output_only(of, field, &present));
        }
        let same = if field.default.is_some() && !is_never_optional(field) {
            equality::of_defaults(&of.rust, field, &quote!(old), &quote!(this))
        } else {
            equality::field(&of.rust, field, &quote!(old.#name), &quote!(this.#name))
        };
        return Some(quote! {
            if absent.must_compare(#present) {
                checker.immutable(at.field(#wire), #same);
            }
        });
    }
    let Type::Resource(id) = &field.ty else { return None };
    // An immutable field was compared as a whole.
    if !of.checked_types.has_immutable(*id) {
        return None;
    }
    let (types, ty) = (&of.rust.types, ident(&of.api().resource(*id).name.ident));
    let function = of.unchanged_path(*id);
    let view = if field.boxed { quote!(as_deref) } else { quote!(as_ref) };
    Some(quote! {
        if let Some(old) = old.#name.#view() && absent.must_compare(#present) {
            let cleared = #types::#ty::default();
            #function(old, this.#name.#view().unwrap_or(&cleared), absent, at.field(#wire), checker);
        }
    })
}

/// Returns the comparison of an immutable field without its output-only contents, which a request does not have.
fn without_output_only(of: &Crate<'_>, field: &Field, present: &TokenStream) -> TokenStream {
    let (name, wire) = (ident(&field.name.ident), &field.name.wire);
    let same = equality::field(&of.rust, field, &quote!(old), &quote!(new));
    let within = match &field.ty {
        Type::Resource(id) => of.api().resource(*id).fields.iter().filter(|field| field.behavior.immutable).collect(),
        _ => Vec::new(),
    };
    // In a full replacement, absent nested fields keep the stored values.
    let kept = within.iter().map(|field| {
        let (name, present) = (ident(&field.name.ident), super::presence::is_present(field));
        quote! {{
            let this = &mut *new;
            if !absent.must_compare(#present) { this.#name.clone_from(&old.#name); }
        }}
    });
    let kept = (!within.is_empty()).then(|| quote! { if let (Some(old), Some(new)) = (&old, &mut new) { #(#kept)* } });
    quote! {
        if absent.must_compare(#present) {
            let operation = checker.operation().map_or("", |operation| operation.name);
            let (mut old, mut new) = (old.#name.clone(), this.#name.clone());
            ::wireform_validation::wireform_runtime::FieldBehavior::strip_output_only(&mut old, operation);
            ::wireform_validation::wireform_runtime::FieldBehavior::strip_output_only(&mut new, operation);
            #kept
            checker.immutable(at.field(#wire), #same);
        }
    }
}

/// Returns the checks of state transitions.
fn transition_checks(of: &Crate<'_>, resource: &Resource, states: &States) -> TokenStream {
    let field = &resource.fields[states.field];
    let definition = of.api().enumeration(states.states);
    let (types, of_enum) = (&of.rust.types, ident(&definition.name.ident));
    let variant = |index: usize| {
        let name = ident(&definition.values[index].name.ident);
        quote!(#types::#of_enum::#name)
    };
    let allowed = states.transitions.iter().map(|step| {
        let from = step.from.map_or_else(|| quote!(_), &variant);
        let to = variant(step.to);
        quote!((#from, #to))
    });
    let (name, wire) = (ident(&field.name.ident), &field.name.wire);
    let allowed: Vec<TokenStream> = allowed.collect();
    let [was, is] = [quote!(old.#name), quote!(this.#name)]
        .map(|place| if field.nullable { quote!(#place.as_ref()) } else { quote!(&#place) });
    let follows = if allowed.is_empty() { quote!(false) } else { quote!(matches!((old, new), #(#allowed)|*)) };
    quote! {
        if let (Some(old), Some(new)) = (#was, #is) {
            checker.transition(at.field(#wire), old == new || #follows);
        }
    }
}
