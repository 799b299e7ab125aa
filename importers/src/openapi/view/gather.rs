//! Merges schemas that apply at once.

mod members;
mod values;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::View;
use super::keys::{ANNOTATIONS, LIMITS, STRUCTURE, report_unknown};
use crate::node::Node;
use crate::openapi::document::is_own;
use crate::unread::CONDITIONS;
use crate::value::Value;

/// Position among the merged schemas: a schema composed of others has their members in order.
type Order = Vec<usize>;

/// Merge in progress of schemas that apply at once.
struct Gatherer<'v, 'd> {
    root: &'v Node<'d>,
    view: View<'d>,
    references: VecDeque<(Option<&'d str>, Node<'d>, Order)>,
    structural: bool,
    followed: HashSet<*const Value>,
    /// Merged schemas, by memory address.
    gathered: HashSet<*const Value>,
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
        followed: HashSet::new(),
        gathered: HashSet::new(),
        members: HashMap::new(),
        orders: Vec::new(),
        merged: HashSet::new(),
    };
    for (index, node) in nodes.iter().enumerate() {
        all.gather(node, &vec![index], 0);
    }
    let first = all.references.front().map(|(name, target, _)| (*name, target.value));
    let one = first.filter(|(_, first)| all.references.iter().all(|(_, target, _)| std::ptr::eq(target.value, *first)));
    if let (Some(name), false) = (one.and_then(|(name, _)| name), all.structural) {
        all.view.named = Some(name);
        return all.view;
    }
    while let Some((_, target, order)) = all.references.pop_front() {
        if all.followed.insert(std::ptr::from_ref(target.value)) {
            all.gather(&target, &order, 0);
        }
    }
    all.remove_chosen_alternatives();
    let mut properties: Vec<_> = std::mem::take(&mut all.view.properties).into_iter().zip(all.orders).collect();
    properties.sort_by(|(_, a), (_, b)| a.cmp(b));
    all.view.properties = properties.into_iter().map(|(property, _)| property).collect();
    all.view
}

/// Returns whether a schema constrains its values by itself.
pub fn is_structural(node: &Node<'_>) -> bool {
    // The target of a reference next to `type: object` is an object, too.
    let plain_type = node.text_if("type") == Some("object");
    let has = |key: &str| node.has(key) || key == "const" && node.constant().is_some();
    let is_structure = |key: &&str| has(key) && !(plain_type && **key == *"type");
    STRUCTURE
        .iter()
        .chain(&LIMITS)
        .chain(&CONDITIONS)
        .any(|key| !matches!(*key, "oneOf" | "anyOf") && is_structure(key))
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
    /// Merges a schema and those that it includes into the view; targets of `$ref` are queued. `order` is its position.
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
        report_unknown(node);
        if depth > MAX_DEPTH {
            return node.whole_loss("left out: `allOf` is nested too deeply");
        }
        if !node.count_merge() {
            return;
        }
        self.gathered.insert(std::ptr::from_ref(node.value));
        self.view.nodes.push(node.clone());
        if !node.without_alternatives
            && let Some(target) = node.target(self.root)
        {
            self.references.push_back((node.component(), target, below(order, position(node, "$ref"), 0)));
        }
        self.structural |= is_structural(node) && !self.only_repeats_type(node);
        self.structure(node, order);
        let at = position(node, "allOf");
        for (index, member) in node.list("allOf").into_iter().enumerate().filter(|_| !node.without_alternatives) {
            self.gather(&member, &below(order, at, index), depth + 1);
        }
        for key in ["oneOf", "anyOf"].into_iter().filter(|_| !node.without_alternatives) {
            self.alternatives(node, key, order, depth);
        }
    }

    /// Returns whether a reference only has a type next to it, that of its target, which can be null in addition.
    fn only_repeats_type(&self, node: &Node<'d>) -> bool {
        let Some(target) = node.target(self.root) else { return false };
        let names = |node: &Node<'d>| match node.value.get("type") {
            Some(Value::Text(name)) => vec![name.as_str()],
            Some(Value::List(names)) => names.iter().filter_map(Value::text).filter(|name| *name != "null").collect(),
            _ => Vec::new(),
        };
        let keys = STRUCTURE.iter().chain(&LIMITS).chain(&CONDITIONS).filter(|key| node.value.get(key).is_some());
        let own = names(node);
        // An object can have another type than its own only if it is a union.
        let is_same = own == names(&target) || own == ["object"] && target.value.get("type").is_none();
        is_same && keys.eq(&["type"])
    }

    /// Merges the keys of one schema that describe its type, members, items and values.
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
        let more = ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|key| node.get(key));
        let more =
            if node.has("patternProperties") { self.pattern_members(node, more.collect()) } else { more.collect() };
        more.into_iter().for_each(|more| self.additional_members(more));
        self.view.key_schemas.extend(node.get("propertyNames"));
        self.values(node);
    }

    /// Removes the alternatives of which one is among the merged schemas: an alternative that extends the schema whose
    /// alternative it is chooses itself.
    fn remove_chosen_alternatives(&mut self) {
        let Self { root, gathered, .. } = self;
        let is_gathered = |node: &Node<'d>| {
            gathered.contains(&std::ptr::from_ref(node.value))
                || node.resolved(root).is_some_and(|target| gathered.contains(&std::ptr::from_ref(target.value)))
        };
        self.view.alternatives.retain(|list| !list.iter().any(is_gathered));
    }

    /// Adds the alternatives under `oneOf` or `anyOf`. `null` makes the type nullable; a single other one is merged.
    fn alternatives(&mut self, node: &Node<'d>, key: &str, order: &Order, depth: usize) {
        if !node.has(key) {
            return;
        }
        let (nulls, mut others): (Vec<_>, Vec<_>) =
            node.list(key).into_iter().partition(|one| is_null_alternative(self.root, one));
        nulls.iter().for_each(Node::mark_used);
        self.view.nullable |= !nulls.is_empty();
        match others.len() {
            // `nullable: true` alone accepts everything by the letter.
            0 if nulls.iter().all(|null| null.value.get("nullable").is_some()) => {}
            0 => self.view.kinds = Some(BTreeSet::new()),
            // A schema has unions of one variant, for lists and maps that contain themselves.
            1 if !node.has("x-wireform-variants") => {
                if let Some(only) = others.pop() {
                    let discriminator = node
                        .get("discriminator")
                        .filter(|discriminator| is_redundant_discriminator(self.root, discriminator, &only));
                    discriminator.iter().for_each(|discriminator| {
                        discriminator.whole_note("left out: the only alternative declares the value itself")
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
    let target = only.target(root);
    let properties = target.as_ref().unwrap_or(only).value.get("properties");
    let member = report.text_if("propertyName").and_then(|name| properties?.get(name));
    !is_own(root) && member.is_some_and(|member| member.get("enum").is_some() || member.get("const").is_some())
}

/// Returns whether an alternative only adds null: it is null, directly or through references, or nothing but
/// `nullable: true`, with which schemars writes an `Option`.
fn is_null_alternative(root: &Node<'_>, node: &Node<'_>) -> bool {
    let is_annotation = |key: &str| !matches!(key, "$ref" | "allOf") && ANNOTATIONS.contains(&key);
    let is_plain = || node.members().iter().all(|(key, _)| is_annotation(key) || key.starts_with("x-"));
    let is_target_null = || node.has("$ref") && node.resolved(root).is_some_and(|target| is_null(&target));
    is_null(node) || node.value.get("nullable") == Some(&Value::Bool(true)) && is_plain() || is_target_null()
}

/// Returns whether a schema is null: also an empty, closed, nullable object, the only form of OpenAPI 3.0.
pub fn is_null(node: &Node<'_>) -> bool {
    let is = |key: &str, value: &Value| node.value.get(key) == Some(value);
    let null = || Value::Text("null".to_owned());
    is("type", &null())
        || is("type", &Value::List(vec![null()]))
        || is("const", &Value::Null)
        || is("enum", &Value::List(vec![Value::Null]))
        || is("nullable", &Value::Bool(true))
            && is("additionalProperties", &Value::Bool(false))
            && !node.has("properties")
            && !node.has("$ref")
}
