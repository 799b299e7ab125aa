//! Facts of a schema that readers do not need, and that neither OpenAPI nor the other extensions express. With them,
//! a document can be converted back to its schema.

use std::collections::BTreeMap;

use serde_json::Value;

use super::catalogue::SchemaUse;
use super::json::{Json, Object, integer, object};
use super::values::{end, is_decimal};
use crate::emit::docs;
use crate::model::{
    Api, Constraints, Deprecated, Encoding, Enum, EnumValue, Features, Field, Lexical, Name, Number, Parameter,
    Profile, Range, Required, Resource, Scope, Type, Unimplemented, Union, Variant, upper_camel,
};

/// Returns the name of the API, and the fields of error bodies.
pub fn api(api: &Api) -> Object {
    let errors = api.error_body.map(|body| {
        let paths = api.error_fields.by_key();
        let paths = paths.into_iter().filter_map(|(key, member)| Some((key.to_owned(), member?.path.join("."))));
        let paths: Object = paths.map(|(key, path)| (key, Json::from(path))).collect();
        object().with("body", api.resource(body).name.wire.as_str()).merged(paths)
    });
    let scope = |scope: &Scope| {
        object()
            .with("name", scope.name.as_str())
            .with("url", scope.url.as_str())
            .with_text("description", &docs::markdown(&scope.doc))
            .with_list("aliases", scope.aliases.iter().map(String::as_str))
    };
    object()
        .with("name", api.name.as_str())
        .with_some("errors", errors)
        .with_members("unimplemented", unimplemented(api))
        .with_some("profile", api.profile.as_ref().map(profile))
        .with_list("scopes", api.scopes.iter().map(scope))
        .with_some("features", features(api))
}

/// Returns the operations that the schema leaves out, as it names them.
fn unimplemented(api: &Api) -> Object {
    let entry = |one: &Unimplemented| (one.name.clone(), Json::from(format!("{} {}", one.method, one.path)));
    api.unimplemented.iter().map(entry).collect()
}

/// Returns the profile, with the keys of the schema.
fn profile(profile: &Profile) -> Object {
    let cases = profile.cases.iter().map(|(case, word)| (case.names().0.to_owned(), word));
    let statuses = profile.statuses.iter().map(|(status, word)| (status.to_string(), word));
    let classes = [("4XX", &profile.client_error), ("5XX", &profile.server_error)];
    let classes = classes.into_iter().filter_map(|(class, word)| Some((class.to_owned(), word.as_ref()?)));
    let reasons: Object =
        cases.chain(statuses).chain(classes).map(|(key, word)| (key, Json::from(word.as_str()))).collect();
    let mut limits: BTreeMap<u16, Vec<Json>> = BTreeMap::new();
    for (status, reason) in &profile.rate_limits {
        limits.entry(*status).or_default().push(reason.as_str().into());
    }
    let limits: Object =
        limits.into_iter().map(|(status, reasons)| (status.to_string(), Json::List(reasons))).collect();
    let mut domains: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
    for (reason, domain) in &profile.domains {
        domains.entry(domain).or_default().push(reason.as_str().into());
    }
    let domains: Object =
        domains.into_iter().map(|(domain, reasons)| (domain.to_owned(), Json::List(reasons))).collect();
    object()
        .with_some("domain", profile.domain.as_deref())
        .with_members("domains", domains)
        .with_members("reasons", reasons)
        .with_members("rate_limits", limits)
        .with_list("request_ids", profile.request_ids.iter().map(String::as_str))
}

/// Returns the setting of features, if the size of the API does not imply it.
fn features(api: &Api) -> Option<&'static str> {
    match (api.features.has_group_features(), api.operations.len() > Features::DEFAULT_THRESHOLD) {
        (true, false) => Some("groups"),
        (false, true) => Some("none"),
        (true, true) | (false, false) => None,
    }
}

/// Returns the Rust name, if it is not the default for the wire name.
pub fn name(name: &Name) -> Object {
    use heck::ToSnakeCase as _;
    let words: String = name.wire.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = |stem: &str| stem.trim_start_matches('_') == name.stem.trim_start_matches('_');
    let own = plain(&words.to_snake_case()) || plain(&upper_camel(&words));
    object().with_some("x-wireform-name", (!own).then_some(name.stem.as_str()))
}

/// Returns the parts of a deprecation; OpenAPI itself has the flag.
pub fn deprecated(deprecated: Option<&Deprecated>) -> Object {
    let Some(deprecated) = deprecated else { return object() };
    let parts = object()
        .with_some("since", deprecated.since.as_deref())
        .with_some("use", deprecated.replacement.as_deref())
        .with_some("doc", deprecated.doc.as_deref());
    object().with_members("x-wireform-deprecation", parts)
}

/// Returns the further facts of a resource.
pub fn resource(resource: &Resource) -> Object {
    name(&resource.name).merged(deprecated(resource.deprecated.as_ref()))
}

/// Returns the further facts of a field.
pub fn field(api: &Api, field: &Field) -> Object {
    let operation = |id: &crate::model::OperationId| api.operation(*id).name.clone();
    let required = match &field.behavior.required {
        Required::Never => None,
        Required::Everywhere => Some(Json::from(true)),
        Required::In(operations) => Some(Json::List(operations.iter().map(operation).map(Json::from).collect())),
    };
    let only = field.behavior.output_only.as_ref().filter(|only| only.reject || !only.except.is_empty());
    let only = only
        .map(|only| object().with_list("except", only.except.iter().map(operation)).with_true("refuse", only.reject));
    let constrained = field.constrained.as_ref().map(|operations| {
        let constraints = &field.constraints;
        let number = |number: Option<Number>| number.map(super::values::number);
        object()
            .with_list("in", operations.iter().map(operation))
            .with_some("pattern", constraints.pattern.as_deref())
            .with_some("length", constraints.length.map(range))
            .with_some("format", constraints.format.map(|format| super::values::format_name(format).replace('-', "_")))
            .with_list("schemes", constraints.schemes.iter().map(String::as_str))
            .with_some("min", end(number(constraints.min), constraints.exclusive.min))
            .with_some("max", end(number(constraints.max), constraints.exclusive.max))
            .with_some("multiple_of", number(constraints.multiple_of))
    });
    name(&field.name)
        .with_some("x-wireform-constrained", constrained)
        .with_some("x-wireform-required", required)
        .with_true("x-wireform-clearable", field.behavior.clearable)
        .with_some("x-wireform-output-only", only)
        .with_true("x-wireform-kind", field.is_kind)
        .with_true("x-wireform-nullable", field.nullable)
        .with_some("x-wireform-presence", field.explicit_presence.then_some("explicit"))
        .merged(type_facts(api, &field.ty, &super::values::constraints(field, SchemaUse::Response)))
        .merged(deprecated(field.deprecated.as_ref()))
}

/// Returns the further facts of the map of other fields.
pub fn rest(api: &Api, rest: &Field) -> Object {
    let Type::Map(inner) = &rest.ty else { return object() };
    let own = (rest.name.ident != "rest").then_some(rest.name.ident.as_str());
    object().with_some("x-wireform-name", own).merged(type_facts(
        api,
        inner.non_null(),
        &rest.constraints.for_elements(),
    ))
}

/// Returns the further facts of a parameter.
pub fn parameter(api: &Api, parameter: &Parameter) -> Object {
    let key = (parameter.key != parameter.name.wire).then_some(parameter.key.as_str());
    name(&parameter.name)
        .with_some("x-wireform-key", key)
        .merged(type_facts(api, &parameter.ty, &parameter.constraints))
        .merged(deprecated(parameter.deprecated.as_ref()))
}

/// Returns the type and the constraints, if their JSON Schema differs.
fn type_facts(api: &Api, ty: &Type, constraints: &Constraints) -> Object {
    let inner = ty.innermost_type();
    let decimal = is_decimal(inner);
    let ranged = decimal || *inner == Type::Lexical(Lexical::Decimal);
    let constant = constraints.constant.is_some() && matches!(ty, Type::Enum(_));
    let of = |number: Option<Number>| match number {
        Some(Number::Int(number)) => Some(integer(number)),
        Some(Number::Decimal(number)) => Some(Json::from(number.to_string())),
        _ => None,
    };
    let ends = object()
        .with_some("min", end(of(constraints.min), constraints.exclusive.min))
        .with_some("max", end(of(constraints.max), constraints.exclusive.max));
    let items = constraints.items.filter(|items| items.min.is_some()).map(range);
    object()
        .with_some(
            "x-wireform-type",
            (decimal || constant || *inner == Type::Bytes(Encoding::File)).then(|| type_syntax(api, ty)),
        )
        .with_some("x-wireform-encoding", encoding(inner))
        .with_members("x-wireform-range", if ranged { ends } else { object() })
        .with_some("x-wireform-items", items)
        .with_some("x-wireform-pattern", constraints.pattern.as_deref())
        .with_list("x-wireform-schemes", constraints.schemes.iter().map(String::as_str))
}

/// Returns the encoding of values, if the JSON Schema does not imply it.
fn encoding(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        ty if is_decimal(ty) => "decimal_string",
        Type::Bytes(Encoding::Base64UrlUnpadded) => "base64url_unpadded",
        Type::Bytes(Encoding::Base64Unpadded) => "base64_unpadded",
        _ => return None,
    })
}

/// Formats an inclusive range as in a schema: `1..=10`, `1..` or `..=10`.
fn range(range: Range) -> String {
    let end = |end: Option<u64>, before: &str| end.map_or_else(String::new, |end| format!("{before}{end}"));
    format!("{}..{}", end(range.min, ""), end(range.max, "="))
}

/// Returns a type in the syntax of a schema: `int64`, `["file"]`, `{"string": "Color"}`; `any` for all other types.
fn type_syntax(api: &Api, ty: &Type) -> Json {
    let name = match ty {
        Type::List(inner) => return Json::List(vec![type_syntax(api, inner)]),
        Type::Map(inner) => return Json::from(object().with("string", type_syntax(api, inner))),
        Type::Nullable(inner) => {
            return match type_syntax(api, inner) {
                Json::Leaf(Value::String(name)) => Json::from(format!("{name}?")),
                other => other,
            };
        }
        Type::Int64(_) => "int64",
        Type::Uint64(_) => "uint64",
        Type::Bytes(Encoding::File) => "file",
        Type::Enum(id) => &api.enumeration(*id).name.wire,
        _ => "any",
    };
    Json::from(name)
}

/// Returns the further facts of an enum: its default, and all values if some have more than a description.
pub fn enumeration(definition: &Enum) -> Object {
    let default = definition.default.map(|index| definition.value(index));
    let more = |value: &EnumValue| {
        name(&value.name)
            .merged(deprecated(value.deprecated.as_ref()))
            .with_true("x-wireform-output-only", value.output_only)
            .with_true("x-wireform-input-only", value.input_only)
    };
    let value = |value: &EnumValue| {
        let aliases = value.aliases.iter().map(String::as_str);
        let body = object().with_text("description", &docs::markdown(&value.doc)).with_list("aliases", aliases);
        let body = body.with_true("deprecated", value.deprecated.is_some()).merged(more(value));
        (value.name.wire.clone(), Json::from(body))
    };
    let values: Object = definition.values.iter().map(value).collect();
    name(&definition.name)
        .merged(deprecated(definition.deprecated.as_ref()))
        .with_some("x-wireform-default", default.map(|value| value.name.wire.as_str()))
        .with_text("x-wireform-description", &docs::markdown(&definition.doc))
        .with_members("x-wireform-values", values)
}

/// Returns the further facts of a union, and of its variants in order.
pub fn union(union: &Union) -> Object {
    let variant = |variant: &Variant| {
        object()
            .with("variant", variant.name.wire.as_str())
            .merged(name(&variant.name))
            .with_text("description", &docs::markdown(&variant.doc))
            .with_true("deprecated", variant.deprecated.is_some())
            .merged(deprecated(variant.deprecated.as_ref()))
    };
    name(&union.name)
        .merged(deprecated(union.deprecated.as_ref()))
        .with_list("x-wireform-variants", union.variants.iter().map(variant))
}
