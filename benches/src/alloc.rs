//! Counts allocations while a closure runs.
//!
//! Outside of [`count`] an allocation costs one relaxed load more than the system's, so that counting does not slow
//! down the side that allocates more while it is timed.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// System allocator with counters.
pub struct CountingAllocator;

static WATCHED: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Requests to the allocator; growing a block, in place or by moving it, counts as a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocations {
    /// Number of requested blocks.
    pub calls: u64,
    /// Number of bytes; for a block that grew, its new size.
    pub bytes: u64,
}

fn record(size: usize) {
    if WATCHED.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size as u64, Relaxed);
    }
}

// SAFETY: every call is forwarded unchanged to the system allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        record(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        record(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        record(size);
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs the closure and counts its allocations; meaningful only while no other thread is active.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Allocations) {
    let before = (CALLS.load(Relaxed), BYTES.load(Relaxed));
    WATCHED.store(true, Relaxed);
    let value = work();
    WATCHED.store(false, Relaxed);
    let calls = CALLS.load(Relaxed) - before.0;
    let bytes = BYTES.load(Relaxed) - before.1;
    (value, Allocations { calls, bytes })
}
