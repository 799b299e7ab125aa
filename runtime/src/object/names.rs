//! The member of a name: a table for each object, made by the compiler.

use std::marker::PhantomData;

use super::Object;

/// Up to so many members, looking at one after the other is as fast.
const FEW: usize = 4;
/// The slots of a table; an object with more members than half of them has none.
const SLOTS: usize = 256;

/// Returns the index of the member with this name.
#[inline]
pub fn find<T: Object>(name: &str) -> Option<usize> {
    if T::MEMBERS.len() <= FEW || T::MEMBERS.len() > SLOTS / 2 {
        return T::MEMBERS.iter().position(|member| *member == name);
    }
    let mut slot = hash(name.as_bytes());
    loop {
        let index = usize::from(*Table::<T>::SLOTS.get(slot)?).checked_sub(1)?;
        if T::MEMBERS.get(index).is_some_and(|member| *member == name) {
            return Some(index);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Returns the index of the member that has this further name.
#[inline]
pub fn find_alias<T: Object>(name: &str) -> Option<usize> {
    let (_, member) = T::ALIASES.iter().find(|(alias, _)| *alias == name)?;
    find::<T>(member)
}

/// The slots of the members' names: the index and one more, or nothing. A slot that is taken leads to the next one.
struct Table<T>(PhantomData<T>);

impl<T: Object> Table<T> {
    const SLOTS: [u8; SLOTS] = slots(T::MEMBERS);
}

const fn slots(members: &[&str]) -> [u8; SLOTS] {
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

/// Of the length and of three bytes: names of one object seldom have them in common.
#[inline]
const fn hash(name: &[u8]) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let (first, middle, last) = (name[0] as usize, name[length / 2] as usize, name[length - 1] as usize);
    (length.wrapping_mul(7) ^ first ^ middle.wrapping_mul(13) ^ last.wrapping_mul(61)) % SLOTS
}
