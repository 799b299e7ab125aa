//! Bounds of values.

use super::{float, integer};
use crate::unions::content::Content;

/// Bounds of the values of a field, inclusive.
#[derive(Clone, Copy, Debug)]
pub enum Bounds {
    /// Integers.
    Integers(i128, i128),
    /// Numbers.
    Numbers(f64, f64),
    /// Characters of a string.
    Length(u64, u64),
    /// Elements of a list or a map.
    Items(u64, u64),
    /// Texts with this property.
    Matches(fn(&str) -> bool),
}

impl Bounds {
    /// Returns whether a value is within the bounds.
    pub(super) fn contains(self, content: &Content<'_>) -> bool {
        let is_between = |count: usize, min, max| u64::try_from(count).is_ok_and(|count| (min..=max).contains(&count));
        match (self, content) {
            (Self::Integers(min, max), _) => integer(content, true).is_some_and(|value| (min..=max).contains(&value)),
            (Self::Numbers(min, max), _) => float(content).is_some_and(|value| (min..=max).contains(&value)),
            (Self::Length(min, max), Content::Text(text)) => is_between(text.chars().count(), min, max),
            (Self::Matches(is_match), Content::Text(text)) => is_match(text),
            (Self::Items(min, max), Content::List(items)) => is_between(items.len(), min, max),
            (Self::Items(min, max), Content::Object(members)) => is_between(members.len(), min, max),
            _ => false,
        }
    }
}
