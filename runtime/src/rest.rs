//! Members beside those that a schema names, whose values have a type.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::de::MapAccess;
use serde::ser::{Serialize, SerializeMap};

use crate::member::{ToMember, ToWire};
use crate::object::Object;
use crate::wire::{FromWire, Seed};
use crate::{MapPatch, Merge, MergeMember, Patch};

/// The members of an object beside those that its schema names, by name: all of one type.
///
/// A name that the schema has is no key here: it would be written twice, and is refused instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest<T>(pub BTreeMap<String, T>);

impl<T> Default for Rest<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Rest<T> {
    /// Reads the value of a member and keeps it.
    ///
    /// # Errors
    /// Returns an error if the value is not one of the type, or the member is given twice.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error>
    where
        T: FromWire<'de>,
    {
        read(name, map, &mut self.0)
    }

    /// Writes the members behind those that the schema names.
    ///
    /// # Errors
    /// Returns an error if one has a name that the object has already, and those of the serializer.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>
    where
        T: Serialize,
    {
        self.0.iter().try_for_each(|(name, value)| {
            check::<O, _>(name)?;
            map.serialize_entry(name, value)
        })
    }
}

/// The patch of [`Rest`], whose members stand beside those that the schema names.
impl<P> Patch<MapPatch<P>> {
    /// Reads the change of a member.
    ///
    /// # Errors
    /// Returns an error if the value is not one of the type, or the member is given twice.
    pub fn read<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error>
    where
        P: FromWire<'de>,
    {
        let mut changes = self.take().into_set().unwrap_or_default();
        read(name, map, &mut changes)?;
        *self = Self::Set(changes);
        Ok(())
    }

    /// Writes the changes behind those of the members that the schema names. That all go away cannot be said in one:
    /// each that does is a change of its own.
    ///
    /// # Errors
    /// Returns an error if all are to go away, when one has a name that the object has already, and those of the
    /// serializer.
    pub fn write<O: Object, M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>
    where
        P: ToWire,
    {
        if matches!(self, Self::Clear) {
            let problem = "the members beside the named ones cannot be removed at once: name each that is to go";
            return Err(serde::ser::Error::custom(format_args!("{}: {problem}", O::NAME)));
        }
        self.as_set().into_iter().flatten().try_for_each(|(name, change)| write_change::<O, M, _>(name, change, map))
    }
}

/// Writes the change of a member beside the named ones, unless it stays.
pub fn write_change<O: Object, M: SerializeMap, C: ToMember>(
    name: &str,
    change: &C,
    map: &mut M,
) -> Result<(), M::Error> {
    let Some(change) = change.to_member() else { return Ok(()) };
    check::<O, _>(name)?;
    map.serialize_entry(name, change)
}

/// Refuses the name of a member that the object has: who reads it could not tell which of the two is meant.
pub fn check<O: Object, E: serde::ser::Error>(name: &str) -> Result<(), E> {
    match O::index(name).and_then(|index| O::MEMBERS.get(index)) {
        Some(member) => Err(E::custom(format_args!(
            "{}: `{name}` stands beside the named members, and is the member `{member}` itself",
            O::NAME
        ))),
        None => Ok(()),
    }
}

/// Reads the value of a member beside the named ones, which must not be there yet.
pub fn read<'de, A: MapAccess<'de>, T: FromWire<'de>>(
    name: String,
    map: &mut A,
    members: &mut BTreeMap<String, T>,
) -> Result<(), A::Error> {
    let value = map.next_value_seed(Seed::new())?;
    if members.contains_key(&name) {
        return Err(serde::de::Error::custom(format_args!("duplicate member `{name}`")));
    }
    members.insert(name, value);
    Ok(())
}

/// Each member that went away is a change of its own.
impl<T: Merge> MergeMember for Rest<T> {
    type Patch = Patch<MapPatch<T::Patch>>;

    fn diff_member(&self, new: &Self) -> Self::Patch {
        self.0.diff(&new.0).map_or(Patch::Keep, Patch::Set)
    }

    fn apply_member(&mut self, patch: Self::Patch) {
        self.0.apply_member(patch);
    }
}

impl<T> FromIterator<(String, T)> for Rest<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<T> From<BTreeMap<String, T>> for Rest<T> {
    fn from(members: BTreeMap<String, T>) -> Self {
        Self(members)
    }
}

impl<'r, T> IntoIterator for &'r Rest<T> {
    type Item = (&'r String, &'r T);
    type IntoIter = std::collections::btree_map::Iter<'r, String, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Deref for Rest<T> {
    type Target = BTreeMap<String, T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for Rest<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
