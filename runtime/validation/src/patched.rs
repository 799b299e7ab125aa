//! What comes of a merge patch.

use wireform_runtime::Merge;

use crate::at::At;
use crate::checker::Checker;
use crate::validates::Validates;
use crate::violation::Violation;

/// Checks what a merge patch makes of what is stored, and gives it.
///
/// A patch answers for what it changes: a violation that is there without it is not told, or a value from before a
/// rule could never be changed again. Nor is one told again that is known of the patch itself.
pub fn check_patched<T, V>(rules: &V, old: &T, patch: &T::Patch, at: At<'_>, checker: &mut Checker<'_>) -> T
where
    T: Merge + Clone,
    T::Patch: Clone,
    V: Validates<T>,
{
    let mut new = old.clone();
    new.apply(patch.clone());
    let found = checker.apart(|checker| rules.check(&new, at, checker));
    if !found.is_empty() {
        let before = checker.apart(|checker| rules.check(old, at, checker));
        for violation in found {
            let same = |known: &Violation| (&known.path, &known.rule) == (&violation.path, &violation.rule);
            if !before.iter().any(same) && !checker.violations().iter().any(same) {
                checker.push(violation);
            }
        }
    }
    new
}
