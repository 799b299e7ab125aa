//! Checks on all processors; the unit tests of `wireform-importers` include this file too.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Checks every item. The threads belong to the calling test, so that the messages of their panics are shown with it;
/// those of a shared pool belong to the first test that uses it.
///
/// # Panics
/// Panics if a check panics.
pub fn check_all<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(item);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}
