//! A value of a document with its place. Whatever is not of the kind that was asked for is a loss, never a panic.

use std::cell::RefCell;

use serde_json::Value;

use crate::Loss;

/// What has been lost so far, and what is said in another way.
#[derive(Default)]
pub struct Losses {
    losses: RefCell<Vec<Loss>>,
    notes: RefCell<Vec<Loss>>,
}

impl Losses {
    /// Takes down a loss.
    pub fn add(&self, at: &str, what: impl Into<String>) {
        self.losses.borrow_mut().push(Loss { at: at.to_owned(), what: what.into() });
    }

    /// Takes down what is said in another way.
    pub fn add_note(&self, at: &str, what: impl Into<String>) {
        self.notes.borrow_mut().push(Loss { at: at.to_owned(), what: what.into() });
    }

    /// All losses and all notes by their places, each once.
    pub fn into_sorted(self) -> (Vec<Loss>, Vec<Loss>) {
        let sorted = |mut all: Vec<Loss>| {
            all.sort();
            all.dedup();
            all
        };
        (sorted(self.losses.into_inner()), sorted(self.notes.into_inner()))
    }
}

/// A value and where it stands.
#[derive(Clone)]
pub struct Node<'d> {
    /// The value.
    pub value: &'d Value,
    /// Where it stands: a JSON pointer.
    pub at: String,
    losses: &'d Losses,
}

impl<'d> Node<'d> {
    /// The whole document.
    pub fn root(value: &'d Value, losses: &'d Losses) -> Self {
        Self { value, at: String::new(), losses }
    }

    fn below(&self, key: &str, value: &'d Value) -> Self {
        let key = crate::places::piece(key);
        Self { value, at: format!("{}/{key}", self.at), losses: self.losses }
    }

    /// Takes down that something here is lost.
    pub fn loss(&self, what: impl Into<String>) {
        self.losses.add(&self.at, what);
    }

    /// Takes down that what is said here is said in another way, which means the same on the wire.
    pub fn note(&self, what: impl Into<String>) {
        self.losses.add_note(&self.at, what);
    }

    /// A member, unless it is absent or null.
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        self.value.get(key).filter(|value| !value.is_null()).map(|value| self.below(key, value))
    }

    /// Whether there is such a member.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some_and(|value| !value.is_null())
    }

    fn expect<T>(&self, found: Option<T>, what: &str) -> Option<T> {
        if found.is_none() {
            self.loss(format!("left out: {what} belongs here"));
        }
        found
    }

    /// A member that is text.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        let node = self.get(key)?;
        node.expect(node.value.as_str(), "text")
    }

    /// A member that is text, or a number as it is written.
    pub fn scalar(&self, key: &str) -> Option<String> {
        let node = self.get(key)?;
        let found = match node.value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        };
        node.expect(found, "a single value")
    }

    /// A member that is `true` or `false`; false where it is absent.
    pub fn flag(&self, key: &str) -> bool {
        let found = self.get(key).and_then(|node| node.expect(node.value.as_bool(), "`true` or `false`"));
        found.unwrap_or(false)
    }

    /// The entries of a member that is an object, in the order of their names: what the order of a document's members
    /// means nobody says.
    pub fn entries(&self, key: &str) -> Vec<(&'d str, Node<'d>)> {
        self.get(key).map(|node| node.members()).unwrap_or_default()
    }

    /// The members of an object, in the order of their names.
    pub fn members(&self) -> Vec<(&'d str, Node<'d>)> {
        let Some(object) = self.expect(self.value.as_object(), "an object") else { return Vec::new() };
        let mut found: Vec<_> = object.iter().map(|(key, value)| (key.as_str(), self.below(key, value))).collect();
        found.sort_by_key(|(key, _)| *key);
        found
    }

    /// The elements of a member that is a list.
    pub fn list(&self, key: &str) -> Vec<Node<'d>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let Some(items) = node.expect(node.value.as_array(), "a list") else { return Vec::new() };
        items.iter().enumerate().map(|(index, value)| node.below(&index.to_string(), value)).collect()
    }

    /// The elements of a member that is a list of texts; anything else in it is lost.
    pub fn texts(&self, key: &str) -> Vec<&'d str> {
        let items = self.list(key);
        items.iter().filter_map(|node| node.expect(node.value.as_str(), "text")).collect()
    }

    /// Takes down every member that is not one of these.
    pub fn only(&self, known: &[&str]) {
        for (key, node) in
            self.value.as_object().into_iter().flatten().map(|(key, value)| (key, self.below(key, value)))
        {
            if !known.contains(&key.as_str()) {
                node.loss("left out: it has no place in a schema");
            }
        }
    }
}
