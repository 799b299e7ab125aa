//! Long-running operations: the fields that describe one in a resource, and the polling of each operation that starts
//! one.

mod arguments;

use super::lookup::field_index;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Field, LongRunning, Operation, OperationId, Resource, ResourceId, Started, Type};
use crate::schema::long_running::{self, StartedDef};
use crate::schema::shape::Short;
use crate::schema::{self, Text};

/// Resolves the fields that make a resource a long-running operation.
pub fn members(
    written: &long_running::LongRunning,
    def: &schema::Resource,
    fields: &[Field],
    sink: &mut Sink,
) -> Option<LongRunning> {
    if let Some(outcome) = &def.outcome {
        sink.report(Code::BadLongRunning, written.span, "`long_running` cannot be combined with `outcome`")
            .related(outcome.span, "the outcome is declared here")
            .help("remove `outcome:`: a long-running operation already has a result");
        return None;
    }
    let mut optional = |name: &Option<Text>| match name {
        Some(name) => field_index(name, fields, sink).map(Some),
        None => Some(None),
    };
    let (response, error, metadata) =
        (optional(&written.response), optional(&written.error), optional(&written.metadata));
    let Short(done) = &written.done;
    let (done_field, name) = (field_index(&done.field, fields, sink), field_index(&written.name, fields, sink));
    let found = LongRunning {
        name: name?,
        done: done_field?,
        done_values: super::members::texts(&done.values),
        response: response?,
        error: error?,
        metadata: metadata?,
    };
    check_members(written, &found, fields, sink).then_some(found)
}

/// Returns whether the fields have the required types.
fn check_members(written: &long_running::LongRunning, found: &LongRunning, fields: &[Field], sink: &mut Sink) -> bool {
    let broken = sink.has_errors();
    let mut good = true;
    let mut need = |index: usize, name: &Text, what: &str, fits: &dyn Fn(&Type) -> bool| {
        let ty = &fields[index].ty;
        // An unresolved type counts as `any` and was reported.
        if !(fits(ty) || *ty == Type::Any && broken) {
            sink.report(Code::BadLongRunning, name.span, format!("`{}` is not {what}", name.text));
            good = false;
        }
    };
    need(found.name, &written.name, "a string and cannot be the name of a long-running operation", &|ty| {
        *ty == Type::String
    });
    let Short(done) = &written.done;
    if done.values.is_empty() {
        need(found.done, &done.field, "a boolean: list the values that mark the end of the operation", &|ty| {
            *ty == Type::Bool
        });
    } else {
        let has_values = |ty: &Type| matches!(ty, Type::String | Type::Enum(_));
        need(found.done, &done.field, "a string or an enum and cannot have the listed values", &has_values);
    }
    let open = |ty: &Type| matches!(ty, Type::Resource(_) | Type::Object | Type::Any) || is_open_map(ty);
    for (index, name) in
        [(found.response, &written.response), (found.error, &written.error), (found.metadata, &written.metadata)]
    {
        if let (Some(index), Some(name)) = (index, name) {
            need(index, name, "a resource, `object` or `any`", &open);
        }
    }
    good
}

/// Returns whether a type is `{string: any}`, which is equivalent to `object`.
fn is_open_map(ty: &Type) -> bool {
    matches!(ty, Type::Map(inner) if **inner == Type::Any)
}

/// Operation that starts a long-running operation, with its definition in the schema.
struct Start<'a> {
    key: &'a Text,
    operation: &'a Operation,
    written: Option<&'a StartedDef>,
    /// Long-running operation in its response.
    work: &'a LongRunning,
    fields: &'a [Field],
}

impl Tables<'_> {
    /// Marks the operations that start long-running ones. All operations are resolved before, since starting and
    /// polling are different ones.
    pub fn long_running(&mut self, resources: &[Resource], operations: &mut [Operation], sink: &mut Sink) {
        if operations.len() != self.operations.len() || resources.len() != self.resources.len() {
            // Indices have no meaning after errors, which were reported.
            return;
        }
        self.check_ends(resources, sink);
        let polls: Vec<Vec<OperationId>> =
            (0..resources.len()).map(|index| self.polls(index, operations, sink)).collect();
        for index in 0..operations.len() {
            let started = self.started(OperationId(index), &polls, resources, operations, sink);
            operations[index].started = started;
        }
    }

    /// Checks that the `done` values are values of their enum: otherwise the operation would never be done.
    fn check_ends(&self, resources: &[Resource], sink: &mut Sink) {
        for (definition, resource) in self.resources.iter().zip(resources) {
            let (Some(work), Some(written)) = (&resource.long_running, &definition.def.long_running) else { continue };
            let Type::Enum(id) = resource.fields[work.done].ty else { continue };
            for value in &written.done.0.values {
                self.state(id, value, sink);
            }
        }
    }

    /// Returns the operations that can poll a resource; reports those that cannot.
    fn polls(&self, resource: usize, operations: &[Operation], sink: &mut Sink) -> Vec<OperationId> {
        let Some(written) = &self.resources[resource].def.long_running else { return Vec::new() };
        let named = self.operations(&written.poll.0, sink).into_iter().zip(&written.poll.0);
        named.filter(|(id, name)| can_poll(&operations[id.0], resource, name, sink)).map(|(id, _)| id).collect()
    }

    fn started(
        &mut self,
        id: OperationId,
        polls: &[Vec<OperationId>],
        resources: &[Resource],
        operations: &[Operation],
        sink: &mut Sink,
    ) -> Option<Started> {
        let (key, def) = self.operations[id.0];
        let operation = &operations[id.0];
        let written = def.long_running.as_ref();
        let Some((resource, work)) = response_work(operation, resources) else {
            if let Some(written) = written.filter(|_| !sink.has_errors()) {
                sink.report(
                    Code::BadLongRunning,
                    written.span,
                    format!("the response of `{}` is not a long-running operation", key.text),
                )
                .help("add `long_running:` to the resource that it returns");
            }
            return None;
        };
        if written.is_none() && (operation.safe || polls[resource].contains(&id)) {
            return None;
        }
        let fields = &resources[resource].fields;
        let start = Start { key, operation, written, work, fields };
        let poll = match written.and_then(|written| written.poll.as_ref()) {
            Some(name) => {
                let poll = self.operation(name, sink)?;
                can_poll(&operations[poll.0], resource, name, sink).then_some(poll)?
            }
            None => nearest(&key.text, &polls[resource], operations)?,
        };
        let with = arguments::arguments(&start, &operations[poll.0], sink)?;
        let (response, metadata) = self.typed(&start, sink)?;
        Some(Started { poll, with, response, metadata })
    }

    /// Returns the types of response and metadata for this operation alone.
    fn typed(&mut self, start: &Start<'_>, sink: &mut Sink) -> Option<(Option<Type>, Option<Type>)> {
        let mut read = |field: Option<usize>, written: Option<&schema::types::TypeExpr>, what: &str| {
            let Some(written) = written else { return Some(None) };
            let ty = self.ty(written, sink)?;
            let open = field.is_some_and(|index| !matches!(start.fields[index].ty, Type::Resource(_)));
            if !open {
                let message = format!("the type of the {what} cannot be set for a single operation");
                sink.report(Code::BadLongRunning, written.span(), message)
                    .help("remove the type, or use `object` as the type of the resource's field");
                return None;
            }
            if !matches!(ty, Type::Resource(_)) {
                sink.report(Code::BadLongRunning, written.span(), format!("the {what} is not a resource"))
                    .help("without a type it has the type of the resource's field");
                return None;
            }
            Some(Some(ty))
        };
        let written = start.written;
        let response = read(start.work.response, written.and_then(|written| written.response.as_ref()), "response");
        let metadata = read(start.work.metadata, written.and_then(|written| written.metadata.as_ref()), "metadata");
        Some((response?, metadata?))
    }
}

/// Returns the long-running operation in the response of an operation, if it is one.
fn response_work<'r>(operation: &Operation, resources: &'r [Resource]) -> Option<(usize, &'r LongRunning)> {
    // A response whose body may be absent is not a long-running operation.
    match operation.answer().filter(|_| operation.bodiless().is_none())? {
        Type::Resource(ResourceId(index)) => Some((*index, resources.get(*index)?.long_running.as_ref()?)),
        _ => None,
    }
}

/// Returns whether an operation can poll a resource repeatedly.
fn can_poll(poll: &Operation, resource: usize, name: &Text, sink: &mut Sink) -> bool {
    let answers = |ty: &Type| *ty == Type::Resource(ResourceId(resource));
    let answer = poll.responses.iter().filter(|response| response.status < 300);
    let problem = if !answer.filter_map(|response| response.ty.as_ref()).all(answers) || poll.responses.is_empty() {
        "returns another type"
    } else if poll.bodiless().is_some() {
        "can return no body"
    } else if !poll.safe {
        "is not safe to repeat"
    } else if poll.body.as_ref().is_some_and(|body| body.required) {
        "requires a body"
    } else {
        return true;
    };
    if !sink.has_errors() {
        sink.report(
            Code::BadLongRunning,
            name.span,
            format!("`{}` cannot be used for polling: it {problem}", name.text),
        )
        .help("use an operation such as `GET /operations/{name}` that returns the resource");
    }
    false
}

/// Returns the operation whose name has the longest common prefix with a name; the first of equals.
fn nearest(name: &str, polls: &[OperationId], operations: &[Operation]) -> Option<OperationId> {
    let common = |id: &OperationId| {
        name.split('.').zip(operations[id.0].name.split('.')).take_while(|(one, other)| one == other).count()
    };
    // `max_by_key` returns the last of equals.
    polls.iter().rev().max_by_key(|id| common(id)).copied()
}
