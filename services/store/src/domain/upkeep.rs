//! Implementation of the administration trait.

use std::path::Path;
use std::time::Duration;

use crate::backend::Backend;
use crate::domain::{
    bodies, calendars, channels, epoch, forget, label_removal, mailbox, remains, scripts, settings, sql, user,
};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{CleanupSummary, Epoch, MailboxSummary, Millis, Overview, Profile, Result, Retention, Upkeep};

/// Maximum number of transactions of a kind per cleanup round.
const ROUND: usize = 20;

/// Default retention of script executions, which a note overrides in milliseconds.
const EXECUTIONS_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const EXECUTIONS_NOTE: &str = "script-retention";

struct ReadOverview;

impl Operation for ReadOverview {
    type Output = Overview;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Overview> {
        let mailboxes = session.rows(sql::OVERVIEW, &[]).await?.iter_mut().map(summary).collect::<Result<_>>()?;
        let projects = scripts::ListProjects(None).run(session).await?;
        Ok(Overview { mailboxes, calendars: calendars::ListCalendars(None).run(session).await?, projects })
    }
}

fn summary(row: &mut Row) -> Result<MailboxSummary> {
    let count = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    let profile = Profile {
        messages: count(row.optional_int(6)?),
        threads: count(row.optional_int(7)?),
        history: mailbox::number(row.int(4)?)?,
    };
    Ok(MailboxSummary { profile, oldest: mailbox::number(row.int(5)?)?, user: user::user(row)? })
}

/// Continues interrupted removals; returns whether there are more.
async fn finish_removals<B: Backend>(store: &B, now: Millis) -> Result<bool> {
    for _ in 0..ROUND {
        if let Some((of, label)) = store.perform(label_removal::HiddenLabel).await? {
            store.perform(label_removal::ClearLabel { of, label, now }).await?;
        } else if let Some(calendar) = store.perform(remains::HiddenCalendar).await? {
            store.perform(remains::ClearCalendar(calendar)).await?;
        } else if let Some(project) = store.perform(scripts::remains::HiddenProject).await? {
            store.perform(scripts::remains::ClearProject(project)).await?;
        } else if let Some(user) = store.perform(remains::HiddenUser).await? {
            store.perform(remains::Clear(user)).await?;
        } else {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes unattached bodies; returns whether there are more.
async fn remove_loose<B: Backend>(store: &B, now: Millis) -> Result<bool> {
    for _ in 0..ROUND {
        if !store.perform(bodies::RemoveLoose(now)).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl<B: Backend> Upkeep for B {
    async fn overview(&self) -> Result<Overview> {
        let admission = self.shares().admit(None)?;
        let _turn = admission.turn().await?;
        self.perform(ReadOverview).await
    }

    async fn epoch(&self) -> Result<Epoch> {
        self.perform(epoch::ReadEpoch).await
    }

    async fn begin_epoch(&self) -> Result<Epoch> {
        Backend::begin_epoch(self).await
    }

    async fn retention(&self) -> Result<Retention> {
        self.perform(settings::ReadRetention).await
    }

    async fn set_retention(&self, retention: Retention) -> Result<()> {
        self.perform(settings::SetRetention(retention)).await
    }

    async fn note(&self, name: &str) -> Result<Option<String>> {
        self.perform(settings::ReadNote(settings::note(name))).await
    }

    async fn set_note(&self, name: &str, expected: Option<&str>, value: &str) -> Result<bool> {
        let (name, expected) = (settings::note(name), expected.map(str::to_owned));
        self.perform(settings::SetNote { name, expected, value: value.to_owned() }).await
    }

    async fn forget(&self, now: Millis) -> Result<CleanupSummary> {
        let tokens = self.perform(forget::ForgetTokens(now)).await?;
        let mut done =
            CleanupSummary { tokens, more: tokens == forget::TOKENS.cast_unsigned(), ..CleanupSummary::default() };
        done.channels = self.perform(channels::ForgetChannels(now)).await?;
        done.more |= done.channels == channels::MAX_REMOVED.cast_unsigned();
        done.more |= finish_removals(self, now).await?;
        self.perform(scripts::ForgetCached(now)).await?;
        self.perform(scripts::ForgetMetrics(now)).await?;
        let kept = self.note(EXECUTIONS_NOTE).await?.and_then(|text| text.parse().ok());
        let kept = kept.map_or(EXECUTIONS_KEPT, Duration::from_millis);
        done.executions = self.perform(scripts::ForgetExecutions(now.before(kept))).await?;
        done.more |= done.executions == scripts::EXECUTIONS.cast_unsigned();
        done.more |= remove_loose(self, now).await?;
        let Retention::For(time) = self.retention().await? else { return Ok(done) };
        for _ in 0..ROUND {
            let removed = self.perform(forget::ForgetEntries(now.before(time))).await?;
            done.entries += removed;
            done.more |= removed == forget::RECORDS.cast_unsigned();
            if removed < forget::RECORDS.cast_unsigned() {
                break;
            }
        }
        for _ in 0..ROUND {
            let removed = self.perform(forget::ForgetRecords(now.before(time))).await?;
            done.records += removed;
            if removed < forget::RECORDS.cast_unsigned() {
                return Ok(done);
            }
        }
        Ok(CleanupSummary { more: true, ..done })
    }

    async fn check(&self) -> Result<()> {
        self.perform(settings::Check).await?;
        self.check_room().await
    }

    async fn backup(&self, file: &Path) -> Result<()> {
        Backend::backup(self, file).await
    }

    async fn close(&self) {
        Backend::close(self).await;
    }
}
