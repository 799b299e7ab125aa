//! Names, fields and parameters: their types and their presence.

use std::ops::Range;

use super::{Checker, ConditionError, Node, NodeKind, Scope};
use crate::diagnostics::Code;
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Path, Read, Root};
use crate::model::{BodyMode, EnumId, Field, Literal as Default, Operation, Required, ResourceId, Type};
use crate::rules::foreign_syntax;

/// Returns the type of the stored resource: that of the response, and of the body if there is one.
pub fn stored_resource(scope: &Scope<'_>) -> Option<ResourceId> {
    let operation = scope.api.operation(scope.request()?);
    let Some(Type::Resource(answer)) = operation.response_type() else { return None };
    match &operation.body {
        Some(body) if body.ty != Type::Resource(*answer) => None,
        _ => Some(*answer),
    }
}

/// Returns the type of the resource after a write.
fn resulting_resource(scope: &Scope<'_>) -> Option<ResourceId> {
    let has_body = scope.api.operation(scope.request()?).body.is_some();
    stored_resource(scope).filter(|_| has_body && !scope.parameters_only)
}

impl<'a> Checker<'a> {
    /// Returns the operation whose request is the subject.
    pub fn operation(&self) -> Option<&'a Operation> {
        self.scope.request().map(|id| self.scope.api.operation(id))
    }

    /// Resolves a name on its own.
    pub fn name(&mut self, name: &str, at: &Range<usize>) -> Option<Expr> {
        let found = self.variables.iter().rev().find(|(variable, _)| variable.name == name);
        if let Some((variable, ty)) = found {
            return Some(Expr::new(ExprKind::Variable(variable.clone()), ty.clone()));
        }
        match (name, self.operation()) {
            ("this", _) if self.scope.this().is_some() => {
                let ty = CelType::Resource(self.scope.this()?);
                Some(Expr::new(ExprKind::Root(Root::This), ty))
            }
            ("body", Some(operation)) if operation.body.is_some() && !self.scope.parameters_only => {
                self.body(operation, at)
            }
            ("old", Some(_)) if stored_resource(self.scope).is_some() && !self.scope.parameters_only => {
                Some(Expr::new(ExprKind::Root(Root::Old), CelType::Resource(stored_resource(self.scope)?)))
            }
            ("new", Some(operation)) if resulting_resource(self.scope).is_some() => match operation.body.as_ref()?.mode
            {
                // A body that replaces the resource is the result.
                BodyMode::Whole | BodyMode::JsonPatch => self.body(operation, at),
                BodyMode::MergePatch => {
                    Some(Expr::new(ExprKind::Root(Root::New), CelType::Resource(resulting_resource(self.scope)?)))
                }
            },
            ("params", Some(_)) => {
                self.wrong_type(at, "`params` cannot be used as a value: write `params.name`");
                None
            }
            _ => self.unknown_name(name, at),
        }
    }

    fn body(&mut self, operation: &Operation, at: &Range<usize>) -> Option<Expr> {
        let body = operation.body.as_ref()?;
        let ty = match (&body.ty, body.mode) {
            (Type::Resource(id), BodyMode::MergePatch) => CelType::Patch(*id),
            (ty, _) => CelType::of(ty)?,
        };
        if matches!(&body.ty, Type::Resource(id) if self.scope.api.resource(*id).outcome.is_some()) {
            self.unsupported(at, "fields of an outcome");
            return None;
        }
        Some(Expr::new(ExprKind::Root(Root::Body), ty))
    }

    fn unknown_name(&mut self, name: &str, at: &Range<usize>) -> Option<Expr> {
        if let Some(whole) = self.find_root_with_field(name).map(|holder| format!("{holder}.{name}")) {
            let message = format!("cannot use `{name}` without its parent");
            self.report(
                ConditionError::new(Code::CelUnknownName, at.clone(), message).help(format!("write `{whole}`")),
            );
            return None;
        }
        let known: Vec<&str> = self.names();
        let error = match name {
            "now" => ConditionError::new(Code::CelUnsupported, at.clone(), "the current time (`now`) is not supported"),
            "bool" | "int" | "uint" | "double" | "string" | "bytes" | "list" | "map" | "null_type" | "type" => {
                ConditionError::new(
                    Code::CelUnsupported,
                    at.clone(),
                    format!("types as values (`{name}`) are not supported"),
                )
            }
            "this" | "params" | "body" | "old" | "new" => {
                let why = match name {
                    "this" => "the condition is about a request, not about a resource",
                    "body" if !self.scope.parameters_only && self.scope.request().is_some() => {
                        "the operation has no body"
                    }
                    "old" if !self.scope.parameters_only && self.scope.request().is_some() => {
                        "the operation does not return the resource of its body"
                    }
                    "new" if !self.scope.parameters_only && self.scope.request().is_some() => {
                        "the body of the operation is not the resource that it returns"
                    }
                    _ if self.scope.parameters_only => "the condition can refer only to parameters",
                    _ => "the rule belongs to a resource, not to an operation",
                };
                ConditionError::new(Code::CelUnknownName, at.clone(), format!("unknown name `{name}`: {why}"))
            }
            _ => ConditionError::new(Code::CelUnknownName, at.clone(), format!("unknown name `{name}`")),
        };
        self.report(match self.name_help(name) {
            Some(help) => error.help(help),
            None => error.suggest(name, known),
        });
        None
    }

    /// Returns advice for an unknown name, unless another name is suggested.
    fn name_help(&self, name: &str) -> Option<String> {
        if name == "now" {
            return foreign_syntax::function_replacement(name).map(str::to_owned);
        }
        if ["self", "it", "resource", "message"].contains(&name) && self.scope.this().is_some() {
            return Some("write `this`".to_owned());
        }
        let mut values = self.scope.api.enums.iter().flat_map(|definition| &definition.values);
        values.any(|value| value.name.wire == name).then(|| format!("quote an enum value: `'{name}'`"))
    }

    /// Returns the root that has a field of a name: `this`, `params` or `body`.
    fn find_root_with_field(&self, name: &str) -> Option<&'static str> {
        let has =
            |id: ResourceId| self.scope.api.resource(id).named_fields().iter().any(|field| field.name.wire == name);
        if let Some(id) = self.scope.this() {
            return has(id).then_some("this");
        }
        let operation = self.operation()?;
        if operation.parameters.iter().any(|parameter| parameter.name.wire == name) {
            return Some("params");
        }
        let body = operation.body.as_ref().filter(|_| !self.scope.parameters_only);
        body.is_some_and(|body| matches!(body.ty, Type::Resource(id) if has(id))).then_some("body")
    }

    /// Returns the names that can be used on their own.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.variables.iter().map(|(variable, _)| variable.name.as_str()).collect();
        names.extend(self.scope.this().map(|_| "this"));
        if let Some(operation) = self.operation() {
            names.push("params");
            if !self.scope.parameters_only {
                names.extend(operation.body.as_ref().map(|_| "body"));
                names.extend(stored_resource(self.scope).map(|_| "old"));
                names.extend(resulting_resource(self.scope).map(|_| "new"));
            }
        }
        names
    }

    /// Checks an access to a field.
    pub fn member(&mut self, node: &Node, of: &Node, name: &str, at: &Range<usize>) -> Option<Expr> {
        if let NodeKind::Name(first) = &of.shape
            && self.variables.iter().all(|(variable, _)| variable.name != *first)
        {
            if first == "params" && self.operation().is_some() {
                return self.parameter(node, name, at);
            }
            if let Some(id) = self.enumeration(first) {
                return self.enum_value(id, name, at);
            }
        }
        let of = self.expr(of)?;
        let (id, field) = match &of.ty {
            CelType::Resource(id) | CelType::Patch(id) => (*id, self.field(*id, name, at)?),
            CelType::Map(value) => {
                let ty = (**value).clone();
                return Some(Expr::new(ExprKind::Index(Box::new(of), Box::new(string_literal(name))), ty));
            }
            other => {
                let found = self.describe(other);
                let message = format!("expected a resource or a map before `.{name}`, found {found}");
                let error = ConditionError::new(Code::CelType, at.clone(), message);
                let help = if name == "size" {
                    foreign_syntax::function_replacement("length")
                } else {
                    foreign_syntax::function_replacement(name)
                };
                self.report(match help {
                    Some(help) => error.help(help),
                    None => error,
                });
                return None;
            }
        };
        let (_, member) = self.of(id, field);
        let ty = self.member_type(&of.ty, member, at)?;
        let expr = Expr::new(ExprKind::Member { of: Box::new(of), field, read: Read::Presence }, ty);
        let read = self.read_mode(&expr, member);
        self.require_present(expr, read, node)
    }

    pub fn of(&self, id: ResourceId, field: usize) -> (ResourceId, &'a Field) {
        (id, &self.scope.api.resource(id).fields[field])
    }

    /// Returns the index of a field by name; reports an unknown one.
    pub fn field(&mut self, id: ResourceId, name: &str, at: &Range<usize>) -> Option<usize> {
        let resource = self.scope.api.resource(id);
        if resource.outcome.is_some() {
            self.unsupported(at, "fields of an outcome");
            return None;
        }
        let found = resource.named_fields().iter().position(|field| field.name.wire == name);
        if found.is_none() {
            let message = format!("unknown field `{name}` of the resource `{}`", resource.name.wire);
            let error = ConditionError::new(Code::CelUnknownName, at.clone(), message);
            self.report(error.suggest(name, resource.named_fields().iter().map(|field| field.name.wire.as_str())));
        }
        found
    }

    /// Returns the type of a field: within a patch, resources are patches too.
    pub fn member_type(&mut self, of: &CelType, field: &Field, at: &Range<usize>) -> Option<CelType> {
        if field.nullable {
            self.unsupported(at, "nullable fields");
            return None;
        }
        let Some(ty) = CelType::of(&field.ty) else {
            self.unsupported(at, super::types::unreadable_reason(&field.ty));
            return None;
        };
        match (of, ty) {
            (CelType::Patch(_), CelType::Resource(id)) if self.scope.api.resource(id).patch.is_some() => {
                Some(CelType::Patch(id))
            }
            (_, ty) => Some(ty),
        }
    }

    /// Returns how a field is read, or `None` if it may be absent.
    pub fn read_mode(&self, expr: &Expr, field: &Field) -> Option<Read> {
        let ExprKind::Member { of, .. } = &expr.kind else { return None };
        let in_patch = matches!(of.ty, CelType::Patch(_));
        if matches!(expr.ty, CelType::List(_))
            || (matches!(expr.ty, CelType::Map(_)) && !in_patch && !field.explicit_presence)
        {
            return Some(Read::Plain);
        }
        if Path::of(expr).is_some_and(|path| self.facts.contains(&path)) {
            return Some(Read::Narrowed);
        }
        if in_patch {
            return None;
        }
        if has_default(field.default.as_ref()) {
            return Some(Read::Default);
        }
        self.is_required(&field.behavior.required).then_some(Read::Required)
    }

    /// Returns whether a body must have a field in every operation to which the condition applies.
    fn is_required(&self, required: &Required) -> bool {
        match required {
            Required::Never => false,
            Required::Everywhere => true,
            Required::In(list) => {
                let operations = &self.scope.operations;
                !operations.is_empty() && operations.iter().all(|operation| list.contains(operation))
            }
        }
    }

    /// Sets how a field is read, or reports that it may be absent.
    pub fn require_present(&mut self, mut expr: Expr, how: Option<Read>, node: &Node) -> Option<Expr> {
        let Some(how) = how else {
            let message = "the field may be absent here";
            let has = format!("has({})", node.name().as_deref().unwrap_or("x"));
            let advice = format!("check its presence first: `{has} && …`, `!{has} || …` or `{has} ? … : …`");
            self.report(ConditionError::new(Code::CelAbsent, node.at.clone(), message).help(advice));
            return None;
        };
        match &mut expr.kind {
            ExprKind::Member { read, .. } | ExprKind::Parameter(_, read) => *read = how,
            _ => {}
        }
        Some(expr)
    }

    /// Returns the enum with a name.
    pub fn enumeration(&self, name: &str) -> Option<EnumId> {
        self.scope.api.enums.iter().position(|definition| definition.name.wire == name).map(EnumId)
    }

    /// Returns an enum value; reports an unknown one.
    pub fn enum_value(&mut self, id: EnumId, value: &str, at: &Range<usize>) -> Option<Expr> {
        let definition = self.scope.api.enumeration(id);
        let found = definition
            .values
            .iter()
            .position(|known| known.name.wire == value || known.aliases.iter().any(|alias| alias == value));
        if found.is_none() {
            let message = format!("unknown value `{1}` of the enum `{0}`", definition.name.wire, value.escape_debug());
            let error = ConditionError::new(Code::CelValue, at.clone(), message);
            self.report(error.suggest(value, definition.values.iter().map(|known| known.name.wire.as_str())));
        }
        found.map(|index| super::literals::literal_expr(&Literal::Enum(id, index)))
    }
}

/// Returns whether generated code supports the default.
pub fn has_default(default: Option<&Default>) -> bool {
    matches!(default, Some(Default::Bool(_) | Default::Number(_) | Default::Text(_) | Default::Enum(..)))
}

/// Returns whether an expression is the placeholder of a parameter that the operation lacks; a literal `null` has
/// type `Any`.
pub fn is_missing(expr: &Expr) -> bool {
    expr.kind == ExprKind::Literal(Literal::Null) && expr.ty != CelType::Any
}

/// Returns a string literal.
pub fn string_literal(value: &str) -> Expr {
    super::literals::literal_expr(&Literal::String(value.to_owned()))
}
