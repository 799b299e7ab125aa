//! Operators on lists and maps: `in` and `[]`.

use std::ops::Range;

use super::{Checker, Node, NodeKind, fold, literals};
use crate::model::condition::{CelType, Expr, ExprKind};

impl Checker<'_> {
    /// Checks `element in list` and `key in map`.
    pub fn check_in(&mut self, element: &Node, list: &Node, at: &Range<usize>) -> Option<Expr> {
        let (found, list_node) = (self.expr(element), list);
        // A list that does not depend on enclosing loops is built once; see `warn_of_squares`.
        self.lookup_depth += 1;
        let list = self.expr(list_node);
        self.lookup_depth -= 1;
        let (mut found, mut list) = (found?, list?);
        let inner = match &list.ty {
            CelType::List(inner) => (**inner).clone(),
            CelType::Map(_) | CelType::Object => CelType::String,
            other => {
                let other = self.describe(other);
                self.wrong_type(&list_node.at, format!("expected a list or a map after `in`, found {other}"));
                return None;
            }
        };
        if let ExprKind::List(items) = list.kind {
            let items = items.into_iter().map(|item| literals::adapt(item, &found.ty)).collect();
            list.kind = ExprKind::List(items);
        }
        if matches!(&list.kind, ExprKind::List(items) if items.is_empty()) {
            return Some(fold::literal(false));
        }
        found = self.as_enum(found, &inner, &element.at)?;
        list = self.items_as_enum(list, &found.ty, list_node)?;
        let inner = match (&list.kind, &list.ty) {
            (ExprKind::List(items), _) => items.first().map_or(found.ty.clone(), |item| item.ty.clone()),
            _ => inner,
        };
        found = literals::adapt(found, &inner);
        self.warn_of_searches(&found, &list, &inner, at);
        let sample = Expr::new(list.kind.clone(), inner);
        self.check_comparable(&found, &sample, at)?;
        Some(Expr::bool(ExprKind::In(Box::new(found), Box::new(list))))
    }

    /// Converts the strings of a list literal to values of the enum that they are compared with.
    fn items_as_enum(&mut self, list: Expr, other: &CelType, node: &Node) -> Option<Expr> {
        match (list.kind, &node.kind, other) {
            (ExprKind::List(items), NodeKind::List(nodes), CelType::Enum(_)) => {
                let items = items.into_iter().zip(nodes).map(|(item, node)| self.as_enum(item, other, &node.at));
                let items: Vec<Option<Expr>> = items.collect();
                let items = items.into_iter().collect::<Option<Vec<Expr>>>()?;
                Some(Expr::new(ExprKind::List(items), list.ty))
            }
            (kind, ..) => Some(Expr::new(kind, list.ty)),
        }
    }

    /// Checks `list[index]` with an integer, and `map[key]` with a string.
    pub fn index(&mut self, list: &Node, index: &Node, at: &Range<usize>) -> Option<Expr> {
        let (of, place) = (self.expr(list), self.expr(index));
        let (of, place) = (of?, place?);
        let ty = match (&of.ty, &place.ty) {
            (CelType::List(inner), _) if **inner == CelType::Null => {
                self.wrong_type(at, "an empty list has no elements");
                return None;
            }
            (CelType::List(inner), CelType::Int) => (**inner).clone(),
            (CelType::Map(inner), CelType::String) => (**inner).clone(),
            (one, other) => {
                let (one, other) = (self.describe(one), self.describe(other));
                self.wrong_type(at, format!("cannot index {one} with {other}"));
                return None;
            }
        };
        Some(Expr::new(ExprKind::Index(Box::new(of), Box::new(place)), ty))
    }
}
