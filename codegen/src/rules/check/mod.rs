//! Names and types: a tree and a scope become a typed expression, or every mistake in it.
//!
//! A part with a mistake has no expression, and what it is a part of is not reported too; all other parts are looked
//! at, so that an author sees every mistake of a condition at once.

mod called;
mod calls;
mod facts;
mod fold;
pub mod known;
mod literals;
mod loops;
mod members;
mod operators;
mod parameters;
mod presence;
mod types;

use std::ops::Range;

use super::Mistake;
use super::tree::{Node, Shape};
use crate::diagnostics::{Code, Severity};
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Path, Root, Variable};
use crate::model::{Api, OperationId, ResourceId};

/// Where a condition stands: which names it can use, and which members are required there.
pub struct Scope<'a> {
    api: &'a Api,
    /// The resource that a rule is about.
    pub this: Option<ResourceId>,
    /// The operation whose request it is about.
    pub request: Option<OperationId>,
    /// The operations in which the condition holds; none for all.
    operations: Vec<OperationId>,
    /// Operations of which one has the parameters that it names; the others do without.
    siblings: Vec<OperationId>,
    /// Whether parameters are all that it can speak of.
    parameters_only: bool,
}

impl<'a> Scope<'a> {
    /// Of a rule of a resource.
    pub fn of_resource(api: &'a Api, id: ResourceId, operations: &[OperationId]) -> Self {
        let operations = operations.to_vec();
        Self { api, this: Some(id), request: None, operations, siblings: Vec::new(), parameters_only: false }
    }

    /// Of a rule of an operation.
    pub fn of_operation(api: &'a Api, id: OperationId) -> Self {
        Self { api, this: None, request: Some(id), operations: vec![id], siblings: Vec::new(), parameters_only: false }
    }

    /// Of a condition under which the server takes a member, in one of the operations that are sent it.
    pub fn of_member(api: &'a Api, id: OperationId, siblings: &[OperationId]) -> Self {
        let siblings = siblings.to_vec();
        Self { api, this: None, request: Some(id), operations: vec![id], siblings, parameters_only: true }
    }
}

/// Checks a condition. Without errors there is a condition, and the other way round.
pub fn condition(tree: &Node, scope: &Scope<'_>) -> (Option<Condition>, Vec<Mistake>) {
    let mut checker =
        Checker { scope, mistakes: Vec::new(), variables: Vec::new(), facts: Vec::new(), looked_up: 0, numbers: 0 };
    let value = checker.bool(tree);
    let mistakes = checker.mistakes;
    let wrong = mistakes.iter().any(|mistake| mistake.code.severity() == Severity::Error);
    let Some(value) = value.filter(|_| !wrong) else { return (None, mistakes) };
    let value = fold::constants(value);
    // A condition that reads a parameter which the operation does not have is false.
    let missing = value.any(&members::is_missing);
    let value = if missing { fold::literal(false) } else { value };
    // What comes of a patch is known only where it is known what is stored.
    let compares = value.any(&|expr| matches!(expr.kind, ExprKind::Root(Root::Old | Root::New)));
    let old = compares.then(|| members::stored(scope)).flatten();
    (Some(Condition { subject: scope.subject(), value, old }), mistakes)
}

/// A condition that never holds.
pub fn never() -> Expr {
    fold::literal(false)
}

struct Checker<'a> {
    scope: &'a Scope<'a>,
    mistakes: Vec<Mistake>,
    /// The variables of the loops around, innermost last.
    variables: Vec<(Variable, CelType)>,
    /// What is known to be there.
    facts: Vec<Path>,
    /// How many `in` look into what is being checked.
    looked_up: usize,
    /// How many variables were made.
    numbers: usize,
}

impl Checker<'_> {
    fn report(&mut self, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    /// Reports that types do not fit.
    fn wrong_type(&mut self, at: &Range<usize>, message: impl Into<String>) {
        self.report(Mistake::new(Code::CelType, at.clone(), message));
    }

    fn unsupported(&mut self, at: &Range<usize>, what: &str) {
        self.report(Mistake::new(Code::CelUnsupported, at.clone(), format!("{what} are not supported")));
    }

    /// An expression that must be a boolean.
    fn bool(&mut self, node: &Node) -> Option<Expr> {
        let expr = self.expr(node)?;
        if expr.ty == CelType::Bool {
            return Some(expr);
        }
        let found = self.describe(&expr.ty);
        self.wrong_type(&node.at, format!("a condition is true or false, and this is {found}"));
        None
    }

    fn expr(&mut self, node: &Node) -> Option<Expr> {
        match &node.shape {
            Shape::Literal(value) => Some(literals::of(value)),
            Shape::Name(name) => self.name(name, &node.at),
            Shape::Member(of, name, at) => self.member(node, of, name, at),
            Shape::Operator(operator, operands) => self.operator(node, *operator, operands),
            Shape::Call { name, name_at, receiver, arguments } => {
                self.call(&called::Called { whole: &node.at, name, at: name_at, receiver: *receiver, arguments })
            }
            Shape::List(items) => self.list(items, &node.at),
            Shape::Map => {
                self.unsupported(&node.at, "maps that are written out");
                None
            }
            Shape::Message => {
                self.unsupported(&node.at, "messages that are written out");
                None
            }
        }
    }

    /// A list: its elements are of one type.
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
                    self.wrong_type(&node.at, format!("the list begins with {first}, and this is {other}"));
                    return None;
                }
                _ => element = Some(item.ty.clone()),
            }
            list.push(item);
        }
        let Some(element) = element else {
            // Nothing tells of what type an empty list is; whoever compares with it does.
            let ty = CelType::List(Box::new(CelType::Null));
            return Some(Expr::new(ExprKind::List(Vec::new()), ty));
        };
        if matches!(element, CelType::List(_) | CelType::Null) {
            self.unsupported(at, "lists of this type that are written out");
            return None;
        }
        Some(Expr::new(ExprKind::List(list), CelType::List(Box::new(element))))
    }
}
