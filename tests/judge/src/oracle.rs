//! The independent oracle: JSON Schema 2020-12 as `boon` implements it, with the schemas of OpenAPI 3.0 converted to it.
//!
//! `oneOf` is judged as `anyOf`, because a value that matches several alternatives is decoded as one of them. A discriminator
//! does not affect validity.

use std::collections::BTreeMap;

use boon::{Compiler, Draft, ErrorKind, Format, InstanceToken, SchemaIndex, Schemas, Type, ValidationError};
use serde_json::Value;

use crate::Direction;
use crate::conversion::Conversion;
use crate::document::{decode, encode};

/// URL of the converted document.
const URL: &str = "http://judge/document.json";

/// Verdicts about the values of a document in one direction.
pub struct Oracle {
    /// Converted document, with formats and discriminators.
    pub document: Value,
    strict: Compiled,
    lax: Compiled,
}

/// Compiled schemas of a document.
struct Compiled {
    compiler: Compiler,
    schemas: Schemas,
    known: BTreeMap<String, Result<SchemaIndex, String>>,
}

/// Keyword that a value violates, with the pointer of its schema.
pub struct Fault {
    /// Keyword, such as `minItems`.
    pub keyword: &'static str,
    /// Pointers of the violated schemas in the document.
    pub pointers: Vec<String>,
}

impl Oracle {
    /// Creates the oracle of a document.
    pub fn new(document: &Value, direction: Direction) -> anyhow::Result<Self> {
        let conversion = Conversion {
            document,
            direction,
            is_3_0: document["openapi"].as_str().is_some_and(|it| it.starts_with("3.0")),
        };
        let mut converted = document.clone();
        for (_, schema) in
            converted.pointer_mut("/components/schemas").and_then(Value::as_object_mut).into_iter().flatten()
        {
            *schema = conversion.schema(schema);
        }
        for (_, item) in converted["paths"].as_object_mut().into_iter().flatten() {
            for place in ["/put/requestBody", "/put/responses/200"] {
                let place = format!("{place}/content/application~1json/schema");
                if let Some(schema) = item.pointer_mut(&place) {
                    *schema = conversion.schema(schema);
                }
            }
        }
        let mut lax = converted.clone();
        without_formats(&mut lax);
        Ok(Self { strict: Compiled::new(&converted)?, lax: Compiled::new(&lax)?, document: converted })
    }

    /// Returns whether a value is valid with all formats; `None` if the schema cannot be compiled.
    pub fn is_valid(&mut self, pointer: &str, value: &Value) -> Option<bool> {
        let index = self.strict.index(pointer)?;
        Some(self.strict.schemas.validate(value, index).is_ok())
    }

    /// Returns why a schema cannot be compiled, if values were judged by it.
    pub fn error(&self, pointer: &str) -> Option<&str> {
        let failed = |one: &'_ Compiled| one.known.get(pointer).is_some_and(Result::is_err);
        let compiled = [&self.strict, &self.lax].into_iter().find(|one| failed(one))?;
        compiled.known.get(pointer)?.as_ref().err().map(String::as_str)
    }

    /// Returns what makes a value invalid, apart from formats.
    pub fn fault(&mut self, pointer: &str, value: &Value) -> Option<Fault> {
        let index = self.lax.index(pointer)?;
        let error = self.lax.schemas.validate(value, index).err()?;
        let mut pointers = Vec::new();
        let mut keyword = innermost(&error, &mut pointers);
        // In a union the innermost error can be that of another alternative.
        let absent = without_null_members(value);
        if absent != *value && self.lax.schemas.validate(&absent, index).is_ok() {
            keyword = "type (null of a member)";
        }
        Some(Fault { keyword, pointers })
    }
}

impl Compiled {
    fn new(document: &Value) -> anyhow::Result<Self> {
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        formats().into_iter().for_each(|format| compiler.register_format(format));
        compiler.add_resource(URL, document.clone()).map_err(|error| anyhow::anyhow!("{error}"))?;
        Ok(Self { compiler, schemas: Schemas::new(), known: BTreeMap::new() })
    }

    fn index(&mut self, pointer: &str) -> Option<SchemaIndex> {
        if let Some(known) = self.known.get(pointer) {
            return known.as_ref().ok().copied();
        }
        let compiled = self.compiler.compile(&format!("{URL}#{}", encode(pointer)), &mut self.schemas);
        let index = compiled.as_ref().ok().copied();
        self.known.insert(pointer.to_owned(), compiled.map_err(|error| error.to_string()));
        index
    }
}

/// Returns the keyword of the first innermost error, and collects the schemas on the way.
fn innermost(error: &ValidationError<'_, '_>, pointers: &mut Vec<String>) -> &'static str {
    let pointer = error.schema_url.split_once('#').map_or("", |(_, pointer)| pointer);
    pointers.push(decode(pointer));
    match (&error.kind, error.causes.first()) {
        // None of several alternatives matches: the one that differs the deepest within the value is meant. If all differ at
        // the value itself, the choice is violated.
        (ErrorKind::AnyOf, _) => {
            let meant = error.causes.iter().max_by_key(|cause| depth(cause));
            match meant.filter(|cause| depth(cause) > error.instance_location.tokens.len()) {
                Some(cause) => innermost(cause, pointers),
                None => "anyOf",
            }
        }
        (_, Some(cause)) => innermost(cause, pointers),
        (ErrorKind::Type { got: Type::Null, .. }, None) => match error.instance_location.tokens.last() {
            Some(InstanceToken::Prop(_)) => "type (null of a member)",
            Some(InstanceToken::Item(_)) => "type (null of an element)",
            None => "type (null of a body)",
        },
        (kind, None) => keyword(kind),
    }
}

/// Returns the value without the members that are null.
fn without_null_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let others = members.iter().filter(|(_, inner)| !inner.is_null());
            Value::Object(others.map(|(name, inner)| (name.clone(), without_null_members(inner))).collect())
        }
        Value::Array(items) => items.iter().map(without_null_members).collect(),
        other => other.clone(),
    }
}

/// Returns the greatest depth within the value at which an error is.
fn depth(error: &ValidationError<'_, '_>) -> usize {
    error.causes.iter().map(depth).max().unwrap_or(error.instance_location.tokens.len())
}

fn keyword(kind: &ErrorKind<'_, '_>) -> &'static str {
    match kind {
        ErrorKind::Type { .. } => "type",
        ErrorKind::Enum { .. } => "enum",
        ErrorKind::Const { .. } => "const",
        ErrorKind::Required { .. } => "required",
        ErrorKind::AdditionalProperties { .. } => "additionalProperties",
        ErrorKind::MinProperties { .. } => "minProperties",
        ErrorKind::MaxProperties { .. } => "maxProperties",
        ErrorKind::MinItems { .. } => "minItems",
        ErrorKind::MaxItems { .. } => "maxItems",
        ErrorKind::UniqueItems { .. } => "uniqueItems",
        ErrorKind::MinLength { .. } => "minLength",
        ErrorKind::MaxLength { .. } => "maxLength",
        ErrorKind::Pattern { .. } => "pattern",
        ErrorKind::Minimum { .. } => "minimum",
        ErrorKind::Maximum { .. } => "maximum",
        ErrorKind::ExclusiveMinimum { .. } => "exclusiveMinimum",
        ErrorKind::ExclusiveMaximum { .. } => "exclusiveMaximum",
        ErrorKind::MultipleOf { .. } => "multipleOf",
        ErrorKind::Not => "not",
        ErrorKind::DependentRequired { .. } => "dependentRequired",
        ErrorKind::PropertyName { .. } => "propertyNames",
        ErrorKind::FalseSchema => "false",
        _ => "another keyword",
    }
}

/// Returns the formats that JSON Schema does not define.
fn formats() -> Vec<Format> {
    fn check(is: bool) -> Result<(), Box<dyn std::error::Error>> {
        if is { Ok(()) } else { Err("not of the format".into()) }
    }
    macro_rules! integers {
        ($($name:literal: $ty:ty;)*) => {
            vec![$(Format {
                name: $name,
                func: |value| {
                    let fits = value.as_i64().is_some_and(|it| <$ty>::try_from(it).is_ok())
                        || value.as_u64().is_some_and(|it| <$ty>::try_from(it).is_ok());
                    check(!value.is_number() || fits)
                },
            },)*]
        };
    }
    let mut all = integers! {
        "int8": i8; "int16": i16; "int32": i32; "int64": i64; "uint8": u8; "uint16": u16; "uint32": u32; "uint64": u64;
    };
    all.push(Format { name: "byte", func: |value| check(value.as_str().is_none_or(|it| it.len() % 4 == 0)) });
    all
}

fn without_formats(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("format").is_some_and(Value::is_string) {
                members.remove("format");
            }
            members.values_mut().for_each(without_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_formats),
        _ => {}
    }
}
