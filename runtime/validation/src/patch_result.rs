//! Validation of the result of a patch.

use wireform_runtime::serde::Serialize;
use wireform_runtime::{FromWire, JsonPatch, Merge};

use crate::checker::{Checker, KnownViolations};
use crate::location::Location;
use crate::validates::Validates;

/// Applies a merge patch to a stored value, validates the result, and returns it.
///
/// A patch is responsible only for its changes: a violation that exists without it is not reported, else a value from
/// before a rule could never be changed again. Known violations of the patch itself are not reported again either.
pub fn check_patch_result<T, V>(rules: &V, old: &T, patch: &T::Patch, at: Location<'_>, checker: &mut Checker<'_>) -> T
where
    T: Merge + Clone,
    T::Patch: Clone,
    V: Validates<T>,
{
    let mut new = old.clone();
    new.apply(patch.clone());
    check_result(rules, old, &new, at, checker);
    new
}

/// Applies a JSON Patch to a stored value, validates the result like that of a merge patch, and returns it. Returns
/// `None` for a patch that cannot be applied: the service reports it when it applies the patch.
pub fn check_json_patch_result<T, V>(
    rules: &V,
    old: &T,
    patch: &JsonPatch,
    at: Location<'_>,
    checker: &mut Checker<'_>,
) -> Option<T>
where
    T: Serialize + for<'de> FromWire<'de>,
    V: Validates<T>,
{
    let new = patch.apply_to(old).ok()?;
    check_result(rules, old, &new, at, checker);
    Some(new)
}

/// Validates the result of a patch without the violations that exist before it.
fn check_result<T, V: Validates<T>>(rules: &V, old: &T, new: &T, at: Location<'_>, checker: &mut Checker<'_>) {
    if checker.has_violations(|checker| rules.check(new, at, checker)) {
        let mut known = KnownViolations::default();
        checker.violations().iter().for_each(|violation| known.insert(violation));
        let known = checker.record_known(known, |checker| rules.check(old, at, checker));
        checker.exclude_known(known, |checker| rules.check(new, at, checker));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ValidationContext;

    #[derive(Clone, PartialEq)]
    struct Numbers(Vec<i32>);

    wireform_runtime::merge_whole!(Numbers);

    struct Rules;

    impl Validates<Numbers> for Rules {
        fn check(&self, this: &Numbers, at: Location<'_>, checker: &mut Checker<'_>) {
            for (index, number) in this.0.iter().enumerate() {
                checker.range(at.index(index), *number, Some(0), None);
            }
        }
    }

    struct Change(Numbers);

    impl Validates<Change> for Rules {
        fn check(&self, this: &Change, at: Location<'_>, checker: &mut Checker<'_>) {
            if let Some(old) = checker.stored::<Numbers>() {
                check_patch_result(self, old, &this.0, at, checker);
            }
        }
    }

    /// Returns the reported paths, and the number of further violations.
    fn reported(old: &[i32], new: &[i32]) -> (Vec<String>, usize) {
        let (old, change) = (Numbers(old.to_vec()), Change(Numbers(new.to_vec())));
        match Rules.validate(&change, ValidationContext::VALUE.with_stored(&old)) {
            Err(violations) => (violations.iter().map(|one| one.path.to_string()).collect(), violations.omitted()),
            Ok(_) => (Vec::new(), 0),
        }
    }

    #[test]
    fn patches_are_checked_for_their_changes() {
        assert_eq!(reported(&[-1, 1], &[-2, 1]), (vec![], 0));
        assert_eq!(reported(&[-1, 1], &[-1, -1]), (vec!["[1]".to_owned()], 0));
    }

    /// Old violations may exceed the limit, and must not hide new ones.
    #[test]
    fn known_violations_do_not_hide_new_ones() {
        let (before, mut after) = ([-1; 500], vec![-1; 500]);
        assert_eq!(reported(&before, &after), (vec![], 0));
        after.push(-1);
        assert_eq!(reported(&before, &after), (vec!["[500]".to_owned()], 0));
        after.extend([-1; 200]);
        let (paths, more) = reported(&before, &after);
        assert_eq!((paths.len(), more), (100, 101));
    }
}
