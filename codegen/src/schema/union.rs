//! Unions and their variants.

use super::field::{Deprecation, Encoding};
use super::named::Named;
use super::read::{Kind, Located, Read, Text};
use super::shape::{Short, shape};
use super::types::TypeExpr;
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

shape! {
    /// A value that is one of several types. Unions are open: a value of no variant survives decoding and encoding unchanged. With `discriminator` the value of that member tells the variant, and every variant is a resource, or a union with a discriminator: then both members are written. Without it the shape does: first the kind of JSON, then what fits best. A value of an enum that is known, a date or an integer within its ends is preferred to any text or number; among resources one that has all the members of the object, then one that keeps the others (`rest`, `unknown_members: preserve`), then one that requires members the object lacks and knows all that it has; a required member that is null is there. A resource that would lose members is no match where several variants are objects: such a value is kept as it came. A map counts behind a resource that fits; what is equal goes by the order of the variants. What a variant's members hold is not looked at beyond its kind and constants. A resource that becomes a variant by `From` is given the required text constants that it lacks.
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant(pub VariantDef);

impl Write for Variant {
    fn write(&self) -> Node {
        let whole = self.0.write();
        match &whole.value {
            Value::Map(entries) if entries.len() == 1 => self.0.ty.write(),
            _ => whole,
        }
    }
}

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
        Some(Self(VariantDef { span: node.span, ty, ..VariantDef::default() }))
    }
}
