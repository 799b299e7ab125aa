//! JSON serialization of constraints.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Bounds, Constraint};

impl Serialize for Constraint {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        match self {
            Self::Length(bounds) | Self::Bytes(bounds) | Self::Items(bounds) => bounds.write(&mut map)?,
            Self::Pattern(pattern) => map.serialize_entry("pattern", pattern)?,
            Self::Format(format) => map.serialize_entry("format", format.name())?,
            Self::Schemes(schemes) => map.serialize_entry("schemes", schemes)?,
            Self::Range { min, max } => {
                min.iter().try_for_each(|min| map.serialize_entry("min", min))?;
                max.iter().try_for_each(|max| map.serialize_entry("max", max))?;
            }
            Self::Above(end) | Self::Below(end) => {
                map.serialize_entry(self.rule_id(), end)?;
                map.serialize_entry("exclusive", &true)?;
            }
            Self::MultipleOf(of) => map.serialize_entry("multipleOf", of)?,
            Self::Unique { duplicate_of: copy_of } => map.serialize_entry("copyOf", copy_of)?,
            Self::Constant(value) => map.serialize_entry("constant", value)?,
            Self::KnownValue { of, found } => {
                map.serialize_entry("enum", of)?;
                found.iter().try_for_each(|found| map.serialize_entry("found", found))?;
            }
            Self::KnownVariant { of, discriminator, variants } => {
                map.serialize_entry("union", of)?;
                discriminator.iter().try_for_each(|member| map.serialize_entry("discriminator", member))?;
                map.serialize_entry("variants", variants)?;
            }
            Self::NotSendable(value) => map.serialize_entry("value", value)?,
            Self::Deprecated { value, instead } => {
                value.iter().try_for_each(|value| map.serialize_entry("value", value))?;
                instead.iter().try_for_each(|instead| map.serialize_entry("instead", instead))?;
            }
            Self::Ignored { unless } => {
                unless.iter().try_for_each(|condition| map.serialize_entry("unless", condition))?;
            }
            Self::Excludes { other, value } => {
                map.serialize_entry("beside", other)?;
                value.iter().try_for_each(|value| map.serialize_entry("value", value))?;
            }
            Self::NotEvaluated(fault) => map.serialize_entry("fault", fault)?,
            Self::Required | Self::RequiredInPatch | Self::Immutable | Self::OutputOnly | Self::Transition => {}
        }
        map.end()
    }
}

impl Bounds {
    /// Serializes the bounds that there are, and the number that was found.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if self.min > 0 {
            map.serialize_entry("min", &self.min)?;
        }
        if self.max < usize::MAX {
            map.serialize_entry("max", &self.max)?;
        }
        self.actual.iter().try_for_each(|found| map.serialize_entry("found", found))
    }
}
