//! Unknown fields, preserved by resources whose schema requests it.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde_json::Value;

use crate::additional_fields::{check_undeclared, read, write_change};
use crate::object::Object;
use crate::{Merge, MergeField, Patch};

/// Fields of an object that its schema does not know, by name. Null values are preserved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnknownFields(pub BTreeMap<String, Value>);

/// Changes of a merge patch to [`UnknownFields`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnknownFieldsPatch(pub BTreeMap<String, Patch<Value>>);

impl UnknownFields {
    /// Reads the value of a field and stores it.
    ///
    /// # Errors
    /// Returns an error if the value is not well-formed, or the field is duplicate.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        read(name, map, &mut self.0)
    }

    /// Writes the fields after those of the schema.
    ///
    /// # Errors
    /// Returns an error if the schema has a field with this name, or the serializer fails.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.iter().try_for_each(|(name, value)| {
            check_undeclared::<O, _>(name)?;
            map.serialize_entry(name, value)
        })
    }
}

impl UnknownFieldsPatch {
    /// Returns whether the patch changes no unknown field.
    #[must_use]
    pub fn is_keep(&self) -> bool {
        self.0.values().all(Patch::is_keep)
    }

    /// Reads the change of a field.
    ///
    /// # Errors
    /// Returns an error if the value is not well-formed, or the field is duplicate.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        read(name, map, &mut self.0)
    }

    /// Writes the changes. The caller has already written those of the schema's fields.
    ///
    /// # Errors
    /// Returns an error if the schema has a field with this name, or the serializer fails.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.iter().try_for_each(|(name, change)| write_change::<O, M, _>(name, change, map))
    }
}

impl MergeField for UnknownFields {
    type Patch = UnknownFieldsPatch;

    fn diff_field(&self, new: &Self) -> UnknownFieldsPatch {
        UnknownFieldsPatch(self.0.diff(&new.0).unwrap_or_default())
    }

    fn apply_field(&mut self, patch: UnknownFieldsPatch) {
        self.0.apply(patch.0);
    }
}

impl Deref for UnknownFields {
    type Target = BTreeMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for UnknownFields {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
