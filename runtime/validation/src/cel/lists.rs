//! Lists and maps: loops whose conditions can have no value, elements by their place, elements told apart.

use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};

use wireform_runtime::{DateTime, Patch};

use super::{Evaluated, Fault};

/// Returns whether the condition holds for all elements. One for which it does not decides, whatever becomes of others.
///
/// # Errors
/// Returns the first fault, when nothing decides.
pub fn all<T>(items: impl IntoIterator<Item = T>, holds: impl FnMut(T) -> Evaluated) -> Evaluated {
    decided(false, items, holds)
}

/// Returns whether the condition holds for one of the elements. One for which it does decides, whatever becomes of
/// others.
///
/// # Errors
/// Returns the first fault, when nothing decides.
pub fn exists<T>(items: impl IntoIterator<Item = T>, holds: impl FnMut(T) -> Evaluated) -> Evaluated {
    decided(true, items, holds)
}

fn decided<T>(by: bool, items: impl IntoIterator<Item = T>, mut holds: impl FnMut(T) -> Evaluated) -> Evaluated {
    let mut first = None;
    for item in items {
        match holds(item) {
            Ok(value) if value == by => return Ok(by),
            Ok(_) => {}
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    first.map_or(Ok(!by), Err)
}

/// Returns whether the condition holds for exactly one element.
///
/// # Errors
/// Returns the first fault: every element counts.
pub fn exists_one<T>(items: impl IntoIterator<Item = T>, mut holds: impl FnMut(T) -> Evaluated) -> Evaluated {
    let mut found = 0_usize;
    for item in items {
        found += usize::from(holds(item)?);
    }
    Ok(found == 1)
}

/// Returns the elements for which the condition holds.
///
/// # Errors
/// Returns the first fault.
pub fn filter<T: Copy>(items: impl IntoIterator<Item = T>, mut holds: impl FnMut(T) -> Evaluated) -> Evaluated<Vec<T>> {
    let mut found = Vec::new();
    for item in items {
        if holds(item)? {
            found.push(item);
        }
    }
    Ok(found)
}

/// Returns the elements to which a merge patch sets a list; none where it keeps or clears it.
#[must_use]
pub fn set_items<T>(patch: &Patch<Vec<T>>) -> &[T] {
    patch.as_set().map_or(&[], Vec::as_slice)
}

/// Returns whether two lists have as many elements, each the same as that at its place.
pub fn same_items<A, B>(
    a: impl IntoIterator<Item = A>,
    b: impl IntoIterator<Item = B>,
    mut same: impl FnMut(A, B) -> bool,
) -> bool {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    loop {
        let alike = match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) => same(one, other),
            _ => false,
        };
        if !alike {
            return false;
        }
    }
}

/// Returns whether two maps have the same keys, each with the same value.
pub fn same_entries<A, B>(
    a: &BTreeMap<String, A>,
    b: &BTreeMap<String, B>,
    mut same: impl FnMut(&A, &B) -> bool,
) -> bool {
    same_items(a, b, |(key, one), (other_key, other)| key == other_key && same(one, other))
}

/// Returns whether two values are both absent, or both there and the same.
pub fn same_option<A, B>(a: Option<A>, b: Option<B>, same: impl FnOnce(A, B) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(one), Some(other)) => same(one, other),
        _ => false,
    }
}

/// Returns the element at a place.
///
/// # Errors
/// Returns an error if there is none.
pub fn at<T>(items: impl IntoIterator<Item = T>, place: i64) -> Evaluated<T> {
    let place = usize::try_from(place).map_err(|_| Fault::OutOfRange)?;
    items.into_iter().nth(place).ok_or(Fault::OutOfRange)
}

/// Returns the value of a key.
///
/// # Errors
/// Returns an error if there is none.
pub fn entry<'m, T>(map: &'m BTreeMap<String, T>, key: &str) -> Evaluated<&'m T> {
    map.get(key).ok_or(Fault::NoSuchKey)
}

/// Up to here elements are compared with one another; above, they are hashed. Most lists are short, and comparing
/// them needs no memory.
const FEW: usize = 16;

/// Returns whether no element occurs twice, in time that is proportional to their number.
pub fn unique<I>(items: I) -> bool
where
    I: Iterator + Clone,
    I::Item: Hash + Eq,
{
    let mut few = items.clone();
    let mut place = 0;
    while let Some(item) = few.next() {
        place += 1;
        if place > FEW {
            let mut seen = HashSet::new();
            return items.into_iter().all(|item| seen.insert(item));
        }
        let rest = few.clone().take(FEW);
        if rest.into_iter().any(|other| other == item) {
            return false;
        }
    }
    true
}

/// A floating-point number among elements that are told apart: zero has one sign, and what is no number is like
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Real {}

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Both zeros are equal, so they have one hash.
        (if self.0 == 0.0 { 0 } else { self.0.to_bits() }).hash(state);
    }
}

/// A date-time among elements that are told apart: two spellings of one instant are the same.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub DateTime);

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_instant(&other.0)
    }
}

impl Eq for Moment {}

impl Hash for Moment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // What is equal has one hash; a few instants at the end of the calendar, which have no timestamp, share one.
        match self.0.has_offset() {
            true => self.0.to_timestamp().hash(state),
            false => self.0.to_civil().hash(state),
        }
    }
}
