//! Triggers.

use super::{project, random_id, sql};
use crate::domain::{texts, user};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{
    Error, LeasedTrigger, Mailbox, Millis, NewTrigger, ProjectNumber, Result, Trigger, TriggerLeaseQuery, TriggerNumber,
};

fn trigger_from_row(row: &mut Row) -> Result<Trigger> {
    Ok(Trigger {
        number: TriggerNumber(row.int(0)?),
        id: row.text(1)?,
        settings: NewTrigger {
            project: ProjectNumber(row.int(2)?),
            user: Mailbox(row.int(3)?),
            function: row.text(4)?,
            spec: row.text(5)?,
            due: row.optional_int(7)?.map(Millis),
        },
        created: Millis(row.int(6)?),
    })
}

async fn list_triggers<S: Session>(session: &mut S, project: ProjectNumber) -> Result<Vec<Trigger>> {
    session.rows(sql::TRIGGERS, &[project.0.into()]).await?.iter_mut().map(trigger_from_row).collect()
}

/// Maximum length of a trigger's function name, in characters.
const MAX_FUNCTION_LENGTH: usize = 200;

/// Adds a trigger; fails if its user already has `limit` triggers on the project.
pub(super) struct AddTrigger {
    pub(super) trigger: NewTrigger,
    pub(super) limit: usize,
    pub(super) now: Millis,
}

impl Operation for AddTrigger {
    type Output = Trigger;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Trigger> {
        let Self { trigger: new, limit, now } = self;
        if new.function.chars().nth(MAX_FUNCTION_LENGTH).is_some() {
            return Err(Error::Refused(format!(
                "the function name of a trigger can have at most {MAX_FUNCTION_LENGTH} characters"
            )));
        }
        project::lock(session, new.project).await?;
        user::require(session, new.user).await?;
        let own = list_triggers(session, new.project).await?.iter().filter(|one| one.settings.user == new.user).count();
        if own >= limit {
            return Err(Error::Refused(format!(
                "a user can have at most {limit} triggers on a script: remove one first"
            )));
        }
        let id = random_id();
        let values = [
            id.clone().into(),
            new.project.0.into(),
            new.user.0.into(),
            texts::replace_nul(new.function.clone()).into(),
            texts::replace_nul(new.spec.clone()).into(),
            now.0.into(),
            new.due.map(|due| due.0).into(),
        ];
        let rows = session.rows(sql::TRIGGER_ADD, &values).await?;
        let none = || Error::Internal("the database returned no number for a new trigger".to_owned());
        let number = TriggerNumber(rows.first().ok_or_else(none)?.int(0)?);
        Ok(Trigger { number, id, settings: new, created: now })
    }
}

pub(super) struct ListTriggers(pub(super) ProjectNumber);

impl Operation for ListTriggers {
    type Output = Vec<Trigger>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Trigger>> {
        list_triggers(session, self.0).await
    }
}

/// Removes the trigger of a project and user with an identifier; returns whether there was one.
pub(super) struct RemoveTrigger(pub(super) ProjectNumber, pub(super) Mailbox, pub(super) String);

impl Operation for RemoveTrigger {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let values = [self.0.0.into(), self.1.0.into(), texts::replace_nul(self.2).into()];
        Ok(session.run(sql::TRIGGER_REMOVE, &values).await? > 0)
    }
}

/// Leases triggers that are due, for running.
pub(super) struct LeaseTriggers(pub(super) TriggerLeaseQuery);

impl Operation for LeaseTriggers {
    type Output = Vec<LeasedTrigger>;
    const ACCESS: Access = Access::Write;

    /// Skips rows that another operation is leasing at this moment.
    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<LeasedTrigger>> {
        let TriggerLeaseQuery { now, system_time: machine, until, limit } = self.0;
        let sql = format!("{}{}", sql::TRIGGERS_DUE, S::DIALECT.skip_locked);
        let mut rows = session.rows(&sql, &[now.0.into(), machine.0.into(), i64::from(limit).into()]).await?;
        let mut leased = Vec::with_capacity(rows.len());
        for row in &mut rows {
            let trigger = trigger_from_row(row)?;
            let lease = rand::random_range(1..i64::MAX);
            session.run(sql::TRIGGER_LEASE, &[trigger.number.0.into(), lease.into(), until.0.into()]).await?;
            leased.push(LeasedTrigger { trigger, lease });
        }
        Ok(leased)
    }
}

/// Sets the next time of a leased trigger, or removes it; returns false if the lease is no longer held.
pub(super) struct SettleTrigger {
    pub(super) number: TriggerNumber,
    pub(super) lease: i64,
    pub(super) due: Option<Millis>,
}

impl Operation for SettleTrigger {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let [number, lease] = [self.number.0.into(), self.lease.into()];
        let changed = match self.due {
            Some(due) => session.run(sql::TRIGGER_SETTLE, &[number, lease, due.0.into()]).await?,
            None => session.run(sql::TRIGGER_END, &[number, lease]).await?,
        };
        Ok(changed > 0)
    }
}
