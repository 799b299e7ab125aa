//! Every resource of the three APIs, with functions that convert it from JSON and back.

use serde_json::Value;
use wireform_runtime::serde::Serialize;
use wireform_runtime::{FromWire, Merge, json};

/// Resource with its codecs.
pub struct Entry {
    /// Folder of its API.
    pub api: &'static str,
    /// Name in the schema.
    pub resource: &'static str,
    /// JSON codec of the resource.
    pub codec: Codec,
    /// JSON codec of its merge patch, if it has one.
    pub patch: Option<PatchCodec>,
}

/// Decodes JSON as a type, encodes it again, and checks that a second round changes nothing.
#[derive(Clone, Copy)]
pub struct Codec {
    /// Converts JSON text through the type to JSON text, or returns why it cannot be decoded.
    pub round_trip: fn(&[u8]) -> Result<String, String>,
}

/// Checks the laws of a merge patch on JSON.
#[derive(Clone, Copy)]
pub struct PatchCodec {
    /// Converts the JSON text of a patch through the patch type to JSON text.
    pub round_trip: fn(&[u8]) -> Result<String, String>,
    /// Returns the JSON of the difference between two values, after checking that applying it to the first, directly
    /// and from its wire form, yields the second.
    pub diff: fn(&Value, &Value) -> Result<Value, String>,
}

impl Codec {
    /// Creates the codec of a type.
    pub const fn of<T: for<'de> FromWire<'de> + Serialize + PartialEq + std::fmt::Debug>() -> Self {
        Self { round_trip: round_trip::<T> }
    }

    /// Creates the codec of a merge patch.
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
#[allow(deprecated)] // deprecated resources are included
pub const ALL: &[Entry] = include!("../tables/registry.rs");
