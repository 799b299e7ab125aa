//! Unions and their variants.

use super::field::{Deprecation, Encoding};
use super::read::{Kind, Located, Named, Read, Text};
use super::shape::{Short, shape};
use super::types::TypeExpr;
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

shape! {
    /// A value that is one of several types. Unions are open: a value of no variant survives decoding and encoding unchanged. With `discriminator` the value of that member tells the variant, and every variant is a resource. Without it the shape does: first the kind of JSON, then what fits best. A value of an enum that is known, a date or an integer within its ends is preferred to any text or number; among resources one that has all the members of the object, then one of whose members the object has some; a map counts behind a resource that fits; what is equal goes by the order of the variants. What a variant's members hold is not looked at beyond its kind and constants.
    Union "union" {
        /// What it is, in one sentence.
        doc "doc": Option<Text> = "A way to reach someone.";
        /// The Rust name, where the one made from the schema name does not fit.
        name "name": Option<Text> = "ContactWay";
        /// The member whose value tells the variant; without it the shape of the value does. A resource may have that member as a text or an enum, or not: then the union reads and writes it.
        discriminator "discriminator": Option<Text> = "type";
        /// The variants by the discriminator's value, or by a name: a type, or a mapping with more.
        variants "variants": Named<Variant> = "{ mail: MailAddress, phone: { type: PhoneNumber, doc: A number to call. } }";
        /// The warnings about the union that are meant so and are not given, by their codes.
        allow "allow": Vec<Text> = "[W0305]";
        /// Says that the union is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Says that the union is used from outside the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

shape! {
    /// A variant of a union.
    VariantDef "variant" {
        /// What it holds.
        ty "type": TypeExpr = "PhoneNumber";
        /// How the value is written on the wire, where its type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// What it is, in one sentence; the description of its type unless said.
        doc "doc": Option<Text> = "A number to call.";
        /// The Rust name, where the one made from the discriminator's value does not fit.
        name "name": Option<Text> = "ByPhone";
        /// Says that the variant is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

/// A variant as it is written: a type alone, or a mapping with more. A map type is a mapping too, with the one key
/// `string`.
#[derive(Clone, Debug)]
pub struct Variant(pub VariantDef);

impl Read for Variant {
    fn kind() -> Kind {
        Kind::OneOf(vec![TypeExpr::kind(), VariantDef::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        if let Value::Map(entries) = &node.value
            && !entries.iter().any(|entry| entry.key == "string")
        {
            return VariantDef::read(node, sink).map(Self);
        }
        let ty = TypeExpr::read(node, sink)?;
        let (encoding, doc, name, deprecated, origin) = (None, None, None, None, None);
        Some(Self(VariantDef { span: node.span, ty, encoding, doc, name, deprecated, origin }))
    }
}
