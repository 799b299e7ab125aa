//! JSON whose members keep their insertion order.

use std::fmt::Write as _;

use serde_json::Value;

/// JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// Neither a list nor an object.
    Leaf(Value),
    /// Number, by its digits.
    Number(String),
    /// List.
    List(Vec<Json>),
    /// Object.
    Object(Object),
}

/// Object whose members keep their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Vec<(String, Json)>);

/// Creates an empty object.
pub fn object() -> Object {
    Object::default()
}

impl Object {
    /// Adds or replaces a member.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(there, _)| *there == name) {
            Some((_, there)) => *there = value,
            None => self.0.push((name, value)),
        }
        self
    }

    /// Adds a member if there is a value.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a member with `true` if it holds.
    #[must_use]
    pub fn with_true(self, name: &str, holds: bool) -> Self {
        self.with_some(name, holds.then_some(true))
    }

    /// Adds a text unless it is empty.
    #[must_use]
    pub fn with_text(self, name: &str, text: &str) -> Self {
        self.with_some(name, (!text.is_empty()).then_some(text))
    }

    /// Adds a list unless it is empty.
    #[must_use]
    pub fn with_list<T: Into<Json>>(self, name: &str, items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<Json> = items.into_iter().map(Into::into).collect();
        self.with_some(name, (!items.is_empty()).then_some(Json::List(items)))
    }

    /// Adds an object unless it is empty.
    #[must_use]
    pub fn with_members(self, name: &str, members: Object) -> Self {
        self.with_some(name, (!members.0.is_empty()).then_some(members))
    }

    /// Adds all members of another object.
    #[must_use]
    pub fn merged(self, other: Object) -> Self {
        other.0.into_iter().fold(self, |object, (name, value)| object.with(name, value))
    }

    /// Returns a member.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(there, _)| there == name).map(|(_, value)| value)
    }

    /// Returns whether it has no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for Object {
    type Item = (String, Json);
    type IntoIter = std::vec::IntoIter<(String, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<(String, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, Self::from(value))).collect())
            }
            leaf => Self::Leaf(leaf),
        }
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

macro_rules! leaves {
    ($($ty:ty)*) => {$(
        impl From<$ty> for Json {
            fn from(value: $ty) -> Self {
                Self::Leaf(value.into())
            }
        }
    )*};
}

leaves! { &str String bool u64 i64 u32 u16 f64 }

/// Maximum width of a list of leaves on one line.
const WIDTH: usize = 100;

impl Json {
    /// Returns the indented text with a line break at the end.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text.push('\n');
        text
    }

    /// Calls a function with every target of a `$ref`.
    pub fn references<'j>(&'j self, see: &mut dyn FnMut(&'j str)) {
        match self {
            Self::Leaf(_) | Self::Number(_) => {}
            Self::List(items) => items.iter().for_each(|item| item.references(see)),
            Self::Object(object) => {
                for (name, value) in &object.0 {
                    match value {
                        Self::Leaf(Value::String(target)) if name == "$ref" => see(target),
                        other => other.references(see),
                    }
                }
            }
        }
    }

    /// Appends the value as indented JSON at a nesting depth; a short list is on one line.
    fn write(&self, depth: usize, text: &mut String) {
        match self {
            Self::Leaf(value) => leaf(value, text),
            Self::Number(digits) => text.push_str(digits),
            Self::List(items) => {
                if !inline_list(items, depth * 2, text) {
                    block(['[', ']'], items, depth, text, |item, text| item.write(depth + 1, text));
                }
            }
            Self::Object(Object(members)) => block(['{', '}'], members, depth, text, |(name, value), text| {
                leaf(&Value::from(name.as_str()), text);
                text.push_str(": ");
                value.write(depth + 1, text);
            }),
        }
    }
}

/// Appends a value without line breaks.
fn leaf(value: &Value, text: &mut String) {
    // A `String` takes everything.
    let _ = write!(text, "{value}");
}

/// Appends a list of leaves on one line; returns false, with nothing appended, if it is none or does not fit.
fn inline_list(items: &[Json], indent: usize, text: &mut String) -> bool {
    let start = text.len();
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        match item {
            Json::Leaf(value) => leaf(value, text),
            Json::Number(digits) => text.push_str(digits),
            _ => {
                text.truncate(start);
                return false;
            }
        }
    }
    text.push(']');
    let fits = indent + text.len() - start <= WIDTH;
    if !fits {
        text.truncate(start);
    }
    fits
}

/// Writes one entry a line between brackets.
fn block<T>(brackets: [char; 2], entries: &[T], depth: usize, text: &mut String, write: impl Fn(&T, &mut String)) {
    let [open, close] = brackets;
    text.push(open);
    for (index, entry) in entries.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        indent(depth + 1, text);
        write(entry, text);
    }
    if !entries.is_empty() {
        text.push('\n');
        indent(depth, text);
    }
    text.push(close);
}

/// Appends the spaces before a line at a nesting depth.
fn indent(depth: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', depth * 2));
}

/// Returns an integer as JSON; those of a schema have 64 bits.
pub fn integer(value: i128) -> Json {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => Json::from(value),
        (_, Ok(value)) => Json::from(value),
        _ => Json::from(value as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_leaves_share_a_line() {
        let json = object().with("b", vec![1_u64, 2]).with("a", object().with("x", "\u{1}\"")).with("c", object());
        let text = Json::from(json.with_list("d", Vec::<u64>::new()).with("b", vec![3_u64])).to_text();
        assert_eq!(text, "{\n  \"b\": [3],\n  \"a\": {\n    \"x\": \"\\u0001\\\"\"\n  },\n  \"c\": {}\n}\n");
    }
}
