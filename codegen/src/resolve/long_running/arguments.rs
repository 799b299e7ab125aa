//! Arguments of polling requests.

use super::Start;
use crate::diagnostics::{Code, Sink};
use crate::model::{Argument, Operation, Parameter, Type};
use crate::resolve::lookup::field_index;
use crate::resolve::types::{agree, fits};
use crate::schema::Text;
use crate::schema::long_running::LongRunningStartDef;

/// Returns the arguments of a poll. If none are declared and they cannot be inferred, the operation is not
/// long-running.
pub fn arguments(start: &Start<'_>, poll: &Operation, sink: &mut Sink) -> Option<Vec<Argument>> {
    let required: Vec<&Parameter> = poll.settable_parameters().map(|(_, one)| one).filter(|one| one.required).collect();
    match start.written.filter(|written| !written.with.0.is_empty()) {
        Some(written) => declared(start, written, poll, &required, sink),
        None => {
            let inferred = infer(start, &required);
            if let (None, Some(written)) = (&inferred, start.written) {
                let names: Vec<_> = required.iter().map(|parameter| format!("`{}`", parameter.name.wire)).collect();
                let message = format!("cannot infer the arguments of `{}`: {}", poll.name, names.join(", "));
                sink.report(Code::BadLongRunning, written.span, message)
                    .help("map them explicitly: `with: { operationId: name, projectId: params.projectId }`");
            }
            inferred
        }
    }
}

/// Infers the arguments: a single required parameter is the name. Of several, those that the starting operation has
/// too are passed on, and the remaining one is the name.
/// is the name.
fn infer(start: &Start<'_>, required: &[&Parameter]) -> Option<Vec<Argument>> {
    let name = Argument::Member(start.work.name);
    let is_name = |parameter: &Parameter| fits(&parameter.ty, |ty| *ty == Type::String);
    if let [only] = required {
        return is_name(only).then(|| vec![name]);
    }
    let own = |parameter: &Parameter| {
        let same = |own: &Parameter| {
            !own.is_constant() && own.name.wire == parameter.name.wire && agree(&own.ty, &parameter.ty)
        };
        start.operation.parameters.iter().position(same).map(Argument::Parameter)
    };
    let with: Vec<Option<Argument>> = required.iter().map(|parameter| own(parameter)).collect();
    let mut left = with.iter().zip(required).filter(|(argument, _)| argument.is_none()).map(|(_, parameter)| parameter);
    let fits = left.next().is_some_and(|parameter| is_name(parameter)) && left.next().is_none();
    fits.then(|| with.into_iter().map(|argument| argument.unwrap_or(name)).collect())
}

/// Resolves the declared arguments.
fn declared(
    start: &Start<'_>,
    written: &LongRunningStartDef,
    poll: &Operation,
    required: &[&Parameter],
    sink: &mut Sink,
) -> Option<Vec<Argument>> {
    let known = |name: &Text| required.iter().any(|parameter| parameter.name.wire == name.text);
    for (name, _) in written.with.0.iter().filter(|(name, _)| !known(name)) {
        let message = format!("unknown required parameter `{1}` of `{0}`", poll.name, name.text);
        sink.report(Code::UnknownMember, name.span, message)
            .suggest(&name.text, required.iter().map(|parameter| parameter.name.wire.as_str()));
    }
    let find = |parameter: &&Parameter| {
        let Some((_, source)) = written.with.0.iter().find(|(name, _)| name.text == parameter.name.wire) else {
            let message = format!("missing argument `{1}` of `{0}`", poll.name, parameter.name.wire);
            sink.report(Code::BadLongRunning, written.span, message).help("add it to `with:`");
            return None;
        };
        source_of(start, source, parameter, sink)
    };
    let found: Vec<Option<Argument>> = required.iter().map(find).collect();
    found.into_iter().collect()
}

/// Resolves a field of the response, or a parameter of the starting operation.
fn source_of(start: &Start<'_>, source: &Text, parameter: &Parameter, sink: &mut Sink) -> Option<Argument> {
    let (argument, ty) = match source.text.strip_prefix("params.") {
        Some(name) => {
            let parameters = &start.operation.parameters;
            let Some(index) = parameters.iter().position(|own| own.name.wire == name && !own.is_constant()) else {
                let message = format!("unknown parameter `{name}` of `{}`", start.key.text);
                sink.report(Code::UnknownMember, source.span, message)
                    .suggest(name, parameters.iter().map(|own| own.name.wire.as_str()));
                return None;
            };
            (Argument::Parameter(index), &parameters[index].ty)
        }
        None => {
            let index = field_index(source, start.fields, sink)?;
            (Argument::Member(index), &start.fields[index].ty)
        }
    };
    if !agree(ty, &parameter.ty) {
        let message = format!("`{}` and the parameter `{}` have different types", source.text, parameter.name.wire);
        sink.report(Code::BadLongRunning, source.span, message);
        return None;
    }
    Some(argument)
}
