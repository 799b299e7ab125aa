//! File descriptors: each connection takes one, and most systems give a process 1,024 unless it asks for more.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The descriptors that are not for connections: those of the store with its readers, of listeners, logs and files that
/// are read while the server runs.
const OTHERS: u64 = 128;

/// Returns the most connections at each of some addresses that this process has descriptors for, up to as many as are
/// wanted. Raises the limit of the process for them, as far as it may.
pub fn connections(wanted: usize, addresses: usize) -> usize {
    let addresses = addresses.max(1);
    let needed = (wanted as u64).saturating_mul(addresses as u64).saturating_add(OTHERS);
    let limit = raise(needed);
    let possible = fitting(limit, addresses).min(wanted);
    if possible < wanted {
        tracing::warn!(
            limit,
            connections = possible,
            "this process may open {limit} files, which is enough for {possible} connections at each address instead \
             of {wanted}: raise the hard limit (`ulimit -Hn {needed}`) or lower --connections"
        );
    }
    possible
}

/// Raises the limit to what is needed, and returns what it is then.
fn raise(needed: u64) -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let current = current.unwrap_or(u64::MAX);
    let target = maximum.map_or(needed, |maximum| needed.min(maximum));
    if target <= current {
        return current;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: Some(target), maximum }) {
        Ok(()) => target,
        Err(error) => {
            tracing::debug!(cause = %error, "the limit of open files was not raised");
            current
        }
    }
}

/// The connections at each address that a limit leaves room for. Of a very small limit half is left to the rest.
fn fitting(limit: u64, addresses: usize) -> usize {
    let room = limit.saturating_sub(OTHERS).max(limit / 2) / addresses as u64;
    usize::try_from(room).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::{connections, fitting};

    #[test]
    fn connections_fit_into_the_limit_of_open_files() {
        let cases = [
            (1024, 1, 896),
            (1024, 2, 448),
            (256, 1, 128),
            (200, 1, 100),
            (1, 1, 1),
            (0, 4, 1),
            (u64::MAX, 1, (u64::MAX - 128) as usize),
        ];
        for (limit, addresses, room) in cases {
            assert_eq!(fitting(limit, addresses), room, "{limit} files, {addresses} addresses");
        }
        assert_eq!(connections(1, 0), 1);
        assert!(connections(usize::MAX, usize::MAX) >= 1);
    }
}
