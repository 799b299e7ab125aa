//! Fields that can be patched: options, lists and maps.

use std::collections::BTreeMap;

use super::{Merge, MergeField};
use crate::patch::Patch;

impl<T: Merge> MergeField for Option<T> {
    type Patch = Patch<T::Patch>;

    fn diff_field(&self, new: &Self) -> Self::Patch {
        match (self, new) {
            (None, None) => Patch::Keep,
            (Some(_), None) => Patch::Clear,
            (None, Some(new)) => Patch::Set(new.to_patch()),
            (Some(old), Some(new)) => old.diff(new).map_or(Patch::Keep, Patch::Set),
        }
    }

    fn apply_field(&mut self, patch: Self::Patch) {
        match patch {
            Patch::Keep => {}
            Patch::Clear => *self = None,
            Patch::Set(patch) => match self {
                Some(value) => value.apply(patch),
                None => *self = Some(T::create(patch)),
            },
        }
    }
}

/// Returns the patch of a list or a map, for which empty and absent are the same: one that became empty is cleared.
fn collection_patch<P>(patch: Option<P>, is_empty: bool) -> Patch<P> {
    match patch {
        None => Patch::Keep,
        Some(_) if is_empty => Patch::Clear,
        Some(patch) => Patch::Set(patch),
    }
}

impl<T: Clone + PartialEq> MergeField for Vec<T> {
    type Patch = Patch<Self>;

    fn diff_field(&self, new: &Self) -> Self::Patch {
        collection_patch(self.diff(new), new.is_empty())
    }

    fn apply_field(&mut self, patch: Self::Patch) {
        match patch {
            Patch::Keep => {}
            Patch::Clear => self.clear(),
            Patch::Set(list) => *self = list,
        }
    }
}

impl<T: Merge> MergeField for BTreeMap<String, T> {
    type Patch = Patch<BTreeMap<String, Patch<T::Patch>>>;

    fn diff_field(&self, new: &Self) -> Self::Patch {
        collection_patch(self.diff(new), new.is_empty())
    }

    fn apply_field(&mut self, patch: Self::Patch) {
        match patch {
            Patch::Keep => {}
            Patch::Clear => self.clear(),
            Patch::Set(patch) => self.apply(patch),
        }
    }
}
