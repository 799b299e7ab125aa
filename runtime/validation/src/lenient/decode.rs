//! Decoder of values from a tree, with the behavior of the runtime's decoder, which skips removed values.

use serde::Deserializer;
use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{
    DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use wireform_runtime::__private::unions::UNION_NEWTYPE;
use wireform_runtime::__private::{EXACT_NEWTYPE, NUMBER_NEWTYPE};

use super::issue::{DecodeIssue, DecodeIssueKind};
use super::prune::PrunedTree;
use super::tree::{Node, NodeKind, Tree};

/// Deserializer of a value of a tree.
#[derive(Clone, Copy)]
pub struct Decoder<'de> {
    tree: &'de Tree<'de>,
    cut: &'de PrunedTree<'de>,
    node: usize,
}

impl<'de> Decoder<'de> {
    /// Creates a decoder of the whole text.
    pub const fn root(tree: &'de Tree<'de>, cut: &'de PrunedTree<'de>) -> Self {
        Self { tree, cut, node: 0 }
    }

    fn child(self, node: usize) -> Self {
        Self { node, ..self }
    }

    /// Returns the first value from `node` on that was not removed.
    fn skip_removed(self, mut node: Option<usize>) -> Option<usize> {
        while let Some(found) = node.filter(|node| self.cut.is_pruned(*node)) {
            node = self.tree.next(found);
        }
        node
    }

    fn decode<V: Visitor<'de>>(self, node: &Node, visitor: V) -> Result<V::Value, DecodeIssue> {
        let text = || self.tree.text().get(node.range.clone()).unwrap_or_default();
        match node.kind {
            NodeKind::Null => visitor.visit_unit(),
            NodeKind::Bool => visitor.visit_bool(text() == "true"),
            NodeKind::Number => number(text(), visitor),
            NodeKind::String => match self.tree.string(node.range.clone()) {
                Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
                Some(Cow::Owned(text)) => visitor.visit_string(text),
                None => Err(DecodeIssue::custom("must be valid Unicode, found an unpaired surrogate")),
            },
            NodeKind::List => visitor.visit_seq(ListAccess { of: self, next: self.tree.first(self.node) }),
            NodeKind::Object => self.object(visitor),
            NodeKind::TooDeep => Err(DecodeIssue::new(DecodeIssueKind::Depth, "is nested too deep")),
        }
    }

    /// Returns the text of a number.
    fn number_text(self) -> Option<&'de str> {
        let node = self.tree.node(self.node).filter(|node| node.kind == NodeKind::Number)?;
        self.tree.text().get(node.range.clone())
    }

    fn object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeIssue> {
        let mut members = ObjectAccess { of: self, next: self.tree.first(self.node), at: None };
        visitor.visit_map(&mut members).map_err(|fault| match members.at {
            // The error occurred while this field was read, and not further down.
            Some(member) if fault.node.is_none() => {
                let twice = fault.kind == DecodeIssueKind::Type && self.is_duplicate(member);
                if twice { fault.into_duplicate().at_node(member) } else { fault.at_node(member) }
            }
            _ => fault,
        })
    }

    /// Returns whether an earlier field has the same name.
    fn is_duplicate(self, member: usize) -> bool {
        let name = self.tree.name(member);
        let earlier = self.tree.children(self.node).take_while(|child| *child != member);
        earlier.filter(|child| !self.cut.is_pruned(*child)).any(|child| self.tree.name(child) == name)
    }
}

/// Returns whether a number is an integer of 64 bits as it would be written.
fn is_plain_integer(text: &str) -> bool {
    let is_integer = text.parse::<u64>().is_ok() || text.parse::<i64>().is_ok();
    is_integer && text != "-0"
}

/// Visits a number by the rules of the runtime's decoder.
fn number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, DecodeIssue> {
    let Ok(number) = serde_json::from_str::<serde_json::Number>(text) else {
        return Err(DecodeIssue::custom("is out of range"));
    };
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(value), _, _) => visitor.visit_u64(value),
        (None, Some(value), _) => visitor.visit_i64(value),
        (None, None, Some(value)) => visitor.visit_f64(value),
        (None, None, None) => Err(DecodeIssue::custom("is out of range")),
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = DecodeIssue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeIssue> {
        match self.tree.node(self.node) {
            Some(node) => self.decode(node, visitor).map_err(|fault| fault.at_node(self.node)),
            None => Err(DecodeIssue::custom("is missing")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeIssue> {
        match self.tree.node(self.node).map(|node| node.kind) {
            Some(NodeKind::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
        .map_err(|fault| fault.at_node(self.node))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeIssue> {
        let value: Result<_, DecodeIssue> = match (name, self.number_text()) {
            (UNION_NEWTYPE, _) => visitor.visit_enum(UnionAccess(self)),
            (NUMBER_NEWTYPE, Some(text)) => visitor.visit_borrowed_str(text),
            (EXACT_NEWTYPE, Some(text)) if !is_plain_integer(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => visitor.visit_newtype_struct(self),
        };
        value.map_err(|fault| fault.at_node(self.node))
    }

    /// Ignored values are not inspected.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeIssue> {
        visitor.visit_unit()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeIssue> {
        let node = self.tree.node(self.node).filter(|node| node.kind == NodeKind::String);
        let text = node.and_then(|node| self.tree.string(node.range.clone()));
        match text {
            Some(text) => visitor
                .visit_enum(text.as_ref().into_deserializer())
                .map_err(|fault: DecodeIssue| fault.at_node(self.node)),
            None => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// Value of a union, once for inspection and once for decoding.
struct UnionAccess<'de>(Decoder<'de>);

impl<'de> EnumAccess<'de> for UnionAccess<'de> {
    type Error = DecodeIssue;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), DecodeIssue> {
        Ok((seed.deserialize(self.0)?, self))
    }
}

impl<'de> VariantAccess<'de> for UnionAccess<'de> {
    type Error = DecodeIssue;

    fn unit_variant(self) -> Result<(), DecodeIssue> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, DecodeIssue> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, DecodeIssue> {
        Err(DecodeIssue::invalid_type(Unexpected::TupleVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeIssue> {
        Err(DecodeIssue::invalid_type(Unexpected::StructVariant, &visitor))
    }
}

/// Elements of a list.
struct ListAccess<'de> {
    of: Decoder<'de>,
    next: Option<usize>,
}

impl<'de> SeqAccess<'de> for ListAccess<'de> {
    type Error = DecodeIssue;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeIssue> {
        let Some(node) = self.of.skip_removed(self.next) else { return Ok(None) };
        self.next = self.of.tree.next(node);
        seed.deserialize(self.of.child(node)).map(Some).map_err(|fault| fault.at_node(node))
    }
}

/// Fields of an object.
struct ObjectAccess<'de> {
    of: Decoder<'de>,
    next: Option<usize>,
    /// Current field.
    at: Option<usize>,
}

impl<'de> MapAccess<'de> for &mut ObjectAccess<'de> {
    type Error = DecodeIssue;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeIssue> {
        self.at = self.of.skip_removed(self.next);
        let Some(node) = self.at else { return Ok(None) };
        self.next = self.of.tree.next(node);
        match self.of.tree.name(node) {
            Some(Cow::Borrowed(name)) => seed.deserialize(BorrowedStrDeserializer::new(name)),
            Some(Cow::Owned(name)) => seed.deserialize(StringDeserializer::new(name)),
            None => Err(DecodeIssue::custom("has a name that is not valid Unicode")),
        }
        .map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeIssue> {
        match self.at {
            Some(node) => seed.deserialize(self.of.child(node)).map_err(|fault| fault.at_node(node)),
            None => Err(DecodeIssue::custom("is missing")),
        }
    }
}
