//! List derived from a schema.

use wireform_codegen::model::{
    Api, Constraints, Encoding, Enum, EnumId, Field, Literal, Location, Number, Operation, Parameter, Required,
    Resource, Rule, Scope, ScopeRequirement, Segment, SegmentPart, Type,
};

use super::behavior;
use super::fact::{FLAG, Fact};
use super::list::List;
use super::wire_facts::SCOPE_BASE;

pub fn list(api: &Api) -> List {
    let mut list = List::default();
    list.set(format!("api {}", api.name), format!("{} {}", api.version, api.root.as_deref().unwrap_or("none")));
    for alias in &api.base_path.aliases {
        list.set(format!("alias base {} {alias}", api.base_path.path), "");
    }
    for scope in &api.scopes {
        for alias in &scope.aliases {
            list.set(format!("alias scope {} {alias}", scope.name), "");
        }
    }
    for resource in api.resources.iter().filter(|resource| !is_ours(resource.origin.as_ref())) {
        members(&mut list, api, resource);
    }
    for of in api.enums.iter().filter(|of| !is_ours(of.origin.as_ref())) {
        values(&mut list, of);
    }
    for operation in &api.operations {
        call(&mut list, api, operation);
        parameters(&mut list, api, &operation.name, &operation.parameters);
    }
    parameters(&mut list, api, "*", &api.standard_parameters);
    behavior::add(&mut list, api);
    list
}

/// Returns whether a whole definition is our own, so that no document can be compared with it.
pub fn is_ours(origin: Option<&String>) -> bool {
    origin.is_some_and(|origin| origin == "ours")
}

/// Returns the origin: its own, that of the enclosing construct, or the specification.
fn origin(own: Option<&String>, outer: Option<&String>) -> String {
    own.or(outer).map_or("spec", String::as_str).into()
}

fn members(list: &mut List, api: &Api, resource: &Resource) {
    let name = &resource.name.wire;
    list.set(format!("resource {name}"), origin(resource.origin.as_ref(), None));
    for field in &resource.fields {
        let place = format!("{name}.{}", field.name.wire);
        list.set(format!("field {place}"), origin(field.origin.as_ref(), resource.origin.as_ref()));
        list.set(format!("type {place}"), of_field(api, field).render());
        for known in &field.constraints.known {
            for alias in &known.aliases {
                list.set(format!("alias {place} {} {alias}", known.value), "");
            }
        }
        for alias in &field.aliases {
            list.set(format!("alias {name} {} {alias}", field.name.wire), "");
        }
    }
    rules(list, &resource.rules, resource.origin.as_ref());
}

fn rules(list: &mut List, rules: &[Rule], outer: Option<&String>) {
    for rule in rules {
        list.set(format!("rule {}", rule.id), origin(rule.origin.as_ref(), outer));
    }
}

fn values(list: &mut List, of: &Enum) {
    let name = &of.name.wire;
    list.set(format!("enum {name}"), origin(of.origin.as_ref(), None));
    for value in &of.values {
        let wire = &value.name.wire;
        list.set(format!("value {name}.{wire}"), origin(value.origin.as_ref(), of.origin.as_ref()));
        list.set(format!("name {name}.{wire}"), lower_first(&value.name.ident));
        for alias in &value.aliases {
            list.set(format!("alias {name} {wire} {alias}"), "");
        }
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}

fn call(list: &mut List, api: &Api, operation: &Operation) {
    let name = &operation.name;
    list.set(format!("operation {name}"), origin(operation.origin.as_ref(), None));
    list.set(format!("http {name}"), format!("{} {}", operation.http.method, path(api, operation)));
    let ty = |ty: Option<&Type>| ty.map_or_else(|| "none".into(), |ty| type_name(api, ty));
    list.set(format!("body {name}"), ty(operation.body.as_ref().map(|body| &body.ty)));
    list.set(format!("answer {name}"), ty(operation.responses.first().and_then(|response| response.ty.as_ref())));
    for scope in needed(api, operation) {
        list.set(format!("scope {name} {}", public_name(scope)), "");
    }
    for (header, _) in operation.watch.iter().flat_map(|watch| &watch.headers) {
        list.set(format!("header {name} {header}"), "");
    }
    rules(list, &operation.rules, operation.origin.as_ref());
}

fn needed<'a>(api: &'a Api, operation: &'a Operation) -> Vec<&'a Scope> {
    match &operation.scopes {
        ScopeRequirement::None => Vec::new(),
        // Everywhere one scope is sufficient; a requirement of all scopes must differ in the list.
        ScopeRequirement::AllOf(_) => panic!("{} needs several scopes at once", operation.name),
        ScopeRequirement::AnyOf(scopes) => scopes.iter().map(|scope| &api.scopes[*scope]).collect(),
    }
}

/// Returns the public name of a scope.
fn public_name(scope: &Scope) -> &str {
    let name = scope.aliases.first().unwrap_or(&scope.url);
    name.strip_prefix(SCOPE_BASE).unwrap_or(name)
}

fn path(api: &Api, operation: &Operation) -> String {
    let mut path = api.base_path.path.clone();
    for segment in &operation.http.segments {
        let name = |at: &usize| &operation.parameters[*at].name.wire;
        path += &match segment {
            Segment::Literal(text) => format!("/{text}"),
            Segment::Variable(at) => format!("/{{{}}}", name(at)),
            Segment::Rest(at) | Segment::ResourceName(at, _) => format!("/{{+{}}}", name(at)),
            Segment::Parts(parts) => {
                let part = |part: &SegmentPart| match part {
                    SegmentPart::Text(text) => text.clone(),
                    SegmentPart::Variable(at) => format!("{{{}}}", name(at)),
                };
                format!("/{}", parts.iter().map(part).collect::<String>())
            }
        };
    }
    operation.http.verb.iter().for_each(|verb| path += &format!(":{verb}"));
    path
}

fn parameters(list: &mut List, api: &Api, operation: &str, parameters: &[Parameter]) {
    for parameter in parameters {
        let name = &parameter.name.wire;
        let location = match parameter.location {
            Location::Path => "path",
            Location::Query => "query",
            Location::Header => "header",
            Location::Cookie => "cookie",
        };
        list.set(format!("parameter {operation} {name} {location}"), origin(parameter.origin.as_ref(), None));
        list.set(format!("type {operation}.{name}"), of_parameter(api, parameter).render());
        for alias in &parameter.aliases {
            list.set(format!("alias {operation} {name} {alias}"), "");
        }
    }
}

fn of_field(api: &Api, field: &Field) -> Fact {
    let constant = field.constraints.constant.as_ref().filter(|_| field.is_kind);
    let enum_default = match field.ty {
        Type::Enum(id) => enum_default(api, id),
        _ => None,
    };
    let default = field.default.as_ref().or(constant).map(|value| literal(api, value)).or(enum_default);
    let required = match &field.behavior.required {
        Required::Never => None,
        Required::Everywhere => Some(FLAG.into()),
        Required::In(operations) => {
            let mut names: Vec<&str> = operations.iter().map(|id| api.operation(*id).name.as_str()).collect();
            names.sort_unstable();
            Some(names.join(","))
        }
    };
    let fact = Fact::of(type_name(api, &field.ty)).with("default", default).with("required", required);
    numbers(fact, &field.constraints)
}

fn of_parameter(api: &Api, parameter: &Parameter) -> Fact {
    let required = parameter.required || parameter.location == Location::Path;
    let fact = Fact::of(type_name(api, &parameter.ty))
        .with("default", parameter.default.as_ref().map(|value| literal(api, value)))
        .with("required", required.then(|| FLAG.into()));
    numbers(fact, &parameter.constraints)
}

fn numbers(fact: Fact, constraints: &Constraints) -> Fact {
    let text = |value: &Option<Number>| value.map(number);
    fact.with("min", text(&constraints.min)).with("max", text(&constraints.max)).with("clamp", text(&constraints.clamp))
}

fn enum_default(api: &Api, id: EnumId) -> Option<String> {
    let of = api.enumeration(id);
    of.default.map(|at| of.values[at].name.wire.clone())
}

fn number(value: Number) -> String {
    match value {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
        Number::Decimal(value) => value.to_string(),
    }
}

pub fn literal(api: &Api, value: &Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => number(*value),
        Literal::Text(text) => text.clone(),
        Literal::Enum(id, at) => api.enumeration(*id).values[*at].name.wire.clone(),
        Literal::Json(value) => value.to_string(),
    }
}

fn type_name(api: &Api, ty: &Type) -> String {
    let encoded = |name: &str, encoding: &Encoding| match encoding {
        Encoding::Number => name.into(),
        Encoding::DecimalString => format!("{name}:decimal_string"),
        Encoding::Base64Url => format!("{name}:base64url"),
        Encoding::Base64 => format!("{name}:base64"),
        Encoding::Base64UrlUnpadded => format!("{name}:base64url_unpadded"),
        Encoding::Base64Unpadded => format!("{name}:base64_unpadded"),
        Encoding::UnixSeconds => format!("{name}:unix_seconds"),
        Encoding::UnixMilliseconds => format!("{name}:unix_milliseconds"),
        Encoding::File => format!("{name}:file"),
    };
    match ty {
        Type::Bool => "bool".into(),
        Type::Int32 => "int32".into(),
        Type::Uint32 => "uint32".into(),
        Type::Int64(encoding) => encoded("int64", encoding),
        Type::Uint64(encoding) => encoded("uint64", encoding),
        Type::Bytes(encoding) => encoded("bytes", encoding),
        Type::Float => "float".into(),
        Type::Double => "double".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::Date => "date".into(),
        Type::DateTime => "datetime".into(),
        Type::Duration => "duration".into(),
        Type::Lexical(lexical) => format!("{lexical:?}"),
        Type::Any | Type::Unresolved => "any".into(),
        Type::Object => "{string: any}".into(),
        Type::Resource(id) => api.resource(*id).name.wire.clone(),
        Type::Enum(id) => api.enumeration(*id).name.wire.clone(),
        Type::Union(id) => api.unions[id.0].name.wire.clone(),
        Type::Nullable(inner) => format!("{}?", type_name(api, inner)),
        Type::List(inner) => format!("[{}]", type_name(api, inner)),
        Type::Map(inner) => format!("{{string: {}}}", type_name(api, inner)),
    }
}
