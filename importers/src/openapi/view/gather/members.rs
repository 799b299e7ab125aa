//! Members of objects and elements of lists.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{Gatherer, Order};
use crate::node::Node;
use crate::openapi::view::{AdditionalMembers, Kind};
use crate::value::Value;

/// Schemas of the types that constants can have.
static TYPES: LazyLock<[Value; 3]> = LazyLock::new(|| {
    ["string", "boolean", "number"].map(|name| Value::Object(vec![("type".to_owned(), Value::Text(name.to_owned()))]))
});

/// Returns the schema of the type that the constants of all places have.
fn common_type(places: &[Node<'_>]) -> Option<&'static Value> {
    let [text, flag, number] = &*TYPES;
    let of_place = |place: &Node<'_>| match place.value.get("const")? {
        Value::Text(_) => Some(text),
        Value::Bool(_) => Some(flag),
        Value::Number(_) => Some(number),
        _ => None,
    };
    let first = places.first().and_then(of_place)?;
    places.iter().all(|place| of_place(place).is_some_and(|other| std::ptr::eq(first, other))).then_some(first)
}

impl<'d> Gatherer<'_, 'd> {
    /// Merges the schemas of a member.
    pub(super) fn property(&mut self, name: &'d str, property: Node<'d>, order: Order) {
        let known = *self.members.entry(name).or_insert(self.orders.len());
        // It occurs twice if a schema includes another that contains it.
        let is_new = self.merged.insert((known, std::ptr::from_ref(property.value)));
        match (self.view.properties.get_mut(known), self.orders.get_mut(known)) {
            (Some((_, nodes)), Some(first)) => {
                if is_new {
                    nodes.push(property);
                }
                if order < *first {
                    *first = order;
                }
            }
            _ => {
                self.view.properties.push((name, vec![property]));
                self.orders.push(order);
            }
        }
    }

    /// Merges the required members. In older documents `required` is a flag of a property.
    pub(super) fn required(&mut self, node: &Node<'d>) {
        match node.value.get("required") {
            Some(Value::Bool(_)) => {
                node.loss("`required` is left out: it must be a list of fields in this version of OpenAPI");
            }
            _ => self.view.required.extend(node.texts("required")),
        }
    }

    /// Merges the handling of additional members.
    pub(super) fn additional_members(&mut self, more: Node<'d>) {
        let is_never = more.get("not").is_some_and(|not| not.value == &Value::Object(Vec::new()));
        if matches!(more.value, Value::Bool(_)) || is_never {
            more.mark_used();
        }
        match (more.value, &mut self.view.additional) {
            (Value::Bool(false), more) => *more = AdditionalMembers::Closed,
            (_, more) if is_never => *more = AdditionalMembers::Closed,
            (Value::Bool(true), more @ AdditionalMembers::Unspecified) => *more = AdditionalMembers::Open,
            (Value::Bool(true), _) => {}
            (_, AdditionalMembers::Typed(nodes)) => nodes.push(more),
            (_, slot) => *slot = AdditionalMembers::Typed(vec![more]),
        }
    }

    /// Merges the members whose names match a pattern, if there is one pattern: they are additional members. Returns the
    /// other additional members that remain.
    pub(super) fn pattern_members(&mut self, node: &Node<'d>, more: Vec<Node<'d>>) -> Vec<Node<'d>> {
        let (Some(all), entries) = (node.get("patternProperties"), node.entries("patternProperties")) else {
            return more;
        };
        let [(pattern, values)] = entries.as_slice() else {
            if !entries.is_empty() {
                all.whole_loss("left out: several patterns of keys are not supported");
            }
            return more;
        };
        let is_closed = more.iter().any(|more| *more.value == Value::Bool(false));
        let is_any = |value: &Value| matches!(value, Value::Bool(true)) || *value == Value::Object(Vec::new());
        if more.iter().any(|more| !matches!(more.value, Value::Bool(_)) && more.value != values.value) {
            all.whole_loss("left out: keys that do not match the pattern have values of another type");
            return more;
        }
        more.iter().for_each(Node::mark_used);
        if is_closed {
            self.view.key_patterns.push((all.clone(), *pattern));
        } else if !is_any(values.value) && more.iter().all(|more| matches!(more.value, Value::Bool(_))) {
            all.loss("the pattern of the keys is left out: values of other keys are of this type too");
        }
        vec![values.clone()]
    }

    /// Sets the maximum count of a list that has no elements after those of `prefixItems`.
    fn close_list(&mut self, node: &Node<'d>) {
        node.get("items").iter().for_each(Node::mark_used);
        let count = if let Some(Value::List(places)) = node.value.get("prefixItems") { places.len() } else { 0 };
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let (_, closed) = self.view.closed_at.get_or_insert_with(|| (node.clone(), count));
        *closed = count.min(*closed);
    }

    /// Merges the schemas of the elements of a list, including positional ones: a list has one element type.
    pub(super) fn items(&mut self, node: &Node<'d>) {
        let items = node.get("items").filter(|items| *items.value != Value::Bool(false));
        if items.is_none() && node.has("items") {
            self.close_list(node);
        }
        let Some(places) = node.get("prefixItems") else { return self.view.items.extend(items) };
        items.iter().filter(|items| matches!(items.value, Value::Bool(_))).for_each(Node::mark_read);
        let places: Vec<_> = places.elements().into_iter().chain(items).collect();
        let Some((first, others)) = places.split_first() else { return };
        if others.iter().all(|other| other.value == first.value) {
            others.iter().for_each(Node::mark_used);
            node.get("prefixItems")
                .iter()
                .for_each(|places| places.note("`prefixItems` is left out: all elements have the same type"));
            self.view.items.push(first.clone());
        } else if let Some(schema) = common_type(&places) {
            places.iter().for_each(|place| {
                place.whole_loss("left out: the elements of a list have the same type, and no constants of their own");
            });
            self.view.items.push(node.child_at("prefixItems", schema));
        } else {
            places
                .iter()
                .for_each(|place| place.whole_loss("becomes `any`: the elements of a list must have the same type"));
            self.view.kinds.get_or_insert_with(|| BTreeSet::from([Kind::List]));
        }
    }
}
