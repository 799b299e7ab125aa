//! Parameters of operations.

use super::catalogue::{Catalogue, SchemaUse};
use super::json::{Json, Object, object};
use super::resources::{deprecation, join_sentences};
use super::template::Variable;
use super::values::{self, Empty};
use super::{extensions, literal, source};
use crate::emit::docs;
use crate::model::{Conditional, ListStyle, Location, Number, Operation, Parameter, Range, Type};

/// Returns the shared parameters: standard parameters and headers of conditional requests.
pub fn shared(of: &Catalogue<'_>) -> Object {
    let standard = of.api.standard_parameters.iter();
    let standard = standard.map(|one| (standard_name(one), parameter(of, one, &one.name.wire).into()));
    let takes = |conditional: &Conditional| of.api.operations.iter().any(|it| it.conditional.contains(conditional));
    let conditions = [Conditional::IfNoneMatch, Conditional::IfMatch].into_iter().filter(takes);
    standard.chain(conditions.map(|one| (condition_name(one).to_owned(), condition(one).into()))).collect()
}

/// Returns the component name of a standard parameter, which cannot contain `$`.
fn standard_name(parameter: &Parameter) -> String {
    format!("standard.{}", parameter.name.stem)
}

fn condition_name(conditional: Conditional) -> &'static str {
    match conditional {
        Conditional::IfNoneMatch => "If-None-Match",
        Conditional::IfMatch => "If-Match",
    }
}

/// Returns a header that makes a request conditional (RFC 9110, section 13.1).
fn condition(conditional: Conditional) -> Object {
    let doc = match conditional {
        Conditional::IfNoneMatch => {
            "Entity tags of known versions; the response is 304 if one of them matches the current one."
        }
        Conditional::IfMatch => "Entity tags; the response is 412 unless one of them matches the current one.",
    };
    let tag = "(?:W\\/)?\"[!#-~]*\"";
    let schema = object().with("type", "string").with("pattern", format!("^(?:\\*|{tag}(?:, ?{tag})*)$"));
    object()
        .with("name", condition_name(conditional))
        .with("in", "header")
        .with("description", doc)
        .with("schema", schema)
}

/// Returns the parameters of an operation; path parameters are the variables of its template.
pub fn of_operation(of: &Catalogue<'_>, operation: &Operation, variables: &[Variable]) -> Vec<Json> {
    let reference = |name: String| Json::from(object().with("$ref", format!("#/components/parameters/{name}")));
    let own = operation.parameters.iter().enumerate().flat_map(|(index, one)| match one.location {
        Location::Path => {
            let variables = variables.iter().filter(|variable| variable.parameter == index);
            variables.map(|variable| in_path(of, one, variable).into()).collect()
        }
        Location::Query | Location::Header | Location::Cookie => vec![Json::from(parameter(of, one, &one.name.wire))],
    });
    let conditions = operation.conditional.iter().map(|one| reference(condition_name(*one).to_owned()));
    let standard = of.api.standard_parameters.iter().map(|one| reference(standard_name(one)));
    own.chain(conditions).chain(standard).collect()
}

/// Returns a variable of the path: a parameter, or a part of the value of one.
fn in_path(of: &Catalogue<'_>, parameter: &Parameter, variable: &Variable) -> Object {
    if !variable.part {
        return self::parameter(of, parameter, &variable.name).with_true("x-wireform-slashes", variable.slashes);
    }
    let part = format!("A part of `{}`.", parameter.name.wire);
    let schema = object().with("type", "string").with("minLength", 1_u64);
    let schema = if variable.slashes { schema } else { schema.with("pattern", "^[^\\/]+$") };
    object()
        .with("name", variable.name.as_str())
        .with("in", "path")
        .with_text("description", &join_sentences([part, description(parameter)]))
        .with_true("required", true)
        .with_true("deprecated", parameter.deprecated.is_some())
        .with("schema", schema)
        .with_true("x-wireform-slashes", variable.slashes)
}

/// Returns a path parameter as in the schema, independent of OpenAPI's template.
pub fn path_parameter(of: &Catalogue<'_>, parameter: &Parameter) -> Object {
    self::parameter(of, parameter, &parameter.name.wire)
}

/// Returns the Parameter Object of a parameter under a name, with its extensions.
fn parameter(of: &Catalogue<'_>, parameter: &Parameter, name: &str) -> Object {
    let in_path = parameter.location == Location::Path;
    let schema = schema(of, parameter)
        .with_some("default", parameter.default.as_ref().map(|value| literal(of.api, &parameter.ty, value)));
    let is_json = parameter.style == ListStyle::Json;
    let has_style = matches!(parameter.style, ListStyle::Label { .. } | ListStyle::Matrix { .. });
    let styled = !is_json && (matches!(parameter.ty, Type::List(_)) || parameter.is_structured() || has_style);
    let schema = if is_json {
        object().with("content", object().with("application/json", object().with("schema", schema)))
    } else {
        let style = if styled { style(parameter) } else { object() };
        style.with("schema", schema)
    };
    object()
        .with("name", name)
        .with("in", location(parameter.location))
        .with_text("description", &description(parameter))
        .with_true("required", in_path || parameter.required)
        .with_true("deprecated", parameter.deprecated.is_some())
        .merged(schema)
        .with_some("example", parameter.example.as_ref().map(|value| literal(of.api, &parameter.ty, value)))
        .with_some("x-wireform-role", parameter.role.as_ref().map(extensions::role))
        .with_list("x-wireform-aliases", parameter.aliases.iter().map(String::as_str))
        .with_some("x-wireform-style", (parameter.style == ListStyle::Brackets).then_some("brackets"))
        .with_some("x-wireform-clamp", parameter.constraints.clamp.map(values::number))
        .with_members("x-wireform-known-values", extensions::known(&parameter.constraints.known))
        .merged(source::parameter(of.api, parameter))
}

/// Returns a response header, which is a parameter without name and location.
pub fn header(of: &Catalogue<'_>, header: &Parameter) -> Object {
    let style = matches!(header.ty, Type::List(_)).then(|| style(header));
    object()
        .with_text("description", &description(header))
        .with_true("required", header.required)
        .with_true("deprecated", header.deprecated.is_some())
        .merged(style.unwrap_or_default())
        .with("schema", schema(of, header))
        .with_some("example", header.example.as_ref().map(|value| literal(of.api, &header.ty, value)))
}

/// Returns the JSON Schema of a parameter's value; a text in the path has at least one character.
fn schema(of: &Catalogue<'_>, parameter: &Parameter) -> Object {
    let mut constraints = parameter.constraints.clone();
    if parameter.location == Location::Path && parameter.ty == Type::String && constraints.length.is_none() {
        // An empty segment would be another path.
        constraints.length = Some(Range { min: Some(1), max: None });
    }
    let empty = Empty::of_implicit(parameter.required);
    values::schema(of, &parameter.ty, &constraints, SchemaUse::Parameter, empty)
}

/// Returns the value of the key `in` for a location.
const fn location(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
    }
}

/// Returns the serialization of a list: `a=1&a=2`, `a=1,2` and the like.
fn style(parameter: &Parameter) -> Object {
    let style = match parameter.location {
        Location::Query | Location::Cookie => "form",
        Location::Path | Location::Header => "simple",
    };
    match parameter.style {
        ListStyle::Deep | ListStyle::Brackets => object().with("style", "deepObject").with("explode", true),
        ListStyle::Space => object().with("style", "spaceDelimited").with("explode", false),
        ListStyle::Pipe => object().with("style", "pipeDelimited").with("explode", false),
        ListStyle::Label { each } => object().with("style", "label").with("explode", each),
        ListStyle::Matrix { each } => object().with("style", "matrix").with("explode", each),
        ListStyle::Pairs => object().with("style", style).with("explode", false),
        ListStyle::Assigned | ListStyle::Members => object().with("style", style).with("explode", true),
        ListStyle::Repeat | ListStyle::Comma | ListStyle::Json => {
            object().with("style", style).with("explode", parameter.style == ListStyle::Repeat)
        }
    }
}

/// Returns the description of a parameter, including its clamp and deprecation; empty if there is none.
fn description(parameter: &Parameter) -> String {
    let clamp = parameter.constraints.clamp.map(|most| match most {
        Number::Int(most) => format!("Larger values are clamped to {most}."),
        Number::Float(most) => format!("Larger values are clamped to {most}."),
        Number::Decimal(most) => format!("Larger values are clamped to {most}."),
    });
    join_sentences([
        docs::markdown(&parameter.doc),
        clamp.unwrap_or_default(),
        deprecation(parameter.deprecated.as_ref()),
    ])
}
