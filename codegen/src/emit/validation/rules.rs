//! Rules: their facts, their conditions as functions, and their checks.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{Crate, expression, is_sent_to, operation_pattern};
use crate::emit::docs;
use crate::model::condition::{Condition, Subject};
use crate::model::{Api, OperationId, ResourceId, Rule, RuleSeverity};

/// Rust names of rules, by their keys.
pub struct RuleNames(BTreeMap<String, String>);

impl RuleNames {
    /// Names all rules of an API; a shared rule has a name for each operation. Numbers distinguish keys that differ
    /// only in characters that names cannot have.
    pub fn of(api: &Api) -> Self {
        let resources = api.resources.iter().flat_map(|resource| &resource.rules);
        let rules = resources.chain(api.operations.iter().flat_map(|operation| &operation.rules));
        // Names of other functions in the same modules.
        let unchanged = api.resources.iter().map(|resource| super::unchanged::function(resource).to_string());
        let resources = (0..api.resources.len()).map(ResourceId);
        let same = resources.map(|id| super::equality::function(api, id).to_string());
        let mut taken: BTreeSet<String> = unchanged.chain(same).collect();
        let mut names = BTreeMap::new();
        for rule in rules {
            let plain = sanitize_id(&rule.key);
            let mut name = plain.clone();
            let mut next = 2;
            while !taken.insert(name.clone()) {
                name = format!("{plain}_{next}");
                next += 1;
            }
            names.insert(rule.key.clone(), name);
        }
        Self(names)
    }

    /// Returns the name of the function that evaluates a rule: `event_one_identifier`.
    pub fn function(&self, rule: &Rule) -> Ident {
        Ident::new(self.get(rule), Span::call_site())
    }

    /// Returns the name of a rule's facts: `EVENT_ONE_IDENTIFIER`.
    pub fn constant(&self, rule: &Rule) -> Ident {
        Ident::new(&self.get(rule).to_ascii_uppercase(), Span::call_site())
    }

    /// Returns the identifier of a rule in `snake_case`.
    fn get(&self, rule: &Rule) -> &str {
        self.0.get(&rule.key).map_or("rule", String::as_str)
    }
}

/// Returns an id as an identifier; a single word might be a keyword.
fn sanitize_id(id: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = id.chars().map(letter).collect();
    let name = name.trim_matches('_');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && name.contains('_') { name.to_owned() } else { format!("rule_{name}") }
}

/// Returns the rules of a resource: their facts and their conditions.
pub fn of_resource(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let resource = of.api().resource(id);
    let pairs = resource.rules.iter().zip(of.api().conditions.of_resource(id));
    pairs
        .flat_map(|(rule, condition)| {
            [facts(of, rule, &violation_path(rule), condition), function(of, rule, condition)]
        })
        .collect()
}

/// Returns the path of the field to which a violation is attributed.
fn violation_path(rule: &Rule) -> Vec<&str> {
    rule.at.iter().flat_map(|at| at.split('.')).collect()
}

/// Returns the facts about a rule:
///
/// ```text
/// static EVENT_ONE_IDENTIFIER: Rule = Rule::new("event.one_identifier", "give …").at(&["iCalUID"]);
/// ```
pub fn facts(of: &Crate<'_>, rule: &Rule, way: &[&str], condition: &Condition) -> TokenStream {
    let (name, id, message) = (of.names.constant(rule), &rule.id, &rule.message);
    let warning = (rule.severity == RuleSeverity::Warning).then(|| quote!(.warning()));
    let reason = rule.reason.as_ref().map(|reason| quote!(.reason(#reason)));
    let at = (!way.is_empty()).then(|| quote!(.at(&[#(#way),*])));
    let reads = read_field_names(of, condition);
    let reads = (!reads.is_empty()).then(|| quote!(.reads(&[#(#reads),*])));
    quote! {
        static #name: Rule = Rule::new(#id, #message) #warning #reason #at #reads .schema(sources::#name);
    }
}

/// Returns the wire names of the fields that a condition reads.
fn read_field_names<'a>(of: &Crate<'a>, condition: &Condition) -> Vec<&'a str> {
    let Subject::Resource(id) = condition.subject else { return Vec::new() };
    let fields = &of.api().resource(id).fields;
    condition.read_fields().into_iter().map(|field| fields[field].name.wire.as_str()).collect()
}

/// Returns the function that evaluates a condition:
///
/// ```text
/// fn event_one_identifier(this: &types::Event) -> cel::Evaluated { … }
/// ```
pub fn function(of: &Crate<'_>, rule: &Rule, condition: &Condition) -> TokenStream {
    let doc = docs::line_attribute(&format!("Returns whether {} holds.", docs::code_span(&rule.id)));
    let function = expression::function(&of.rust, &of.names.function(rule), condition);
    quote! { #doc #function }
}

/// Returns the call of a condition's function: `event_one_identifier(this)`. The resource or request is named `this`,
/// the stored resource `old`, and the result of a merge patch `new`.
pub fn condition_call(name: &Ident, condition: &Condition) -> TokenStream {
    let arguments = expression::arguments(condition);
    let this = (arguments.this || arguments.request).then(|| quote!(this));
    let old = arguments.old.then(|| quote!(old));
    let new = arguments.new.then(|| quote!(&new));
    let arguments = [this, old, new].into_iter().flatten();
    quote! { #name(#(#arguments),*) }
}

/// Returns the checks of a resource's rules, grouped by the operations to which they apply.
pub fn checks(of: &Crate<'_>, id: ResourceId) -> Vec<TokenStream> {
    let mut groups: Vec<(Applies, Vec<TokenStream>)> = Vec::new();
    let rules = of.api().resource(id).rules.iter();
    for (rule, condition) in rules.zip(of.api().conditions.of_resource(id)) {
        let (facts, call) = (of.names.constant(rule), condition_call(&of.names.function(rule), condition));
        let check = quote! { checker.rule(at, &#facts, #call); };
        for applies in Applies::of(of.api(), rule) {
            match groups.iter_mut().find(|(known, _)| *known == applies) {
                Some((_, group)) => group.push(check.clone()),
                None => groups.push((applies, vec![check.clone()])),
            }
        }
    }
    groups.iter().map(|(applies, checks)| group(of, applies, checks)).collect()
}

/// Emits the checks of rules that apply in the same cases, inside an `if` with the operations.
fn group(of: &Crate<'_>, applies: &Applies, checks: &[TokenStream]) -> TokenStream {
    match applies {
        Applies::Always => quote! { #(#checks)* },
        Applies::Requests(operations) => {
            let sent = is_sent_to(of, operations);
            quote! { if #sent { #(#checks)* } }
        }
        Applies::Responses(operations) => {
            let operations = operation_pattern(of.api(), operations);
            quote! { if matches!(checker.response_operation_index(), Some(#operations)) { #(#checks)* } }
        }
    }
}

/// Cases in which a rule applies. One that is restricted to operations applies to their requests, or to their
/// responses if they have no body.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Applies {
    Always,
    Requests(Vec<OperationId>),
    Responses(Vec<OperationId>),
}

impl Applies {
    /// Returns the cases in which a rule applies: always, or to requests, to responses, or to both.
    fn of(api: &Api, rule: &Rule) -> Vec<Self> {
        if rule.operations.is_empty() {
            return vec![Self::Always];
        }
        let (sent, response): (Vec<_>, Vec<_>) =
            rule.operations.iter().partition(|id| api.operation(**id).body.is_some());
        let sent = (!sent.is_empty()).then_some(Self::Requests(sent));
        let response = (!response.is_empty()).then_some(Self::Responses(response));
        sent.into_iter().chain(response).collect()
    }
}
