//! Verification of indices and names.

use super::internal;
use crate::diagnostics::{Sink, Span};
use crate::model::{
    Api, Constraints, EnumId, Group, Literal, Name, Operation, OperationId, Parameter, Resource, SchemeKind, Type,
    TypeId, Union,
};

/// Reports every dangling reference of an API.
pub fn verify(api: &Api, sink: &mut Sink) {
    let mut report = |subject: &str, span: Span, look: &dyn Fn(&mut Audit<'_>)| {
        let mut audit = Audit { api, violations: Vec::new() };
        look(&mut audit);
        audit.violations.iter().for_each(|wrong| internal(sink, span, &format!("{subject} {wrong}")));
    };
    report("the API", Span::default(), &|audit| audit.whole());
    for resource in &api.resources {
        report(&format!("`{}`", resource.name.wire), resource.span, &|audit| audit.resource(resource));
    }
    for (index, definition) in api.enums.iter().enumerate() {
        report(&format!("`{}`", definition.name.wire), Span::default(), &|audit| audit.enumeration(EnumId(index)));
    }
    for union in &api.unions {
        report(&format!("`{}`", union.name.wire), union.span, &|audit| audit.union(union));
    }
    for operation in &api.operations {
        report(&format!("the operation `{}`", operation.name), operation.span, &|audit| audit.operation(operation));
    }
}

/// Collector of the violations of one item, as the ends of sentences about it.
pub(super) struct Audit<'a> {
    pub(super) api: &'a Api,
    pub(super) violations: Vec<String>,
}

impl Audit<'_> {
    /// Adds a violation: the end of a sentence about the item.
    pub(super) fn report(&mut self, wrong: impl Into<String>) {
        self.violations.push(wrong.into());
    }

    /// Checks an index into a list of the item itself.
    pub(super) fn check_own_index(&mut self, what: &str, index: usize, count: usize) {
        if index >= count {
            self.report(format!("has no {what} {index}"));
        }
    }

    /// Checks an index into a list of the API.
    pub(super) fn check_api_index(&mut self, what: &str, index: usize, count: usize) {
        if index >= count {
            self.report(format!("refers to the unknown {what} {index}"));
        }
    }

    /// Checks the ids of operations.
    pub(super) fn operations<'o>(&mut self, ids: impl IntoIterator<Item = &'o OperationId>) {
        ids.into_iter().for_each(|id| self.check_api_index("operation", id.0, self.api.operations.len()));
    }

    /// Checks that the innermost type exists and was resolved.
    pub(super) fn ty(&mut self, ty: &Type) {
        match ty.innermost_type() {
            Type::Resource(id) => self.check_api_index("resource", id.0, self.api.resources.len()),
            Type::Enum(id) => self.check_api_index("enum", id.0, self.api.enums.len()),
            Type::Union(id) => self.check_api_index("union", id.0, self.api.unions.len()),
            Type::Unresolved => self.report("has a type that was not resolved"),
            _ => {}
        }
    }

    /// Checks that the enum value of a literal exists; other literals are always valid.
    pub(super) fn literal(&mut self, literal: &Literal) {
        let Literal::Enum(id, index) = literal else { return };
        match self.api.enums.get(id.0) {
            Some(definition) => {
                self.check_own_index(&format!("value of `{}`", definition.name.wire), *index, definition.values.len())
            }
            None => self.check_api_index("enum", id.0, self.api.enums.len()),
        }
    }

    /// Checks a name that is emitted.
    pub(super) fn name(&mut self, name: &Name, what: &str) {
        self.ident(&name.ident, &format!("{what} `{}`", name.wire));
        // What begins or ends with the name, such as `with_name`.
        self.ident(&format!("_{}", name.stem), &format!("methods of the {what} `{}`", name.wire));
    }

    /// Checks that a text is a Rust identifier; `what` says in the message what it names.
    pub(super) fn ident(&mut self, ident: &str, what: &str) {
        let plain = ident.strip_prefix("r#").unwrap_or(ident);
        let is_word = plain.chars().all(|character| character.is_alphanumeric() || character == '_');
        if plain.is_empty() || !is_word || plain.starts_with(|first: char| first.is_numeric()) {
            self.report(format!("has the invalid Rust name `{ident}` for the {what}"));
        }
    }

    /// Checks the constant, and that the pattern was compiled.
    pub(super) fn constraints(&mut self, constraints: &Constraints) {
        constraints.constant.iter().for_each(|constant| self.literal(constant));
        for pattern in constraints.written_patterns().filter(|it| !self.api.patterns.contains_key(*it)) {
            self.report(format!("has the pattern `{pattern}`, which was not compiled"));
        }
    }

    /// Checks the names, type, literals and constraints of a parameter.
    pub(super) fn parameter(&mut self, parameter: &Parameter) {
        self.name(&parameter.name, "parameter");
        self.ty(&parameter.ty);
        self.ident(&parameter.setter, &format!("setter of the parameter `{}`", parameter.name.wire));
        parameter.default.iter().chain(&parameter.example).for_each(|literal| self.literal(literal));
        self.constraints(&parameter.constraints);
    }

    /// Checks the items that belong to the API as a whole: modules, groups, features, flows and error bodies.
    fn whole(&mut self) {
        let api = self.api;
        api.error_body.iter().for_each(|id| self.ty(&Type::Resource(*id)));
        api.standard_parameters.iter().for_each(|parameter| self.parameter(parameter));
        for id in api.modules.iter().flat_map(|module| &module.items) {
            self.ty(&match id {
                TypeId::Resource(id) => Type::Resource(*id),
                TypeId::Enum(id) => Type::Enum(*id),
                TypeId::Union(id) => Type::Union(*id),
            });
        }
        self.group(&api.groups);
        self.members_of_groups();
        self.error_fields();
        self.features();
        for scheme in &api.security_schemes {
            let SchemeKind::OAuth2 { flows, .. } = &scheme.kind else { continue };
            let scopes = flows.iter().flat_map(|flow| &flow.scopes);
            scopes.for_each(|scope| self.check_api_index("scope", *scope, api.scopes.len()));
        }
        api.xml.resources.iter().for_each(|id| self.ty(&Type::Resource(*id)));
        api.xml.unions.iter().for_each(|id| self.ty(&Type::Union(*id)));
    }

    /// Checks the operations, names and feature of a group, and its nested groups.
    fn group(&mut self, group: &Group) {
        self.operations(&group.operations);
        self.ident(&group.service_trait, "service of a group");
        // The outermost group has no name.
        if let Some(name) = group.path.last() {
            self.name(name, "group");
            self.ident(&group.type_name, &format!("type of the group `{}`", name.wire));
            self.ident(group.module(), &format!("module of the group `{}`", name.wire));
        }
        group
            .feature
            .iter()
            .for_each(|feature| self.check_api_index("feature", *feature, self.api.features.groups.len()));
        group.groups.iter().for_each(|inner| self.group(inner));
    }

    /// Checks that each operation is in one group, whose file contains its request.
    fn members_of_groups(&mut self) {
        let mut counts = vec![0_usize; self.api.operations.len()];
        let mut open = vec![&self.api.groups];
        while let Some(group) = open.pop() {
            group.operations.iter().for_each(|id| counts.get_mut(id.0).into_iter().for_each(|count| *count += 1));
            open.extend(&group.groups);
        }
        let api = self.api;
        for (operation, count) in api.operations.iter().zip(counts).filter(|(_, count)| *count != 1) {
            self.report(format!("has the operation `{}` in {count} groups", operation.name));
        }
    }

    /// Checks that the lists of feature gates are complete or empty; missing gates would mean always.
    fn features(&mut self) {
        let (api, features) = (self.api, &self.api.features);
        let count = features.groups.len();
        features
            .groups
            .iter()
            .filter_map(|group| group.parent)
            .for_each(|outer| self.check_api_index("feature", outer, count));
        let lists = [
            ("resources", &features.resources, api.resources.len()),
            ("enums", &features.enums, api.enums.len()),
            ("unions", &features.unions, api.unions.len()),
            ("operations", &features.operations, api.operations.len()),
        ];
        for (what, list, expected) in lists {
            if features.has_group_features() && list.len() != expected {
                self.report(format!("assigns features to {} of its {expected} {what}", list.len()));
            }
            list.iter().flat_map(|gate| &gate.0).for_each(|at| self.check_api_index("feature", *at, count));
        }
    }
}

/// Returns the resource of an operation's response, whose fields pagination and the like refer to.
pub(super) fn response_resource<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    resource(api, operation.response_type()?)
}

/// Returns the resource of a type.
pub(super) fn resource<'a>(api: &'a Api, ty: &Type) -> Option<&'a Resource> {
    match ty {
        Type::Resource(id) => api.resources.get(id.0),
        _ => None,
    }
}

/// A union refers to its discriminator by name, and each variant by the index of a field.
impl Audit<'_> {
    /// Checks the names and types of a union's variants, and their discriminators.
    fn union(&mut self, union: &Union) {
        self.ident(&union.name.ident, "union");
        for variant in &union.variants {
            self.name(&variant.name, "variant");
            self.ty(&variant.ty);
            match (variant.discriminator, resource(self.api, &variant.ty)) {
                (Some(_), _) if union.discriminator.is_none() => {
                    self.report(format!("has no discriminator, which its variant `{}` has", variant.name.wire));
                }
                (Some(index), Some(held)) => {
                    self.check_own_index(&format!("field of `{}`", held.name.wire), index, held.fields.len());
                }
                (Some(index), None) => self.report(format!(
                    "refers to the field {index} of its variant `{}`, which is not a resource",
                    variant.name.wire
                )),
                (None, _) => {}
            }
        }
    }
}
