//! Names that a condition can use on their own: `this`, `params`, `body`, `old`, `new` and variables.

use std::ops::Range;

use super::{Checker, ConditionError, Scope};
use crate::diagnostics::Code;
use crate::model::condition::{CelType, Expr, ExprKind, Root};
use crate::model::{BodyMode, Operation, ResourceId, Type};
use crate::rules::foreign_syntax;

/// Returns the type of the stored resource: that of the response, and of the body if there is one.
pub fn stored_resource(scope: &Scope<'_>) -> Option<ResourceId> {
    let operation = scope.api.operation(scope.request()?);
    let Some(Type::Resource(returned)) = operation.response_type() else { return None };
    match &operation.body {
        Some(body) if body.ty != Type::Resource(*returned) => None,
        _ => Some(*returned),
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

    /// Returns the root `body`; `None` if the operation has no body, or reports one that conditions cannot read.
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
}
