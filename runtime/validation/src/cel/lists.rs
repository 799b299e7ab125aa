//! Lists and maps: macros whose conditions may have faults, indexing, and uniqueness.

use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};

use wireform_runtime::{DateTime, Patch};

use super::{EvalError, EvalResult};

/// Returns whether the condition holds for all elements. An element that violates it determines the result, regardless
/// of faults of others.
///
/// # Errors
/// Returns the first fault, if no element determines the result.
pub fn all<T>(items: impl IntoIterator<Item = T>, holds: impl FnMut(T) -> EvalResult) -> EvalResult {
    short_circuit(false, items, holds)
}

/// Returns whether the condition holds for at least one element. An element that satisfies it determines the result,
/// regardless of faults of others.
///
/// # Errors
/// Returns the first fault, if no element determines the result.
pub fn exists<T>(items: impl IntoIterator<Item = T>, holds: impl FnMut(T) -> EvalResult) -> EvalResult {
    short_circuit(true, items, holds)
}

/// Returns `by` if `holds` returns it for an item, even if others have errors; else the first error, else `!by`.
fn short_circuit<T>(
    by: bool,
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> EvalResult,
) -> EvalResult {
    let mut first = None;
    for item in items {
        match holds(item) {
            Ok(value) if value == by => return Ok(by),
            Ok(_) => {}
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(!by), Err)
}

/// Returns whether the condition holds for exactly one element.
///
/// # Errors
/// Returns the first fault, since every element matters.
pub fn exists_one<T>(items: impl IntoIterator<Item = T>, mut holds: impl FnMut(T) -> EvalResult) -> EvalResult {
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
pub fn filter<T: Copy>(
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> EvalResult,
) -> EvalResult<Vec<T>> {
    let mut found = Vec::new();
    for item in items {
        if holds(item)? {
            found.push(item);
        }
    }
    Ok(found)
}

/// Returns the elements of a list that a merge patch sets; empty if it keeps or clears the list.
#[must_use]
pub fn patched_items<T>(patch: &Patch<Vec<T>>) -> &[T] {
    patch.as_set().map_or(&[], Vec::as_slice)
}

/// Returns whether two lists have the same length and equal elements at each index.
pub fn eq_lists<A, B>(
    a: impl IntoIterator<Item = A>,
    b: impl IntoIterator<Item = B>,
    mut same: impl FnMut(A, B) -> bool,
) -> bool {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    loop {
        let is_equal = match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) => same(one, other),
            _ => false,
        };
        if !is_equal {
            return false;
        }
    }
}

/// Returns whether two maps have the same keys with equal values.
pub fn eq_maps<A, B>(a: &BTreeMap<String, A>, b: &BTreeMap<String, B>, mut same: impl FnMut(&A, &B) -> bool) -> bool {
    eq_lists(a, b, |(key, one), (other_key, other)| key == other_key && same(one, other))
}

/// Returns whether two values are both absent, or both present and equal.
pub fn eq_options<A, B>(a: Option<A>, b: Option<B>, same: impl FnOnce(A, B) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(one), Some(other)) => same(one, other),
        _ => false,
    }
}

/// Returns the element at an index.
///
/// # Errors
/// Returns an error if the index is out of bounds.
pub fn element_at<T>(items: impl IntoIterator<Item = T>, place: i64) -> EvalResult<T> {
    let place = usize::try_from(place).map_err(|_| EvalError::OutOfRange)?;
    items.into_iter().nth(place).ok_or(EvalError::OutOfRange)
}

/// Returns the value of a key.
///
/// # Errors
/// Returns an error if the map has no such key.
pub fn map_value<'m, T>(map: &'m BTreeMap<String, T>, key: &str) -> EvalResult<&'m T> {
    map.get(key).ok_or(EvalError::NoSuchKey)
}

/// Maximum number of elements that are compared with one another; more are hashed. Most lists are short, and comparing
/// them needs no memory.
const MAX_PAIRWISE: usize = 16;

/// Returns whether all elements are distinct, in time proportional to their number.
pub fn is_unique<I>(items: I) -> bool
where
    I: Iterator + Clone,
    I::Item: Hash + Eq,
{
    let mut few = items.clone();
    let mut place = 0;
    while let Some(item) = few.next() {
        place += 1;
        if place > MAX_PAIRWISE {
            let mut seen = HashSet::new();
            return items.into_iter().all(|item| seen.insert(item));
        }
        let rest = few.clone().take(MAX_PAIRWISE);
        if rest.into_iter().any(|other| other == item) {
            return false;
        }
    }
    true
}

/// Floating-point number with the equality of uniqueness checks: both zeros are equal, and NaN equals nothing.
#[derive(Clone, Copy, Debug)]
pub struct EqFloat(pub f64);

impl PartialEq for EqFloat {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for EqFloat {}

impl Hash for EqFloat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Both zeros are equal, so they need the same hash.
        (if self.0 == 0.0 { 0 } else { self.0.to_bits() }).hash(state);
    }
}

/// Date-time with the equality of uniqueness checks: two notations of an instant are equal.
#[derive(Clone, Copy, Debug)]
pub struct EqInstant(pub DateTime);

impl PartialEq for EqInstant {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_instant(&other.0)
    }
}

impl Eq for EqInstant {}

impl Hash for EqInstant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal values need the same hash; the few instants at the end of the calendar without a timestamp share one.
        match self.0.has_offset() {
            true => self.0.to_timestamp().hash(state),
            false => self.0.to_civil().hash(state),
        }
    }
}
