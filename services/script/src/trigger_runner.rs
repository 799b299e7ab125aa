//! Time-based triggers.

use std::time::Duration;

use jiff::{Timestamp, tz::TimeZone};
use script_server::types::ProcessType;
use serde_json::{Value, json};
use wireform_store::{Clock, LeasedTrigger, Millis, Result, Store, Trigger, TriggerLeaseQuery};

use crate::ScriptService;
use crate::apis::Authority;
use crate::engine::Outcome;
use crate::run::{Ended, ExecutionStart, RunError};
use crate::schedule::Schedule;

/// Polling interval for due triggers.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Lease of a due trigger, in which a server records the next run.
const LEASE_DURATION: Duration = Duration::from_secs(60);
/// Maximum number of triggers that are leased at once.
const BATCH: u32 = 20;

impl<S: Store> ScriptService<S> {
    /// Runs the functions of due triggers; returns their number. Each trigger is run by one of several servers.
    ///
    /// # Errors
    /// Returns an error of the store.
    pub async fn run_due_triggers(&self) -> Result<usize> {
        let machine = Clock::system().now();
        let lease = TriggerLeaseQuery {
            now: self.clock.now(),
            system_time: machine,
            until: machine.saturating_add(LEASE_DURATION),
            limit: BATCH,
        };
        let leased = self.store.lease_triggers(lease).await?;
        let count = leased.len();
        for trigger in leased {
            let start = self.execution_start(&trigger.trigger).await?;
            let due = start.as_ref().and_then(|_| self.next_run(&trigger));
            // The next time is recorded first: a server that ends in between skips one run and repeats none.
            if !self.store.settle_trigger(&trigger, due).await? {
                continue;
            }
            // Runs that take longer than their interval must not pile up.
            if let (Some(start), Some(firing)) = (start, self.runs.slots.start_trigger(&trigger.trigger.id)) {
                let service = self.clone();
                tokio::spawn(async move {
                    service.run_trigger(start).await;
                    drop(firing);
                });
            }
        }
        Ok(count)
    }

    /// Returns the time of the next run; `None` if there is none, or if the stored schedule is invalid.
    fn next_run(&self, leased: &LeasedTrigger) -> Option<wireform_store::Millis> {
        let settings = &leased.trigger.settings;
        let schedule: Schedule = serde_json::from_str(&settings.spec).ok()?;
        schedule.next(settings.due?, self.clock.now())
    }

    /// Returns the execution of a trigger: the last saved content as its user; `None` if the user has no role any more.
    async fn execution_start(&self, trigger: &Trigger) -> Result<Option<ExecutionStart>> {
        let settings = &trigger.settings;
        let people = self.store.people(vec![settings.user]).await?;
        let found = self.store.find_project_by_number(settings.project, settings.user).await?;
        let (Some(person), Some((project, Some(role)))) = (people.into_iter().next(), found) else { return Ok(None) };
        Ok(Some(ExecutionStart {
            project,
            role: Some(role),
            active: person.user.address.clone(),
            visitor: Some(person.user.mailbox),
            user: person.user,
            authority: Authority::Full,
            version: None,
            deployment: String::new(),
            kind: ProcessType::TimeDriven,
            function: settings.function.clone(),
            parameters: vec![trigger_event(&trigger.id, self.clock.now())],
        }))
    }

    /// Runs the function of a trigger. Failures are only logged.
    async fn run_trigger(&self, start: ExecutionStart) {
        let (script, function) = (start.project.id.clone(), start.function.clone());
        match self.execute(start).await {
            Ok(Ended { outcome: Outcome::Returned(_), .. }) => {}
            Ok(_) => tracing::debug!(script, function, "the function of a trigger failed"),
            Err(RunError::Busy) => {
                tracing::warn!(script, function, "too many functions are waiting; a run of a trigger was skipped")
            }
            Err(RunError::Store(error)) => {
                tracing::warn!(script, function, cause = %error, "a trigger could not run its function")
            }
        }
    }

    /// Runs triggers until the program ends.
    pub async fn keep_running_triggers(&self) {
        loop {
            match self.run_due_triggers().await {
                Ok(count) if count == BATCH as usize => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(cause = %error, "triggers could not be run; retrying"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// Returns the argument of a function that a trigger runs. The time is in UTC, regardless of the time zone of the
/// script.
fn trigger_event(trigger: &str, now: Millis) -> Value {
    let time = Timestamp::from_millisecond(now.0).unwrap_or_default().to_zoned(TimeZone::UTC);
    json!({
        "year": time.year(), "month": time.month(), "day-of-month": time.day(),
        "day-of-week": time.weekday().to_monday_one_offset(), "week-of-year": time.date().iso_week_date().week(),
        "hour": time.hour(), "minute": time.minute(), "second": time.second(), "timezone": "UTC",
        "triggerUid": trigger, "authMode": "FULL",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trigger_event_contains_the_time() {
        let expected = json!({
            "year": 2026, "month": 3, "day-of-month": 4, "day-of-week": 3, "week-of-year": 10, "hour": 12, "minute": 0,
            "second": 1, "timezone": "UTC", "triggerUid": "t", "authMode": "FULL",
        });
        assert_eq!(trigger_event("t", Millis(1_772_625_601_999)), expected);
    }
}
