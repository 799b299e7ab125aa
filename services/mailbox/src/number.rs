//! Numbers of the API.

/// Converts a number to the type of the API, which holds two thousand millions.
pub(crate) fn count(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
