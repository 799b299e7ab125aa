//! File descriptors: each connection takes one, and most systems give a process 1,024 unless it raises its limit.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors reserved for other uses than connections: the store with its readers, listeners, logs, and files that
/// are read while the server runs.
const RESERVED: u64 = 128;

/// Returns the number of connections at each address that this process has descriptors for, up to the wanted number.
/// Raises the limit of the process as far as necessary and permitted.
pub fn max_connections(wanted: usize, addresses: usize) -> usize {
    let addresses = addresses.max(1);
    let needed = (wanted as u64).saturating_mul(addresses as u64).saturating_add(RESERVED);
    let limit = raise_limit(needed);
    let possible = connections_within_limit(limit, addresses).min(wanted);
    if possible < wanted {
        tracing::warn!(
            limit,
            connections = possible,
            "this process may open {limit} files, which is enough for {possible} connections at each address instead \
             of {wanted}; help: raise the hard limit (`ulimit -Hn {needed}`) or lower --connections"
        );
    }
    possible
}

/// Raises the limit to the needed number and returns the resulting limit.
fn raise_limit(needed: u64) -> u64 {
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

/// Returns the number of connections at each address within a limit. Half of a very small limit is left for other uses.
fn connections_within_limit(limit: u64, addresses: usize) -> usize {
    let room = limit.saturating_sub(RESERVED).max(limit / 2) / addresses as u64;
    usize::try_from(room).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::{connections_within_limit, max_connections};

    #[test]
    fn connections_fit_into_the_descriptor_limit() {
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
            assert_eq!(connections_within_limit(limit, addresses), room, "{limit} files, {addresses} addresses");
        }
        assert_eq!(max_connections(1, 0), 1);
        assert!(max_connections(usize::MAX, usize::MAX) >= 1);
    }
}
