//! Presence of fields: `has()`, and `same()`, which compares optional values.

use std::ops::Range;

use super::call_node::CallNode;
use super::members::string_literal;
use super::{Checker, Node, NodeKind};
use crate::model::condition::{CelType, Expr, ExprKind, Path, Read};
use crate::rules::tree::Operator;

impl Checker<'_> {
    /// Expands `same(a.b, c.d)` to `has(a.b) ? has(c.d) && a.b == c.d : !has(c.d)`, or to `a.b == c.d` if both are
    /// always present.
    pub fn same(&mut self, called: &CallNode<'_>) -> Option<Expr> {
        let [a, b] = called.arguments else { return self.wrong_count(called, "two fields") };
        // The expansion repeats each argument, so that calls in them would multiply.
        if let Some(other) = [a, b].into_iter().find(|argument| !is_member(argument)) {
            self.wrong_type(&other.at, "`same()` expects two fields: `same(new.title, old.title)`");
            return None;
        }
        let known = self.errors.len();
        let always = [a, b].map(|member| self.is_always_present(member));
        if self.errors.len() > known {
            return None;
        }
        let at = called.range;
        let operator =
            |operator: Operator, parts: Vec<Node>| Node { kind: NodeKind::Operator(operator, parts), at: at.clone() };
        let equal = operator(Operator::Equal, vec![a.clone(), b.clone()]);
        if always == [true, true] {
            return self.expr(&equal);
        }
        let has = |member: &Node| Node {
            kind: NodeKind::Call {
                name: "has".to_owned(),
                name_at: called.name_range.clone(),
                receiver: false,
                arguments: vec![member.clone()],
            },
            at: member.at.clone(),
        };
        let present = operator(Operator::And, vec![has(b), equal]);
        let absent = operator(Operator::Not, vec![has(b)]);
        self.expr(&operator(Operator::Conditional, vec![has(a), present, absent]))
    }

    /// Returns whether a value is always present: a list, a map or a field with a default, in an object that is
    /// present.
    fn is_always_present(&mut self, node: &Node) -> bool {
        let NodeKind::Member(of, name, at) = &node.kind else { return false };
        let Some(of) = self.check_tested(of) else { return false };
        let certain = match &of.kind {
            ExprKind::Root(_) | ExprKind::Variable(_) => true,
            _ => Path::of(&of).is_some_and(|path| self.facts.contains(&path)),
        };
        let (CelType::Resource(id) | CelType::Patch(id)) = of.ty else { return false };
        let Some(member) = self.step(of, name, at) else { return false };
        let ExprKind::Member { field, .. } = &member.kind else { return false };
        let field = self.field_of(id, *field);
        certain && matches!(self.read_mode(&member, field), Some(Read::Plain | Read::Default | Read::Narrowed))
    }

    /// Checks `has(a.b.c)`.
    pub fn has(&mut self, argument: &Node, whole: &Range<usize>) -> Option<Expr> {
        let NodeKind::Member(of, name, at) = &argument.kind else {
            let message = "`has()` expects a field: `has(this.title)`";
            self.wrong_type(&argument.at, message);
            return None;
        };
        if matches!(&of.kind, NodeKind::Name(first) if first == "params" && self.operation().is_some()) {
            return self.has_parameter(name, at);
        }
        let of = self.check_tested(of)?;
        match &of.ty {
            CelType::Resource(_) | CelType::Patch(_) => {
                self.tested(of, name, at).map(|member| Expr::bool(ExprKind::Has(Box::new(member))))
            }
            CelType::Map(_) | CelType::Object => Some(has_key(of, name)),
            other => {
                let found = self.describe(other);
                self.wrong_type(whole, format!("`has()` expects a field of a resource, found a field of {found}"));
                None
            }
        }
    }

    /// Checks an ancestor of a field whose presence is tested; it may be absent itself.
    fn check_tested(&mut self, node: &Node) -> Option<Expr> {
        let NodeKind::Member(of, name, at) = &node.kind else { return self.expr(node) };
        let is_enum =
            matches!(&of.kind, NodeKind::Name(first) if self.enumeration(first).is_some() || first == "params");
        if is_enum {
            return self.expr(node);
        }
        let of = self.check_tested(of)?;
        match of.ty {
            CelType::Resource(_) | CelType::Patch(_) => self.step(of, name, at),
            _ => self.expr(node),
        }
    }

    /// Returns the access to a field whose presence is tested: its value can have a type that conditions cannot read.
    fn tested(&mut self, of: Expr, name: &str, at: &Range<usize>) -> Option<Expr> {
        let (CelType::Resource(id) | CelType::Patch(id)) = of.ty else { return None };
        let field = self.field(id, name, at)?;
        let member = self.field_of(id, field);
        if CelType::of(&member.ty).is_some() && !member.nullable {
            return self.step(of, name, at);
        }
        Some(Expr::new(ExprKind::Member { of: Box::new(of), field, read: Read::Presence }, CelType::Any))
    }

    /// Returns the access to a field whose object may be absent; `None` after reporting an unknown field.
    fn step(&mut self, of: Expr, name: &str, at: &Range<usize>) -> Option<Expr> {
        let (CelType::Resource(id) | CelType::Patch(id)) = of.ty else { return None };
        let field = self.field(id, name, at)?;
        let member = self.field_of(id, field);
        let ty = self.member_type(&of.ty, member, at)?;
        Some(Expr::new(ExprKind::Member { of: Box::new(of), field, read: Read::Presence }, ty))
    }
}

/// Returns `has(map.key)`: the map is present and has the key.
fn has_key(of: Expr, name: &str) -> Expr {
    let key = Box::new(string_literal(name));
    let needs_test = matches!(of.ty, CelType::Object) && matches!(of.kind, ExprKind::Member { .. });
    if !needs_test {
        return Expr::bool(ExprKind::In(key, Box::new(without_presence_test(of))));
    }
    let present = Expr::bool(ExprKind::Has(Box::new(of.clone())));
    let mut narrowed = of;
    if let ExprKind::Member { read, .. } = &mut narrowed.kind {
        *read = Read::Narrowed;
    }
    Expr::bool(ExprKind::And(vec![present, Expr::bool(ExprKind::In(key, Box::new(narrowed)))]))
}

/// Returns a map that is read without a presence test, since absent means empty.
fn without_presence_test(mut map: Expr) -> Expr {
    if let ExprKind::Member { read, .. } = &mut map.kind {
        *read = Read::Plain;
    }
    map
}

/// Returns whether a node is a field access by name on a named value.
fn is_member(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Member(of, ..) => matches!(of.kind, NodeKind::Name(_)) || is_member(of),
        _ => false,
    }
}
