//! Facts of a schema beyond names and types: behavior of fields, constraints on strings and lists, states, conditions,
//! pages and synchronization.

use std::collections::BTreeMap;

use wireform_codegen::model::{
    Api, Behavior, Conditional, Constraints, Deprecated, Field, IncrementalSync, Operation, OperationId, Range,
    Resource, Rule, RuleSeverity, States, TransitionPolicy,
};

use super::list::List;
use super::schema::is_ours;
use super::schema::literal;

/// Kinds of lines that are written by hand, in addition to `rule`.
pub const KINDS: &[&str] = &[
    "behavior",
    "call",
    "condition",
    "deprecated",
    "effective",
    "ignored",
    "origin",
    "pages",
    "states",
    "sync",
    "text",
    "watch",
];

/// Returns whether a line is written by hand. No document names a member with `origin: ours`.
pub fn is_by_hand(kind: &str, value: &str) -> bool {
    kind == "rule" || KINDS.contains(&kind) || (kind == "field" && value == "ours")
}

/// Adds the lines of a schema.
pub fn add(list: &mut List, api: &Api) {
    for resource in api.resources.iter().filter(|resource| !is_ours(resource.origin.as_ref())) {
        for field in resource.fields.iter().filter(|field| !field.is_kind) {
            member(list, api, resource, field);
        }
        for of in &resource.states {
            states(list, api, resource, of);
        }
        set(list, "deprecated", &resource.name.wire, deprecated(resource.deprecated.as_ref()));
        conditions(list, api, &resource.rules);
    }
    for of in api.enums.iter().filter(|of| !is_ours(of.origin.as_ref())) {
        set(list, "deprecated", &of.name.wire, deprecated(of.deprecated.as_ref()));
        for value in &of.values {
            let place = format!("{}.{}", of.name.wire, value.name.wire);
            let written = [(value.output_only, "output_only"), (value.input_only, "input_only")];
            set(list, "behavior", &place, words(&written));
            set(list, "deprecated", &place, deprecated(value.deprecated.as_ref()));
        }
    }
    for operation in &api.operations {
        call(list, api, operation);
    }
}

/// Adds the condition, the path, the operations and the severity of each rule.
fn conditions(list: &mut List, api: &Api, rules: &[Rule]) {
    for rule in rules {
        let condition = rule.cel.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let operations = names(api, &rule.operations);
        let parts = [
            (rule.severity == RuleSeverity::Warning).then(|| "warning".to_owned()),
            rule.at.as_ref().map(|at| format!("at={at}")),
            (!operations.is_empty()).then(|| format!("in={operations}")),
            Some(condition),
        ];
        set(list, "condition", &rule.id, parts.into_iter().flatten().collect::<Vec<_>>().join(" "));
    }
}

/// Adds the single facts whose origin differs from that of their construct.
fn origins(list: &mut List, place: &str, origins: &BTreeMap<String, String>) {
    for (key, origin) in origins {
        set(list, "origin", &format!("{place}.{key}"), origin.clone());
    }
}

/// Adds a line unless its text is empty.
fn set(list: &mut List, kind: &str, place: &str, fact: String) {
    if !fact.is_empty() {
        list.set(format!("{kind} {place}"), fact);
    }
}

fn words(words: &[(bool, &str)]) -> String {
    words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

fn names(api: &Api, operations: &[OperationId]) -> String {
    let mut names: Vec<&str> = operations.iter().map(|id| api.operation(*id).name.as_str()).collect();
    names.sort_unstable();
    names.join(",")
}

fn member(list: &mut List, api: &Api, resource: &Resource, field: &Field) {
    let place = format!("{}.{}", resource.name.wire, field.name.wire);
    set(list, "behavior", &place, behavior(api, &field.behavior));
    set(list, "deprecated", &place, deprecated(field.deprecated.as_ref()));
    origins(list, &place, &field.origins);
    set(list, "effective", &place, field.effective_when.as_ref().map_or_else(String::new, |cel| cel.text.clone()));
    let unless =
        field.ignored.unless.as_ref().map(|unless| {
            format!("unless {}={}", resource.fields[unless.field].name.wire, literal(api, &unless.value))
        });
    let ignored = [Some(names(api, &field.ignored.operations)), unless];
    set(
        list,
        "ignored",
        &place,
        ignored.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "),
    );
    let mut held = text(&field.constraints);
    if let Some(operations) = &field.constrained {
        held = format!("{held} in={}", names(api, operations));
    }
    set(list, "text", &place, held);
}

fn behavior(api: &Api, behavior: &Behavior) -> String {
    let only = behavior.output_only.as_ref().map(|only| match only.except.as_slice() {
        [] => "output_only".to_owned(),
        except => format!("output_only:{}", names(api, except)),
    });
    let refused = behavior.is_rejected();
    let rest = words(&[
        (refused, "refused"),
        (behavior.input_only, "input_only"),
        (behavior.immutable, if behavior.ignores_changes { "immutable:ignored" } else { "immutable" }),
        (behavior.identifier, "identifier"),
        (behavior.clearable, "clearable"),
    ]);
    only.into_iter().chain((!rest.is_empty()).then_some(rest)).collect::<Vec<_>>().join(" ")
}

fn deprecated(deprecated: Option<&Deprecated>) -> String {
    let Some(deprecated) = deprecated else { return String::new() };
    let parts = [
        deprecated.since.as_deref().map(|since| format!("since={since}")),
        deprecated.replacement.as_deref().map(|instead| format!("use={instead}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "yes".to_owned() } else { parts.join(" ") }
}

/// Returns the constraints of a string, of each string in a list, or of a list.
pub fn text(constraints: &Constraints) -> String {
    let range = |range: Range| {
        let end = |end: Option<u64>| end.map_or_else(String::new, |end| end.to_string());
        format!("{}..{}", end(range.min), end(range.max))
    };
    let parts = [
        constraints.length.map(|length| format!("length={}", range(length))),
        constraints.items.map(|items| format!("items={}", range(items))),
        constraints.keys.as_ref().map(|keys| format!("keys=({})", text(&keys.constraints()))),
        constraints.unique.then(|| "unique".to_owned()),
        constraints.format.map(|format| format!("format={format:?}")),
        (!constraints.schemes.is_empty()).then(|| format!("schemes={}", constraints.schemes.join(","))),
        constraints.pattern.as_ref().map(|pattern| format!("pattern={pattern}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn states(list: &mut List, api: &Api, resource: &Resource, of: &States) {
    let values = &api.enumeration(of.states).values;
    let state = |index: usize| values[index].name.wire.as_str();
    let steps = of
        .transitions
        .iter()
        .map(|step| format!("{}>{}:{}", step.from.map_or("any", state), state(step.to), step.on.replace(' ', "_")));
    let otherwise = match of.unlisted {
        TransitionPolicy::Any => "any",
        TransitionPolicy::External => "external",
        TransitionPolicy::Refused => "refused",
    };
    let initial = of.initial.map(|initial| format!("initial={}", state(initial)));
    let parts: Vec<String> = initial.into_iter().chain(steps).chain([format!("otherwise={otherwise}")]).collect();
    let place = format!("{}.{}", resource.name.wire, resource.fields[of.field].name.wire);
    set(list, "states", &place, parts.join(" "));
    if let Some(origin) = of.origin.as_ref().filter(|origin| resource.origin.as_ref() != Some(*origin)) {
        set(list, "origin", &format!("{place}.states"), origin.clone());
    }
}

fn call(list: &mut List, api: &Api, operation: &Operation) {
    let name = &operation.name;
    origins(list, name, &operation.origins);
    conditions(list, api, &operation.rules);
    let takes = |conditional| operation.conditional.contains(&conditional);
    let mut facts = words(&[
        (operation.safe, "safe"),
        (operation.idempotent && !operation.safe, "idempotent"),
        (operation.api_key, "api_key"),
        (takes(Conditional::IfMatch), "if_match"),
        (takes(Conditional::IfNoneMatch), "if_none_match"),
        (operation.deprecated.is_some(), "deprecated"),
    ]);
    if operation.cost != 1 {
        facts = format!("{facts} cost={}", operation.cost);
    }
    set(list, "call", name, facts.trim().to_owned());
    for parameter in &operation.parameters {
        let place = format!("{name}.{}", parameter.name.wire);
        set(list, "deprecated", &place, deprecated(parameter.deprecated.as_ref()));
        origins(list, &place, &parameter.origins);
        set(list, "text", &place, text(&parameter.constraints));
    }
    let parameter = |index: usize| operation.parameters[index].name.wire.as_str();
    if let Some(pages) = operation.pages {
        let size = pages.size.map_or("none", parameter);
        set(list, "pages", name, format!("size={size} token={}", pages.parameter().map_or("none", parameter)));
    }
    if let Some(of) = &operation.sync {
        set(list, "sync", name, sync(api, operation, of));
    }
    if let Some(watch) = &operation.watch {
        let stop = watch.stop.map_or("none", |stop| api.operation(stop).name.as_str());
        let header = |name: &Option<String>| name.clone().unwrap_or_default();
        let fact = format!(
            "of={} state={} number={} stop={stop}",
            names(api, &watch.operations),
            header(&watch.state),
            header(&watch.number)
        );
        set(list, "watch", name, fact);
    }
}

fn sync(api: &Api, operation: &Operation, sync: &IncrementalSync) -> String {
    let parameter = |index: usize| operation.parameters[index].name.wire.as_str();
    let forbids = sync.forbidden.iter().map(|forbidden| match &forbidden.value {
        Some(value) => format!("{}={}", parameter(forbidden.parameter), literal(api, value)),
        None => parameter(forbidden.parameter).to_owned(),
    });
    let expired = &sync.expired;
    format!(
        "resume={} expired={}/{}/{} full={} forbids={}",
        parameter(sync.resume),
        expired.status,
        expired.reason.as_deref().unwrap_or("none"),
        expired.location.as_deref().unwrap_or("none"),
        sync.full.map_or("none", |full| api.operation(full).name.as_str()),
        forbids.collect::<Vec<_>>().join(",")
    )
}
