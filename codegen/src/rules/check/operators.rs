//! Logical operators, comparisons and arithmetic.

use std::ops::Range;

use super::{Checker, ConditionError, Node, NodeKind, facts, literals};
use crate::diagnostics::Code;
use crate::model::condition::{Arithmetic, CelType, Comparison, Expr, ExprKind, Literal};
use crate::rules::tree::Operator;

impl Checker<'_> {
    /// Checks an operator and its operands.
    pub fn operator(&mut self, node: &Node, operator: Operator, parts: &[Node]) -> Option<Expr> {
        match (operator, parts) {
            (Operator::And | Operator::Or, _) => self.chain(node, operator),
            (Operator::Not, [one]) => self.bool(one).map(|one| Expr::bool(ExprKind::Not(Box::new(one)))),
            (Operator::Conditional, [condition, then, otherwise]) => {
                self.conditional(condition, then, otherwise, &node.at)
            }
            (Operator::Equal, [a, b]) => self.equal(a, b, &node.at),
            (Operator::NotEqual, [a, b]) => {
                self.equal(a, b, &node.at).map(|equal| Expr::bool(ExprKind::Not(Box::new(equal))))
            }
            (Operator::Compare(comparison), [a, b]) => self.compare(comparison, a, b, &node.at),
            (Operator::Arithmetic(sign), [a, b]) => self.arithmetic(sign, a, b, &node.at),
            (Operator::Negate, [one]) => self.negate(one),
            (Operator::In, [element, list]) => self.check_in(element, list, &node.at),
            (Operator::Index, [list, index]) => self.index(list, index, &node.at),
            // The parser guarantees the number of operands.
            _ => None,
        }
    }

    /// Checks a chain of one logical operator; each operand is narrowed by the previous ones.
    fn chain(&mut self, node: &Node, operator: Operator) -> Option<Expr> {
        let mut parts = Vec::new();
        flatten(node, operator, &mut parts);
        let known = self.facts.len();
        let is_and = operator == Operator::And;
        let mut checked = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.bool(part);
            if let Some(part) = &part {
                facts::collect_facts(part, is_and, &mut self.facts);
            }
            checked.push(part);
        }
        self.facts.truncate(known);
        let checked = checked.into_iter().collect::<Option<Vec<Expr>>>()?;
        Some(Expr::bool(if is_and { ExprKind::And(checked) } else { ExprKind::Or(checked) }))
    }

    /// Checks an expression, given that a condition is true or false.
    pub fn check_given(&mut self, condition: Option<&Expr>, truth: bool, node: &Node) -> Option<Expr> {
        let known = self.facts.len();
        if let Some(condition) = condition {
            facts::collect_facts(condition, truth, &mut self.facts);
        }
        let expr = self.expr(node);
        self.facts.truncate(known);
        expr
    }

    /// Checks `a ? b : c`, whose branches have one type; each branch can rely on the condition's truth value.
    fn conditional(&mut self, condition: &Node, then: &Node, otherwise: &Node, at: &Range<usize>) -> Option<Expr> {
        let condition = self.bool(condition);
        let then = self.check_given(condition.as_ref(), true, then);
        let otherwise = self.check_given(condition.as_ref(), false, otherwise);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let (then, otherwise) = self.unify_literals(then, otherwise);
        if then.ty != otherwise.ty {
            let (one, other) = (self.describe(&then.ty), self.describe(&otherwise.ty));
            self.wrong_type(at, format!("the values of the conditional have different types: {one} and {other}"));
            return None;
        }
        if matches!(then.ty, CelType::List(_) | CelType::Map(_) | CelType::Any | CelType::Object) {
            self.unsupported(at, "conditionals with lists, maps or JSON values");
            return None;
        }
        let ty = then.ty.clone();
        Some(Expr::new(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), ty))
    }

    /// Adapts integer literals among two operands to the type of the other.
    pub fn unify_literals(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        let (a, b) = (literals::adapt(a, &b.ty), b);
        let b = literals::adapt(b, &a.ty);
        (a, b)
    }

    fn operand_pair(&mut self, a: &Node, b: &Node) -> Option<(Expr, Expr)> {
        let (a, b) = (self.expr(a), self.expr(b));
        Some(self.unify_literals(a?, b?))
    }

    /// Checks `a == b`; a string that is compared with an enum becomes one of its values.
    fn equal(&mut self, a: &Node, b: &Node, at: &Range<usize>) -> Option<Expr> {
        let known = self.errors.len();
        let Some((left, right)) = self.operand_pair(a, b) else {
            self.advise_about_null(a, b, known);
            return None;
        };
        let (left, right) = (self.as_enum(left, &right.ty, &a.at)?, right);
        let right = self.as_enum(right, &left.ty, &b.at)?;
        self.check_comparable(&left, &right, at)?;
        Some(Expr::bool(ExprKind::Equal(Box::new(left), Box::new(right))))
    }

    /// Advises `has()` if a field that may be absent is compared with null.
    fn advise_about_null(&mut self, a: &Node, b: &Node, known: usize) {
        let is_null = |node: &Node| matches!(node.kind, NodeKind::Literal(Literal::Null));
        if !is_null(a) && !is_null(b) {
            return;
        }
        for error in self.errors.iter_mut().skip(known).filter(|error| error.code == Code::CelAbsent) {
            let name = [a, b].into_iter().filter(|node| node.at == error.at).find_map(Node::name);
            let has = format!("has({})", name.as_deref().unwrap_or("x"));
            error.help = vec![format!("an absent field is not null: write `{has}` or `!{has}`")];
        }
    }

    /// Converts a string literal that is compared with an enum to one of its values.
    pub fn as_enum(&mut self, expr: Expr, other: &CelType, at: &Range<usize>) -> Option<Expr> {
        match (&expr.kind, other) {
            (ExprKind::Literal(Literal::String(value)), CelType::Enum(id)) => self.enum_value(*id, &value.clone(), at),
            _ => Some(expr),
        }
    }

    /// Checks that two values can be compared for equality.
    pub fn check_comparable(&mut self, a: &Expr, b: &Expr, at: &Range<usize>) -> Option<()> {
        let null = |expr: &Expr| expr.kind == ExprKind::Literal(Literal::Null) && expr.ty == CelType::Any;
        let message = match (&a.ty, &b.ty) {
            (CelType::Any, CelType::Any) if null(a) != null(b) => return Some(()),
            (CelType::Any, CelType::Any) => "JSON values can be compared only with `null`".to_owned(),
            (CelType::Any, _) if null(a) => self.not_null(&b.ty),
            (_, CelType::Any) if null(b) => self.not_null(&a.ty),
            (CelType::List(x), CelType::List(y)) if **x == CelType::Null || **y == CelType::Null => return Some(()),
            (CelType::Map(_) | CelType::Object, _) => "maps cannot be compared".to_owned(),
            (one, other) if one == other => return Some(()),
            (CelType::Enum(_), CelType::String) | (CelType::String, CelType::Enum(_)) => return Some(()),
            (one, other) => {
                format!("cannot compare {} with {}", self.describe(one), self.describe(other))
            }
        };
        let error = ConditionError::new(Code::CelType, at.clone(), message);
        let numbers = a.ty.is_number() && b.ty.is_number();
        let error = if numbers { error.help("convert one of them: `int(x)`, `uint(x)`, `double(x)`") } else { error };
        self.report(error);
        None
    }

    fn not_null(&self, ty: &CelType) -> String {
        format!("{} is never null: use `has()` to check whether it is present", self.describe(ty))
    }

    /// Checks `<`, `<=`, `>` or `>=`, whose operands are two numbers or have one type that is ordered.
    fn compare(&mut self, comparison: Comparison, a: &Node, b: &Node, at: &Range<usize>) -> Option<Expr> {
        let (a, b) = self.operand_pair(a, b)?;
        let ordered = matches!(
            a.ty,
            CelType::Bool
                | CelType::Int
                | CelType::Uint
                | CelType::Double
                | CelType::String
                | CelType::Bytes
                | CelType::Timestamp
                | CelType::Date
                | CelType::Duration
        );
        let numbers = a.ty.is_number() && b.ty.is_number();
        if numbers || (ordered && a.ty == b.ty) {
            return Some(Expr::bool(ExprKind::Compare(comparison, Box::new(a), Box::new(b))));
        }
        let (one, other) = (self.describe(&a.ty), self.describe(&b.ty));
        let message = if a.ty == b.ty {
            format!("{one} cannot be ordered")
        } else {
            format!("cannot compare {one} with {other}")
        };
        self.wrong_type(at, message);
        None
    }

    /// Checks `+`, `-`, `*`, `/` or `%`, and determines the type of the result.
    fn arithmetic(&mut self, sign: Arithmetic, a: &Node, b: &Node, at: &Range<usize>) -> Option<Expr> {
        use CelType::{Double, Duration, Int, String, Timestamp, Uint};
        let (a, b) = self.operand_pair(a, b)?;
        let ty = match (sign, &a.ty, &b.ty) {
            (Arithmetic::Remainder, Int, Int) => Int,
            (Arithmetic::Remainder, Uint, Uint) => Uint,
            (Arithmetic::Remainder, Double, Double) => return self.unsupported_operands(sign, &a.ty, &b.ty, at),
            (_, Int, Int) => Int,
            (_, Uint, Uint) => Uint,
            (_, Double, Double) => Double,
            (Arithmetic::Add, String, String) => String,
            (Arithmetic::Add, Timestamp, Duration) | (Arithmetic::Add, Duration, Timestamp) => Timestamp,
            (Arithmetic::Subtract, Timestamp, Duration) => Timestamp,
            (Arithmetic::Subtract, Timestamp, Timestamp) => Duration,
            (Arithmetic::Add | Arithmetic::Subtract, Duration, Duration) => Duration,
            (Arithmetic::Add, CelType::List(_), CelType::List(_)) => {
                self.unsupported(at, "concatenations of lists");
                return None;
            }
            (one, x, y) => return self.unsupported_operands(one, x, y, at),
        };
        Some(Expr::new(ExprKind::Arithmetic(sign, Box::new(a), Box::new(b)), ty))
    }

    fn unsupported_operands(&mut self, sign: Arithmetic, a: &CelType, b: &CelType, at: &Range<usize>) -> Option<Expr> {
        let sign = match sign {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        };
        let message = format!("cannot apply `{sign}` to {} and {}", self.describe(a), self.describe(b));
        self.wrong_type(at, message);
        None
    }

    /// Checks the unary `-`.
    fn negate(&mut self, node: &Node) -> Option<Expr> {
        let one = self.expr(node)?;
        if !matches!(one.ty, CelType::Int | CelType::Double) {
            let found = self.describe(&one.ty);
            self.wrong_type(&node.at, format!("cannot apply `-` to {found}"));
            return None;
        }
        let ty = one.ty.clone();
        Some(Expr::new(ExprKind::Negate(Box::new(one)), ty))
    }
}

/// Collects the operands of a chain, including those of nested chains in parentheses.
fn flatten<'n>(node: &'n Node, operator: Operator, parts: &mut Vec<&'n Node>) {
    match &node.kind {
        NodeKind::Operator(found, operands) if *found == operator => {
            operands.iter().for_each(|operand| flatten(operand, operator, parts));
        }
        _ => parts.push(node),
    }
}
