//! Metrics, counted when executions end and independent of their later removal.

use super::sql;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{IntervalMetrics, Mailbox, MetricsInterval, MetricsQuery, Millis, ProjectNumber, Result};

/// Length of a day, in milliseconds.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;
/// First Monday of 1970, in milliseconds.
const FIRST_MONDAY: i64 = 4 * DAY_MILLIS;
/// Maximum number of rows removed per step.
const MAX_REMOVED: i64 = 1_000;
/// Retention in milliseconds, longer than any period that can be requested.
const RETENTION: i64 = 60 * DAY_MILLIS;

impl MetricsInterval {
    /// Returns the start of the interval that contains a time, in UTC.
    #[must_use]
    pub fn start(self, time: Millis) -> Millis {
        match self {
            Self::Day => Millis(time.0.div_euclid(DAY_MILLIS) * DAY_MILLIS),
            Self::Week => Millis((time.0 - FIRST_MONDAY).div_euclid(7 * DAY_MILLIS) * 7 * DAY_MILLIS + FIRST_MONDAY),
        }
    }

    /// Returns the length of an interval, in milliseconds.
    #[must_use]
    pub const fn millis(self) -> i64 {
        match self {
            Self::Day => DAY_MILLIS,
            Self::Week => 7 * DAY_MILLIS,
        }
    }
}

fn interval_number(grain: MetricsInterval) -> i64 {
    match grain {
        MetricsInterval::Day => 0,
        MetricsInterval::Week => 1,
    }
}

/// Counts a finished execution.
pub(super) async fn count_execution<S: Session>(
    session: &mut S,
    (project, user): (ProjectNumber, Mailbox),
    deployment: &str,
    ended: Millis,
    failed: bool,
) -> Result<()> {
    let all = [""].into_iter().chain(Some(deployment).filter(|deployment| !deployment.is_empty()));
    for deployment in all {
        for grain in [MetricsInterval::Day, MetricsInterval::Week] {
            let [project, grain, bucket] = [project.0, interval_number(grain), grain.start(ended).0];
            let key = [project.into(), deployment.into(), grain.into(), bucket.into(), user.0.into()];
            let is_new = session.run(sql::METRIC_USER_ADD, &key).await?.cast_signed();
            let [project, deployment, grain, bucket, _] = key;
            let values = [project, deployment, grain, bucket, i64::from(failed).into(), is_new.into()];
            session.run(sql::METRIC_ADD, &values).await?;
        }
    }
    Ok(())
}

/// Reads the metrics of the intervals that start in a period, without intervals that have none.
pub(super) struct ReadMetrics(pub(super) MetricsQuery);

impl Operation for ReadMetrics {
    type Output = Vec<IntervalMetrics>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<IntervalMetrics>> {
        let MetricsQuery { project, deployment, interval: grain, starts: between } = self.0;
        let values = [
            project.0.into(),
            deployment.into(),
            interval_number(grain).into(),
            between.start().0.into(),
            between.end().0.into(),
        ];
        let rows = session.rows(sql::METRICS, &values).await?;
        let count = |number: i64| number.cast_unsigned();
        rows.iter()
            .map(|row| {
                Ok(IntervalMetrics {
                    start: Millis(row.int(0)?),
                    total: count(row.int(1)?),
                    failed: count(row.int(2)?),
                    users: count(row.int(3)?),
                })
            })
            .collect()
    }
}

/// Removes some metrics older than the retention.
pub(in crate::domain) struct DeleteOldMetrics(pub(in crate::domain) Millis);

impl Operation for DeleteOldMetrics {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let values = [(self.0.0.saturating_sub(RETENTION)).into(), MAX_REMOVED.into()];
        for (find, remove) in [(sql::METRICS_OLD, sql::METRIC_DROP), (sql::METRIC_USERS_OLD, sql::METRIC_USER_DROP)] {
            let keys: Vec<_> = session.rows(find, &values).await?.into_iter().map(|row| row.0).collect();
            session.run_each(remove, &keys).await?;
        }
        Ok(())
    }
}
