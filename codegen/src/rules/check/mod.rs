//! Type checker: a tree and a scope become a typed expression or a list of all errors.
//!
//! A part with an error has no expression, and its parents are not reported too. All other parts are checked, so that
//! an author sees all errors of a condition at once.

mod call_node;
mod calls;
pub mod constant_analysis;
mod facts;
mod fold;
mod literals;
mod lookups;
mod loops;
mod members;
mod names;
mod operators;
mod parameters;
mod presence;
mod types;

use std::ops::Range;

use super::ConditionError;
use super::tree::{Node, NodeKind};
use crate::diagnostics::{Code, Severity};
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Path, Root, Subject, Variable};
use crate::model::{Api, OperationId, ResourceId};

/// Scope of a condition: the names it can use, and the fields that are required.
pub struct Scope<'a> {
    api: &'a Api,
    /// Resource of a rule, or operation whose request is the subject.
    pub subject: Subject,
    /// Operations to which the condition applies; empty for all.
    operations: Vec<OperationId>,
    /// Operations that share the condition; a parameter that it names must exist in one of them.
    siblings: Vec<OperationId>,
    /// True if the condition can only refer to parameters.
    parameters_only: bool,
}

impl<'a> Scope<'a> {
    /// Creates the scope of a resource's rule.
    pub fn of_resource(api: &'a Api, id: ResourceId, operations: &[OperationId]) -> Self {
        let operations = operations.to_vec();
        Self { api, subject: Subject::Resource(id), operations, siblings: Vec::new(), parameters_only: false }
    }

    /// Creates the scope of an operation's rule.
    pub fn of_operation(api: &'a Api, id: OperationId) -> Self {
        Self { api, subject: Subject::Request(id), operations: vec![id], siblings: Vec::new(), parameters_only: false }
    }

    /// Creates the scope of a field's `effective_when`, in one of the operations whose bodies contain it.
    pub fn of_member(api: &'a Api, id: OperationId, siblings: &[OperationId]) -> Self {
        let siblings = siblings.to_vec();
        Self { api, subject: Subject::Request(id), operations: vec![id], siblings, parameters_only: true }
    }

    /// Returns the resource of a rule.
    fn this(&self) -> Option<ResourceId> {
        match self.subject {
            Subject::Resource(id) => Some(id),
            Subject::Request(_) => None,
        }
    }

    /// Returns the operation whose request is the subject.
    fn request(&self) -> Option<OperationId> {
        match self.subject {
            Subject::Resource(_) => None,
            Subject::Request(id) => Some(id),
        }
    }
}

/// Checks a condition. Returns either a condition or errors.
pub fn condition(tree: &Node, scope: &Scope<'_>) -> (Option<Condition>, Vec<ConditionError>) {
    let mut checker = Checker {
        scope,
        errors: Vec::new(),
        variables: Vec::new(),
        facts: Vec::new(),
        lookup_depth: 0,
        variable_count: 0,
    };
    let value = checker.bool(tree);
    let errors = checker.errors;
    let wrong = errors.iter().any(|error| error.code.severity() == Severity::Error);
    let Some(value) = value.filter(|_| !wrong) else { return (None, errors) };
    let value = fold::fold_constants(value);
    // A condition that reads a parameter which the operation lacks is false.
    let missing = value.contains(&members::is_missing);
    let value = if missing { fold::literal(false) } else { value };
    // The result of a patch depends on the stored resource.
    let compares = value.contains(&|expr| matches!(expr.kind, ExprKind::Root(Root::Old | Root::New)));
    let old = compares.then(|| names::stored_resource(scope)).flatten();
    (Some(Condition { subject: scope.subject, value, old }), errors)
}

/// Returns a condition that is always false.
pub fn always_false() -> Expr {
    fold::literal(false)
}

/// Checker of one condition.
struct Checker<'a> {
    scope: &'a Scope<'a>,
    errors: Vec<ConditionError>,
    /// Variables of the enclosing loops, innermost last.
    variables: Vec<(Variable, CelType)>,
    /// Paths that are known to be present.
    facts: Vec<Path>,
    /// Number of enclosing `in` operators whose list is being checked.
    lookup_depth: usize,
    /// Number of variables created so far.
    variable_count: usize,
}

impl Checker<'_> {
    fn report(&mut self, error: ConditionError) {
        self.errors.push(error);
    }

    /// Reports a type error.
    fn wrong_type(&mut self, at: &Range<usize>, message: impl Into<String>) {
        self.report(ConditionError::new(Code::CelType, at.clone(), message));
    }

    /// Reports a construct of CEL, in the plural, that conditions do not support.
    fn unsupported(&mut self, at: &Range<usize>, what: &str) {
        self.report(ConditionError::new(Code::CelUnsupported, at.clone(), format!("{what} are not supported")));
    }

    /// Checks an expression that must be a boolean.
    fn bool(&mut self, node: &Node) -> Option<Expr> {
        let expr = self.expr(node)?;
        if expr.ty == CelType::Bool {
            return Some(expr);
        }
        let found = self.describe(&expr.ty);
        self.wrong_type(&node.at, format!("expected a boolean, found {found}"));
        None
    }

    /// Checks any expression; `None` after its errors were reported.
    fn expr(&mut self, node: &Node) -> Option<Expr> {
        match &node.kind {
            NodeKind::Literal(value) => Some(literals::literal_expr(value)),
            NodeKind::Name(name) => self.name(name, &node.at),
            NodeKind::Member(of, name, at) => self.member(node, of, name, at),
            NodeKind::Operator(operator, operands) => self.operator(node, *operator, operands),
            NodeKind::Call { name, name_at, receiver, arguments } => self.call(&call_node::CallNode {
                range: &node.at,
                name,
                name_range: name_at,
                receiver: *receiver,
                arguments,
            }),
            NodeKind::List(items) => self.list(items, &node.at),
            NodeKind::Map => {
                self.unsupported(&node.at, "map literals");
                None
            }
            NodeKind::Message => {
                self.unsupported(&node.at, "message literals");
                None
            }
        }
    }

    /// Checks a list literal, whose elements have one type.
    fn list(&mut self, items: &[Node], at: &Range<usize>) -> Option<Expr> {
        let checked: Vec<Option<Expr>> = items.iter().map(|item| self.expr(item)).collect();
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let mut list = Vec::with_capacity(checked.len());
        let mut element: Option<CelType> = None;
        for (item, node) in checked.into_iter().zip(items) {
            let item = match &element {
                Some(ty) => literals::adapt(item, ty),
                None => item,
            };
            match &element {
                Some(ty) if *ty != item.ty => {
                    let (first, other) = (self.describe(ty), self.describe(&item.ty));
                    self.wrong_type(
                        &node.at,
                        format!("expected {first} like the first element of the list, found {other}"),
                    );
                    return None;
                }
                _ => element = Some(item.ty.clone()),
            }
            list.push(item);
        }
        let Some(element) = element else {
            // The type of an empty list is determined by the other operand.
            let ty = CelType::List(Box::new(CelType::Null));
            return Some(Expr::new(ExprKind::List(Vec::new()), ty));
        };
        if matches!(element, CelType::List(_) | CelType::Null) {
            self.unsupported(at, "list literals of this type");
            return None;
        }
        Some(Expr::new(ExprKind::List(list), CelType::List(Box::new(element))))
    }
}
