//! Merges schemas that apply at once.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::keys::{ANNOTATIONS, LIMITS, STRUCTURE};
use super::{AdditionalMembers, Kind, View, component};
use crate::node::Node;
use crate::openapi::document::is_own;
use crate::value::Value;

/// Position among the merged schemas: a schema composed of others has their members in order.
type Order = Vec<usize>;

struct Gatherer<'v, 'd> {
    root: &'v Node<'d>,
    view: View<'d>,
    references: VecDeque<(&'d str, Node<'d>, Order)>,
    structural: bool,
    followed: BTreeSet<&'d str>,
    /// Members by name, since one can be in many schemas.
    members: HashMap<&'d str, usize>,
    /// First position of each member.
    orders: Vec<Order>,
    /// Members with their schemas, by memory address: a schema can be included many times.
    merged: HashSet<(usize, *const Value)>,
}

/// Merges schemas that apply at once.
pub fn view<'d>(root: &Node<'d>, nodes: &[Node<'d>]) -> View<'d> {
    let mut all = Gatherer {
        root,
        view: View::default(),
        references: VecDeque::new(),
        structural: false,
        followed: BTreeSet::new(),
        members: HashMap::new(),
        orders: Vec::new(),
        merged: HashSet::new(),
    };
    for (index, node) in nodes.iter().enumerate() {
        all.gather(node, &vec![index], 0);
    }
    let first = all.references.front().map(|(name, ..)| *name);
    let one = first.filter(|first| all.references.iter().all(|(name, ..)| name == first));
    if let (Some(name), false) = (one.and_then(component), all.structural) {
        all.view.named = Some(name);
        return all.view;
    }
    while let Some((name, target, order)) = all.references.pop_front() {
        if all.followed.insert(name) {
            all.gather(&target, &order, 0);
        }
    }
    let mut properties: Vec<_> = std::mem::take(&mut all.view.properties).into_iter().zip(all.orders).collect();
    properties.sort_by(|(_, a), (_, b)| a.cmp(b));
    all.view.properties = properties.into_iter().map(|(property, _)| property).collect();
    all.view
}

/// Returns whether a schema constrains its values by itself.
pub fn is_structural(node: &Node<'_>) -> bool {
    // The target of a reference next to `type: object` is an object, too.
    let plain_type = node.text_if("type") == Some("object");
    let is_structure = |key: &&str| node.has(key) && !(plain_type && **key == *"type");
    STRUCTURE.iter().chain(&LIMITS).any(|key| !matches!(*key, "oneOf" | "anyOf") && is_structure(key))
}

/// Maximum nesting depth of `allOf`.
const MAX_DEPTH: usize = 32;

/// Maximum length of a position; deeper members are in order of discovery.
const MAX_ORDER: usize = 64;

/// Returns a position below another: that of a key, in the order of the document, and of an element there.
fn below(order: &Order, at: usize, index: usize) -> Order {
    if order.len() >= MAX_ORDER {
        return order.clone();
    }
    order.iter().copied().chain([at, index]).collect()
}

/// Returns the index of a key among the members of a schema. Callers compute it once per key.
fn position(node: &Node<'_>, key: &str) -> usize {
    let Value::Object(members) = node.value else { return 0 };
    members.iter().position(|(name, _)| name == key).unwrap_or(members.len())
}

impl<'d> Gatherer<'_, 'd> {
    fn gather(&mut self, node: &Node<'d>, order: &Order, depth: usize) {
        match node.value {
            Value::Object(_) => {}
            Value::Bool(true) => return node.mark_read(),
            Value::Bool(false) => {
                node.mark_read();
                (self.view.is_impossible, self.structural) = (true, true);
                return;
            }
            _ => return node.whole_loss("left out: expected a schema"),
        }
        let known: Vec<&str> = ANNOTATIONS.iter().chain(&STRUCTURE).chain(&LIMITS).copied().chain(["not"]).collect();
        node.report_unknown(&known);
        if depth > MAX_DEPTH {
            return node.whole_loss("left out: `allOf` is nested too deeply");
        }
        self.view.nodes.push(node.clone());
        if let Some(reference) = node.text("$ref").filter(|_| !node.without_alternatives)
            && let Some(target) = node.target(self.root, reference)
        {
            self.references.push_back((reference, target, below(order, position(node, "$ref"), 0)));
        }
        self.structural |= is_structural(node);
        self.structure(node, order);
        let at = position(node, "allOf");
        for (index, member) in node.list("allOf").into_iter().enumerate().filter(|_| !node.without_alternatives) {
            self.gather(&member, &below(order, at, index), depth + 1);
        }
        for key in ["oneOf", "anyOf"].into_iter().filter(|_| !node.without_alternatives) {
            self.alternatives(node, key, order, depth);
        }
        if let Some(not) = node.get("not") {
            not.whole_loss("left out: negated schemas are not supported");
        }
    }

    fn structure(&mut self, node: &Node<'d>, order: &Order) {
        self.view.nullable |= node.flag("nullable");
        self.kinds(node);
        let at = position(node, "properties");
        for (index, (name, property)) in node.entries("properties").into_iter().enumerate() {
            self.property(name, property, below(order, at, index));
        }
        self.required(node);
        self.items(node);
        // Unevaluated members are those that none of the combined schemas declares, all of which are known here.
        for more in ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|key| node.get(key)) {
            self.more(more);
        }
        self.values(node);
    }

    /// Merges the schemas of the elements of a list, including positional ones: a list has one element type.
    fn items(&mut self, node: &Node<'d>) {
        let items = node.get("items").filter(|items| *items.value != Value::Bool(false));
        let Some(places) = node.get("prefixItems") else { return self.view.items.extend(items) };
        node.get("items").iter().filter(|items| matches!(items.value, Value::Bool(_))).for_each(Node::mark_read);
        let places: Vec<_> = places.elements().into_iter().chain(items).collect();
        let Some((first, others)) = places.split_first() else { return };
        if others.iter().all(|other| other.value == first.value) {
            others.iter().for_each(Node::mark_used);
            node.get("prefixItems")
                .iter()
                .for_each(|places| places.note("all elements are of the one type that they have"));
            self.view.items.push(first.clone());
        } else {
            places.iter().for_each(|place| place.whole_loss("becomes `any`: the elements of a list have one type"));
            self.view.kinds.get_or_insert_with(|| BTreeSet::from([Kind::List]));
        }
    }

    /// Merges the handling of additional members.
    fn more(&mut self, more: Node<'d>) {
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

    fn property(&mut self, name: &'d str, property: Node<'d>, order: Order) {
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
    fn required(&mut self, node: &Node<'d>) {
        match node.value.get("required") {
            Some(Value::Bool(_)) => {
                node.loss("`required` is left out: it must be a list of fields in this version of OpenAPI");
            }
            _ => self.view.required.extend(node.texts("required")),
        }
    }

    fn kinds(&mut self, node: &Node<'d>) {
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

    fn values(&mut self, node: &Node<'d>) {
        let constant = node.get("const");
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

    fn alternatives(&mut self, node: &Node<'d>, key: &str, order: &Order, depth: usize) {
        if !node.has(key) {
            return;
        }
        let (nulls, mut others): (Vec<_>, Vec<_>) = node.list(key).into_iter().partition(is_null);
        nulls.iter().for_each(Node::mark_used);
        self.view.nullable |= !nulls.is_empty();
        match others.len() {
            0 => {}
            1 => {
                if let Some(only) = others.pop() {
                    let discriminator = node
                        .get("discriminator")
                        .filter(|discriminator| is_redundant_discriminator(self.root, discriminator, &only));
                    discriminator.iter().for_each(|discriminator| {
                        discriminator.whole_note("left out: it tells one alternative, which says that itself")
                    });
                    self.gather(&only, &below(order, position(node, key), 0), depth + 1);
                }
            }
            _ => {
                self.structural = true;
                self.view.alternatives.push(others);
            }
        }
    }
}

/// Returns whether the member that a discriminator names has its values in the only alternative that there is.
fn is_redundant_discriminator(root: &Node<'_>, report: &Node<'_>, only: &Node<'_>) -> bool {
    let target = only.text_if("$ref").and_then(|reference| only.target(root, reference));
    let properties = target.as_ref().unwrap_or(only).value.get("properties");
    let member = report.text_if("propertyName").and_then(|name| properties?.get(name));
    !is_own(root) && member.is_some_and(|member| member.get("enum").is_some() || member.get("const").is_some())
}

/// Returns the intersection of two sets of kinds; every integer is a number.
fn intersect_kinds(a: &BTreeSet<Kind>, b: &BTreeSet<Kind>) -> BTreeSet<Kind> {
    let has =
        |set: &BTreeSet<Kind>, kind: Kind| set.contains(&kind) || kind == Kind::Integer && set.contains(&Kind::Number);
    a.iter().chain(b).copied().filter(|kind| has(a, *kind) && has(b, *kind)).collect()
}

/// Returns whether a schema is null: also an empty, closed, nullable object, the only form of OpenAPI 3.0.
fn is_null(node: &Node<'_>) -> bool {
    let is = |key: &str, value: &Value| node.value.get(key) == Some(value);
    let null = || Value::Text("null".to_owned());
    is("type", &null())
        || is("const", &Value::Null)
        || is("enum", &Value::List(vec![Value::Null]))
        || is("nullable", &Value::Bool(true))
            && is("additionalProperties", &Value::Bool(false))
            && !node.has("properties")
            && !node.has("$ref")
}
