//! Parameters with structured values.

use super::parameters::is_text;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{ListStyle, Location, Operation, Parameter, Resource, Type};
use crate::schema;

impl Tables<'_> {
    /// Reports fields that cannot be parameters of their own, and structured standard parameters, for which requests
    /// have no field.
    pub fn check_structured(
        &self,
        resources: &[Resource],
        standard: &[Parameter],
        operations: &[Operation],
        sink: &mut Sink,
    ) {
        self.check_standard(standard, sink);
        operations.iter().for_each(|operation| self.check_names(operation, standard, resources, sink));
        let mut seen = std::collections::BTreeSet::new();
        let deep = operations.iter().flat_map(|operation| &operation.parameters);
        let deep =
            deep.filter(|one| one.is_structured() && !matches!(one.style, ListStyle::Json | ListStyle::Brackets));
        for parameter in deep {
            let Type::Resource(id) = parameter.ty else { continue };
            if let Some(resource) = resources.get(id.0).filter(|_| seen.insert(id)) {
                check_field_types(resource, sink);
            }
        }
    }

    /// Reports standard parameters that are structured or constant.
    fn check_standard(&self, standard: &[Parameter], sink: &mut Sink) {
        let Some(name) = self.api.standard_parameters.first() else { return };
        let structured = standard.iter().find(|one| one.is_structured()).map(|one| (one, "structured"));
        let constant = standard.iter().find(|one| one.is_constant()).map(|one| (one, "a constant"));
        for (parameter, what) in structured.into_iter().chain(constant) {
            let message = format!("standard parameter `{}` cannot be {what}", parameter.key);
            sink.report(Code::BadParameter, name.span, message)
                .help("list its set under `parameters:` of operations instead");
        }
    }

    /// Reports fields in the query that have the name of another parameter, or that several parameters share: the
    /// query would be ambiguous.
    fn check_names(&self, operation: &Operation, standard: &[Parameter], resources: &[Resource], sink: &mut Sink) {
        let query = |one: &&Parameter| one.location == Location::Query;
        let all: Vec<&Parameter> = operation.parameters.iter().chain(standard).filter(query).collect();
        let spread = all.iter().enumerate().filter(|(_, one)| one.style == ListStyle::Members);
        for (index, parameter) in spread.clone() {
            let own = members_of(parameter, resources);
            let others = || all.iter().enumerate().filter(|(other, _)| *other != index);
            let clash = own.iter().find_map(|member| {
                let named = others().find(|(_, other)| names_of(other).any(|name| name == *member));
                // The second of two is reported.
                let spread = || {
                    spread.clone().find(|(other, one)| *other < index && members_of(one, resources).contains(member))
                };
                named.or_else(spread).map(|(_, other)| (*member, other))
            });
            if let Some((member, other)) = clash {
                let message =
                    format!("the field `{member}` of `{}` has the same name as `{}`", parameter.key, other.key);
                self.report_name(operation, parameter, message, sink);
            } else if own.is_empty()
                && spread.clone().any(|(other, one)| other < index && members_of(one, resources).is_empty())
            {
                let message = format!("`{}` is the second parameter that accepts any name", parameter.key);
                self.report_name(operation, parameter, message, sink);
            }
        }
    }

    fn report_name(&self, operation: &Operation, parameter: &Parameter, message: String, sink: &mut Sink) {
        let span = self.parameter_span(operation, &parameter.key);
        sink.report(Code::BadParameter, span, message)
            .help("rename one of them, or use `style: deep`, which adds the name of the parameter");
    }

    /// Returns the span of an operation's query parameter: its key, or the name of its set.
    fn parameter_span(&self, operation: &Operation, key: &str) -> Span {
        let Some(id) = self.operation_ids.get(operation.name.as_str()) else { return Span::default() };
        let (_, def) = self.operations[id.0];
        let own = def.query.0.iter().map(|(key, _)| key).find(|written| written.text == key);
        let has = |set: &&schema::Text| {
            self.sets.get(set.text.as_str()).is_some_and(|set| set.0.iter().any(|(written, _)| written.text == key))
        };
        own.or_else(|| def.parameters.iter().find(has)).map_or(def.http.span, |text| text.span)
    }
}

/// Reports fields of a resource that cannot be parameters of their own.
fn check_field_types(resource: &Resource, sink: &mut Sink) {
    for field in &resource.fields {
        let inner = match &field.ty {
            Type::List(inner) => inner,
            other => other,
        };
        if field.is_rest {
            let message =
                format!("a parameter of this style cannot have the type `{}`, which has `rest`", resource.name.wire);
            sink.report(Code::BadParameter, field.span, message).help(
                "remove `rest`: its fields would be unknown parameters; `style: brackets` and `style: json` support it",
            );
        } else if !is_text(inner) {
            let message = format!("unsupported type of the field `{}` in a parameter of this style", field.name.wire);
            sink.report(Code::BadParameter, field.span, message).help(
                "use fields that are scalars, enums or lists of those; `style: brackets` and `style: json` support \
                    more types",
            );
        }
    }
}

/// Returns the names and aliases of a parameter's fields; empty for one that takes any name.
fn members_of<'r>(parameter: &Parameter, resources: &'r [Resource]) -> Vec<&'r str> {
    let Type::Resource(id) = parameter.ty else { return Vec::new() };
    let fields = resources.get(id.0).map(Resource::named_fields).unwrap_or_default();
    fields
        .iter()
        .flat_map(|field| std::iter::once(&field.name.wire).chain(&field.aliases))
        .map(String::as_str)
        .collect()
}

/// Returns the names of a parameter itself in the query.
fn names_of(parameter: &Parameter) -> impl Iterator<Item = &str> {
    let own = std::iter::once(&parameter.name.wire).chain(&parameter.aliases).map(String::as_str);
    own.filter(|_| parameter.style != ListStyle::Members)
}
