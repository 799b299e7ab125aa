//! Triggers fire.

use std::time::Duration;

use jiff::{Timestamp, tz::TimeZone};
use script_server::types::ProcessType;
use serde_json::{Value, json};
use wireform_store::{Clock, LeasedTrigger, Millis, Result, Store, Trigger, TriggerLease};

use crate::ScriptService;
use crate::apis::Authority;
use crate::engine::Outcome;
use crate::run::{NotRun, Start};
use crate::schedule::Schedule;

/// How often triggers are looked at.
const LOOK: Duration = Duration::from_secs(1);
/// How long a server may take to say when a trigger fires next.
const LEASED: Duration = Duration::from_secs(60);
/// So many are taken at once.
const PIECE: u32 = 20;

impl<S: Store> ScriptService<S> {
    /// Runs what is due; returns how many triggers that were. Of several servers one runs each.
    ///
    /// # Errors
    /// What the store could not do.
    pub async fn run_due_triggers(&self) -> Result<usize> {
        let machine = Clock::system().now();
        let lease = TriggerLease { now: self.clock.now(), machine, until: machine.after(LEASED), limit: PIECE };
        let leased = self.store.lease_triggers(lease).await?;
        let count = leased.len();
        for trigger in leased {
            let start = self.start_of(&trigger.trigger).await?;
            let due = start.as_ref().and_then(|_| self.next_of(&trigger));
            // The next time is recorded first: a server that ends meanwhile leaves out one run, and repeats none.
            if !self.store.settle_trigger(&trigger, due).await? {
                continue;
            }
            // What takes longer than the time between two runs must not pile up.
            if let (Some(start), Some(firing)) = (start, self.runs.places.fire(&trigger.trigger.id)) {
                let service = self.clone();
                tokio::spawn(async move {
                    service.fire(start).await;
                    drop(firing);
                });
            }
        }
        Ok(count)
    }

    fn next_of(&self, leased: &LeasedTrigger) -> Option<wireform_store::Millis> {
        let settings = &leased.trigger.settings;
        let schedule: Schedule = serde_json::from_str(&settings.spec).ok()?;
        schedule.next(settings.due?, self.clock.now())
    }

    /// Returns what a trigger runs: what was saved last, as its user; `None` where they have no right to it any more.
    async fn start_of(&self, trigger: &Trigger) -> Result<Option<Start>> {
        let settings = &trigger.settings;
        let people = self.store.people(vec![settings.user]).await?;
        let found = self.store.project_at(settings.project, settings.user).await?;
        let (Some(person), Some((project, Some(role)))) = (people.into_iter().next(), found) else { return Ok(None) };
        Ok(Some(Start {
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
            parameters: vec![event(&trigger.id, self.clock.now())],
        }))
    }

    async fn fire(&self, start: Start) {
        let (script, function) = (start.project.id.clone(), start.function.clone());
        match self.execute(start).await {
            Ok(Outcome::Returned(_)) => {}
            Ok(_) => tracing::debug!(script, function, "a trigger has run a function that failed"),
            Err(NotRun::Busy) => {
                tracing::warn!(script, function, "too many functions wait: a run of a trigger is left out")
            }
            Err(NotRun::Store(error)) => {
                tracing::warn!(script, function, cause = %error, "a trigger could not run its function")
            }
        }
    }

    /// Runs triggers until the program ends.
    pub async fn run_triggers_forever(&self) {
        loop {
            match self.run_due_triggers().await {
                Ok(count) if count == PIECE as usize => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(cause = %error, "triggers could not be run; it is tried again"),
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Returns the argument of a function that a trigger runs: the time is in UTC, whatever the zone of the script.
fn event(trigger: &str, now: Millis) -> Value {
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
    fn the_event_of_a_trigger_says_when_it_fires() {
        let expected = json!({
            "year": 2026, "month": 3, "day-of-month": 4, "day-of-week": 3, "week-of-year": 10, "hour": 12, "minute": 0,
            "second": 1, "timezone": "UTC", "triggerUid": "t", "authMode": "FULL",
        });
        assert_eq!(event("t", Millis(1_772_625_601_999)), expected);
    }
}
