//! Every resource of the three APIs, with functions that take it through JSON and back.

use serde_json::Value;
use wireform_runtime::serde::Serialize;
use wireform_runtime::{FromWire, Merge, json};

/// A resource.
pub struct Entry {
    /// The folder of its API.
    pub api: &'static str,
    /// Its name in the schema.
    pub resource: &'static str,
    /// Takes it through JSON.
    pub codec: Codec,
    /// Takes its merge patch through JSON, where it has one.
    pub patch: Option<PatchCodec>,
}

/// Decodes JSON as a type, encodes it again, and checks that a second round changes nothing.
#[derive(Clone, Copy)]
pub struct Codec {
    /// JSON text → JSON text, through the type; or why it cannot be decoded.
    pub round_trip: fn(&[u8]) -> Result<String, String>,
}

/// The laws of a merge patch over JSON.
#[derive(Clone, Copy)]
pub struct PatchCodec {
    /// JSON text of a patch → JSON text, through the patch type.
    pub round_trip: fn(&[u8]) -> Result<String, String>,
    /// Two values → the JSON of their difference, after checking that applying it to the first,
    /// also when it went over the wire, makes the second.
    pub diff: fn(&Value, &Value) -> Result<Value, String>,
}

impl Codec {
    /// The codec of a type.
    pub const fn of<T: for<'de> FromWire<'de> + Serialize + PartialEq + std::fmt::Debug>() -> Self {
        Self { round_trip: round_trip::<T> }
    }

    /// The codec of a type's merge patch.
    pub const fn patch<T, P>() -> PatchCodec
    where
        T: for<'de> FromWire<'de> + Merge<Patch = P> + Clone + PartialEq + std::fmt::Debug,
        P: for<'de> FromWire<'de> + Serialize + Clone + Default + PartialEq + std::fmt::Debug,
    {
        PatchCodec { round_trip: round_trip::<P>, diff: diff::<T, P> }
    }
}

fn round_trip<T: for<'de> FromWire<'de> + Serialize + PartialEq + std::fmt::Debug>(
    text: &[u8],
) -> Result<String, String> {
    let value: T = json::from_slice(text).map_err(|error| error.to_string())?;
    let once = json::to_string(&value).map_err(|error| error.to_string())?;
    let again: T = json::from_str(&once).map_err(|error| format!("what was written cannot be read: {error}"))?;
    if value != again {
        return Err(format!("the value changed on its way: {value:?} became {again:?}"));
    }
    Ok(once)
}

fn diff<T, P>(old: &Value, new: &Value) -> Result<Value, String>
where
    T: for<'de> FromWire<'de> + Merge<Patch = P> + Clone + PartialEq + std::fmt::Debug,
    P: for<'de> FromWire<'de> + Serialize + Clone + Default + PartialEq + std::fmt::Debug,
{
    let read = |value: &Value| json::from_str::<T>(&value.to_string()).map_err(|error| error.to_string());
    let (old, new) = (read(old)?, read(new)?);
    let patch = old.diff(&new).unwrap_or_default();
    let text = json::to_string(&patch).map_err(|error| error.to_string())?;
    let over_the_wire: P = json::from_str(&text).map_err(|error| error.to_string())?;
    for patch in [patch, over_the_wire] {
        let mut changed = old.clone();
        changed.apply(patch);
        if changed != new {
            return Err(format!("apply(old, diff(old, new)) is not new: {changed:?} instead of {new:?}"));
        }
    }
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Every resource of the three APIs.
#[allow(deprecated)] // a deprecated resource is a resource
pub const ALL: &[Entry] = include!("../tables/registry.rs");
