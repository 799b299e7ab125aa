//! Allocator of the services: mimalloc, which returns memory to the system soon after its use.
//!
//! A server holds a large mail for milliseconds while it responds. The system's allocator keeps most of the memory that
//! was ever used; mimalloc keeps it for a second, which is long enough for seven more mails.

use std::ffi::c_long;

pub use mimalloc::MiMalloc as Allocator;

/// Number of the option `mi_option_purge_delay`, which the bindings lack.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Delay in milliseconds after which unused memory is returned.
const DELAY_MILLIS: c_long = 20;

/// Makes the allocator return memory soon, unless `MIMALLOC_PURGE_DELAY` sets the delay.
#[expect(unsafe_code, reason = "the allocator has no safe interface for its options")]
pub fn set_purge_delay() {
    // SAFETY: setting an option of the allocator is a store to one of its variables, which any thread may do at any
    // time.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, DELAY_MILLIS) };
}

/// Returns the memory that the calling thread keeps for its next allocations, and all memory that is due. Otherwise an
/// idle server keeps its last memory, because memory is returned only during allocations.
#[expect(unsafe_code, reason = "the allocator has no safe interface for this")]
pub fn purge() {
    // SAFETY: it frees unused memory, which any thread may do at any time.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::hint::black_box;
    use std::time::Duration;

    use super::*;

    #[global_allocator]
    static ALLOCATOR: Allocator = Allocator;

    #[test]
    fn what_was_in_use_is_given_back_without_another_allocation() {
        set_purge_delay();
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
        };
        let before = resident();
        let pieces: Vec<Vec<u8>> = (0..200).map(|_| black_box(vec![1; 512 << 10])).collect();
        let in_use = resident() - before;
        assert!(in_use >= 100, "{in_use} MiB");
        drop(pieces);
        std::thread::sleep(Duration::from_millis(100));
        purge();
        let kept = resident() - before;
        assert!(kept < 10, "{kept} MiB");
    }
}
