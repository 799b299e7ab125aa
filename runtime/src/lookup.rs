//! Lookup tables for many names, computed at compile time and sized by the number of names.

use std::marker::PhantomData;

use crate::object::{self, Object};
use crate::open_enum::{self, OpenEnum};

/// Maximum number of values of an enum for which a linear search is as fast.
const MAX_LINEAR_VALUES: usize = 16;
/// Maximum number of fields for which an object uses the table of [`object::find`].
const MAX_SHARED_TABLE_FIELDS: usize = 128;

/// Returns the number of slots of a table for the fields of an object; 0 if it needs none.
#[must_use]
pub const fn field_slots(members: usize) -> usize {
    table_slots(MAX_SHARED_TABLE_FIELDS, members)
}

/// Returns the number of slots of a table for the values of an enum and their aliases; 0 if it needs none.
#[must_use]
pub const fn value_slots(values: usize, aliases: usize) -> usize {
    table_slots(MAX_LINEAR_VALUES, values + aliases)
}

/// Returns a number of slots of which at least half stay empty; 0 for too few names, and for more than the two bytes of
/// a slot can represent.
const fn table_slots(few: usize, names: usize) -> usize {
    if names <= few || names >= u16::MAX as usize { 0 } else { (names * 2).next_power_of_two() }
}

/// Returns the index of the field with this name or alias, by a table with `SLOTS` slots.
#[inline]
#[must_use]
pub fn find_field<T: Object, const SLOTS: usize>(name: &str) -> Option<usize> {
    let found = match SLOTS {
        0 => object::find::<T>(name),
        _ => find(T::FIELDS, &[], &Table::<T, SLOTS>::FIELDS, name),
    };
    found.or_else(|| object::find_alias::<T>(name))
}

/// Returns the value with this canonical name or alias, by a table with `SLOTS` slots.
#[inline]
#[must_use]
pub fn find_value<E: OpenEnum, const SLOTS: usize>(text: &str) -> Option<E> {
    if SLOTS == 0 {
        return open_enum::find_by_name(text);
    }
    let index = find(E::VALUES, E::ALIASES, &Table::<E, SLOTS>::VALUES, text)?;
    match index.checked_sub(E::VALUES.len()) {
        None => E::from_index(u32::try_from(index).ok()?),
        Some(alias) => E::from_index(E::ALIASES.get(alias)?.1),
    }
}

/// Further accepted names, each with the index of its value.
type Aliases = [(&'static str, u32)];

/// Slots of a hash table with linear probing: one more than the index of a name, or 0. A table is evaluated only for
/// types whose names are looked up.
struct Table<T, const SLOTS: usize>(PhantomData<T>);

impl<T: Object, const SLOTS: usize> Table<T, SLOTS> {
    /// Table of the names of fields.
    const FIELDS: [u16; SLOTS] = build_table(T::FIELDS, &[]);
}

impl<E: OpenEnum, const SLOTS: usize> Table<E, SLOTS> {
    /// Table of the names and aliases of values.
    const VALUES: [u16; SLOTS] = build_table(E::VALUES, E::ALIASES);
}

/// Returns the index among the names followed by the aliases; the first of duplicates.
fn find<const SLOTS: usize>(
    names: &[&str],
    aliases: &[(&str, u32)],
    slots: &[u16; SLOTS],
    name: &str,
) -> Option<usize> {
    let mut hash = hash(name.as_bytes());
    loop {
        let index = usize::from(*slots.get(hash & SLOTS.wrapping_sub(1))?).checked_sub(1)?;
        let there = match index.checked_sub(names.len()) {
            None => names.get(index),
            Some(alias) => aliases.get(alias).map(|(alias, _)| alias),
        };
        if there.is_some_and(|there| *there == name) {
            return Some(index);
        }
        hash = hash.wrapping_add(1);
    }
}

/// Builds a table of the names followed by the aliases. `SLOTS` is a power of two above their number, or 0.
const fn build_table<const SLOTS: usize>(names: &[&str], aliases: &Aliases) -> [u16; SLOTS] {
    let mut slots = [0; SLOTS];
    let mut index = 0;
    while SLOTS > 0 && index < names.len() + aliases.len() {
        let name = if index < names.len() { names[index] } else { aliases[index - names.len()].0 };
        let mut slot = hash(name.as_bytes()) & (SLOTS - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (SLOTS - 1);
        }
        index += 1;
        #[allow(clippy::cast_possible_truncation)]
        let entry = index as u16;
        slots[slot] = entry;
    }
    slots
}

/// Hashes all bytes: many names often differ in one place only, as numbered ones do.
#[inline]
const fn hash(name: &[u8]) -> usize {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_name_and_no_other() {
        let leaked = |prefix: char| (0..3000_u32).map(move |index| (&*format!("{prefix}{index}").leak(), index));
        let names: Vec<&'static str> = leaked('n').map(|(name, _)| name).collect();
        let mut aliases: Vec<(&'static str, u32)> = leaked('a').collect();
        // A name that is shadowed by a duplicate is not found.
        aliases.push(("n7", 1));
        let table: [u16; value_slots(3000, 3001)] = build_table(&names, &aliases.clone());
        let found = |name: &str| find(&names, &aliases, &table, name);
        for (index, name) in names.iter().enumerate() {
            assert_eq!(found(name), Some(index), "{name}");
        }
        for (index, (alias, _)) in aliases.iter().enumerate().take(3000) {
            assert_eq!(found(alias), Some(3000 + index), "{alias}");
        }
        for name in ["", "n", "n3000", "a03", "é"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn no_table_for_few_names() {
        assert_eq!((value_slots(10, 6), value_slots(17, 0), value_slots(70_000, 0)), (0, 64, 0));
        assert_eq!((field_slots(128), field_slots(129)), (0, 512));
        assert_eq!(find(&["a"], &[], &[], "a"), None);
    }
}
