//! Extensions (`x-wireform-…`) for facts that OpenAPI cannot express.

use super::catalogue::{Catalogue, SchemaUse};
use super::json::{Json, Object, object};
use super::names::{field_name, optional_field_name, parameter, response_resource};
use super::{literal, long_running};
use crate::emit::operation_docs;
use crate::emit::types::requests;
use crate::model::{
    Api, ChangeField, Field, FieldPath, Fill, IncrementalSync, KnownValue, Media, NextPage, Operation, OperationId,
    Pages, ParameterRole, Resource, ResourceId, Rule, RuleSeverity, States, TransitionPolicy, Type, UploadEndpoint,
};

/// Returns the extensions of a resource: its rules, its state machines, and whether it is an outcome.
pub fn resource(of: &Catalogue<'_>, id: ResourceId, usage: SchemaUse) -> Object {
    let resource = of.api.resource(id);
    // The request schema of one operation has only its rules.
    let holds = |rule: &&Rule| match usage {
        SchemaUse::Request(operation) | SchemaUse::Patch(operation) if of.is_used_once(id, usage) => {
            rule.operations.is_empty() || rule.operations.contains(&operation)
        }
        _ => true,
    };
    let member = |index: usize| field_name(resource, index);
    let outcome = resource.outcome.map(|outcome| {
        object()
            .with("done", member(outcome.done))
            .with("success", member(outcome.success))
            .with("failure", member(outcome.failure))
    });
    object()
        .with_list("x-wireform-rules", resource.rules.iter().filter(holds).map(|one| rule(of.api, one)))
        .with_list("x-wireform-states", resource.states.iter().map(|one| states(of.api, resource, one)))
        .with_some("x-wireform-outcome", outcome)
        .with_some(
            "x-wireform-long-running",
            resource.long_running.as_ref().map(|work| long_running::resource_extension(resource, work)),
        )
}

/// Returns the extensions of a field.
pub fn field(api: &Api, resource: &Resource, field: &Field) -> Object {
    let behavior = &field.behavior;
    let unless = field.ignored.unless.as_ref().map(|unless| {
        let of = resource.field(unless.field);
        object().with(of.name.wire.as_str(), literal(api, &of.ty, &unless.value))
    });
    let ignored =
        object().with_list("in", field.ignored.operations.iter().map(|id| name(api, *id))).with_some("unless", unless);
    let fill = field.fill.map(|Fill::Uuid| "uuid");
    object()
        .with_true("x-wireform-identifier", behavior.identifier)
        .with_true("x-wireform-immutable", behavior.immutable)
        .with_true("x-wireform-ignores-change", behavior.ignores_changes)
        .with_list("x-wireform-aliases", field.aliases.iter().map(String::as_str))
        .with_some("x-wireform-effective-when", field.effective_when.as_ref().map(|cel| cel.text.as_str()))
        .with_members("x-wireform-ignored", ignored)
        .with_some("x-wireform-fill", fill)
        .with_true("x-wireform-sensitive", field.sensitive)
        .with_members("x-wireform-known-values", known(&field.constraints.known))
}

/// Returns the known values of a text.
pub fn known(known: &[KnownValue]) -> Object {
    let value = |known: &KnownValue| {
        let aliases = known.aliases.iter().map(String::as_str);
        let value = object().with_text("description", &known.doc).with_list("aliases", aliases);
        (known.value.clone(), Json::from(value))
    };
    known.iter().map(value).collect()
}

/// Returns the role of a parameter, as in a schema: `"format"`, or `{ "is": "format", "values": { "media": "raw" }
/// }`.
pub fn role(role: &ParameterRole) -> Json {
    let word = role.role.word();
    if role.values.is_empty() {
        return word.into();
    }
    let values: Object = role.values.iter().map(|(name, wire)| (name.clone(), Json::from(wire.as_str()))).collect();
    object().with("is", word).with("values", values).into()
}

/// Returns a rule: `{ "id": …, "cel": …, "message": … }`.
fn rule(api: &Api, rule: &Rule) -> Object {
    object()
        .with("id", rule.id.as_str())
        .with("cel", rule.cel.text.as_str())
        .with("message", rule.message.as_str())
        .with_some("at", rule.at.as_deref())
        .with("severity", if rule.severity == RuleSeverity::Warning { "warning" } else { "error" })
        .with_some("reason", rule.reason.as_deref())
        .with_list("operations", rule.operations.iter().map(|id| name(api, *id)))
}

/// Returns the name of an operation by its id.
fn name(api: &Api, id: OperationId) -> &str {
    &api.operation(id).name
}

/// Returns `x-wireform-states`: the state machine of a resource, with states by their wire names.
fn states(api: &Api, resource: &Resource, states: &States) -> Object {
    let definition = api.enumeration(states.states);
    let state = |index: usize| definition.value(index).name.wire.as_str();
    let transitions = states.transitions.iter().map(|step| {
        object()
            .with("from", step.from.map_or("any", state))
            .with("to", state(step.to))
            .with("on", step.on.as_str())
            .with_some("when", step.when.as_deref())
            .with_text("description", &step.doc)
    });
    let otherwise = match states.unlisted {
        TransitionPolicy::Any => "any",
        TransitionPolicy::External => "external",
        TransitionPolicy::Refused => "refused",
    };
    object()
        .with("member", field_name(resource, states.field))
        .with_some("initial", states.initial.map(state))
        .with_list("transitions", transitions)
        .with("otherwise", otherwise)
}

/// Returns the extensions of an operation.
pub fn operation(of: &Catalogue<'_>, operation: &Operation) -> Object {
    let api = of.api;
    let media = operation.media.as_ref().map(|one| media(operation, one));
    object()
        .with_true("x-wireform-safe", operation.safe)
        .with_true("x-wireform-idempotent", operation.idempotent)
        .with_some("x-wireform-cost", (operation.cost != 1).then_some(operation.cost))
        .with_some("x-wireform-pages", operation.pages.map(|one| pages(api, operation, one)))
        .with_some("x-wireform-sync", operation.sync.as_ref().map(|one| sync(api, operation, one)))
        .with_some("x-wireform-media", media)
        .with_some(
            "x-wireform-long-running",
            operation.long_running_start.as_ref().map(|one| long_running::operation_extension(of, operation, one)),
        )
        .with_list("x-wireform-rules", operation.rules.iter().map(|one| rule(api, one)))
}

/// Returns the media of an operation. OpenAPI cannot express an operation with several paths and formats.
fn media(operation: &Operation, media: &Media) -> Object {
    let way = |upload: &UploadEndpoint| {
        object().with("path", operation_docs::path(operation, &upload.http)).with_true("multipart", upload.multipart)
    };
    object()
        .with_list("upload", media.upload.iter().map(String::as_str))
        .with_some("maxBytes", media.max_bytes)
        .with_some("simple", media.simple.as_ref().map(way))
        .with_some("resumable", media.resumable.as_ref().map(way))
        .with_true("download", media.download)
}

/// Returns `x-wireform-pages`: how the next page of an operation is requested, by names of parameters and fields.
fn pages(api: &Api, operation: &Operation, pages: Pages) -> Object {
    let response = response_resource(api, operation);
    let body = requests::pages::body_resource(api, operation);
    let request = |index: usize| match body.filter(|_| pages.in_body) {
        Some(body) => optional_field_name(Some(body), index).unwrap_or_default(),
        None => parameter(operation, index),
    };
    let field = |path: FieldPath| {
        let fields = api.fields_at(response?, path)?;
        Some(fields.into_iter().map(|field| field.name.wire.as_str()).collect::<Vec<_>>().join("."))
    };
    let by = object().with_some("in", pages.in_body.then_some("body")).with_some("size", pages.size.map(request));
    let by = match pages.next {
        NextPage::Token { parameter, field: next } => {
            by.with("token", request(parameter)).with_some("next", field(next))
        }
        NextPage::After { parameter, field } => {
            let item = requests::pages::item_resource(api, operation, pages);
            by.with("token", request(parameter)).with_some("after", optional_field_name(item, field))
        }
        NextPage::Number { parameter, first } => {
            by.with("number", request(parameter)).with_some("first", (first != 1).then_some(i64::from(first)))
        }
        NextPage::Offset { parameter, first } => {
            by.with("offset", request(parameter)).with_some("first", (first != 0).then_some(i64::from(first)))
        }
        NextPage::Url { field: next } => by.with_some("next_url", field(next)),
        NextPage::Link => by.with("link", true),
    };
    by.with_some("more", pages.more.and_then(field))
        .with_some("last", pages.last.and_then(field))
        .with_some("total_pages", pages.total_pages.and_then(field))
        .with_some("total", pages.total.and_then(field))
        .with_some("current", pages.current.and_then(field))
        .with_some("items", pages.items.and_then(field))
}

/// Returns `x-wireform-sync`: the sync token, what it excludes, and the error of an expired one.
fn sync(api: &Api, operation: &Operation, sync: &IncrementalSync) -> Object {
    let response = response_resource(api, operation);
    let items = operation.pages.and_then(|pages| response?.fields.get(pages.items?.of_response()?));
    let item = items.and_then(|items| match items.ty.innermost_type() {
        Type::Resource(id) => Some(api.resource(*id)),
        _ => None,
    });
    let change = |change: &ChangeField| optional_field_name(item, change.field);
    let expired = object()
        .with("status", sync.expired.status)
        .with_some("reason", sync.expired.reason.as_deref())
        .with_some("location", sync.expired.location.as_deref());
    let forbids = sync.forbidden.iter().map(|forbidden| {
        let value = forbidden.value.as_ref().zip(operation.parameters.get(forbidden.parameter));
        object()
            .with("parameter", parameter(operation, forbidden.parameter))
            .with_some("value", value.map(|(value, parameter)| literal(api, &parameter.ty, value)))
    });
    object()
        .with("resume", parameter(operation, sync.resume))
        .with_some("cursor", optional_field_name(response, sync.cursor))
        .with("expired", expired)
        .with_list("forbids", forbids)
        .with_some("full", sync.full.map(|full| name(api, full)))
        .with_list("changes", sync.changes.iter().filter_map(change))
        .with_some("otherwise", sync.fallback.as_ref().and_then(change))
}

/// Returns the watched operations, and the body fields that describe the channel.
pub fn watched(api: &Api, operation: &Operation, of: &[OperationId]) -> Object {
    let Some(watch) = &operation.watch else { return object() };
    let body = operation.body.as_ref().and_then(|body| match body.ty {
        Type::Resource(id) => Some(api.resource(id)),
        _ => None,
    });
    let states = watch.states.as_ref().and_then(|states| match states {
        Type::Enum(id) => Some(api.enumeration(*id).name.wire.as_str()),
        _ => None,
    });
    object()
        .with_list("of", of.iter().map(|id| name(api, *id)))
        .with_some("address", optional_field_name(body, watch.address))
        .with_some("id", watch.id.and_then(|index| optional_field_name(body, index)))
        .with_some("token", watch.token.and_then(|index| optional_field_name(body, index)))
        .with_some("expiration", watch.expiration.and_then(|index| optional_field_name(body, index)))
        .with_some("resource_id", watch.resource_id.and_then(|index| optional_field_name(body, index)))
        .with_some("resource_uri", watch.resource_uri.and_then(|index| optional_field_name(body, index)))
        .with_some("state", watch.state.as_deref())
        .with_some("states", states)
        .with_some("number", watch.number.as_deref())
        .with_some("stop", watch.stop.map(|id| name(api, id)))
}
