//! Quota of a caller in a period, in cost units of operations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::StatusCode;
use wireform_runtime::operation::ReasonCase;

use crate::error::Error;
use crate::limits::Caller;

/// Number of callers below which expired entries are not removed.
const PRUNE_THRESHOLD: usize = 1_024;

/// Quota of cost units that a caller may spend in a period.
///
/// A caller is the subject of a credential, or the IP address of a peer without one. The schema declares the `cost` of
/// operations; the parts of a batch cost as much as separate requests. Units are replenished evenly: after half of the
/// period, a caller who has spent all of them can spend half of them.
///
/// ```
/// use std::time::Duration;
/// use wireform_server::Quota;
///
/// let quota = Quota::new(10_000, Duration::from_secs(100));
/// ```
#[derive(Clone, Debug)]
pub struct Quota {
    units: u32,
    period: Duration,
    status: StatusCode,
    /// Time at which each caller will have all units again. Callers who have all units are absent, or are obsolete
    /// entries.
    full_at: Arc<Mutex<HashMap<Caller, Instant>>>,
}

impl Quota {
    /// Creates a quota of units in a period. Beyond: 429 with `Retry-After`, with the reason of `rate_limit` in the
    /// schema's profile.
    #[must_use]
    pub fn new(units: u32, span: Duration) -> Self {
        Self { units: units.max(1), period: span, status: StatusCode::TOO_MANY_REQUESTS, full_at: Arc::default() }
    }

    /// Sets another status beyond the quota, such as the 403 of older APIs.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Spends the cost of an operation, limited to the whole quota.
    ///
    /// # Errors
    /// Returns an error with the status of this quota if the caller has too few units left.
    pub(crate) fn spend(&self, caller: &Caller, cost: u32) -> Result<(), Error> {
        self.spend_at(caller, cost, Instant::now())
    }

    /// Spends the cost at a given time; an error with the time to wait if the caller has too few units left.
    fn spend_at(&self, caller: &Caller, cost: u32, now: Instant) -> Result<(), Error> {
        let time = self.period.mul_f64(f64::from(cost.min(self.units)) / f64::from(self.units));
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let full = full_at.get(caller).copied().unwrap_or(now).max(now) + time;
        let missing = full.saturating_duration_since(now).saturating_sub(self.period);
        if !missing.is_zero() {
            drop(full_at);
            return Err(self.exceeded(missing));
        }
        if full_at.len() >= PRUNE_THRESHOLD && full_at.len() == full_at.capacity() {
            full_at.retain(|_, full| *full > now);
        }
        full_at.insert(caller.clone(), full);
        Ok(())
    }

    /// Creates the error for a caller who must wait until the missing units are available.
    #[cold]
    fn exceeded(&self, missing: Duration) -> Error {
        let seconds = u32::try_from(missing.as_secs()).unwrap_or(u32::MAX).saturating_add(1);
        let message = format!("quota exceeded: more than {} units in {:?}", self.units, self.period);
        Error::new(self.status, message).with_case(ReasonCase::RateLimit).with_retry_after(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(name: &str) -> Caller {
        Caller::Subject(name.into())
    }

    #[test]
    fn units_are_replenished_evenly() {
        let quota = Quota::new(10, Duration::from_secs(100));
        let (start, ana) = (Instant::now(), caller("ana"));
        let spend = |seconds, cost| quota.spend_at(&ana, cost, start + Duration::from_secs(seconds)).is_ok();
        assert!(spend(0, 3) && spend(0, 7) && !spend(0, 1));
        assert!(!spend(9, 1) && spend(10, 1) && !spend(10, 1));
        assert!(spend(60, 5) && !spend(60, 1));
        // Units do not accumulate beyond the quota.
        assert!(spend(10_000, 10) && !spend(10_000, 1));
        // An operation that costs more than the quota is allowed if nothing was spent.
        assert!(!spend(10_099, 11) && spend(10_100, 11));
    }

    #[test]
    fn expired_callers_are_removed() {
        let quota = Quota::new(1, Duration::from_secs(1));
        let start = Instant::now();
        for number in 0..100_000_u64 {
            quota.spend_at(&caller(&number.to_string()), 1, start + Duration::from_millis(number)).unwrap();
        }
        assert!(quota.full_at.lock().unwrap().len() < 4 * PRUNE_THRESHOLD);
    }

    #[test]
    fn exceeded_quota_sets_retry_after() {
        let quota = Quota::new(2, Duration::from_secs(100)).with_status(StatusCode::FORBIDDEN);
        let now = Instant::now();
        quota.spend_at(&caller("ana"), 2, now).unwrap();
        let error = quota.spend_at(&caller("ana"), 1, now).unwrap_err();
        assert_eq!(error.status(), StatusCode::FORBIDDEN);
        assert_eq!(error.inner().headers.get("retry-after").unwrap(), "51");
    }
}
