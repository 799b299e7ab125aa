//! Expansion of one rule in local time: the matching seconds of a clock without a zone.

mod bit_set;
mod count;
mod never;
mod period;
mod plan;
mod times;
mod walk;
mod year;

#[cfg(test)]
pub(crate) mod steps;

pub(crate) use self::count::Nth;
pub(crate) use self::plan::Plan;
pub(crate) use self::walk::Walk;
