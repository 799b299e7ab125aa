//! Additional fields of an object, with typed values.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::de::MapAccess;
use serde::ser::{Serialize, SerializeMap};

use crate::field_encoding::{ToField, ToWire};
use crate::object::Object;
use crate::wire::{FromWire, WireSeed};
use crate::{MapPatch, Merge, MergeField, Patch};

/// Additional fields of an object, which its schema does not name, all of one type.
///
/// A field of the schema must not be a key: it would be written twice, so writing fails.
#[derive(Clone, Debug, PartialEq)]
pub struct AdditionalFields<T>(pub BTreeMap<String, T>);

impl<T> Default for AdditionalFields<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> AdditionalFields<T> {
    /// Reads the value of a field and stores it.
    ///
    /// # Errors
    /// Returns an error if the value does not have the type, or the field is duplicate.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error>
    where
        T: FromWire<'de>,
    {
        read(name, map, &mut self.0)
    }

    /// Writes the fields after those of the schema.
    ///
    /// # Errors
    /// Returns an error if the schema has a field with this name, or the serializer fails.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>
    where
        T: Serialize,
    {
        self.0.iter().try_for_each(|(name, value)| {
            check_undeclared::<O, _>(name)?;
            map.serialize_entry(name, value)
        })
    }
}

/// Patch of [`AdditionalFields`], the additional fields.
impl<P> Patch<MapPatch<P>> {
    /// Reads the change of a field.
    ///
    /// # Errors
    /// Returns an error if the value does not have the type, or the field is duplicate.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error>
    where
        P: FromWire<'de>,
    {
        let mut changes = self.take().into_set().unwrap_or_default();
        read(name, map, &mut changes)?;
        *self = Self::Set(changes);
        Ok(())
    }

    /// Writes the changes. The caller has already written those of the schema's fields. A patch cannot remove all
    /// additional fields at once: each is removed by its own change.
    ///
    /// # Errors
    /// Returns an error if the patch is [`Patch::Clear`], the schema has a field with this name, or the serializer
    /// fails.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>
    where
        P: ToWire,
    {
        if matches!(self, Self::Clear) {
            let problem = "additional fields cannot be removed all at once: remove each by its name";
            return Err(serde::ser::Error::custom(format_args!("{}: {problem}", O::NAME)));
        }
        self.as_set().into_iter().flatten().try_for_each(|(name, change)| write_change::<O, M, _>(name, change, map))
    }
}

/// Writes the change of an additional field unless it is kept.
pub fn write_change<O: Object, M: SerializeMap, C: ToField>(
    name: &str,
    change: &C,
    map: &mut M,
) -> Result<(), M::Error> {
    let Some(change) = change.to_field() else { return Ok(()) };
    check_undeclared::<O, _>(name)?;
    map.serialize_entry(name, change)
}

/// Checks that the schema has no field with this name: a parser could not distinguish the two.
pub fn check_undeclared<O: Object, E: serde::ser::Error>(name: &str) -> Result<(), E> {
    match O::index(name).and_then(|index| O::FIELDS.get(index)) {
        Some(member) => Err(E::custom(format_args!(
            "{}: the additional field `{name}` has the name of the declared field `{member}`",
            O::NAME
        ))),
        None => Ok(()),
    }
}

/// Reads the value of an additional field, which must not be a duplicate.
pub fn read<'de, A: MapAccess<'de>, T: FromWire<'de>>(
    name: String,
    map: &mut A,
    members: &mut BTreeMap<String, T>,
) -> Result<(), A::Error> {
    let value = map.next_value_seed(WireSeed::new())?;
    if members.contains_key(&name) {
        return Err(serde::de::Error::custom(format_args!("duplicate field `{name}`")));
    }
    members.insert(name, value);
    Ok(())
}

/// Each removed field is a separate change.
impl<T: Merge> MergeField for AdditionalFields<T> {
    type Patch = Patch<MapPatch<T::Patch>>;

    fn diff_field(&self, new: &Self) -> Self::Patch {
        self.0.diff(&new.0).map_or(Patch::Keep, Patch::Set)
    }

    fn apply_field(&mut self, patch: Self::Patch) {
        self.0.apply_field(patch);
    }
}

impl<T> FromIterator<(String, T)> for AdditionalFields<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<T> From<BTreeMap<String, T>> for AdditionalFields<T> {
    fn from(members: BTreeMap<String, T>) -> Self {
        Self(members)
    }
}

impl<'r, T> IntoIterator for &'r AdditionalFields<T> {
    type Item = (&'r String, &'r T);
    type IntoIter = std::collections::btree_map::Iter<'r, String, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Deref for AdditionalFields<T> {
    type Target = BTreeMap<String, T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for AdditionalFields<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
