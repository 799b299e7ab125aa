//! Long-running operations: the fields that describe one in a resource, and the polling of each operation that starts
//! one.

mod arguments;

use super::lookup::field_index;
use super::tables::Tables;
use super::types;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Field, LongRunning, LongRunningStart, Operation, OperationId, Resource, ResourceId, Type};
use crate::schema::long_running::{self, LongRunningStartDef};
use crate::schema::shape::Short;
use crate::schema::types::TypeExpr;
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
    let mut good = true;
    let mut need = |index: usize, name: &Text, what: &str, fits: &dyn Fn(&Type) -> bool| {
        if !types::fits(&fields[index].ty, fits) {
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
    written: Option<&'a LongRunningStartDef>,
    /// Long-running operation in its response.
    work: &'a LongRunning,
    fields: &'a [Field],
}

impl Tables<'_> {
    /// Marks the operations that start long-running ones. All operations are resolved before, since starting and
    /// polling are different ones.
    /// An operation that could not be resolved is `None`, which was reported.
    pub fn long_running(&mut self, resources: &[Resource], operations: &mut [Option<Operation>], sink: &mut Sink) {
        self.check_ends(resources, sink);
        let polls: Vec<Vec<OperationId>> =
            (0..resources.len()).map(|index| self.polls(index, operations, sink)).collect();
        for index in 0..operations.len() {
            let named = self.named_types(self.operations[index].1, sink);
            let started = self.long_running_start(OperationId(index), named, &polls, resources, operations, sink);
            operations[index].iter_mut().for_each(|operation| operation.long_running_start.clone_from(&started));
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
    fn polls(&self, resource: usize, operations: &[Option<Operation>], sink: &mut Sink) -> Vec<OperationId> {
        let Some(written) = &self.resources[resource].def.long_running else { return Vec::new() };
        let named = written.poll.0.iter();
        named.filter_map(|name| self.poll(name, resource, operations, sink)).collect()
    }

    /// Returns an operation by name, if it can poll a resource; reports one that cannot.
    fn poll(
        &self,
        name: &Text,
        resource: usize,
        operations: &[Option<Operation>],
        sink: &mut Sink,
    ) -> Option<OperationId> {
        let id = self.operation(name, sink)?;
        can_poll(operations[id.0].as_ref()?, resource, name, sink).then_some(id)
    }

    /// Resolves the work that an operation starts, and the operation that polls it; `None` if it starts none.
    fn long_running_start(
        &mut self,
        id: OperationId,
        named: NamedTypes,
        polls: &[Vec<OperationId>],
        resources: &[Resource],
        operations: &[Option<Operation>],
        sink: &mut Sink,
    ) -> Option<LongRunningStart> {
        let (key, def) = self.operations[id.0];
        let operation = operations[id.0].as_ref()?;
        let written = def.long_running.as_ref();
        let Some((resource, work)) = response_work(operation, resources) else {
            if let Some(written) = written.filter(|_| !self.may_be_long_running(operation)) {
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
            Some(name) => self.poll(name, resource, operations, sink)?,
            None => self.nearest(&key.text, &polls[resource])?,
        };
        let with = arguments::arguments(&start, operations[poll.0].as_ref()?, sink)?;
        let (response, metadata) = check_types(&start, named, sink)?;
        Some(LongRunningStart { poll, arguments: with, response, metadata })
    }

    /// Resolves the types of response and metadata for one operation alone. They count as used, whatever becomes of
    /// the operation.
    fn named_types(&mut self, def: &schema::Operation, sink: &mut Sink) -> NamedTypes {
        let mut named = |written: Option<&TypeExpr>| {
            written.map(|written| (written.span(), self.encoded_type(written, None, sink)))
        };
        let written = def.long_running.as_ref();
        NamedTypes {
            response: named(written.and_then(|written| written.response.as_ref())),
            metadata: named(written.and_then(|written| written.metadata.as_ref())),
        }
    }

    /// Returns whether the response of an operation may be a long-running operation: it is not known, or its
    /// resource declares one with an error, or there is another success without a body. All of these were reported.
    fn may_be_long_running(&self, operation: &Operation) -> bool {
        match operation.response_type() {
            Some(Type::Unresolved) => true,
            None => operation.has_types_by_status(),
            Some(Type::Resource(id)) => self.resources[id.0].def.long_running.is_some(),
            _ => false,
        }
    }

    /// Returns the operation whose name has the longest common prefix with a name; the first of equals.
    fn nearest(&self, name: &str, polls: &[OperationId]) -> Option<OperationId> {
        let common = |id: &OperationId| {
            let other = &self.operations[id.0].0.text;
            name.split('.').zip(other.split('.')).take_while(|(one, other)| one == other).count()
        };
        // `max_by_key` returns the last of equals.
        polls.iter().rev().max_by_key(|id| common(id)).copied()
    }
}

/// Types of response and metadata for one operation alone, with their locations.
struct NamedTypes {
    response: Option<(Span, Type)>,
    metadata: Option<(Span, Type)>,
}

/// Returns the types of response and metadata, if the resource leaves them open.
fn check_types(start: &Start<'_>, named: NamedTypes, sink: &mut Sink) -> Option<(Option<Type>, Option<Type>)> {
    let mut check = |field: Option<usize>, named: Option<(Span, Type)>, what: &str| {
        let Some((span, ty)) = named else { return Some(None) };
        let open = field.is_some_and(|index| !matches!(start.fields[index].ty, Type::Resource(_)));
        if !open {
            let message = format!("the {what} has one type after every operation, or there is none");
            sink.report(Code::BadLongRunning, span, message)
                .help("remove the type, or make the field of the resource an `object`");
            return None;
        }
        if !types::fits(&ty, |ty| matches!(ty, Type::Resource(_))) {
            sink.report(Code::BadLongRunning, span, format!("the {what} is not a resource"))
                .help("without a type it is what the field of the resource is");
            return None;
        }
        Some(Some(ty))
    };
    let response = check(start.work.response, named.response, "response");
    let metadata = check(start.work.metadata, named.metadata, "metadata");
    Some((response?, metadata?))
}

/// Returns the long-running operation in the response of an operation, if it is one.
fn response_work<'r>(operation: &Operation, resources: &'r [Resource]) -> Option<(usize, &'r LongRunning)> {
    // A response whose body may be absent is not a long-running operation. A redirection is an error of one.
    let has_bodiless = operation.responses.iter().any(|response| response.status < 300 && response.ty.is_none());
    match operation.response_type().filter(|_| !has_bodiless)? {
        Type::Resource(ResourceId(index)) => Some((*index, resources.get(*index)?.long_running.as_ref()?)),
        _ => None,
    }
}

/// Returns whether an operation can poll a resource repeatedly.
fn can_poll(poll: &Operation, resource: usize, name: &Text, sink: &mut Sink) -> bool {
    let is_resource = |ty: &Type| types::agree(ty, &Type::Resource(ResourceId(resource)));
    let successes = poll.responses.iter().filter(|response| response.status < 300);
    let problem =
        if !successes.filter_map(|response| response.ty.as_ref()).all(is_resource) || poll.responses.is_empty() {
            "returns another type"
        } else if poll.bodiless_status().is_some() {
            "can return no body"
        } else if !poll.safe {
            "is not safe to repeat"
        } else if poll.body.as_ref().is_some_and(|body| body.required) {
            "requires a body"
        } else {
            return true;
        };
    let message = format!("`{}` cannot be used for polling: it {problem}", name.text);
    sink.report(Code::BadLongRunning, name.span, message)
        .help("use an operation such as `GET /operations/{name}` that returns the resource");
    false
}
