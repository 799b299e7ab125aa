//! Kinds of declarative constraints that occur in a schema.

use std::collections::BTreeSet;

use wireform_codegen::model::{Api, Constraints, Format, Required, TransitionPolicy, Type};

/// Rule names of constraints in violations. `type` is for values that cannot be decoded.
const ALL: &[&str] = &[
    "length",
    "items",
    "pattern",
    "format",
    "schemes",
    "range",
    "min",
    "max",
    "multiple_of",
    "unique",
    "required",
    "constant",
    "known_value",
    "sendable_value",
    "deprecated",
    "immutable",
    "output_only",
    "effective_when",
    "forbids",
    "states",
    "type",
];

/// Returns whether a rule name belongs to a constraint.
pub fn is_known(word: &str) -> bool {
    ALL.contains(&word)
}

/// Returns the kinds of constraints that a value can violate in an API. Those that the types guarantee, such as the
/// presence of required parameters, cannot be violated.
pub fn of(api: &Api) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut note = |occurs: bool, kind: &'static str| {
        if occurs {
            found.insert(kind);
        }
    };
    for field in api.resources.iter().flat_map(|resource| &resource.fields) {
        constraints(api, &field.ty, &field.constraints, &mut note);
        note(field.is_kind, "constant");
        note(field.behavior.required != Required::Never, "required");
        note(field.behavior.immutable, "immutable");
        note(field.behavior.output_only.as_ref().is_some_and(|it| it.reject), "output_only");
        note(field.effective_when.is_some(), "effective_when");
        note(field.deprecated.is_some(), "deprecated");
    }
    for parameter in api.operations.iter().flat_map(|operation| &operation.parameters) {
        constraints(api, &parameter.ty, &parameter.constraints, &mut note);
        note(parameter.deprecated.is_some(), "deprecated");
    }
    let mut sync = api.operations.iter().filter_map(|operation| operation.sync.as_ref());
    note(sync.any(|sync| !sync.forbidden.is_empty()), "forbids");
    // Requests can only violate the transitions of resources in their bodies.
    let bodies = api.operations.iter().filter_map(|operation| match operation.body.as_ref()?.ty {
        Type::Resource(id) => Some(api.resource(id)),
        _ => None,
    });
    let mut states = bodies.flat_map(|resource| &resource.states);
    note(states.any(|states| states.unlisted == TransitionPolicy::Refused), "states");
    found
}

fn constraints(api: &Api, ty: &Type, of: &Constraints, note: &mut impl FnMut(bool, &'static str)) {
    note(of.length.is_some(), "length");
    note(of.items.is_some(), "items");
    note(of.pattern.is_some(), "pattern");
    let nothing = [Format::PageToken, Format::SyncToken, Format::Html];
    note(of.format.is_some_and(|format| !nothing.contains(&format)), "format");
    note(!of.schemes.is_empty(), "schemes");
    let (min, max) = (of.min.is_some(), of.max.is_some());
    let (above, below) = (of.exclusive.min, of.exclusive.max);
    note(min && max && !above && !below, "range");
    note(min && (above || !max || below), "min");
    note(max && (below || !min || above), "max");
    note(of.multiple_of.is_some(), "multiple_of");
    note(of.unique, "unique");
    note(of.constant.is_some(), "constant");
    if let Type::Enum(id) = ty.innermost_type() {
        note(true, "known_value");
        let values = &api.enumeration(*id).values;
        note(values.iter().any(|value| value.output_only), "sendable_value");
    }
}
