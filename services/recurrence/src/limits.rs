//! Limits of parsing and of expansion.

/// Maximum number of lines of a [`Recurrence`](crate::Recurrence).
pub const MAX_LINES: usize = 50;
/// Maximum length of a line in bytes, after unfolding.
pub const MAX_LINE_BYTES: usize = 65_536;
/// Maximum number of values of a rule part, duplicates included.
pub const MAX_LIST: usize = 1_000;
/// Maximum number of dates of all `RDATE` lines together, and of all `EXDATE` lines together.
pub const MAX_DATES: usize = 10_000;
/// Maximum of `INTERVAL`.
pub const MAX_INTERVAL: u32 = 100_000_000;
/// Maximum of `COUNT`.
pub const MAX_COUNT: u32 = 1_000_000;
/// Maximum length of a period in days: a hundred years.
pub const MAX_PERIOD_DAYS: i64 = 36_525;
/// Maximum number of successive periods without an instance, after which a rule counts as ended.
pub const MAX_IDLE_PERIODS: u32 = 10_000;
