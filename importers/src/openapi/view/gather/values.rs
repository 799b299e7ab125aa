//! Kinds of values and listed values.

use std::collections::BTreeSet;

use super::Gatherer;
use crate::node::Node;
use crate::openapi::view::Kind;
use crate::value::Value;

impl<'d> Gatherer<'_, 'd> {
    /// Merges the declared kinds: a value must have a kind that all schemas allow.
    pub(super) fn kinds(&mut self, node: &Node<'d>) {
        let Some(written) = node.get("type") else { return };
        written.mark_read();
        let names: Vec<&str> = match written.value {
            Value::Text(text) => vec![text],
            Value::List(_) => node.texts("type"),
            _ => return written.whole_loss("left out: expected a string"),
        };
        let mut kinds = BTreeSet::new();
        for name in names {
            kinds.extend(match name {
                "null" => {
                    self.view.nullable = true;
                    None
                }
                "boolean" => Some(Kind::Bool),
                "integer" => Some(Kind::Integer),
                "number" => Some(Kind::Number),
                "string" => Some(Kind::Text),
                "array" => Some(Kind::List),
                "object" => Some(Kind::Object),
                other => {
                    written.whole_loss(format!("left out: unknown type `{}`", other.escape_debug()));
                    None
                }
            });
        }
        self.view.kinds = match self.view.kinds.take() {
            None => Some(kinds),
            Some(known) => Some(intersect_kinds(&known, &kinds)),
        };
    }

    /// Merges the listed values: a value must be in all lists.
    pub(super) fn values(&mut self, node: &Node<'d>) {
        let constant = node.constant();
        let listed = node.has("enum").then(|| node.list("enum"));
        listed.iter().flatten().chain(&constant).for_each(Node::mark_used);
        if let (Some(one), Some(listed)) = (&constant, &listed)
            && listed.iter().all(|other| other.value != one.value)
        {
            node.loss("`enum` is left out: `const` is not one of its values");
        }
        let constant_is = constant.is_some();
        let Some(values) = constant.map(|one| vec![one]).or(listed) else { return };
        let (nulls, values): (Vec<_>, Vec<_>) = values.into_iter().partition(|value| *value.value == Value::Null);
        self.view.nullable |= !nulls.is_empty();
        self.view.is_constant |= constant_is;
        self.view.values = Some(match self.view.values.take() {
            None => values,
            Some(known) => known.into_iter().filter(|one| values.iter().any(|it| it.value == one.value)).collect(),
        });
    }
}

/// Returns the intersection of two sets of kinds; every integer is a number.
fn intersect_kinds(a: &BTreeSet<Kind>, b: &BTreeSet<Kind>) -> BTreeSet<Kind> {
    let has =
        |set: &BTreeSet<Kind>, kind: Kind| set.contains(&kind) || kind == Kind::Integer && set.contains(&Kind::Number);
    a.iter().chain(b).copied().filter(|kind| has(a, *kind) && has(b, *kind)).collect()
}
