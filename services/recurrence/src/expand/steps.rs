//! Number of examined periods: the work of an expansion, counted for tests.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts an examined period of the current thread.
pub(super) fn count() {
    STEPS.set(STEPS.get() + 1);
}

/// Returns the result of `work` and the number of its steps.
pub(crate) fn measure<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.get();
    let result = work();
    (result, STEPS.get() - before)
}
