//! Schedules of triggers.

mod cron;

use std::time::Duration;

use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use serde_derive::{Deserialize, Serialize};
use wireform_store::Millis;

use self::cron::Cron;

/// Maximum number of minutes, hours, days or weeks between two runs.
const MAX_INTERVAL: i64 = 366;

/// Schedule of a trigger. Exactly one of the frequency fields is set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// Time of a single run, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Delay of a single run in milliseconds after creation; replaced by `at` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// Cron expression: minute, hour, day of the month, month, day of the week.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// Interval in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_minutes: Option<i64>,
    /// Interval in hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_hours: Option<i64>,
    /// Interval in days, at a time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_days: Option<i64>,
    /// English name of a day of the week, at a time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weekday: Option<String>,
    /// Interval in weeks on that day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_weeks: Option<i64>,
    /// Day of the month, or its last day if the month is shorter, at a time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month_day: Option<i8>,
    /// Hour of the time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hour: Option<i8>,
    /// Minute of the time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minute: Option<i8>,
    /// IANA name of the time zone of the time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

impl Schedule {
    /// Returns the schedule in a time zone, unless it has one.
    #[must_use]
    pub fn in_time_zone(mut self, zone: &str) -> Self {
        self.time_zone.get_or_insert_with(|| zone.to_owned());
        self
    }

    /// Returns the schedule of a trigger that is created now.
    #[must_use]
    pub fn starting(mut self, now: Millis) -> Self {
        if let Some(after) = self.after.take() {
            self.at = Some(now.0.saturating_add(after.max(0)));
        }
        self
    }

    /// Returns the schedule with an interval.
    ///
    /// # Errors
    /// Returns an error if the interval is not a whole number of minutes, hours or days, or is too long.
    pub fn every(time: Duration) -> Result<Self, String> {
        let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        let whole = |unit: i64| {
            let is_whole = time.subsec_nanos() == 0 && seconds % unit == 0;
            Some(seconds / unit).filter(|count| is_whole && (1..=MAX_INTERVAL).contains(count))
        };
        let schedule = Self::default();
        match (whole(60), whole(60 * 60), whole(24 * 60 * 60)) {
            (_, Some(hours), _) => Ok(Self { every_hours: Some(hours), ..schedule }),
            (Some(minutes), ..) => Ok(Self { every_minutes: Some(minutes), ..schedule }),
            (.., Some(days)) => Ok(Self { every_days: Some(days), ..schedule }),
            _ => Err(format!("invalid interval, expected 1 to {MAX_INTERVAL} whole minutes, hours or days")),
        }
    }

    /// Returns the time of the first run.
    ///
    /// # Errors
    /// Returns an error if the schedule is incomplete or invalid.
    pub fn first(&self, now: Millis) -> Result<Millis, String> {
        if let Some(at) = self.at {
            return Ok(Millis(at).max(now));
        }
        self.next_after(now, now, true)?.ok_or_else(|| "the schedule never fires".to_owned())
    }

    /// Returns the time of the run after `due`, or `None` if there is none. Times that passed while no server ran are
    /// skipped.
    #[must_use]
    pub fn next(&self, due: Millis, now: Millis) -> Option<Millis> {
        if self.at.is_some() {
            return None;
        }
        self.next_after(due, now, false).ok().flatten()
    }

    /// Returns the next time after both `from` and `now`. Intervals are counted from `from`: the previous run, or, if
    /// `first` is set, the creation.
    fn next_after(&self, from: Millis, now: Millis, first: bool) -> Result<Option<Millis>, String> {
        let minutes = match (self.every_minutes, self.every_hours) {
            (Some(minutes), _) => Some(check_interval(minutes, "minutes")?),
            (None, Some(hours)) => Some(60 * check_interval(hours, "hours")?),
            (None, None) => None,
        };
        if let Some(minutes) = minutes {
            let step = minutes * 60_000;
            let passed = now.0.saturating_sub(from.0).max(0).div_euclid(step) + 1;
            return Ok(Some(Millis(from.0.saturating_add(step.saturating_mul(passed)))));
        }
        let zone = self.time_zone.as_deref().unwrap_or("UTC");
        let zone = TimeZone::get(zone).map_err(|_| format!("unknown time zone `{zone}`"))?;
        let instant = |time: Millis| Timestamp::from_millisecond(time.0).unwrap_or_default();
        let after = instant(now.max(from)).to_zoned(zone.clone());
        if let Some(cron) = &self.cron {
            return Ok(Cron::parse(cron)?.next(&after).as_ref().map(to_millis));
        }
        let time = Time::new(self.hour.unwrap_or(0), self.minute.unwrap_or(0), 0, 0);
        let time =
            time.map_err(|_| "invalid time, expected an hour from 0 to 23 and a minute from 0 to 59".to_owned())?;
        let start = instant(from).to_zoned(zone);
        if let Some(day) = self.month_day {
            return Ok(next_monthly(&after, day, time));
        }
        let days = match (&self.weekday, self.every_days) {
            (Some(_), _) => 7 * self.every_weeks.map_or(Ok(1), |weeks| check_interval(weeks, "weeks"))?,
            (None, Some(days)) => check_interval(days, "days")?,
            (None, None) => return Err("the schedule has no time".to_owned()),
        };
        let weekday = self.weekday.as_deref().map(parse_weekday).transpose()?;
        let begin = match weekday {
            Some(weekday) if first && start.weekday() == weekday => Some(start.date()),
            Some(weekday) if first => start.date().nth_weekday(1, weekday).ok(),
            _ => Some(start.date()),
        };
        let mut date = begin.ok_or_else(|| "the schedule never fires".to_owned())?;
        // The first time may be today; if this week's has passed, it is next week's.
        loop {
            let at = date.to_datetime(time).to_zoned(start.time_zone().clone());
            match at {
                Ok(at) if at > after => return Ok(Some(to_millis(&at))),
                _ => {}
            }
            let step = if first && weekday.is_none() { 1 } else { days };
            let Ok(next) = date.checked_add(Span::new().days(step)) else { return Ok(None) };
            date = next;
        }
    }
}

/// Converts a time into milliseconds since 1970.
fn to_millis(time: &Zoned) -> Millis {
    Millis(time.timestamp().as_millisecond())
}

/// Returns an interval if it is in the permitted range, otherwise an error.
fn check_interval(number: i64, unit: &str) -> Result<i64, String> {
    if (1..=MAX_INTERVAL).contains(&number) {
        Ok(number)
    } else {
        Err(format!("invalid interval of {number} {unit}, expected 1 to {MAX_INTERVAL}"))
    }
}

fn parse_weekday(name: &str) -> Result<Weekday, String> {
    let names = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
    let at = names.iter().position(|known| known.eq_ignore_ascii_case(name));
    let at = at.and_then(|at| i8::try_from(at + 1).ok()).and_then(|at| Weekday::from_monday_one_offset(at).ok());
    at.ok_or_else(|| format!("unknown day of the week `{name}`"))
}

/// Returns the next time on a day of the month.
fn next_monthly(after: &Zoned, day: i8, time: Time) -> Option<Millis> {
    let mut first = after.date().first_of_month();
    for _ in 0..3 {
        let date = first.with().day(day.clamp(1, first.days_in_month())).build().ok()?;
        let at = date.to_datetime(time).to_zoned(after.time_zone().clone()).ok()?;
        if at > *after {
            return Some(to_millis(&at));
        }
        first = first.checked_add(Span::new().months(1)).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Millis {
        Millis(text.parse::<Timestamp>().unwrap().as_millisecond())
    }

    fn text(time: Millis) -> String {
        Timestamp::from_millisecond(time.0).unwrap().to_string()
    }

    /// Returns the first times of a schedule created on Wednesday, 2026-03-25, at noon: the clock goes forward on
    /// Sunday.
    fn times(schedule: &str, count: usize) -> Vec<String> {
        let schedule: Schedule = serde_json::from_str(schedule).unwrap();
        let mut due = schedule.first(time("2026-03-25T12:00:00Z")).unwrap();
        let mut times = vec![text(due)];
        while times.len() < count {
            due = schedule.next(due, due).unwrap();
            times.push(text(due));
        }
        times
    }

    #[test]
    fn schedules_follow_the_clock_of_their_zone() {
        assert_eq!(times(r#"{"every_minutes":5}"#, 2), ["2026-03-25T12:05:00Z", "2026-03-25T12:10:00Z"]);
        assert_eq!(times(r#"{"every_hours":6}"#, 2), ["2026-03-25T18:00:00Z", "2026-03-26T00:00:00Z"]);
        let daily = r#"{"every_days":2,"hour":9,"time_zone":"Europe/Berlin"}"#;
        assert_eq!(times(daily, 3), ["2026-03-26T08:00:00Z", "2026-03-28T08:00:00Z", "2026-03-30T07:00:00Z"]);
        let today = r#"{"every_days":1,"hour":13,"minute":30}"#;
        assert_eq!(times(today, 2), ["2026-03-25T13:30:00Z", "2026-03-26T13:30:00Z"]);
        let weekly = r#"{"weekday":"Monday","every_weeks":2}"#;
        assert_eq!(times(weekly, 2), ["2026-03-30T00:00:00Z", "2026-04-13T00:00:00Z"]);
        let wednesday = r#"{"weekday":"WEDNESDAY","hour":11}"#;
        assert_eq!(times(wednesday, 2), ["2026-04-01T11:00:00Z", "2026-04-08T11:00:00Z"]);
        let monthly = r#"{"month_day":31,"hour":1}"#;
        assert_eq!(times(monthly, 3), ["2026-03-31T01:00:00Z", "2026-04-30T01:00:00Z", "2026-05-31T01:00:00Z"]);
    }

    #[test]
    fn missed_times_are_skipped() {
        let schedule: Schedule = serde_json::from_str(r#"{"every_minutes":10}"#).unwrap();
        let (due, now) = (time("2026-03-25T12:00:00Z"), time("2026-03-25T13:05:00Z"));
        assert_eq!(text(schedule.next(due, now).unwrap()), "2026-03-25T13:10:00Z");
        let once: Schedule = serde_json::from_str(r#"{"at":1}"#).unwrap();
        assert_eq!((once.first(now), once.next(due, now)), (Ok(now), None));
    }

    #[test]
    fn cron_follows_the_clock_of_its_zone() {
        let weekdays = r#"{"cron":"0 9 * * 1-5","time_zone":"Europe/Berlin"}"#;
        let expected = ["2026-03-26T08:00:00Z", "2026-03-27T08:00:00Z", "2026-03-30T07:00:00Z"];
        assert_eq!(times(weekdays, 3), expected);
    }

    #[test]
    fn times_between_runs_are_whole() {
        let every = |seconds| Schedule::every(Duration::from_secs(seconds));
        assert_eq!(every(90 * 60).unwrap().every_minutes, Some(90));
        assert_eq!(every(24 * 60 * 60).unwrap().every_hours, Some(24));
        assert_eq!(every(30 * 24 * 60 * 60).unwrap().every_days, Some(30));
        for wrong in [0, 59, 90, 367 * 24 * 60 * 60] {
            assert!(every(wrong).is_err(), "{wrong}");
        }
        assert!(Schedule::every(Duration::from_millis(60_001)).is_err());
        let after = Schedule { after: Some(5), ..Schedule::default() }.starting(Millis(10));
        assert_eq!((after.at, after.after), (Some(15), None));
    }

    #[test]
    fn a_schedule_is_complete() {
        for wrong in [
            "{}",
            r#"{"every_minutes":0}"#,
            r#"{"every_days":1,"hour":24}"#,
            r#"{"weekday":"Someday"}"#,
            r#"{"every_days":1,"time_zone":"Nowhere"}"#,
            r#"{"cron":"* * *"}"#,
            r#"{"cron":"0 0 31 2 *"}"#,
        ] {
            assert!(serde_json::from_str::<Schedule>(wrong).unwrap().first(Millis(0)).is_err(), "{wrong}");
        }
    }
}
