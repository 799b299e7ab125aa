//! Unions and their variants.

use super::deprecation::Deprecation;
use super::field::Encoding;
use super::named::Named;
use super::read::{Kind, Located, Read, Text};
use super::shape::{Short, shape};
use super::types::TypeExpr;
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

shape! {
    /// A value of one of several types. Unions are open: decoding keeps a value that matches no variant, and encoding
    /// writes it unchanged. With a `discriminator` the value of that field selects the variant, and every variant is a
    /// resource, or a union with its own discriminator, in which case both fields are written. Without it the value
    /// selects the variant that says most about it: first by the JSON type, then by everything that variants with this
    /// type say differently, at any depth: constants, listed values, formats, bounds (`min`, `max`, `length`, `items`), patterns,
    /// the elements of lists and maps, and required fields. A constant excludes other values. A listed value, a value
    /// within bounds, a string that matches its pattern, a date, or an integer within the range of its type is a better
    /// match than an arbitrary string or number; a value that is not listed, or out of bounds, matches if no other variant does. The best match for an
    /// object is a resource that has all its fields, then one that keeps unknown fields (`rest`, `unknown_members:
    /// preserve`), then one that declares all fields of the object and has further required fields; a required field
    /// that is null is present. If several variants are objects, a resource that would lose fields does not match, and
    /// such a value is kept unchanged. A map is a weaker match than a matching resource. If several variants match, the
    /// best of those that the value can be decoded as is selected, and between equal ones the order of the variants
    /// decides, which is a warning with such a value (W0305). The `format` of a string selects by its
    /// outline: an `email` has an `@`.
    /// Converting a resource into a variant with `From` sets its missing constants, also those of the objects in it.
    Union "union" {
        /// What it represents, in one sentence.
        doc "doc": Option<Text> = "A way to reach someone.";
        /// The Rust name, if the one derived from the schema name is unsuitable.
        name "name": Option<Text> = "ContactWay";
        /// The field whose value selects the variant; without it the value itself does. A resource may declare
        /// the field as a string or an enum; otherwise the union reads and writes it.
        discriminator "discriminator": Option<Text> = "type";
        /// The variants by discriminator value, or by a name without a discriminator: a type, or a mapping with
        /// details.
        variants "variants": Named<Variant> = "{ mail: MailAddress, phone: { type: PhoneNumber, doc: A number to call. } }";
        /// The codes of warnings that are suppressed for the union.
        allow "allow": Vec<Text> = "[W0305]";
        /// Marks the union as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Marks the union as used from outside of the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

shape! {
    /// A variant of a union.
    VariantDef "variant" {
        /// The type of the value.
        ty "type": TypeExpr = "PhoneNumber";
        /// The encoding of the value on the wire, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// What the variant represents, in one sentence; by default the description of its type.
        doc "doc": Option<Text> = "A number to call.";
        /// The Rust name, if the one derived from the discriminator value is unsuitable.
        name "name": Option<Text> = "ByPhone";
        /// Marks the variant as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

/// A variant as written: a type alone, or a mapping with details. A mapping with the key `string` is a map type.
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
