//! Lookup of fields by name: a hash table for each object, computed at compile time.

use std::marker::PhantomData;

use super::Object;

/// Maximum number of fields for which a linear search is as fast.
const MAX_LINEAR: usize = 4;
/// Number of slots of a table; an object with more fields than half of them has none.
const SLOTS: usize = 256;

/// Returns the index of the field with this name.
#[inline]
pub fn find<T: Object>(name: &str) -> Option<usize> {
    if T::FIELDS.len() <= MAX_LINEAR || T::FIELDS.len() > SLOTS / 2 {
        return T::FIELDS.iter().position(|member| *member == name);
    }
    let mut slot = hash(name.as_bytes());
    loop {
        let index = usize::from(*Table::<T>::SLOTS.get(slot)?).checked_sub(1)?;
        if T::FIELDS.get(index).is_some_and(|member| *member == name) {
            return Some(index);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Returns the index of the field with this alias.
#[inline]
pub fn find_alias<T: Object>(name: &str) -> Option<usize> {
    let (_, member) = T::ALIASES.iter().find(|(alias, _)| *alias == name)?;
    find::<T>(member)
}

/// Slots of a hash table with linear probing: one more than the index of a field, or 0.
struct Table<T>(PhantomData<T>);

impl<T: Object> Table<T> {
    /// Table of the names of fields.
    const SLOTS: [u8; SLOTS] = build_table(T::FIELDS);
}

/// Builds a table of these names; an empty one if there are more than half as many as slots.
const fn build_table(members: &[&str]) -> [u8; SLOTS] {
    let mut slots = [0; SLOTS];
    let mut index = 0;
    while index < members.len() && members.len() <= SLOTS / 2 {
        let mut slot = hash(members[index].as_bytes());
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        #[allow(clippy::cast_possible_truncation)]
        let entry = (index + 1) as u8;
        slots[slot] = entry;
        index += 1;
    }
    slots
}

/// Hashes the length and three bytes: names of one object seldom have them in common.
#[inline]
const fn hash(name: &[u8]) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let (first, middle, last) = (name[0] as usize, name[length / 2] as usize, name[length - 1] as usize);
    (length.wrapping_mul(7) ^ first ^ middle.wrapping_mul(13) ^ last.wrapping_mul(61)) % SLOTS
}
