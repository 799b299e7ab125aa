//! Enums and their values.

use super::behavior::EnumBehavior;
use super::deprecation::Deprecation;
use super::named::Named;
use super::read::{Located, Text};
use super::shape::{Short, Shorthand, shape, words};
use crate::diagnostics::Span;

shape! {
    /// A set of named values. Enums are open: decoding keeps a value that is not listed as `Unknown`, and encoding
    /// writes it unchanged. A server rejects such a value in a request, as a violation of the rule `known_value`.
    EnumDef "enum" {
        /// The meaning of the enum, in one sentence.
        doc "doc": Option<Text> = "Whether the event takes place.";
        /// The Rust name, if the one derived from the schema name is unsuitable.
        name "name": Option<Text> = "EventState";
        /// The type of the values on the wire: `string`; a numeric type, whose numbers are the keys of `values`; or
        /// `any`, with keys in JSON notation.
        ty "type": Option<Located<EnumType>> = "int32";
        /// The value of `EventState::default()` in Rust. The value of an absent field is a different default, which the
        /// field declares with its own `default` and `state_or_default()` returns.
        default "default": Option<Text> = "confirmed";
        /// The values by wire name: a description, or a mapping with details.
        values "values": Named<Short<EnumValue>> = "{ confirmed: The event takes place., tentative: The event may take place. }";
        /// Marks the enum as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Marks the enum as used from outside of the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

words! {
    /// The type of the values of an enum on the wire.
    EnumType {
        /// Strings.
        String "string",
        /// Signed 32-bit integers.
        Int32 "int32",
        /// Signed 64-bit integers.
        Int64 "int64",
        /// Unsigned 32-bit integers.
        Uint32 "uint32",
        /// Unsigned 64-bit integers.
        Uint64 "uint64",
        /// Numbers in JSON notation: `'0.5'`, and `'1'` without a fraction.
        Double "double",
        /// Strings, numbers and booleans in JSON notation: `'"auto"'`, `'0.5'`, `'true'`.
        Any "any",
    }
}

shape! {
    /// One value of an enum.
    EnumValue "enum value" {
        /// The meaning of the value, in one sentence.
        doc "doc": Option<Text> = "The event takes place.";
        /// The Rust name, if the one derived from the wire name is unsuitable.
        name "name": Option<Text> = "from_mail";
        /// Aliases that are decoded as this value, that of the public service first. List the value itself first if the
        /// public service uses it too and the aliases are only read.
        aliases "aliases": Vec<Text> = "[GMAIL]";
        /// Whether the value can be sent.
        behavior "behavior": Vec<EnumBehavior> = "[output_only]";
        /// Marks the value as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

impl Shorthand for EnumValue {
    const KEY: &'static str = "doc";
    type Short = Text;

    fn expand(doc: Text, span: Span) -> Self {
        Self { span, doc: Some(doc), ..Self::default() }
    }
}
