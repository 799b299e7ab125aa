//! Conditional writes, whose clients need a read that returns the entity tag.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Api, BodyMode, Conditional, Format, Operation, ResourceId, Type, path_key};

impl Tables<'_> {
    /// Warns of writes with `if_match` whose reads have no `if_none_match`.
    pub fn check_etags(&self, operations: &[Operation], sink: &mut Sink) {
        let is_write = |operation: &&Operation| {
            is_known(operation)
                && !operation.safe
                && operation.body.is_some()
                && operation.conditional.contains(&Conditional::IfMatch)
        };
        for write in operations.iter().filter(is_write) {
            let reads = |read: &&Operation| {
                let is_same = response_type(read) == response_type(write) && path_key(read) == path_key(write);
                read.http.method == "GET" && is_known(read) && is_same
            };
            let Some(read) = operations.iter().find(reads) else { continue };
            let is_conditional = read.conditional.contains(&Conditional::IfNoneMatch);
            if let (false, Some((key, _)), Some((other, _))) = (is_conditional, self.written(write), self.written(read))
            {
                let message = format!("`{}` accepts `If-Match`, but `{}` has no `if_none_match`", key.text, other.text);
                sink.report(Code::UnreadEtag, key.span, message)
                    .related(other.span, "the operation that reads the resource")
                    .help(format!("add `conditional: [if_none_match]` to `{}`", other.text))
                    .help("add `allow: [W0316]` to the write if clients get the ETag in another way");
            }
        }
    }
}

impl Tables<'_> {
    /// Checks that no resource which is compared with the stored one is in a body that can be null, or in a response
    /// whose type the status selects: the comparison reads one resource.
    pub fn check_selected_bodies(&self, api: &Api, sink: &mut Sink) {
        for operation in &api.operations {
            let selected =
                if operation.has_types_by_status() { "whose type the status selects" } else { "that can be null" };
            let responses = selected_resources(operation);
            let bodies = operation.bodies().filter_map(|body| nullable_resource(&body.ty));
            let has_json_patch = operation.bodies().any(|body| body.mode == BodyMode::JsonPatch);
            let patched = responses.iter().copied().filter(|_| has_json_patch);
            let mut written = bodies.chain(patched).filter(|_| !operation.safe);
            let mut report = |what: String| {
                sink.report(Code::BadBody, self.http_span(operation), what)
                    .help("use one type, without `?`, for the body of the request and all successes");
            };
            if let Some(id) = written.find(|id| api.has_restricted_changes(*id)) {
                let name = &api.resource(id).name.ident;
                report(format!("`{name}` has immutable fields or states, which are not compared in a body {selected}"));
            }
            let has_etag = |id: &&ResourceId| {
                let fields = &api.resource(**id).fields;
                fields.iter().any(|field| field.constraints.format == Some(Format::Etag) && field.ty == Type::String)
            };
            if let (false, Some(id)) = (operation.conditional.is_empty(), responses.iter().find(has_etag)) {
                let name = &api.resource(*id).name.ident;
                report(format!("the entity tag of `{name}` is not read from a body {selected}"));
            }
        }
    }
}

/// Returns the resource of a body that can be null.
fn nullable_resource(ty: &Type) -> Option<ResourceId> {
    match ty {
        Type::Nullable(inner) => match **inner {
            Type::Resource(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the resources of responses that can be null, or whose type the status selects.
fn selected_resources(operation: &Operation) -> Vec<ResourceId> {
    let by_status = operation.has_types_by_status();
    let resource = |ty: &Type| match ty {
        Type::Resource(id) if by_status => Some(*id),
        ty => nullable_resource(ty),
    };
    operation.response_types().filter_map(resource).collect()
}

/// Returns the resource of a successful response, if it has one.
fn response_type(operation: &Operation) -> Option<&Type> {
    operation.response_type().filter(|ty| matches!(ty, Type::Resource(_)))
}

/// Returns whether all responses could be resolved.
fn is_known(operation: &Operation) -> bool {
    operation.responses.iter().all(|response| response.ty != Some(Type::Unresolved))
}
