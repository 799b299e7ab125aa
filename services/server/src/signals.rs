//! Signals that would end a program without need.
//!
//! A handler of tokio stays for the life of the process, also when nobody listens any more: the signal does not end it
//! from then on, and a system call that caused the signal fails with an error instead.

use anyhow::Context as _;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

/// Signals that mean nothing here. The first is sent by the system when a file reaches the limit for files
/// (`ulimit -f`): the write fails then, as one on a full disk. The others are sent by people and programs that took this
/// one for another, and by timers that it does not set.
const MEANINGLESS: [Signal; 7] =
    [Signal::XFSZ, Signal::USR1, Signal::USR2, Signal::ALARM, Signal::VTALARM, Signal::PROF, Signal::IO];

/// Survives signals that mean nothing here.
pub fn ignore_meaningless() -> anyhow::Result<()> {
    for kind in MEANINGLESS {
        let mut received = listen(kind)?;
        if kind == Signal::XFSZ {
            // Each write that fails is told of by itself.
            continue;
        }
        tokio::spawn(async move {
            while received.recv().await.is_some() {
                tracing::warn!(signal = ?kind, "a signal that means nothing here was received");
            }
        });
    }
    Ok(())
}

/// Receives a signal.
pub fn listen(kind: Signal) -> anyhow::Result<tokio::signal::unix::Signal> {
    signal(SignalKind::from_raw(kind.as_raw())).context("signals cannot be received")
}

/// Whether whoever started the program has it ignore a signal, as `nohup` does with SIGHUP. Where the system does not
/// tell, it is not ignored.
pub fn is_ignored(kind: Signal) -> bool {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    u32::try_from(kind.as_raw() - 1).ok().and_then(|bit| mask.checked_shr(bit)).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_known() {
        // Rust itself ignores the first.
        assert!(is_ignored(Signal::PIPE) && !is_ignored(Signal::TERM));
    }
}
