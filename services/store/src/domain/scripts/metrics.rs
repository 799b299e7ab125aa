//! Metrics, counted when executions end and independent of their later removal.

use super::sql;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Grain, Mailbox, Measure, MetricsQuery, Millis, ProjectNumber, Result};

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// First Monday of 1970, in milliseconds.
const MONDAY: i64 = 4 * DAY;
/// Maximum number of rows removed per step.
const MAX_REMOVED: i64 = 1_000;
/// Retention in milliseconds, longer than any period that can be requested.
const RETENTION: i64 = 60 * DAY;

impl Grain {
    /// Returns the start of the interval that contains a time, in UTC.
    #[must_use]
    pub fn start(self, time: Millis) -> Millis {
        match self {
            Self::Day => Millis(time.0.div_euclid(DAY) * DAY),
            Self::Week => Millis((time.0 - MONDAY).div_euclid(7 * DAY) * 7 * DAY + MONDAY),
        }
    }

    /// Returns the length of an interval, in milliseconds.
    #[must_use]
    pub const fn millis(self) -> i64 {
        match self {
            Self::Day => DAY,
            Self::Week => 7 * DAY,
        }
    }
}

fn number_of(grain: Grain) -> i64 {
    match grain {
        Grain::Day => 0,
        Grain::Week => 1,
    }
}

/// Counts a finished execution.
pub(super) async fn count<S: Session>(
    session: &mut S,
    (project, user): (ProjectNumber, Mailbox),
    deployment: &str,
    ended: Millis,
    failed: bool,
) -> Result<()> {
    let all = [""].into_iter().chain(Some(deployment).filter(|deployment| !deployment.is_empty()));
    for deployment in all {
        for grain in [Grain::Day, Grain::Week] {
            let [project, grain, bucket] = [project.0, number_of(grain), grain.start(ended).0];
            let key = [project.into(), deployment.into(), grain.into(), bucket.into(), user.0.into()];
            let is_new = session.run(sql::METRIC_USER_ADD, &key).await?.cast_signed();
            let [project, deployment, grain, bucket, _] = key;
            let values = [project, deployment, grain, bucket, i64::from(failed).into(), is_new.into()];
            session.run(sql::METRIC_ADD, &values).await?;
        }
    }
    Ok(())
}

pub(super) struct ReadMeasures(pub(super) MetricsQuery);

impl Operation for ReadMeasures {
    type Output = Vec<Measure>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Measure>> {
        let MetricsQuery { project, deployment, grain, between } = self.0;
        let values = [
            project.0.into(),
            deployment.into(),
            number_of(grain).into(),
            between.start().0.into(),
            between.end().0.into(),
        ];
        let rows = session.rows(sql::METRICS, &values).await?;
        let count = |number: i64| number.cast_unsigned();
        rows.iter()
            .map(|row| {
                Ok(Measure {
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
pub(in crate::domain) struct ForgetMetrics(pub(in crate::domain) Millis);

impl Operation for ForgetMetrics {
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
