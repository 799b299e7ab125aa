//! Fields and enum values: their types and their presence.

use std::ops::Range;

use super::{Checker, ConditionError, Node, NodeKind};
use crate::diagnostics::Code;
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Path, Read};
use crate::model::{EnumId, Field, Literal as Default, Required, ResourceId, Type};
use crate::rules::foreign_syntax;

impl<'a> Checker<'a> {
    /// Checks an access to a field.
    pub fn member(&mut self, node: &Node, of: &Node, name: &str, at: &Range<usize>) -> Option<Expr> {
        if let NodeKind::Name(first) = &of.kind
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
        let member = self.field_of(id, field);
        let ty = self.member_type(&of.ty, member, at)?;
        let expr = Expr::new(ExprKind::Member { of: Box::new(of), field, read: Read::Presence }, ty);
        let read = self.read_mode(&expr, member);
        self.require_present(expr, read, node)
    }

    pub fn field_of(&self, id: ResourceId, field: usize) -> &'a Field {
        &self.scope.api.resource(id).fields[field]
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
        if has_default(&field.ty, field.default.as_ref()) {
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

/// Returns whether conditions read the default of an absent value.
pub fn has_default(ty: &Type, default: Option<&Default>) -> bool {
    match default {
        Some(Default::Bool(_) | Default::Number(_) | Default::Enum(..)) => true,
        Some(Default::Text(_)) => *ty == Type::String,
        Some(Default::Json(_)) | None => false,
    }
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
