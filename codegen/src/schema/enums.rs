//! Enums and their values.

use super::behavior::EnumBehavior;
use super::field::Deprecation;
use super::named::Named;
use super::read::{Located, Text};
use super::shape::{Short, Shorthand, shape, words};
use crate::diagnostics::Span;

shape! {
    /// A set of named values. Enums are open: a value that is not listed survives decoding and encoding unchanged and is told apart from the listed ones. Readers keep it; a server refuses it in a request, as a violation of the rule `known_value`.
    EnumDef "enum" {
        /// What the values are about, in one sentence.
        doc "doc": Option<Text> = "Whether the event takes place.";
        /// The Rust name, where the one made from the schema name does not fit.
        name "name": Option<Text> = "EventState";
        /// What its values are on the wire: `string`, or a type of numbers, which the keys of `values` are then, or `any`, where the keys are JSON.
        ty "type": Option<Located<EnumType>> = "int32";
        /// The value that `Default` gives in Rust: `EventState::default()`. A field says with its own `default` what its absence stands for, which `state_or_default()` reads.
        default "default": Option<Text> = "confirmed";
        /// The values by their wire names: a description, or a mapping with more.
        values "values": Named<Short<EnumValue>> = "{ confirmed: The event takes place., tentative: The event may take place. }";
        /// Says that the enum is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Says that the enum is used from outside the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

words! {
    /// What the values of an enum are on the wire.
    EnumType {
        /// Texts.
        String "string",
        /// Signed 32-bit integers.
        Int32 "int32",
        /// Signed 64-bit integers.
        Int64 "int64",
        /// Unsigned 32-bit integers.
        Uint32 "uint32",
        /// Unsigned 64-bit integers.
        Uint64 "uint64",
        /// Numbers, as JSON writes them: `'0.5'`, and `'1'` without a fraction.
        Double "double",
        /// Texts, numbers and booleans, as JSON writes them: `'"auto"'`, `'0.5'`, `'true'`.
        Any "any",
    }
}

shape! {
    /// One value of an enum.
    EnumValue "enum value" {
        /// What the value means, in one sentence.
        doc "doc": Option<Text> = "The event takes place.";
        /// The Rust name, where the one made from the wire name does not fit.
        name "name": Option<Text> = "from_mail";
        /// Other spellings that are accepted and read as this value, that of the public service first. That is the value itself where the others are only read.
        aliases "aliases": Vec<Text> = "[GMAIL]";
        /// Whether the value can be sent.
        behavior "behavior": Vec<EnumBehavior> = "[output_only]";
        /// Says that the value is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
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
