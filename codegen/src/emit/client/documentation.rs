//! Documentation of methods: description, parameters, requirements, errors, and an example.

use proc_macro2::TokenStream;

use super::super::docs;
use super::super::operation_docs::{attributes, error_docs, media_docs, method_and_path, requirement_docs};
use super::super::rust::bytes_of;
use super::super::types::requests::{self, structs};
use super::Crate;
use crate::model::{BodyMode, Literal, LongRunningStart, Number, Operation, Parameter, RawContent, Type};

/// Returns the documentation of an operation as doc attributes.
pub fn method_docs(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let mut lines = vec![docs::markdown(&operation.doc), String::new(), method_and_path(operation)];
    let mut needs = requirement_docs(of.rust.api, operation);
    needs.extend(
        (!operation.safe && !operation.idempotent)
            .then(|| "Not retried after a failure, because the operation is not idempotent.".to_owned()),
    );
    if !needs.is_empty() {
        lines.extend([String::new(), needs.join(" ")]);
    }
    if let Some(root) = &operation.root {
        let line =
            format!("Sent to {}, with credentials only if `credentials_at` permits them there.", docs::code_span(root));
        lines.extend([String::new(), line]);
    }
    if operation.client_only {
        lines.extend([String::new(), "Not part of the generated server.".to_owned()]);
    }
    let redirects: Vec<_> = operation.redirects().map(|status| status.to_string()).collect();
    if !redirects.is_empty() {
        lines.extend([String::new(), format!("Redirections that are not followed: {}.", redirects.join(", "))]);
    }
    if let Some(started) = &operation.long_running_start {
        lines.extend([String::new(), long_running(of, operation, started)]);
    }
    if let Some(media) = media_docs(operation) {
        let link = link(&operation.types.call, "upload");
        lines.extend([String::new(), format!("{media} Upload it with {link}.")]);
    }
    if operation.media.as_ref().is_some_and(|media| media.download) {
        let link = link(&operation.types.call, "download");
        lines.extend([String::new(), format!("The response can be downloaded as media with {link}.")]);
    }
    let required = structs::required_parameters(operation);
    if !required.is_empty() {
        lines.push(String::new());
        lines.extend(required.iter().map(|parameter| argument_docs(of, parameter)));
    }
    let optional: Vec<String> = operation
        .settable_parameters()
        .filter(|(_, parameter)| !parameter.required)
        .map(|(_, parameter)| link(&operation.types.call, &parameter.setter))
        .collect();
    if !optional.is_empty() {
        lines.extend([String::new(), format!("Optional: {}.", optional.join(", "))]);
    }
    if !operation.errors.is_empty() {
        lines.extend([String::new(), "# Errors".to_owned(), String::new()]);
        lines.extend(operation.errors.iter().map(error_docs));
        if !operation.types.error.is_empty() {
            let name = &operation.types.error;
            lines.extend([String::new(), format!("`Error::decode` returns them as [`{name}`](requests::{name}).")]);
        }
    }
    lines.extend(example(of, operation));
    attributes(&lines)
}

/// Describes the long-running operation and its result.
fn long_running(of: &Crate<'_>, operation: &Operation, started: &LongRunningStart) -> String {
    let outcome = match started.response.as_ref() {
        Some(Type::Resource(id)) => {
            let name = &of.rust.api.resource(*id).name.ident;
            format!("a [`{name}`](types::{name})")
        }
        _ => "its result".to_owned(),
    };
    let poller = link(&operation.types.call, "poller");
    format!("Starts a long-running operation; {poller} waits for {outcome}.")
}

/// Returns the documentation of the method that requests changes.
pub fn changes_docs(operation: &Operation) -> TokenStream {
    attributes(&[
        format!("Returns the changes since an earlier sync, by {}.", docs::code_span(&operation.name)),
        String::new(),
        "Streams the changes; the stream ends with the sync token for the next sync, or signals that a full resync is required."
            .to_owned(),
    ])
}

/// Returns the intra-doc link to a method of a call: ``[`poller`](EventsInsert::poller)``.
fn link(call: &str, method: &str) -> String {
    let formatted = method.trim_start_matches("r#");
    format!("[`{formatted}`]({call}::{formatted})")
}

fn argument_docs(of: &Crate<'_>, parameter: &Parameter) -> String {
    let mut line =
        format!("* `{}`: {}", parameter.name.ident.trim_start_matches("r#"), docs::paragraph(&parameter.doc));
    for fact in structs::parameter_facts(&of.rust, parameter) {
        line.push(' ');
        line.push_str(&fact);
    }
    line
}

/// Returns the section `# Examples` of a method: a doctest that sends the call, compiled but not run.
fn example(of: &Crate<'_>, operation: &Operation) -> Vec<String> {
    vec![
        String::new(),
        "# Examples".to_owned(),
        String::new(),
        "```no_run".to_owned(),
        format!(
            "# async fn example(client: {0}::Client{1}) -> Result<(), {0}::Error> {{",
            of.name,
            example_parameters(of, operation)
        ),
        example_statement(of, operation),
        "# Ok(())".to_owned(),
        "# }".to_owned(),
        "```".to_owned(),
    ]
}

/// Returns the statement of an example: `let event = client.events().get("primary", "eventId").send().await?;`
pub fn example_statement(of: &Crate<'_>, operation: &Operation) -> String {
    let groups: String = operation.groups.iter().map(|name| format!(".{}()", name.ident)).collect();
    let mut arguments: Vec<String> =
        structs::required_parameters(operation).into_iter().map(|parameter| example_value(of, parameter)).collect();
    if let Some(body) = operation.body.as_ref().filter(|body| body.required) {
        let raw = body.raw().map(|raw| match raw {
            RawContent::Bytes => "Vec::<u8>::new()".to_owned(),
            RawContent::Text => "\"text\"".to_owned(),
        });
        let ty = match (&body.ty, body.mode) {
            (Type::Resource(id), BodyMode::MergePatch) => of.rust.api.resource(*id).patch.clone(),
            (Type::Resource(id), BodyMode::Whole) => Some(of.rust.api.resource(*id).name.ident.clone()),
            _ => None,
        };
        let typed = ty.map(|ty| format!("{}::types::{ty}::default()", of.name));
        let given = opaque_body_type(of, operation).map(|_| "body".to_owned());
        arguments.push(raw.or(typed).or(given).unwrap_or_else(|| "Default::default()".to_owned()));
    }
    let response = if requests::response_type(operation).is_some() { "let response = " } else { "" };
    format!("{response}client{groups}.{}({}).send().await?;", operation.method.ident, arguments.join(", "))
}

/// Returns the parameters of an example for values that it cannot construct: `, since: …::DateTime`.
pub fn example_parameters(of: &Crate<'_>, operation: &Operation) -> String {
    let required = structs::required_parameters(operation).into_iter();
    required
        .filter_map(|parameter| {
            let ty = match &parameter.ty {
                Type::Union(id) => of.rust.api.union(*id).name.ident.clone(),
                ty => format!("runtime::{}", opaque_type(ty)?),
            };
            Some(format!(", {}: {}::types::{ty}", parameter.name.ident, of.name))
        })
        .chain(opaque_body_type(of, operation).map(|ty| format!(", body: {}::types::{ty}", of.name)))
        .collect()
}

/// Returns the type of a body that an example cannot construct.
fn opaque_body_type(of: &Crate<'_>, operation: &Operation) -> Option<String> {
    let body = operation.body.as_ref().filter(|body| body.required)?;
    if !body.alternatives.is_empty() {
        return Some(format!("requests::{}", operation.types.body));
    }
    match &body.ty {
        Type::Enum(id) => Some(of.rust.api.enumeration(*id).name.ident.clone()),
        Type::Union(id) => Some(of.rust.api.union(*id).name.ident.clone()),
        ty => opaque_type(ty).map(|ty| format!("runtime::{ty}")),
    }
}

/// Returns the name of a type without literals.
fn opaque_type(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Date => Some("Date"),
        Type::DateTime => Some("DateTime"),
        Type::Duration => Some("Duration"),
        Type::Number => Some("Number"),
        Type::Lexical(lexical) => Some(lexical.rust_name()),
        _ => None,
    }
}

/// Returns a value of a parameter: its example, or one of its type.
fn example_value(of: &Crate<'_>, parameter: &Parameter) -> String {
    let text = match &parameter.example {
        Some(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let whole = match &parameter.example {
        Some(Literal::Number(Number::Int(value))) => value.to_string(),
        _ => "1".to_owned(),
    };
    match &parameter.ty {
        Type::String => format!("{:?}", text.unwrap_or_else(|| parameter.name.wire.clone())),
        Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_) => whole,
        Type::Bool => "true".to_owned(),
        Type::Float | Type::Double => "1.0".to_owned(),
        Type::Enum(id) => {
            let definition = of.rust.api.enumeration(*id);
            let value = definition.values.first().map_or("", |value| value.name.wire.as_str());
            format!("{value:?}")
        }
        Type::List(inner) => match (opaque_type(inner), &**inner) {
            (Some(ty), _) => format!("Vec::<{}::types::runtime::{ty}>::new()", of.name),
            (None, Type::Bool) => "[true]".to_owned(),
            (None, Type::Float | Type::Double) => "[1.0]".to_owned(),
            (None, Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_)) => "[1]".to_owned(),
            (None, Type::Enum(id)) => {
                let value = of.rust.api.enumeration(*id).values.first().map_or("", |value| value.name.wire.as_str());
                format!("[{value:?}]")
            }
            (None, Type::Resource(id)) => empty_list(of, &of.rust.api.resource(*id).name.ident),
            (None, Type::Union(id)) => empty_list(of, &of.rust.api.union(*id).name.ident),
            (None, Type::Bytes(_)) => "[Vec::<u8>::new()]".to_owned(),
            _ => format!("[{:?}]", parameter.name.wire),
        },
        Type::Map(inner) => match &**inner {
            Type::Bool => "[(\"name\", true)]".to_owned(),
            Type::Float | Type::Double => "[(\"name\", 1.0)]".to_owned(),
            Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_) => "[(\"name\", 1)]".to_owned(),
            Type::String | Type::Enum(_) => "[(\"name\", \"value\")]".to_owned(),
            _ => "Default::default()".to_owned(),
        },
        Type::Union(_) => parameter.name.ident.clone(),
        ty if opaque_type(ty).is_some() => parameter.name.ident.clone(),
        Type::Bytes(encoding) if bytes_of(*encoding).is_some() => "Vec::<u8>::new()".to_owned(),
        _ => "Default::default()".to_owned(),
    }
}

/// Returns an empty list of a type of the API.
fn empty_list(of: &Crate<'_>, name: &str) -> String {
    format!("Vec::<{}::types::{name}>::new()", of.name)
}
