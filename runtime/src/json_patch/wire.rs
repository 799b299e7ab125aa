//! JSON Patch documents on the wire.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::{JsonPatch, JsonPatchOperation, JsonPointer};
use crate::wire::WireDeserialize;

impl WireDeserialize for JsonPatch {}
impl WireDeserialize for JsonPatchOperation {}
impl WireDeserialize for JsonPointer {}

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
        d.deserialize_seq(JsonPatchVisitor)
    }
}

impl<'de> Deserialize<'de> for JsonPatchOperation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_map(JsonPatchOperationVisitor)
    }
}

impl<'de> Deserialize<'de> for JsonPointer {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(d)?).map_err(D::Error::custom)
    }
}

/// Visitor of a JSON Patch (RFC 6902): a list of operations.
struct JsonPatchVisitor;

impl<'de> Visitor<'de> for JsonPatchVisitor {
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

/// Visitor of an operation of a JSON Patch (RFC 6902). Its fields have any order.
struct JsonPatchOperationVisitor;

impl<'de> Visitor<'de> for JsonPatchOperationVisitor {
    type Value = JsonPatchOperation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an operation of a JSON Patch")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonPatchOperation, A::Error> {
        let mut members = OperationMembers::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "op" => read_once(&mut members.op, "op", &mut map)?,
                "path" => read_once(&mut members.path, "path", &mut map)?,
                "from" => read_once(&mut members.from, "from", &mut map)?,
                "value" => read_once(&mut members.value, "value", &mut map)?,
                // RFC 6902, section 4: other members are ignored.
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        members.into_operation()
    }
}

/// Members of an operation during deserialization.
#[derive(Default)]
struct OperationMembers {
    op: Option<String>,
    path: Option<JsonPointer>,
    /// Any value, since it is ignored unless the operation uses it.
    from: Option<Value>,
    value: Option<Value>,
}

/// Reads the value of a field into its slot; an error if the field is repeated.
fn read_once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
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

impl OperationMembers {
    /// Creates the operation that `op` names; an error if it lacks one of its fields. Other fields are ignored.
    fn into_operation<E: Error>(self) -> Result<JsonPatchOperation, E> {
        let missing = E::missing_field;
        let op = self.op.ok_or_else(|| missing("op"))?;
        let path = self.path.ok_or_else(|| missing("path"));
        let from = || match self.from {
            Some(Value::String(text)) => JsonPointer::parse(&text).map_err(E::custom),
            Some(_) => Err(E::custom("`from` must be a string")),
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
            _ => return Err(E::custom("`op` must be one of `add`, `remove`, `replace`, `move`, `copy`, `test`")),
        })
    }
}
