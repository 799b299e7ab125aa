//! Forms and parameters with a field for each scalar, whose name has its path in brackets:
//! `address[city]=Kiel&items[0][price]=5&tags[]=a`. The fields become a tree, which is converted to JSON by the types
//! in the schema, because the text alone does not show whether `5` is a number.

use std::collections::HashMap;

use wireform_runtime::form::{FieldStructure, Form, FormField, MAX_BRACKET_DEPTH};

use super::json::{to_json, to_json_string};

/// Maximum number of nodes of a tree: each takes memory, however short the brackets are.
const MAX_NODES: usize = 50_000;

/// Maximum number of digits of an index in a list.
const MAX_DIGITS: usize = 9;

/// Value of a field.
pub(super) enum Leaf {
    /// Text.
    Text(String),
    /// JSON.
    Json(String),
}

/// Node of the tree: scalars, and children by their names in brackets.
#[derive(Default)]
struct Node {
    values: Vec<Leaf>,
    /// Names in brackets in their order, each with its node.
    children: Vec<(String, usize)>,
}

/// Fields by their paths.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Children by node and name.
    names: HashMap<(usize, String), usize>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], names: HashMap::new() }
    }
}

/// Adds a field, unless there was an error before.
pub(super) fn add(tree: &mut Result<Tree, &'static str>, name: &str, leaf: Leaf) {
    if let Ok(held) = tree
        && let Err(message) = held.add(name, leaf)
    {
        *tree = Err(message);
    }
}

/// Splits a field name into the name and its brackets; a name without well-formed brackets is returned as a whole.
fn split_name(name: &str) -> (&str, &str) {
    match name.find('[') {
        Some(at) if at > 0 && name.ends_with(']') => name.split_at(at),
        _ => (name, ""),
    }
}

/// Splits brackets: `[a][b]`.
fn split_brackets(within: &str) -> Result<Vec<&str>, &'static str> {
    if within.is_empty() {
        return Ok(Vec::new());
    }
    let inner = within.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or(BROKEN)?;
    if inner.matches("][").count() >= MAX_BRACKET_DEPTH {
        return Err("the name of a field has too many brackets");
    }
    let names: Vec<&str> = inner.split("][").collect();
    if names.iter().any(|name| name.contains(['[', ']'])) { Err(BROKEN) } else { Ok(names) }
}

/// Message about brackets in a name that do not match, or text outside of them.
const BROKEN: &str = "unbalanced brackets in the name of a field";
/// Message about fields that give one place both a value and nested fields.
const MIXED: &str = "a field has both a value and nested fields";
/// Message about a form with more nodes than the maximum.
const TOO_MANY: &str = "the fields have too many brackets";

impl Tree {
    /// Adds the value of a field by its whole name, such as `a[b][]`.
    fn add(&mut self, name: &str, leaf: Leaf) -> Result<(), &'static str> {
        let (outer, within) = split_name(name);
        let place = self.child(0, outer)?;
        self.add_below(place, within, leaf)
    }

    /// Adds a field by its brackets, if the name before them is known.
    pub(super) fn add_by_brackets(&mut self, within: &str, leaf: Leaf) -> Result<(), &'static str> {
        self.add_below(0, within, leaf)
    }

    /// Adds the value of a field below a node; `within` is the part of its name in brackets.
    fn add_below(&mut self, mut place: usize, within: &str, leaf: Leaf) -> Result<(), &'static str> {
        let names = split_brackets(within)?;
        for (at, name) in names.iter().enumerate() {
            let rest = names.get(at + 1..).unwrap_or_default();
            place = if name.is_empty() { self.element(place, rest)? } else { self.child(place, name)? };
        }
        if let Some(place) = self.nodes.get_mut(place) {
            place.values.push(leaf);
        }
        Ok(())
    }

    /// Returns the child of a node, which is created if needed.
    fn child(&mut self, place: usize, name: &str) -> Result<usize, &'static str> {
        if let Some(found) = self.names.get(&(place, name.to_owned())) {
            return Ok(*found);
        }
        let new = self.append(place, name)?;
        self.names.insert((place, name.to_owned()), new);
        Ok(new)
    }

    /// Returns the next element of a list, `[]`. The last element is reused if it lacks the rest of the path, as with
    /// `[][a]=1&[][b]=2`.
    fn element(&mut self, place: usize, rest: &[&str]) -> Result<usize, &'static str> {
        let last = self.nodes.get(place).and_then(|place| place.children.last());
        match last {
            Some((name, last)) if name.is_empty() && !rest.is_empty() && !self.has_path(*last, rest) => Ok(*last),
            _ => self.append(place, ""),
        }
    }

    /// Returns whether a node has descendants along this path of names. A path with `[]` never exists.
    fn has_path(&self, mut place: usize, names: &[&str]) -> bool {
        for name in names {
            if name.is_empty() {
                return false;
            }
            match self.names.get(&(place, (*name).to_owned())) {
                Some(found) => place = *found,
                None => return false,
            }
        }
        true
    }

    /// Adds a child with a name to a node; returns its index.
    fn append(&mut self, place: usize, name: &str) -> Result<usize, &'static str> {
        let new = self.nodes.len();
        if new > MAX_NODES {
            return Err(TOO_MANY);
        }
        self.nodes.push(Node::default());
        if let Some(place) = self.nodes.get_mut(place) {
            place.children.push((name.to_owned(), new));
        }
        Ok(new)
    }

    /// Converts the fields of a form to a JSON object.
    pub(super) fn object(&self, form: &'static Form) -> Result<String, &'static str> {
        self.members(self.children(0), Some(form))
    }

    /// Converts the tree to the single value that it represents.
    pub(super) fn single_value(&self, form: &'static Form) -> Result<String, &'static str> {
        self.convert_single(0, form.field("").copied())
    }

    /// Returns the children of a node with their names.
    fn children(&self, place: usize) -> &[(String, usize)] {
        self.nodes.get(place).map(|place| place.children.as_slice()).unwrap_or_default()
    }

    /// Converts a node with a value.
    fn convert_single(&self, place: usize, field: Option<FormField>) -> Result<String, &'static str> {
        let mut values = self.values(place, field)?;
        let first = values.pop().ok_or(BROKEN)?;
        if values.is_empty() { Ok(first) } else { Err("must not be repeated") }
    }

    /// Converts the values of a node to JSON; the decoder refuses a second one.
    fn values(&self, place: usize, field: Option<FormField>) -> Result<Vec<String>, &'static str> {
        let Some(Node { values, children: within }) = self.nodes.get(place) else { return Ok(Vec::new()) };
        if !values.is_empty() && !within.is_empty() {
            return Err(MIXED);
        }
        let element = field.map(|field| FormField { list: false, ..field });
        let mut singles: Vec<String> = values.iter().map(|leaf| leaf.to_json(element)).collect();
        match field {
            Some(field) if field.list => {
                singles.extend(self.elements(within, element)?);
                Ok(vec![format!("[{}]", singles.join(","))])
            }
            _ if within.is_empty() => Ok(singles),
            _ => Ok(vec![self.nested(within, field)?]),
        }
    }

    /// Converts a node that is not necessarily a list.
    fn nested(&self, within: &[(String, usize)], field: Option<FormField>) -> Result<String, &'static str> {
        let kinds = field.map(|field| field.structure).unwrap_or_default();
        let is_list = within.iter().all(|(name, _)| element_index(name).is_some());
        let element =
            kinds.iter().find_map(|kind| if let FieldStructure::Elements(field) = kind { Some(**field) } else { None });
        if is_list && (element.is_some() || kinds.is_empty()) {
            return Ok(format!("[{}]", self.elements(within, element)?.join(",")));
        }
        let forms = || {
            kinds.iter().filter_map(|kind| if let FieldStructure::Members(form) = kind { Some(*form) } else { None })
        };
        // Of several variants, the first one with most of these names.
        let known = |form: &&Form| within.iter().filter(|(name, _)| form.has_field(name)).count();
        let form = forms().rev().max_by_key(known);
        self.members(within, form)
    }

    /// Converts named nodes to the members of a JSON object.
    fn members(&self, within: &[(String, usize)], form: Option<&'static Form>) -> Result<String, &'static str> {
        let mut members = Vec::with_capacity(within.len());
        for (name, place) in within {
            let field = form.and_then(|form| form.field(name)).copied();
            let values = self.values(*place, field)?;
            members.extend(values.into_iter().map(|value| format!("{}:{value}", to_json_string(name))));
        }
        Ok(format!("{{{}}}", members.join(",")))
    }

    /// Converts the elements of a list in the order of their indices; those of `[]` follow in their own order.
    fn elements(&self, within: &[(String, usize)], field: Option<FormField>) -> Result<Vec<String>, &'static str> {
        let mut places = Vec::with_capacity(within.len());
        for (name, place) in within {
            places.push((element_index(name).ok_or("expected an index as the key of a list element")?, *place));
        }
        places.sort_by_key(|(at, _)| *at);
        places.into_iter().map(|(_, place)| self.convert_single(place, field)).collect()
    }
}

/// Parses the index of an element of a list.
fn element_index(name: &str) -> Option<u32> {
    if name.is_empty() {
        return Some(u32::MAX);
    }
    let is_number = name.len() <= MAX_DIGITS && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { name.parse().ok() } else { None }
}

impl Leaf {
    /// Returns the value as JSON; the kind of the field decides how text is converted, a string if unknown.
    fn to_json(&self, field: Option<FormField>) -> String {
        match self {
            Self::Json(json) => json.clone(),
            Self::Text(text) => match field {
                Some(field) => to_json(field.kind, field.kinds, text),
                None => to_json_string(text),
            },
        }
    }
}

#[cfg(test)]
mod tests;
