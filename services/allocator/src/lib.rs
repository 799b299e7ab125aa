//! The allocator of the services: mimalloc, which gives memory back to the system soon after it was in use.
//!
//! A server that answers a large mail holds some of it for milliseconds. The allocator of the system keeps most of what
//! was once in use; mimalloc keeps it for a second, which is time for seven mails more.

use std::ffi::c_long;

pub use mimalloc::MiMalloc as Allocator;

/// The number of the option `mi_option_purge_delay`, which the bindings leave out.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// After so many milliseconds memory that is not in use is given back.
const MILLISECONDS: c_long = 20;

/// Has the allocator give memory back soon, unless `MIMALLOC_PURGE_DELAY` says when.
#[expect(unsafe_code, reason = "the allocator has no safe interface for its options")]
pub fn give_back_soon() {
    // SAFETY: the option is one of the allocator's, and writing it is a store to a variable of its own that any thread may
    // do at any time.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, MILLISECONDS) };
}

/// Gives back what the calling thread keeps for its next allocations, and what is due. Without it a server that has become
/// idle keeps what it needed last: memory is given back while some is asked for.
#[expect(unsafe_code, reason = "the allocator has no safe interface for this")]
pub fn tidy() {
    // SAFETY: it frees what is not in use, which any thread may have done at any time.
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
        give_back_soon();
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
        tidy();
        let kept = resident() - before;
        assert!(kept < 10, "{kept} MiB");
    }
}
