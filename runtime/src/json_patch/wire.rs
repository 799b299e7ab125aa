//! JSON Patch documents on the wire.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::{JsonPatch, JsonPatchOperation, JsonPointer};
use crate::wire::Leaf;

impl Leaf for JsonPatch {}
impl Leaf for JsonPatchOperation {}
impl Leaf for JsonPointer {}

impl Serialize for JsonPatch {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(&self.operations)
    }
}

impl Serialize for JsonPatchOperation {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("op", self.name())?;
        if let Some(from) = self.from() {
            map.serialize_entry("from", from)?;
        }
        map.serialize_entry("path", self.path())?;
        if let Some(value) = self.value() {
            map.serialize_entry("value", value)?;
        }
        map.end()
    }
}

impl Serialize for JsonPointer {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for JsonPatch {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_seq(Operations)
    }
}

impl<'de> Deserialize<'de> for JsonPatchOperation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_map(OneOperation)
    }
}

impl<'de> Deserialize<'de> for JsonPointer {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(d)?).map_err(D::Error::custom)
    }
}

struct Operations;

impl<'de> Visitor<'de> for Operations {
    type Value = JsonPatch;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of operations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonPatch, A::Error> {
        // Not preallocated, since the client controls the length.
        let mut operations = Vec::new();
        while let Some(operation) = items.next_element()? {
            operations.push(operation);
        }
        Ok(JsonPatch { operations })
    }
}

struct OneOperation;

impl<'de> Visitor<'de> for OneOperation {
    type Value = JsonPatchOperation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an operation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonPatchOperation, A::Error> {
        let mut read = Read::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "op" => once(&mut read.op, "op", &mut map)?,
                "path" => once(&mut read.path, "path", &mut map)?,
                "from" => once(&mut read.from, "from", &mut map)?,
                "value" => once(&mut read.value, "value", &mut map)?,
                // RFC 6902, section 4: other members are ignored.
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        read.operation()
    }
}

/// Members of an operation during deserialization.
#[derive(Default)]
struct Read {
    op: Option<String>,
    path: Option<JsonPointer>,
    /// Any value, since it is ignored unless the operation uses it.
    from: Option<Value>,
    value: Option<Value>,
}

fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(A::Error::duplicate_field(name));
    }
    *slot = Some(map.next_value()?);
    Ok(())
}

impl Read {
    fn operation<E: Error>(self) -> Result<JsonPatchOperation, E> {
        let missing = E::missing_field;
        let op = self.op.ok_or_else(|| missing("op"))?;
        let path = self.path.ok_or_else(|| missing("path"));
        let from = || match self.from {
            Some(Value::String(text)) => JsonPointer::parse(&text).map_err(E::custom),
            Some(_) => Err(E::custom("`from` is a text")),
            None => Err(missing("from")),
        };
        let value = self.value.ok_or_else(|| missing("value"));
        Ok(match op.as_str() {
            "add" => JsonPatchOperation::Add { path: path?, value: value? },
            "remove" => JsonPatchOperation::Remove { path: path? },
            "replace" => JsonPatchOperation::Replace { path: path?, value: value? },
            "move" => JsonPatchOperation::Move { from: from()?, path: path? },
            "copy" => JsonPatchOperation::Copy { from: from()?, path: path? },
            "test" => JsonPatchOperation::Test { path: path?, value: value? },
            _ => return Err(E::custom("`op` is one of `add`, `remove`, `replace`, `move`, `copy`, `test`")),
        })
    }
}
