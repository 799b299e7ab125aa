//! Checks of lists and maps.

use serde::Serialize;

use super::Checker;
use crate::at::At;
use crate::constraint::{Bounds, Constraint};
use crate::unique;

impl Checker<'_> {
    /// Checks that there are from `min` to `max` elements; `usize::MAX` means no maximum.
    #[inline]
    pub fn items(&mut self, at: At<'_>, found: usize, min: usize, max: usize) {
        if found < min || found > max {
            self.items_violation(at, Bounds { min, max, found: Some(found) });
        }
    }

    /// Checks [`items`](Self::items) of a list that is not empty: an empty list is an absent one, which
    /// [`required`](Self::required) checks.
    #[inline]
    pub fn items_if_any(&mut self, at: At<'_>, found: usize, min: usize, max: usize) {
        if found > 0 {
            self.items(at, found, min, max);
        }
    }

    /// Checks that no element is a duplicate. Each element that equals an earlier one is a violation.
    #[inline]
    pub fn unique<T: PartialEq + Serialize>(&mut self, at: At<'_>, items: &[T]) {
        if items.len() > 1 {
            unique::duplicates(items, |copy, copy_of| self.duplicate_found(at, copy, copy_of));
        }
    }

    #[cold]
    #[inline(never)]
    fn items_violation(&mut self, at: At<'_>, bounds: Bounds) {
        self.error(at, Constraint::Items(bounds));
    }

    #[cold]
    #[inline(never)]
    fn duplicate_found(&mut self, at: At<'_>, copy: usize, copy_of: usize) {
        self.error(at.index(copy), Constraint::Unique { copy_of });
    }
}
