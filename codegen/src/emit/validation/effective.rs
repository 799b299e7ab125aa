//! Effect of body fields, depending on the parameters of the request.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Crate, expression, is_sent_to, rules};
use crate::emit::rust::ident;
use crate::model::condition::Condition;
use crate::model::{Field, OperationId, Resource};

/// Field of the body with a condition for its effect.
struct ConditionalField<'a> {
    resource: &'a Resource,
    field: &'a Field,
    condition: &'a Condition,
}

/// Returns the method that evaluates the conditions:
///
/// ```text
/// fn effective_conditions(&self, this: &requests::EventsInsert) -> ConditionSet {
///     ConditionSet::ALL.with(types::Event::COLOR_ID, this.event_label_version.unwrap_or(0) == 0)
/// }
/// ```
pub fn method(of: &Crate<'_>, id: OperationId) -> Option<TokenStream> {
    let mut reads = false;
    let set: Vec<TokenStream> = conditional_fields(of, id)
        .filter_map(|conditional| {
            let name = of.condition(conditional.resource, conditional.field)?;
            let holds = holds(of, &conditional);
            reads |= conditional.condition.constant().is_none();
            Some(quote!(.with(#name, #holds)))
        })
        .collect();
    let (this, name) = (if reads { quote!(this) } else { quote!(_) }, ident(&of.api().operation(id).types.request));
    (!set.is_empty()).then(|| {
        quote! {
            fn effective_conditions(&self, #this: &requests::#name) -> types::runtime::ConditionSet {
                types::runtime::ConditionSet::ALL #(#set)*
            }
        }
    })
}

/// Returns the warning about a present field without effect, which names the condition:
///
/// ```text
/// checker.ignored(at, this.color_id.is_some(), types::Event::COLOR_ID, Some("params.eventLabelVersion == 0"));
/// ```
pub fn warning(of: &Crate<'_>, resource: &Resource, field: &Field, present: &TokenStream) -> Option<TokenStream> {
    let (condition, unless) = (of.condition(resource, field)?, unless(of, resource, field));
    Some(quote! { checker.ignored(at, #present, #condition, #unless); })
}

/// Emits the text of a field's condition, or `None` in operations in which the field never has an effect.
fn unless(of: &Crate<'_>, resource: &Resource, field: &Field) -> TokenStream {
    let Some(cel) = &field.effective_when else { return quote!(None) };
    // On one line, because it is part of a message.
    let text = cel.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let conditions = of.api().conditions.effective.iter();
    let never = conditions.filter(|((id, index, _), condition)| {
        let owner = of.api().resource(*id);
        owner.name == resource.name && owner.field(*index).name == field.name && condition.constant() == Some(false)
    });
    let never: Vec<OperationId> = never.map(|((_, _, operation), _)| *operation).collect();
    if never.is_empty() {
        return quote!(Some(#text));
    }
    let is_never = is_sent_to(of, &never);
    quote!((!#is_never).then_some(#text))
}

/// Returns the fields whose effect in an operation depends on a condition.
fn conditional_fields<'a>(of: &Crate<'a>, id: OperationId) -> impl Iterator<Item = ConditionalField<'a>> {
    let api = of.api();
    let conditions = api.conditions.effective.iter().filter(move |((_, _, operation), _)| *operation == id);
    conditions.map(|((resource, field, _), condition)| {
        let resource = api.resource(*resource);
        ConditionalField { resource, field: resource.field(*field), condition }
    })
}

/// Returns the test of a field's condition. A condition that cannot be evaluated is false.
fn holds(of: &Crate<'_>, conditional: &ConditionalField<'_>) -> TokenStream {
    if let Some(holds) = conditional.condition.constant() {
        return quote!(#holds);
    }
    expression::inline_condition(&of.rust, conditional.condition).unwrap_or_else(|| {
        let name = ident(&conditional.field.name.ident);
        let (function, call) = (
            expression::function(&of.rust, &name, conditional.condition),
            rules::condition_call(&name, conditional.condition),
        );
        quote! {{ #function #call == Ok(true) }}
    })
}
