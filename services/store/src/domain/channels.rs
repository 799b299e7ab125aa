//! Channels and their messages.
//!
//! A row holds the last change of the calendar (`changed`), the last change covered by the message being sent
//! (`covered`), and the last announced change (`announced`). A writer marks rows without reading them, and a sender
//! never waits for a row, so that they cannot deadlock.

use std::collections::BTreeMap;

use crate::backend::Backend;
use crate::channel::{
    Attempt, Channel, ChannelNumber, ChannelToken, LeaseQuery, LeasedMessage, MessageKey, MessageOutcome, NewChannel,
};
use crate::domain::{calendar, mailbox, sql, texts, user};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{CalendarNumber, Channels, Error, HistoryId, Mailbox, Millis, Result};

/// Maximum number of channels per user.
const MAX_PER_USER: i64 = 100;
/// Maximum length of a channel identifier, in bytes.
const MAX_IDENTIFIER_LENGTH: usize = 1_024;
/// Maximum number of due channels examined per lease request.
const MAX_EXAMINED: i64 = 1_000;
/// Maximum number of expired channels removed per step.
pub(super) const MAX_REMOVED: i64 = 500;

/// Marks the channels of a calendar as having a change to announce.
pub(super) async fn mark_changed<S: Session>(
    session: &mut S,
    calendar: CalendarNumber,
    change: HistoryId,
    now: Millis,
) -> Result<()> {
    let values = [calendar.0.into(), change.0.cast_signed().into(), now.0.into()];
    session.run(sql::CHANNELS_MARK, &values).await?;
    Ok(())
}

/// Opens a watch channel on a calendar that its user may read.
struct OpenChannel(NewChannel, Millis);

impl Operation for OpenChannel {
    type Output = ChannelNumber;
    const ACCESS: Access = Access::Write;

    /// Locks the calendar, so that each of its changes is either seen here or marks the channel.
    async fn run<S: Session>(self, session: &mut S) -> Result<ChannelNumber> {
        let Self(new, now) = self;
        let id = texts::check_name("identifier of a channel", &new.id, MAX_IDENTIFIER_LENGTH)?;
        let calendar = calendar::lock(session, new.calendar).await?;
        user::require(session, new.user).await?;
        if calendar::role(session, &calendar, new.user).await?.is_none() {
            return Err(Error::not_found("calendar", &calendar.id));
        }
        session.run(sql::CHANNEL_REPLACE, &[new.user.0.into(), id.as_str().into(), now.0.into()]).await?;
        if !session.rows(sql::CHANNEL_AT, &[new.user.0.into(), (MAX_PER_USER - 1).into()]).await?.is_empty() {
            return Err(Error::Refused(format!("a user can have at most {MAX_PER_USER} channels: stop one first")));
        }
        let values = [
            new.user.0.into(),
            id.as_str().into(),
            new.calendar.0.into(),
            texts::replace_nul(new.resource_id).into(),
            texts::replace_nul(new.resource_uri).into(),
            texts::replace_nul(new.url).into(),
            new.token.map(|token| texts::replace_nul(token.reveal().to_owned())).into(),
            texts::replace_nul(new.filter).into(),
            now.0.into(),
            new.expires.0.into(),
            calendar.history.0.cast_signed().into(),
        ];
        let rows = session.rows(sql::CHANNEL_ADD, &values).await?;
        rows.first().ok_or_else(|| Error::already_exists("channel", &id))?.int(0).map(ChannelNumber)
    }
}

/// Deletes the watch channel of a user with this identifier and resource; fails if there is none.
struct StopChannel(Mailbox, String, String, Millis);

impl Operation for StopChannel {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self(user, id, resource, now) = self;
        let key =
            [user.0.into(), texts::replace_nul(id.clone()).into(), texts::replace_nul(resource).into(), now.0.into()];
        match session.run(sql::CHANNEL_STOP, &key).await? {
            0 => Err(Error::not_found("channel", id)),
            _ => Ok(()),
        }
    }
}

/// Lists the watch channels of a user, or all.
struct ListChannels(Option<Mailbox>);

impl Operation for ListChannels {
    type Output = Vec<Channel>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Channel>> {
        let mut rows = match self.0 {
            Some(user) => session.rows(sql::CHANNELS_OF, &[user.0.into()]).await?,
            None => session.rows(sql::CHANNELS, &[]).await?,
        };
        rows.iter_mut().map(channel_from_row).collect()
    }
}

/// Returns whether an unleased message is due, by the services' clock and the system clock (for leases).
struct HasDueMessages(Millis, Millis);

impl Operation for HasDueMessages {
    type Output = bool;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let due = session.rows(sql::CHANNEL_WAITS, &[self.0.0.into(), self.1.0.into()]).await?;
        Ok(!due.is_empty())
    }
}

/// Leases messages that are due, for sending.
struct LeaseMessages(LeaseQuery);

impl Operation for LeaseMessages {
    type Output = Vec<LeasedMessage>;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<LeasedMessage>> {
        let LeaseQuery { now, system_time: machine, until, .. } = self.0;
        let due = session.rows(sql::CHANNELS_DUE, &[now.0.into(), machine.0.into(), MAX_EXAMINED.into()]).await?;
        let chosen = select_due(&self.0, &due)?;
        let free: Vec<Vec<Value>> =
            chosen.iter().map(|number| vec![(*number).into(), now.0.into(), machine.0.into()]).collect();
        // Another process may have leased a channel between the two statements, and may lock its row.
        let free = session.rows_of_each(&format!("{}{}", sql::CHANNEL_FREE, S::DIALECT.skip_locked), &free).await?;
        let free: Vec<i64> = free.iter().flatten().map(|row| row.int(0)).collect::<Result<_>>()?;
        let lease = rand::random_range(1..i64::MAX);
        let keys: Vec<Vec<Value>> =
            free.iter().map(|number| vec![(*number).into(), lease.into(), until.0.into()]).collect();
        let mut leased = Vec::with_capacity(keys.len());
        for mut row in session.rows_of_each(sql::CHANNEL_LEASE, &keys).await?.into_iter().flatten() {
            let changes =
                (mailbox::history_id_from_stored(row.int(11)?)?, mailbox::history_id_from_stored(row.int(12)?)?);
            let channel = channel_from_row(&mut row)?;
            leased.push(LeasedMessage { key: MessageKey { channel: channel.number, lease }, channel, changes });
        }
        Ok(leased)
    }
}

/// Chooses due channels for a sender, so that no user exhausts the capacity for all others.
fn select_due(query: &LeaseQuery, due: &[Row]) -> Result<Vec<i64>> {
    let mut held: BTreeMap<Mailbox, u32> = query.held.clone();
    let mut chosen = Vec::new();
    for row in due {
        let of_user = held.entry(Mailbox(row.int(1)?)).or_default();
        if chosen.len() < query.limit as usize && *of_user < query.max_per_user {
            *of_user += 1;
            chosen.push(row.int(0)?);
        }
    }
    Ok(chosen)
}

/// Records the outcome of a leased message; returns false if the lease is no longer held.
struct SettleMessage(MessageKey, MessageOutcome, Millis);

impl Operation for SettleMessage {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let Self(MessageKey { channel, lease }, outcome, now) = self;
        let [number, lease, now] = [channel.0, lease, now.0].map(Value::from);
        let changed = match outcome {
            MessageOutcome::Done(outcome) => {
                session.run(sql::CHANNEL_DONE, &[number, lease, now, texts::replace_nul(outcome).into()]).await?
            }
            MessageOutcome::Retry(outcome, at) => {
                let values = [number, lease, now, texts::replace_nul(outcome).into(), at.0.into()];
                session.run(sql::CHANNEL_RETRY, &values).await?
            }
            MessageOutcome::Skipped => session.run(sql::CHANNEL_SKIP, &[number, lease, now]).await?,
        };
        Ok(changed > 0)
    }
}

/// Deletes at most [`MAX_REMOVED`] watch channels that have expired at this time; returns their number.
pub(super) struct DeleteExpiredChannels(pub(super) Millis);

impl Operation for DeleteExpiredChannels {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let expired = session.rows(sql::CHANNELS_EXPIRED, &[self.0.0.into(), MAX_REMOVED.into()]).await?;
        let keys: Vec<_> = expired.into_iter().map(|row| row.0).collect();
        session.run_each(sql::CHANNEL_DROP, &keys).await
    }
}

/// Reads the channel in a row of `sql::CHANNELS`.
fn channel_from_row(row: &mut Row) -> Result<Channel> {
    let last = match row.optional_int(17)? {
        Some(at) => Some(Attempt { at: Millis(at), message: row.int(18)?.cast_unsigned(), outcome: row.text(19)? }),
        None => None,
    };
    Ok(Channel {
        number: ChannelNumber(row.int(0)?),
        settings: NewChannel {
            user: Mailbox(row.int(1)?),
            id: row.text(2)?,
            calendar: CalendarNumber(row.int(3)?),
            resource_id: row.text(4)?,
            resource_uri: row.text(5)?,
            url: row.text(6)?,
            token: row.optional_text(7)?.map(ChannelToken::new),
            filter: row.text(8)?,
            expires: Millis(row.int(10)?),
        },
        opened: Millis(row.int(9)?),
        message: row.int(13)?.cast_unsigned(),
        is_sending: row.int(14)? != 0,
        attempts: u32::try_from(row.int(15)?).unwrap_or(u32::MAX),
        due: row.optional_int(16)?.map(Millis),
        last_attempt: last,
    })
}

impl<B: Backend> Channels for B {
    async fn open_channel(&self, channel: NewChannel, now: Millis) -> Result<ChannelNumber> {
        self.perform(OpenChannel(channel, now)).await
    }

    async fn stop_channel(&self, user: Mailbox, id: &str, resource_id: &str, now: Millis) -> Result<()> {
        self.perform(StopChannel(user, id.to_owned(), resource_id.to_owned(), now)).await
    }

    async fn channels(&self, user: Option<Mailbox>) -> Result<Vec<Channel>> {
        self.perform(ListChannels(user)).await
    }

    async fn has_due_messages(&self, now: Millis, machine: Millis) -> Result<bool> {
        self.perform(HasDueMessages(now, machine)).await
    }

    async fn lease_messages(&self, query: LeaseQuery) -> Result<Vec<LeasedMessage>> {
        self.perform(LeaseMessages(query)).await
    }

    async fn settle_message(&self, message: MessageKey, outcome: MessageOutcome, now: Millis) -> Result<bool> {
        self.perform(SettleMessage(message, outcome, now)).await
    }
}
