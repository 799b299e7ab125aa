//! Forms and parameters with a field for each single value, whose name says in brackets where it stands:
//! `address[city]=Kiel&items[0][price]=5&tags[]=a`. What the fields say becomes a tree, and that becomes JSON by what the
//! schema has at each place, since a text alone does not say whether `5` is a number.

use std::collections::HashMap;

use wireform_runtime::form::{Form, FormField, MOST_DEPTH, Within};

use super::json::{quoted, written};

/// The most places of a tree: each takes a place of its own, however short the brackets are.
const MOST_PLACES: usize = 50_000;

/// The most digits of the place of an element in a list.
const MOST_DIGITS: usize = 9;

/// What a field holds.
pub(super) enum Leaf {
    /// A text.
    Text(String),
    /// JSON.
    Json(String),
}

/// A place in the tree: single values, and what stands in brackets behind its name.
#[derive(Default)]
struct Place {
    values: Vec<Leaf>,
    /// The names in brackets in the order in which they came, each with its place.
    within: Vec<(String, usize)>,
}

/// The fields by where they stand.
pub(super) struct Tree {
    places: Vec<Place>,
    /// Where a name below a place is.
    names: HashMap<(usize, String), usize>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { places: vec![Place::default()], names: HashMap::new() }
    }
}

/// Adds a field, and keeps the first mistake.
pub(super) fn add(tree: &mut Result<Tree, &'static str>, name: &str, leaf: Leaf) {
    if let Ok(held) = tree
        && let Err(message) = held.add(name, leaf)
    {
        *tree = Err(message);
    }
}

/// The name of a field in front of its brackets, and those; a name that has none in this way is one as a whole.
fn outer(name: &str) -> (&str, &str) {
    match name.find('[') {
        Some(at) if at > 0 && name.ends_with(']') => name.split_at(at),
        _ => (name, ""),
    }
}

/// What stands in brackets: `[a][b]`.
fn bracketed(within: &str) -> Result<Vec<&str>, &'static str> {
    if within.is_empty() {
        return Ok(Vec::new());
    }
    let inner = within.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or(BROKEN)?;
    if inner.matches("][").count() >= MOST_DEPTH {
        return Err("the name of a field has too many brackets");
    }
    let names: Vec<&str> = inner.split("][").collect();
    if names.iter().any(|name| name.contains(['[', ']'])) { Err(BROKEN) } else { Ok(names) }
}

const BROKEN: &str = "the name of a field has brackets that do not fit";
const MIXED: &str = "a field has a value, and others stand within it";
const TOO_MANY: &str = "the fields have too many brackets";

impl Tree {
    fn add(&mut self, name: &str, leaf: Leaf) -> Result<(), &'static str> {
        let (outer, within) = outer(name);
        let place = self.child(0, outer)?;
        self.add_at(place, within, leaf)
    }

    /// Adds a field whose brackets these are, where the name in front is known.
    pub(super) fn add_within(&mut self, within: &str, leaf: Leaf) -> Result<(), &'static str> {
        self.add_at(0, within, leaf)
    }

    fn add_at(&mut self, mut place: usize, within: &str, leaf: Leaf) -> Result<(), &'static str> {
        let names = bracketed(within)?;
        for (at, name) in names.iter().enumerate() {
            let rest = names.get(at + 1..).unwrap_or_default();
            place = if name.is_empty() { self.element(place, rest)? } else { self.child(place, name)? };
        }
        if let Some(place) = self.places.get_mut(place) {
            place.values.push(leaf);
        }
        Ok(())
    }

    /// The place of a name below another place.
    fn child(&mut self, place: usize, name: &str) -> Result<usize, &'static str> {
        if let Some(found) = self.names.get(&(place, name.to_owned())) {
            return Ok(*found);
        }
        let new = self.append(place, name)?;
        self.names.insert((place, name.to_owned()), new);
        Ok(new)
    }

    /// The next element of a list, `[]`; it is the last one where that lacks what follows, as with `[][a]=1&[][b]=2`.
    fn element(&mut self, place: usize, rest: &[&str]) -> Result<usize, &'static str> {
        let last = self.places.get(place).and_then(|place| place.within.last());
        match last {
            Some((name, last)) if name.is_empty() && !rest.is_empty() && !self.has(*last, rest) => Ok(*last),
            _ => self.append(place, ""),
        }
    }

    fn has(&self, mut place: usize, names: &[&str]) -> bool {
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

    fn append(&mut self, place: usize, name: &str) -> Result<usize, &'static str> {
        let new = self.places.len();
        if new > MOST_PLACES {
            return Err(TOO_MANY);
        }
        self.places.push(Place::default());
        if let Some(place) = self.places.get_mut(place) {
            place.within.push((name.to_owned(), new));
        }
        Ok(new)
    }

    /// The fields of a form as the members of an object.
    pub(super) fn object(&self, form: &'static Form) -> Result<String, &'static str> {
        self.members(self.within(0), Some(form))
    }

    /// The one value that all fields stand within.
    pub(super) fn only(&self, form: &'static Form) -> Result<String, &'static str> {
        self.one(0, form.field("").copied())
    }

    fn within(&self, place: usize) -> &[(String, usize)] {
        self.places.get(place).map(|place| place.within.as_slice()).unwrap_or_default()
    }

    /// The value at a place that has one.
    fn one(&self, place: usize, field: Option<FormField>) -> Result<String, &'static str> {
        let mut values = self.values(place, field)?;
        let first = values.pop().ok_or(BROKEN)?;
        if values.is_empty() { Ok(first) } else { Err("is given twice") }
    }

    /// The values at a place as JSON, of which the reader refuses a second one.
    fn values(&self, place: usize, field: Option<FormField>) -> Result<Vec<String>, &'static str> {
        let Some(Place { values, within }) = self.places.get(place) else { return Ok(Vec::new()) };
        if !values.is_empty() && !within.is_empty() {
            return Err(MIXED);
        }
        let element = field.map(|field| FormField { list: false, ..field });
        let mut singles: Vec<String> = values.iter().map(|leaf| leaf.json(element)).collect();
        match field {
            Some(field) if field.list => {
                singles.extend(self.elements(within, element)?);
                Ok(vec![format!("[{}]", singles.join(","))])
            }
            _ if within.is_empty() => Ok(singles),
            _ => Ok(vec![self.nested(within, field)?]),
        }
    }

    /// What stands within a place that is no list by its type alone.
    fn nested(&self, within: &[(String, usize)], field: Option<FormField>) -> Result<String, &'static str> {
        let kinds = field.map(|field| field.within).unwrap_or_default();
        let is_list = within.iter().all(|(name, _)| element_place(name).is_some());
        let element =
            kinds.iter().find_map(|kind| if let Within::Elements(field) = kind { Some(**field) } else { None });
        if is_list && (element.is_some() || kinds.is_empty()) {
            return Ok(format!("[{}]", self.elements(within, element)?.join(",")));
        }
        let forms =
            || kinds.iter().filter_map(|kind| if let Within::Members(form) = kind { Some(*form) } else { None });
        // Of several variants the first that has the most of these names.
        let known = |form: &&Form| within.iter().filter(|(name, _)| form.names(name)).count();
        let form = forms().rev().max_by_key(known);
        self.members(within, form)
    }

    fn members(&self, within: &[(String, usize)], form: Option<&'static Form>) -> Result<String, &'static str> {
        let mut members = Vec::with_capacity(within.len());
        for (name, place) in within {
            let field = form.and_then(|form| form.field(name)).copied();
            let values = self.values(*place, field)?;
            members.extend(values.into_iter().map(|value| format!("{}:{value}", quoted(name))));
        }
        Ok(format!("{{{}}}", members.join(",")))
    }

    /// The elements of a list in the order of their places; those of `[]` follow in theirs.
    fn elements(&self, within: &[(String, usize)], field: Option<FormField>) -> Result<Vec<String>, &'static str> {
        let mut places = Vec::with_capacity(within.len());
        for (name, place) in within {
            places.push((element_place(name).ok_or("an element of a list is named by its place")?, *place));
        }
        places.sort_by_key(|(at, _)| *at);
        places.into_iter().map(|(_, place)| self.one(place, field)).collect()
    }
}

/// The place that a name says an element of a list has.
fn element_place(name: &str) -> Option<u32> {
    if name.is_empty() {
        return Some(u32::MAX);
    }
    let is_number = name.len() <= MOST_DIGITS && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { name.parse().ok() } else { None }
}

impl Leaf {
    fn json(&self, field: Option<FormField>) -> String {
        match self {
            Self::Json(json) => json.clone(),
            Self::Text(text) => match field {
                Some(field) => written(field.kind, field.kinds, text),
                None => quoted(text),
            },
        }
    }
}

#[cfg(test)]
mod tests;
