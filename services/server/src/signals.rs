//! Signals that would end the program needlessly.
//!
//! A handler of tokio stays installed for the life of the process, even without a listener: from then on the signal
//! does not end the process, and a system call that caused the signal fails with an error instead.

use anyhow::Context as _;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

/// Signals without a meaning for this program. The system sends the first when a file reaches the size limit (`ulimit
/// -f`): the write then fails, as on a full disk. The others come from people and programs that mistook this process
/// for another, and from timers that it does not set.
const IGNORED_SIGNALS: [Signal; 7] =
    [Signal::XFSZ, Signal::USR1, Signal::USR2, Signal::ALARM, Signal::VTALARM, Signal::PROF, Signal::IO];

/// Keeps signals without a meaning from ending the program.
pub fn ignore_irrelevant() -> anyhow::Result<()> {
    for kind in IGNORED_SIGNALS {
        let mut received = listen(kind)?;
        if kind == Signal::XFSZ {
            // Each failed write is reported on its own.
            continue;
        }
        tokio::spawn(async move {
            while received.recv().await.is_some() {
                tracing::warn!(signal = ?kind, "ignored a signal");
            }
        });
    }
    Ok(())
}

/// Returns a stream of a signal.
pub fn listen(kind: Signal) -> anyhow::Result<tokio::signal::unix::Signal> {
    signal(SignalKind::from_raw(kind.as_raw())).context("signals cannot be received")
}

/// Returns whether the process was started with a signal ignored, as `nohup` does with SIGHUP. Returns false if the
/// system does not say.
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
    fn ignored_signals_are_detected() {
        // Rust itself ignores the first.
        assert!(is_ignored(Signal::PIPE) && !is_ignored(Signal::TERM));
    }
}
