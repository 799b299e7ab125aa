//! Implementation of the administration trait.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::backend::Backend;
use crate::domain::{
    bodies, calendars, channels, cleanup, epoch, label_removal, mailbox, scripts, settings, snapshots, sql, user,
    user_removal,
};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{
    CleanupSummary, Epoch, MailboxSummary, Maintenance, Millis, NewToken, Overview, Profile, Result, Retention,
    Snapshot, Token,
};

/// Maximum number of transactions of a kind per cleanup round.
const MAX_TRANSACTIONS_PER_ROUND: usize = 20;

/// Default retention of script executions, which a note overrides in milliseconds.
const DEFAULT_EXECUTION_RETENTION: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Name of the note that overrides [`DEFAULT_EXECUTION_RETENTION`].
const EXECUTION_RETENTION_NOTE: &str = "script-retention";

/// Reads all mailboxes, calendars and script projects, without their contents.
struct ReadOverview;

impl Operation for ReadOverview {
    type Output = Overview;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Overview> {
        let mailboxes =
            session.rows(sql::OVERVIEW, &[]).await?.iter_mut().map(summary_from_row).collect::<Result<_>>()?;
        let projects = scripts::ListProjects(None).run(session).await?;
        Ok(Overview { mailboxes, calendars: calendars::ListCalendars(None).run(session).await?, projects })
    }
}

fn summary_from_row(row: &mut Row) -> Result<MailboxSummary> {
    let count = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    let profile = Profile {
        messages: count(row.optional_int(6)?),
        threads: count(row.optional_int(7)?),
        history: mailbox::history_id_from_stored(row.int(4)?)?,
    };
    Ok(MailboxSummary {
        profile,
        oldest_start: mailbox::history_id_from_stored(row.int(5)?)?,
        user: user::user_from_row(row)?,
    })
}

/// Continues interrupted removals; returns whether there are more.
async fn finish_removals<B: Backend>(store: &B, now: Millis) -> Result<bool> {
    for _ in 0..MAX_TRANSACTIONS_PER_ROUND {
        if let Some((of, label)) = store.perform(label_removal::FindHiddenLabel).await? {
            store.perform(label_removal::ClearHiddenLabel { of, label, now }).await?;
        } else if let Some(calendar) = store.perform(user_removal::FindHiddenCalendar).await? {
            store.perform(user_removal::ClearCalendar(calendar)).await?;
        } else if let Some(project) = store.perform(scripts::removal::FindHiddenProject).await? {
            store.perform(scripts::removal::ClearProject(project)).await?;
        } else if let Some(user) = store.perform(user_removal::FindHiddenUser).await? {
            store.perform(user_removal::ClearUser(user)).await?;
        } else {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes unattached bodies; returns whether there are more.
async fn remove_unattached<B: Backend>(store: &B, now: Millis) -> Result<bool> {
    for _ in 0..MAX_TRANSACTIONS_PER_ROUND {
        if !store.perform(bodies::RemoveUnattached(now)).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl<B: Backend> Maintenance for B {
    async fn overview(&self) -> Result<Overview> {
        let admission = self.search_scheduler().admit(None)?;
        let _turn = admission.acquire().await?;
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
        self.perform(settings::ReadNote(settings::note_name(name))).await
    }

    async fn set_note(&self, name: &str, expected: Option<&str>, value: &str) -> Result<bool> {
        let (name, expected) = (settings::note_name(name), expected.map(str::to_owned));
        self.perform(settings::SetNote { name, expected, value: value.to_owned() }).await
    }

    async fn clean_up(&self, now: Millis) -> Result<CleanupSummary> {
        let tokens = self.perform(cleanup::DeleteExpiredTokens(now)).await?;
        let mut done = CleanupSummary {
            tokens,
            has_more: tokens == cleanup::MAX_TOKENS_PER_STEP.cast_unsigned(),
            ..CleanupSummary::default()
        };
        done.channels = self.perform(channels::DeleteExpiredChannels(now)).await?;
        done.has_more |= done.channels == channels::MAX_REMOVED.cast_unsigned();
        done.has_more |= finish_removals(self, now).await?;
        self.perform(scripts::DeleteExpiredCached(now)).await?;
        self.perform(scripts::DeleteOldMetrics(now)).await?;
        let kept = self.note(EXECUTION_RETENTION_NOTE).await?.and_then(|text| text.parse().ok());
        let kept = kept.map_or(DEFAULT_EXECUTION_RETENTION, Duration::from_millis);
        done.executions = self.perform(scripts::DeleteOldExecutions(now.saturating_sub(kept))).await?;
        done.has_more |= done.executions == scripts::EXECUTIONS.cast_unsigned();
        done.has_more |= remove_unattached(self, now).await?;
        let Retention::For(time) = self.retention().await? else { return Ok(done) };
        for _ in 0..MAX_TRANSACTIONS_PER_ROUND {
            let removed = self.perform(cleanup::DeleteCancelledEntries(now.saturating_sub(time))).await?;
            done.entries += removed;
            done.has_more |= removed == cleanup::MAX_RECORDS_PER_STEP.cast_unsigned();
            if removed < cleanup::MAX_RECORDS_PER_STEP.cast_unsigned() {
                break;
            }
        }
        for _ in 0..MAX_TRANSACTIONS_PER_ROUND {
            let removed = self.perform(cleanup::DeleteOldRecords(now.saturating_sub(time))).await?;
            done.records += removed;
            if removed < cleanup::MAX_RECORDS_PER_STEP.cast_unsigned() {
                return Ok(done);
            }
        }
        Ok(CleanupSummary { has_more: true, ..done })
    }

    async fn check(&self) -> Result<()> {
        self.perform(settings::CheckWritable).await?;
        self.check_free_space().await
    }

    async fn backup(&self, file: &Path) -> Result<()> {
        Backend::backup(self, file).await
    }

    async fn take_snapshot(&self, max_bytes: usize) -> Result<Snapshot> {
        self.perform(snapshots::TakeSnapshot { max_bytes }).await
    }

    async fn restore_snapshot(&self, snapshot: Arc<Snapshot>, token: Option<NewToken>) -> Result<Option<Token>> {
        let token = self.perform(snapshots::RestoreSnapshot { snapshot, token }).await?;
        self.record_epoch().await?;
        Ok(token)
    }

    async fn close(&self) {
        Backend::close(self).await;
    }
}
