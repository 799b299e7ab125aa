//! Checks of lists and maps.

use serde::Serialize;

use super::Checker;
use crate::constraint::{Bounds, Constraint};
use crate::duplicates;
use crate::location::Location;

impl Checker<'_> {
    /// Checks that there are from `min` to `max` elements; `usize::MAX` means no maximum.
    #[inline]
    pub fn items(&mut self, at: Location<'_>, found: usize, min: usize, max: usize) {
        if found < min || found > max {
            self.items_violation(at, Bounds { min, max, actual: Some(found) });
        }
    }

    /// Checks [`items`](Self::items) of a list that is not empty: an empty list is an absent one, which
    /// [`required`](Self::required) checks.
    #[inline]
    pub fn items_unless_empty(&mut self, at: Location<'_>, found: usize, min: usize, max: usize) {
        if found > 0 {
            self.items(at, found, min, max);
        }
    }

    /// Checks that no element is a duplicate. Each element that equals an earlier one is a violation.
    #[inline]
    pub fn unique<T: PartialEq + Serialize>(&mut self, at: Location<'_>, items: &[T]) {
        if items.len() > 1 {
            duplicates::find_duplicates(items, |copy, copy_of| self.duplicate_found(at, copy, copy_of));
        }
    }

    /// Records that a list has too few or too many elements.
    #[cold]
    #[inline(never)]
    fn items_violation(&mut self, at: Location<'_>, bounds: Bounds) {
        self.error(at, Constraint::Items(bounds));
    }

    /// Records at the element `copy` that it equals the element `copy_of`.
    #[cold]
    #[inline(never)]
    fn duplicate_found(&mut self, at: Location<'_>, copy: usize, copy_of: usize) {
        self.error(at.index(copy), Constraint::Unique { duplicate_of: copy_of });
    }
}
