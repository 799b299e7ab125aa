//! Parameters of the operation, and those of other operations that share the condition.

use std::ops::Range;

use super::members::has_default;
use super::{Checker, ConditionError, Node};
use crate::diagnostics::Code;
use crate::model::Parameter;
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Path, Read};

impl<'a> Checker<'a> {
    /// Checks an access to a parameter.
    pub fn parameter(&mut self, node: &Node, name: &str, at: &Range<usize>) -> Option<Expr> {
        let Some((index, parameter)) = self.find_parameter(name) else {
            // Its value is never read: see `is_missing`.
            return self.no_parameter(name, at).map(|ty| Expr::new(ExprKind::Literal(Literal::Null), ty));
        };
        let ty = self.parameter_type(parameter, at)?;
        let expr = Expr::new(ExprKind::Parameter(index, Read::Presence), ty);
        let known = Path::of(&expr).is_some_and(|path| self.facts.contains(&path));
        let how = match parameter {
            _ if parameter.required || parameter.ty.is_collection() => Some(Read::Plain),
            _ if known => Some(Read::Narrowed),
            _ if has_default(&parameter.ty, parameter.default.as_ref()) => Some(Read::Default),
            _ => None,
        };
        self.require_present(expr, how, node)
    }

    fn find_parameter(&self, name: &str) -> Option<(usize, &'a Parameter)> {
        self.operation()?.settable_parameters().find(|(_, parameter)| parameter.key == name)
    }

    fn parameter_type(&mut self, parameter: &Parameter, at: &Range<usize>) -> Option<CelType> {
        let ty = CelType::of(&parameter.ty);
        if ty.is_none() {
            self.unsupported(at, super::types::unreadable_reason(&parameter.ty));
        }
        ty
    }

    /// Returns the type of a parameter that the operation lacks, if another operation of the same condition has it.
    fn no_parameter(&mut self, name: &str, at: &Range<usize>) -> Option<CelType> {
        let api = self.scope.api;
        let siblings =
            self.scope.siblings.iter().flat_map(|id| api.operation(*id).settable_parameters().map(|(_, one)| one));
        if let Some(parameter) = siblings.clone().find(|parameter| parameter.key == name) {
            return self.parameter_type(parameter, at);
        }
        let own =
            self.operation().into_iter().flat_map(|operation| operation.settable_parameters().map(|(_, one)| one));
        let known: Vec<&str> = own.chain(siblings).map(|parameter| parameter.key.as_str()).collect();
        let message = match self.scope.siblings.len() {
            0 | 1 => format!("unknown parameter `{name}`"),
            _ => format!("unknown parameter `{name}`: no operation with the field in its body has it"),
        };
        self.report(ConditionError::new(Code::CelUnknownName, at.clone(), message).suggest(name, known));
        None
    }

    /// Checks `has(params.name)`.
    pub fn has_parameter(&mut self, name: &str, at: &Range<usize>) -> Option<Expr> {
        let Some((index, parameter)) = self.find_parameter(name) else {
            self.no_parameter(name, at)?;
            return Some(Expr::bool(ExprKind::Literal(Literal::Bool(false))));
        };
        if parameter.required {
            return Some(Expr::bool(ExprKind::Literal(Literal::Bool(true))));
        }
        let ty = self.parameter_type(parameter, at)?;
        Some(Expr::bool(ExprKind::Has(Box::new(Expr::new(ExprKind::Parameter(index, Read::Presence), ty)))))
    }
}
