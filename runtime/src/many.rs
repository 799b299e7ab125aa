//! The place of a name among many: tables made by the compiler, each as large as there are names.

use std::marker::PhantomData;

use crate::object::{self, Object};
use crate::open_enum::{self, OpenEnum};

/// Up to so many values of an enum, looking at one after the other is as fast.
const FEW_VALUES: usize = 16;
/// Up to so many members, an object has a table of its own kind.
const FEW_MEMBERS: usize = 128;

/// Returns the slots of a table for the members of an object; none where it needs no such table.
#[must_use]
pub const fn member_slots(members: usize) -> usize {
    slots_beyond(FEW_MEMBERS, members)
}

/// Returns the slots of a table for the values of an enum and their aliases; none where it needs no table.
#[must_use]
pub const fn value_slots(values: usize, aliases: usize) -> usize {
    slots_beyond(FEW_VALUES, values + aliases)
}

/// At least half of the slots stay empty. Each has two bytes, which are too few for more names than that.
const fn slots_beyond(few: usize, names: usize) -> usize {
    if names <= few || names >= u16::MAX as usize { 0 } else { (names * 2).next_power_of_two() }
}

/// Returns the index of the member called `name`, or that has it as an alias, by a table of so many slots.
#[inline]
#[must_use]
pub fn find_member<T: Object, const SLOTS: usize>(name: &str) -> Option<usize> {
    let found = match SLOTS {
        0 => object::find::<T>(name),
        _ => find(T::MEMBERS, &[], &Table::<T, SLOTS>::MEMBERS, name),
    };
    found.or_else(|| object::find_alias::<T>(name))
}

/// Returns the value that `text` names, be it by its canonical name or by an alias, by a table of so many slots.
#[inline]
#[must_use]
pub fn find_value<E: OpenEnum, const SLOTS: usize>(text: &str) -> Option<E> {
    if SLOTS == 0 {
        return open_enum::search(text);
    }
    let index = find(E::VALUES, E::ALIASES, &Table::<E, SLOTS>::VALUES, text)?;
    match index.checked_sub(E::VALUES.len()) {
        None => E::at(u32::try_from(index).ok()?),
        Some(alias) => E::at(E::ALIASES.get(alias)?.1),
    }
}

type Aliases = [(&'static str, u32)];

/// The slots of names: the index of one and one more, or nothing. A slot that is taken leads to the next one. A table
/// is made for those types only whose names are looked up.
struct Table<T, const SLOTS: usize>(PhantomData<T>);

impl<T: Object, const SLOTS: usize> Table<T, SLOTS> {
    const MEMBERS: [u16; SLOTS] = slots(T::MEMBERS, &[]);
}

impl<E: OpenEnum, const SLOTS: usize> Table<E, SLOTS> {
    const VALUES: [u16; SLOTS] = slots(E::VALUES, E::ALIASES);
}

/// Returns the index among the names and the aliases behind them; the first of those that are the same.
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

const fn slots<const SLOTS: usize>(names: &[&str], aliases: &Aliases) -> [u16; SLOTS] {
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

/// Of all bytes: many names often differ in one place only, as numbered ones do.
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
    fn each_of_many_names_is_found_and_no_other() {
        let leaked = |prefix: char| (0..3000_u32).map(move |index| (&*format!("{prefix}{index}").leak(), index));
        let names: Vec<&'static str> = leaked('n').map(|(name, _)| name).collect();
        let mut aliases: Vec<(&'static str, u32)> = leaked('a').collect();
        // What has the name of another is not found by it.
        aliases.push(("n7", 1));
        let table: [u16; value_slots(3000, 3001)] = slots(&names, &aliases.clone());
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
    fn few_names_have_no_table() {
        assert_eq!((value_slots(10, 6), value_slots(17, 0), value_slots(70_000, 0)), (0, 64, 0));
        assert_eq!((member_slots(128), member_slots(129)), (0, 512));
        assert_eq!(find(&["a"], &[], &[], "a"), None);
    }
}
