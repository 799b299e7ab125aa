//! Parallel processing of many items of which few are in memory at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Stack size of a thread: that of the main thread, since deeply nested input is parsed there too.
const STACK: usize = 8 << 20;

/// Returns the number of processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Processes at most `jobs` items at once, which also bounds memory, and keeps their order. A thread pool would not
/// bound it: a thread that waits for its own subtasks starts another item in the meantime.
pub fn in_parallel<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(index)
        {
            let result = work(index, item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(items.len()) {
            // If a thread cannot be started, the running ones do its work.
            drop(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run));
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallelism_is_limited_and_order_is_kept() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let items: Vec<usize> = (0..200).collect();
        let results = in_parallel(3, &items, |index, item| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            now.fetch_sub(1, Ordering::SeqCst);
            (index, *item)
        });
        assert!(most.into_inner() <= 3);
        assert_eq!(results, items.iter().map(|item| (*item, *item)).collect::<Vec<_>>());
    }
}
