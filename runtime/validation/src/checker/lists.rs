//! Checks of lists and maps.

use serde::Serialize;

use super::Checker;
use crate::at::At;
use crate::constraint::{Bounds, Constraint};
use crate::unique;

impl Checker<'_> {
    /// There are from `least` to `most` elements; `usize::MAX` if there is no bound above.
    #[inline]
    pub fn items(&mut self, at: At<'_>, found: usize, least: usize, most: usize) {
        if found < least || found > most {
            self.items_broken(at, Bounds { least, most, found: Some(found) });
        }
    }

    /// Checks [`items`](Self::items) of a list that has some: an empty list is an absent one, which is a matter of
    /// [`required`](Self::required).
    #[inline]
    pub fn items_if_any(&mut self, at: At<'_>, found: usize, least: usize, most: usize) {
        if found > 0 {
            self.items(at, found, least, most);
        }
    }

    /// No element occurs twice. There is a violation for each element that is a copy of an earlier one.
    #[inline]
    pub fn unique<T: PartialEq + Serialize>(&mut self, at: At<'_>, items: &[T]) {
        if items.len() > 1 {
            unique::copies(items, |copy, copy_of| self.copy_found(at, copy, copy_of));
        }
    }

    #[cold]
    #[inline(never)]
    fn items_broken(&mut self, at: At<'_>, bounds: Bounds) {
        self.broken(at, Constraint::Items(bounds));
    }

    #[cold]
    #[inline(never)]
    fn copy_found(&mut self, at: At<'_>, copy: usize, copy_of: usize) {
        self.broken(at.index(copy), Constraint::Unique { copy_of });
    }
}
