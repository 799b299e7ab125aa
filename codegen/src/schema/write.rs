//! Serialization of the language's values as nodes: the counterpart of [`read`](mod@super::read).
//!
//! Constructs with keys are declared with [`shape!`](crate::schema::shape), so the table of keys, the reader and the
//! writer always agree. Reading a written value returns the same value.

use super::named::Named;
use super::read::{Located, Raw, Text};
use super::yaml::{Entry, Node, Value};

/// A value of the language that can be written as a node.
pub trait Write {
    /// Creates the node of the value, with default spans.
    fn write(&self) -> Node;

    /// Returns whether the key of the value is omitted; [`Read::absent`](super::read::Read::absent) reads it then.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Appends the entry of a key, unless its value is absent.
pub fn put<T: Write>(entries: &mut Vec<Entry>, key: &str, value: &T) {
    if !value.is_absent() {
        entries.push(Entry::new(key, value.write()));
    }
}

/// Creates a mapping with a single entry.
pub(crate) fn single_entry(key: &str, value: Node) -> Node {
    Node::map(vec![Entry::new(key, value)])
}

/// Returns the short form of a construct: the value of its only key, unless the value is a mapping, which would be read
/// as the construct.
pub(crate) fn short_form(whole: &Node, key: &str) -> Option<Node> {
    match &whole.value {
        Value::Map(entries) => match entries.as_slice() {
            [entry] if entry.key == key && !matches!(entry.value.value, Value::Map(_)) => Some(entry.value.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether two constructs are equal except for their spans.
pub(crate) fn is_equivalent<T: Write>(one: &T, other: &T) -> bool {
    nodes_equal(&one.write(), &other.write())
}

fn nodes_equal(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar(..), Value::Scalar(..)) => one.value == other.value,
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| nodes_equal(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            let is_equal =
                |(one, other): (&Entry, &Entry)| one.key == other.key && nodes_equal(&one.value, &other.value);
            one.len() == other.len() && one.iter().zip(other).all(is_equal)
        }
        _ => false,
    }
}

impl Write for Text {
    fn write(&self) -> Node {
        Node::quoted(self.text.as_str())
    }
}

impl Write for Located<bool> {
    fn write(&self) -> Node {
        Node::plain(self.value.to_string())
    }
}

impl Write for Located<i128> {
    fn write(&self) -> Node {
        Node::plain(self.value.to_string())
    }
}

impl Write for Raw {
    fn write(&self) -> Node {
        self.0.clone()
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self) -> Node {
        self.as_ref().map_or_else(|| Node::plain("null"), T::write)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Write> Write for Box<T> {
    fn write(&self) -> Node {
        T::write(self)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self) -> Node {
        Node::list(self.iter().map(T::write).collect())
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Write> Write for Named<T> {
    fn write(&self) -> Node {
        Node::map(self.0.iter().map(|(name, value)| Entry::new(name.text.as_str(), value.write())).collect())
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Write;
    use crate::diagnostics::Sink;
    use crate::schema::read::Read;
    use crate::schema::yaml::{self, Node, Value};
    use crate::schema::{Field, File, Operation, Resource, Union};

    /// A node as text, with its quotes and without its places.
    fn shown(node: &Node) -> String {
        match &node.value {
            Value::Scalar(text, yaml::Style::Plain) => text.clone(),
            Value::Scalar(text, yaml::Style::Text) => format!("'{text}'"),
            Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Value::Map(entries) => {
                let entry = |entry: &yaml::Entry| format!("{}: {}", entry.key, shown(&entry.value));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn rewritten<T: Read + Write>(text: &str) -> String {
        let mut sink = Sink::new();
        let value = yaml::parse(0, text, &mut sink).and_then(|node| T::read(&node, &mut sink));
        value.map_or_else(|| format!("{:?}", sink.into_sorted()), |value| shown(&value.write()))
    }

    #[test]
    fn keys_are_written_in_the_order_of_the_table() {
        assert_eq!(
            rewritten::<Field>(
                "{ behavior: [identifier, { output_only: { except: [a.b], refuse: true } }, { immutable: { ignore: true } }], \
                 max: 4.50, type: [string?], required: { clearable: true, in: [a.b] }, length: 5.., items: 3, default: '7' }"
            ),
            "{type: ['string?'], behavior: ['identifier', {output_only: {except: ['a.b'], refuse: true}}, \
             {immutable: {ignore: true}}], required: {in: ['a.b'], clearable: true}, default: '7', length: '5..', \
             max: 4.50, items: 3}"
        );
        assert_eq!(rewritten::<Resource>("{}"), "{}");
        assert_eq!(
            rewritten::<Operation>(
                "{ http: 'GET /a/{b}.{c}/{+d}:run', errors: { 404: {} }, media: { simple: '/up/{e}' }, security: none, \
                 scopes: { all_of: [a] } }"
            ),
            "{http: 'GET /a/{b}.{c}/{+d}:run', errors: {404: {}}, scopes: {all_of: ['a']}, security: [], \
             media: {simple: '/up/{e}'}}"
        );
    }

    #[test]
    fn a_single_key_is_written_in_the_short_form_where_there_is_one() {
        assert_eq!(
            rewritten::<Operation>(
                "{ http: GET /, body: { type: [A] }, response: { type: { string: A } }, errors: { 404: { doc: Gone. } }, \
                 deprecated: { doc: 'true' } }"
            ),
            "{http: 'GET /', body: ['A'], response: {type: {string: 'A'}}, errors: {404: 'Gone.'}, deprecated: 'true'}"
        );
        assert_eq!(
            rewritten::<Union>("{ variants: { a: { type: { string: A } }, b: { type: A, doc: B. } }, deprecated: {} }"),
            "{variants: {a: {string: 'A'}, b: {type: 'A', doc: 'B.'}}, deprecated: true}"
        );
        assert_eq!(
            rewritten::<File>(
                "{ base_path: { path: /a }, scopes: { a: { doc: A., url: 'https://a' }, b: { doc: B. } } }"
            ),
            "{base_path: '/a', scopes: {a: {doc: 'A.', url: 'https://a'}, b: 'B.'}}"
        );
    }
}
