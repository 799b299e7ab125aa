//! Value of a document with its location. A value of an unexpected kind is a loss, never a panic.

mod patterns;
mod report;

use std::rc::Rc;

use wireform_codegen::patterns::Matcher;

use crate::Loss;
use crate::nesting_limits::TOO_MANY_MERGES;
use crate::value::Value;

pub use report::{IN_OTHER_DOCUMENT, Report};

/// Value and its location.
#[derive(Clone)]
pub struct Node<'d> {
    /// Value.
    pub value: &'d Value,
    /// Location: a JSON pointer (RFC 6901).
    pub at: String,
    /// True if its alternatives are handled elsewhere.
    pub without_alternatives: bool,
    report: &'d Report,
}

impl<'d> Node<'d> {
    /// Creates the root node of a document.
    pub fn root(value: &'d Value, report: &'d Report) -> Self {
        Self { value, at: String::new(), without_alternatives: false, report }
    }

    /// Returns the node without its alternatives, which are handled separately.
    pub fn without_alternatives(&self) -> Self {
        Self { without_alternatives: true, ..self.clone() }
    }

    /// Creates a node for a child.
    pub fn child_at(&self, key: &str, value: &'d Value) -> Self {
        let key = crate::locations::pointer_segment(key);
        Self { value, at: format!("{}/{key}", self.at), without_alternatives: false, report: self.report }
    }

    /// Reports that the whole value is lost, so that nothing in it is examined any more.
    pub fn whole_loss(&self, what: impl Into<String>) {
        self.report.covered.borrow_mut().insert(self.at.clone());
        self.loss(what);
    }

    /// Reports that the whole value is expressed differently, or is redundant.
    pub fn whole_note(&self, what: impl Into<String>) {
        self.report.covered.borrow_mut().insert(self.at.clone());
        self.note(what);
    }

    /// Reports a loss at this location. Other parts of the value are still examined.
    pub fn loss(&self, what: impl Into<String>) {
        self.report.losses.borrow_mut().push(Loss { file: None, at: self.at.clone(), what: what.into() });
    }

    /// Reports a note at this location. Other parts of the value are still examined.
    pub fn note(&self, what: impl Into<String>) {
        self.report.note(&self.at, what);
    }

    /// Reports a guess about what the document does not say, with the line of the overlay that turns it on or off.
    pub fn guess(&self, what: impl std::fmt::Display, state: &str, overlay: &str) {
        self.report.guess(&self.at, what, state, overlay);
    }

    /// Reports a note once for all locations of the same kind, with the first location and the number of others.
    pub fn note_once(&self, kind: &str, what: impl Into<String>) {
        self.report.note_once(kind, &self.at, what.into());
    }

    /// Reports a loss once for all locations of the same kind. Other parts of the value are still examined.
    pub fn loss_once(&self, kind: &str, what: impl Into<String>) {
        self.report.loss_once(kind, &self.at, what.into());
    }

    /// Reports once for all locations of the same kind that the whole value is lost.
    pub fn whole_loss_once(&self, kind: &str, what: impl Into<String>) {
        self.report.covered.borrow_mut().insert(self.at.clone());
        self.report.loss_once(kind, &self.at, what.into());
    }

    /// Reports once for all locations of the same kind that the whole value is redundant.
    pub fn whole_note_once(&self, kind: &str, what: impl Into<String>) {
        self.report.covered.borrow_mut().insert(self.at.clone());
        self.report.note_once(kind, &self.at, what.into());
    }

    /// Reports that the item was renamed, if it was.
    pub fn note_name(&self, name: Option<&str>) {
        if let Some(name) = name {
            self.note(format!("renamed to `{name}` in code: its name is invalid, reserved or already used"));
        }
    }

    /// Records that this value is written as the definition of a name.
    pub fn set_definition(&self, name: &str) {
        self.report.origins.borrow_mut().entry(name.to_owned()).or_insert_with(|| self.at.clone());
    }

    /// Reports an error of the document.
    pub fn error(&self, problem: impl Into<String>) {
        self.report.errors.borrow_mut().push(Loss { file: None, at: self.at.clone(), what: problem.into() });
    }

    /// Counts a merge of this schema into others. When the import has merged too many, this is a loss, and false.
    pub fn count_merge(&self) -> bool {
        let is_allowed = self.report.count_merge();
        if !is_allowed {
            self.whole_loss(TOO_MANY_MERGES);
        }
        is_allowed
    }

    /// Returns whether the keywords of this schema have not been visited before.
    pub fn is_first_visit(&self) -> bool {
        self.report.visited.borrow_mut().insert(std::ptr::from_ref(self.value))
    }

    /// Returns the compiled pattern, in the syntax of the schema language.
    ///
    /// # Errors
    /// Returns an error with the reason if it cannot be used.
    pub fn compile(&self, pattern: &str) -> Result<Rc<Matcher>, String> {
        self.report.patterns.compile(pattern)
    }

    /// Marks the value as read.
    pub fn mark_read(&self) {
        self.report.read.borrow_mut().insert(std::ptr::from_ref(self.value));
    }

    /// Returns whether the value was read.
    pub fn is_read(&self) -> bool {
        self.report.read.borrow().contains(&std::ptr::from_ref(self.value))
    }

    /// Marks the whole value as used.
    pub fn mark_used(&self) {
        self.report.whole.borrow_mut().insert(std::ptr::from_ref(self.value));
    }

    /// Returns the text of the value and marks it as read.
    pub fn read_text(&self) -> Option<&'d str> {
        self.mark_read();
        self.value.text()
    }

    /// Returns whether the whole value was used.
    pub fn is_used(&self) -> bool {
        self.report.whole.borrow().contains(&std::ptr::from_ref(self.value))
    }

    /// Returns a member, unless it is absent or null.
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        self.value.get(key).filter(|value| **value != Value::Null).map(|value| self.child_at(key, value))
    }

    /// Returns the constant of a schema, for which null is a value.
    pub fn constant(&self) -> Option<Node<'d>> {
        self.value.get("const").map(|value| self.child_at("const", value))
    }

    /// Returns whether there is such a member.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some_and(|value| *value != Value::Null)
    }

    /// Reports an error if the value is a reference to another document.
    fn reports_other_document(&self) -> bool {
        let reference = self.value.get("$ref").filter(|_| self.report.has_extensions);
        let Some(Value::Text(reference)) = reference.filter(|to| to.text().is_some_and(|to| !to.starts_with('#')))
        else {
            return false;
        };
        self.error(format!("`{}` {IN_OTHER_DOCUMENT}", reference.escape_debug()));
        true
    }

    /// Returns the value, or reports that its type is not the expected one.
    fn expect<T>(&self, found: Option<T>, what: &str) -> Option<T> {
        self.mark_read();
        if found.is_none() && !self.reports_other_document() {
            self.whole_loss(format!("left out: expected {what}"));
        }
        found
    }

    /// Returns the text of the value.
    pub fn as_text(&self) -> Option<&'d str> {
        self.expect(self.value.text(), "a string")
    }

    /// Returns the boolean value.
    pub fn as_flag(&self) -> Option<bool> {
        let found = if let Value::Bool(flag) = self.value { Some(*flag) } else { None };
        self.expect(found, "a boolean")
    }

    /// Returns a text member.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        self.get(key)?.as_text()
    }

    /// Returns a description member in the form of schemas.
    pub fn prose(&self, key: &str) -> Option<String> {
        self.get(key)?.as_prose()
    }

    /// Returns the value as a description in the form of schemas.
    pub fn as_prose(&self) -> Option<String> {
        let text = self.as_text()?;
        crate::prose::markdown(text, self.report.base_url.as_deref())
    }

    /// Returns a text member, or the literal of a number.
    pub fn scalar(&self, key: &str) -> Option<String> {
        let node = self.get(key)?;
        let found = match node.value {
            Value::Text(text) | Value::Number(text) => Some(text.clone()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        };
        node.expect(found, "a single value")
    }

    /// Returns the literal of a number member.
    pub fn number(&self, key: &str) -> Option<&'d str> {
        let node = self.get(key)?;
        let found = if let Value::Number(text) = node.value { Some(text.as_str()) } else { None };
        node.expect(found, "a number")
    }

    /// Returns a count member.
    pub fn count(&self, key: &str) -> Option<u64> {
        let node = self.get(key)?;
        let found = node.as_number().and_then(|text| text.strip_suffix(".0").unwrap_or(text).parse().ok());
        node.expect(found, "an integer of at least 0")
    }

    /// Returns the text of the number, as written in the document, if the value is one.
    fn as_number(&self) -> Option<&'d str> {
        if let Value::Number(text) = self.value { Some(text) } else { None }
    }

    /// Returns a boolean member; false if it is absent.
    pub fn flag(&self, key: &str) -> bool {
        self.optional_flag(key).unwrap_or(false)
    }

    /// Returns a boolean member.
    pub fn optional_flag(&self, key: &str) -> Option<bool> {
        self.get(key)?.as_flag()
    }

    /// Returns the node if it is an object.
    pub fn object(&self) -> Option<&Self> {
        matches!(self.value, Value::Object(_)).then_some(self)
    }

    /// Returns an object member.
    pub fn child(&self, key: &str) -> Option<Node<'d>> {
        let node = self.get(key)?;
        node.expect(node.value.is_object().then_some(()), "an object")?;
        Some(node)
    }

    /// Returns the entries of a member that is an object of objects; anything else in it is a loss.
    pub fn objects(&self, key: &str) -> Vec<(&'d str, Node<'d>)> {
        let mut found = self.entries(key);
        found.retain(|(_, node)| node.expect(node.value.is_object().then_some(()), "an object").is_some());
        found
    }

    /// Returns the entries of an object member, in the order of the document.
    pub fn entries(&self, key: &str) -> Vec<(&'d str, Node<'d>)> {
        self.get(key).map(|node| node.members()).unwrap_or_default()
    }

    /// Returns the members of an object, in the order of the document.
    pub fn members(&self) -> Vec<(&'d str, Node<'d>)> {
        let found = if let Value::Object(members) = self.value { Some(members) } else { None };
        let Some(members) = self.expect(found, "an object") else { return Vec::new() };
        if self.reports_other_document() {
            return Vec::new();
        }
        members.iter().map(|(key, value)| (key.as_str(), self.child_at(key, value))).collect()
    }

    /// Returns the elements of a list member.
    pub fn list(&self, key: &str) -> Vec<Node<'d>> {
        self.get(key).map(|node| node.elements()).unwrap_or_default()
    }

    /// Returns the elements of a list.
    pub fn elements(&self) -> Vec<Node<'d>> {
        let found = if let Value::List(items) = self.value { Some(items) } else { None };
        let Some(items) = self.expect(found, "a list") else { return Vec::new() };
        items.iter().enumerate().map(|(index, value)| self.child_at(&index.to_string(), value)).collect()
    }

    /// Returns the elements of a member that is a list of objects; anything else in it is a loss.
    pub fn object_list(&self, key: &str) -> Vec<Node<'d>> {
        let mut found = self.list(key);
        found.retain(|node| node.expect(node.value.is_object().then_some(()), "an object").is_some());
        found
    }

    /// Returns the elements of a member that is a list of texts; anything else in it is a loss.
    pub fn texts(&self, key: &str) -> Vec<&'d str> {
        let items = self.list(key);
        items.iter().filter_map(Node::as_text).collect()
    }

    /// Reports every member that is not one of these.
    pub fn report_unknown(&self, known: &[&str]) {
        let found = if let Value::Object(members) = self.value { Some(members) } else { None };
        if !known.contains(&"$ref") && self.reports_other_document() {
            return;
        }
        for (key, value) in self.expect(found, "an object").into_iter().flatten() {
            let is_known = self.report.has_extensions && key.starts_with("x-");
            if !is_known && !known.contains(&key.as_str()) {
                self.child_at(key, value).whole_loss("left out: the schema language does not support it");
            }
        }
    }
}
