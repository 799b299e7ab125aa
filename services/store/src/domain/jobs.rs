//! Jobs of events.

use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{CalendarNumber, Job, Millis, Result};

/// Reads the jobs that are due at a time, up to a number.
pub(super) struct ReadDueJobs(pub(super) Millis, pub(super) u32);

impl Operation for ReadDueJobs {
    type Output = Vec<Job>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Job>> {
        let job =
            |row: &mut Row| Ok(Job { number: row.int(0)?, calendar: CalendarNumber(row.int(1)?), id: row.text(2)? });
        let values = [self.0.0.into(), i64::from(self.1).into()];
        session.rows(sql::JOBS_DUE, &values).await?.iter_mut().map(job).collect()
    }
}

/// Removes a job, or postpones it to the given time.
pub(super) struct EndJob(pub(super) i64, pub(super) Option<Millis>);

impl Operation for EndJob {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        match self.1 {
            Some(due) => session.run(sql::JOB_POSTPONE, &[self.0.into(), due.0.into()]).await?,
            None => session.run(sql::JOB_DROP, &[self.0.into()]).await?,
        };
        Ok(())
    }
}
