//! Masking of sensitive fields in `Debug` output.

use std::cell::Cell;

use crate::scoped::with_value;

thread_local! {
    static IS_MASKING: Cell<bool> = const { Cell::new(false) };
}

/// Calls `write`, during which sensitive fields are written as `"***"` on this thread. Thread-local for the reason that
/// [`with_naming`](crate::naming::with_naming) states.
pub(crate) fn with_masking<T>(write: impl FnOnce() -> T) -> T {
    with_value(&IS_MASKING, true, write)
}

/// Returns whether sensitive fields are masked on this thread.
pub(crate) fn is_masking() -> bool {
    IS_MASKING.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masking_ends_with_its_scope() {
        assert!(!is_masking());
        with_masking(|| {
            with_masking(|| assert!(is_masking()));
            assert!(is_masking());
        });
        assert!(!is_masking());
    }
}
