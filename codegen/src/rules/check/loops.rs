//! Loops: `all`, `exists`, `exists_one`, `filter`, `map`.

use std::ops::Range;

use super::call_node::CallNode;
use super::{Checker, ConditionError, Node, NodeKind, fold};
use crate::diagnostics::Code;
use crate::model::condition::{CelType, Expr, ExprKind, Loop, LoopKind, Variable};

/// Returns the kind of loop with a name.
pub fn loop_kind(name: &str) -> Option<LoopKind> {
    Some(match name {
        "all" => LoopKind::All,
        "exists" => LoopKind::Exists,
        "exists_one" | "existsOne" => LoopKind::ExistsOne,
        "filter" => LoopKind::Filter,
        "map" => LoopKind::Map,
        _ => return None,
    })
}

/// Returns the result type of a loop.
fn loop_type(kind: LoopKind, element: CelType, result: Option<&Expr>) -> CelType {
    match (kind, result) {
        (LoopKind::Filter, _) => CelType::List(Box::new(element)),
        (LoopKind::Map, Some(result)) => CelType::List(Box::new(result.ty.clone())),
        _ => CelType::Bool,
    }
}

/// List or map, variable, condition and result of a loop.
type Parts<'n> = (&'n Node, &'n Node, Option<&'n Node>, Option<&'n Node>);

impl Checker<'_> {
    /// Checks `xs.all(x, condition)` and the like. `tuples` allows tuples as elements.
    pub fn check_loop(&mut self, kind: LoopKind, called: &CallNode<'_>, tuples: bool) -> Option<Expr> {
        let (over, variable, condition, result) = self.parts_of_loop(kind, called)?;
        let over_at = &over.at;
        let over = self.expr(over);
        let name = self.variable_name(variable);
        let (over, name) = (over?, name?);
        let element = match &over.ty {
            CelType::List(inner) => (**inner).clone(),
            CelType::Map(_) => CelType::String,
            other => {
                let found = self.describe(other);
                self.wrong_type(over_at, format!("expected a list or a map for `{}`, found {found}", called.name));
                return None;
            }
        };
        self.warn_of_squares(&over, called);
        let variable = Variable { number: self.variable_count, name };
        self.variable_count += 1;
        self.variables.push((variable.clone(), element.clone()));
        let body = self.body_of_loop(condition, result, tuples);
        self.variables.pop();
        let (condition, result) = body?;
        if let ExprKind::List(items) = &over.kind
            && items.is_empty()
        {
            return Some(over_empty(kind, over));
        }
        let ty = loop_type(kind, element, result.as_ref());
        Some(Expr::new(ExprKind::Loop(Box::new(Loop { kind, over, variable, condition, result })), ty))
    }

    /// Splits the arguments of a loop.
    fn parts_of_loop<'n>(&mut self, kind: LoopKind, called: &CallNode<'n>) -> Option<Parts<'n>> {
        Some(match (kind, called.arguments) {
            _ if !called.receiver => {
                let message = format!("`{0}` must be called on a list: `xs.{0}(x, …)`", called.name);
                let error = ConditionError::new(Code::CelType, called.name_range.clone(), message);
                let argument = called.arguments.first().and_then(Node::name).filter(|_| called.arguments.len() == 1);
                self.report(match argument {
                    Some(member) => error.help(format!("write `has({member})` to check whether it is present")),
                    None => error,
                });
                return None;
            }
            (LoopKind::Map, [over, variable, result]) => (over, variable, None, Some(result)),
            (LoopKind::Map, [over, variable, condition, result]) => (over, variable, Some(condition), Some(result)),
            (LoopKind::Map, _) => return self.wrong_count(called, "a variable, an optional condition and a value"),
            (_, [over, variable, condition]) => (over, variable, Some(condition), None),
            (_, [_, first, second, _]) if is_name(first) && is_name(second) => {
                self.unsupported(called.range, "comprehensions with two variables");
                return None;
            }
            _ => return self.wrong_count(called, "a variable and a condition"),
        })
    }

    fn body_of_loop(
        &mut self,
        condition: Option<&Node>,
        result: Option<&Node>,
        tuples: bool,
    ) -> Option<(Option<Expr>, Option<Expr>)> {
        let checked = condition.map(|condition| self.bool(condition));
        let known = self.facts.len();
        if let Some(Some(condition)) = &checked {
            super::facts::collect_facts(condition, true, &mut self.facts);
        }
        let result = result.map(|result| match &result.kind {
            NodeKind::List(items) if tuples => self.tuple(items),
            _ => self.expr(result),
        });
        self.facts.truncate(known);
        let checked = match checked {
            Some(checked) => Some(checked?),
            None => None,
        };
        Some((
            checked,
            match result {
                Some(result) => Some(result?),
                None => None,
            },
        ))
    }

    /// Checks several values that are compared as a tuple.
    fn tuple(&mut self, items: &[Node]) -> Option<Expr> {
        let checked: Vec<Option<Expr>> = items.iter().map(|item| self.expr(item)).collect();
        let checked = checked.into_iter().collect::<Option<Vec<Expr>>>()?;
        let ty = CelType::Tuple(checked.iter().map(|item| item.ty.clone()).collect());
        Some(Expr::new(ExprKind::List(checked), ty))
    }

    fn variable_name(&mut self, node: &Node) -> Option<String> {
        match &node.kind {
            NodeKind::Name(name) if matches!(name.as_str(), "this" | "params" | "body" | "old" | "new") => {
                self.report(ConditionError::new(
                    Code::CelUnknownName,
                    node.at.clone(),
                    format!("`{name}` is reserved and cannot be the name of a variable"),
                ));
                None
            }
            NodeKind::Name(name) if !name.starts_with('.') => Some(name.clone()),
            _ => {
                self.wrong_type(&node.at, "expected the name of a variable");
                None
            }
        }
    }

    /// Returns whether an expression reads the variable of an enclosing loop; nested loops have variables too.
    fn depends_on_loops(&self, expr: &Expr) -> bool {
        expr.contains(&|part| match &part.kind {
            ExprKind::Variable(read) => self.variables.iter().any(|(around, _)| around.number == read.number),
            _ => false,
        })
    }

    /// Warns of a search in a list for each element of a loop, unless the list can become a set.
    pub fn warn_of_searches(&mut self, element: &Expr, list: &Expr, inner: &CelType, at: &Range<usize>) {
        let small = matches!(list.kind, ExprKind::List(_)) || matches!(list.ty, CelType::Map(_) | CelType::Object);
        let is_set = *inner == element.ty && inner.is_hashed();
        if self.variables.is_empty() || small || is_set || self.depends_on_loops(list) {
            return;
        }
        let message = "searching a list within a loop over another takes quadratic time";
        self.report(
            ConditionError::new(Code::CelSquare, at.clone(), message)
                .help("use a lookup of strings, integers, dates or enum values: `x.key in ys.map(y, y.key)`"),
        );
    }

    /// Warns of a loop within a loop over another list, whose time is proportional to the product of both.
    fn warn_of_squares(&mut self, over: &Expr, called: &CallNode<'_>) {
        let written_out = matches!(over.kind, ExprKind::List(_));
        if self.variables.is_empty() || self.lookup_depth > 0 || written_out || self.depends_on_loops(over) {
            return;
        }
        let message = "a loop over a list within a loop over another takes quadratic time";
        self.report(
            ConditionError::new(Code::CelSquare, called.range.clone(), message)
                .help("to check that the elements are unique, write `xs.map(x, x.key).unique()`")
                .help("to check that another list contains an element, write `x.key in ys.map(y, y.key)`"),
        );
    }
}

/// Returns a loop over an empty list literal.
fn over_empty(kind: LoopKind, empty: Expr) -> Expr {
    match kind {
        LoopKind::All => fold::literal(true),
        LoopKind::Exists | LoopKind::ExistsOne => fold::literal(false),
        LoopKind::Filter | LoopKind::Map => empty,
    }
}

fn is_name(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Name(_))
}
