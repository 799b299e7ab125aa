//! Changes of entries, and the implementation of the events trait.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::Backend;
use crate::domain::{calendar, channels, entries, insert, jobs, scans, sql, texts, windows};
use crate::event::{ChangeSize, EntryKind, EventNumber, EventRef, EventWrite, NewEntry, SLOTS};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    CalendarNumber, Entry, EntryHead, EntryPage, EntryQuery, Error, Events, HistoryId, Job, Mailbox, Millis, Result,
    Window, WindowQuery,
};

/// Maximum length of identifiers of entries and events, in bytes: an index accepts at most 2,700.
const MAX_IDENTIFIER_LENGTH: usize = 1_100;

/// Writes events and entries, and delivers mails; returns the new history numbers of the changed calendars.
struct WriteEvents(EventWrite, Millis);

impl Operation for WriteEvents {
    type Output = BTreeMap<CalendarNumber, HistoryId>;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        let bodies = self.0.new_events.iter().chain(self.0.events.iter().map(|(_, body)| body)).map(String::len);
        let mails = self.0.mails.iter().map(|(_, mail)| mail.raw.len() + mail.search.text.len());
        bodies.sum::<usize>()
            + mails.sum::<usize>()
            + self.0.entries.iter().map(|entry| 200 + entry.own.len()).sum::<usize>()
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let Self(write, now) = self;
        for entry in &write.entries {
            texts::check_name("identifier of an event", &entry.id, MAX_IDENTIFIER_LENGTH)?;
            texts::check_name("UID of an event", &entry.uid, MAX_IDENTIFIER_LENGTH)?;
        }
        let changes = lock(session, &write, now).await?;
        let replaced = check_expected(session, &write).await?;
        check_exceptions(session, &write.read_exceptions).await?;
        check_new(session, &write.new_uids).await?;
        let mut numbers = Vec::with_capacity(write.new_events.len());
        for body in write.new_events {
            let rows = session.rows(sql::EVENT_ADD, &[texts::replace_nul(body).into()]).await?;
            let row = rows
                .first()
                .ok_or_else(|| Error::Internal("the database returned no number for a new event".to_owned()))?;
            numbers.push(EventNumber(row.int(0)?));
        }
        let bodies: Vec<Vec<Value>> = write
            .events
            .into_iter()
            .map(|(event, body)| vec![event.0.into(), texts::replace_nul(body).into()])
            .collect();
        session.run_each(sql::EVENT_SET, &bodies).await?;
        store_entries(session, &write.entries, &numbers, &changes, &replaced).await?;
        let jobs = write.jobs.into_iter().map(|(calendar, id, due)| vec![calendar.0.into(), id.into(), due.0.into()]);
        session.run_each(sql::JOB_ADD, &jobs.collect::<Vec<_>>()).await?;
        insert::deliver(session, write.mails, now).await?;
        Ok(changes)
    }
}

/// Locks the written calendars, ordered by number so that writes cannot deadlock, and issues a change of each.
async fn lock<S: Session>(
    session: &mut S,
    write: &EventWrite,
    now: Millis,
) -> Result<BTreeMap<CalendarNumber, HistoryId>> {
    let written: BTreeSet<CalendarNumber> = write.entries.iter().map(|entry| entry.calendar).collect();
    let read = write.expected.iter().chain(&write.read_exceptions).map(|(calendar, ..)| *calendar);
    let mut changes = BTreeMap::new();
    for number in written.iter().copied().chain(read).collect::<BTreeSet<_>>() {
        if written.contains(&number) {
            changes.insert(number, issue_change(session, number, now).await?);
        } else {
            calendar::lock(session, number).await?;
        }
    }
    Ok(changes)
}

/// Issues the next change of a calendar, which locks it, and marks its channels.
async fn issue_change<S: Session>(session: &mut S, number: CalendarNumber, now: Millis) -> Result<HistoryId> {
    let moved = session.rows(sql::CALENDAR_MOVE, &[number.0.into(), now.0.into()]).await?;
    let row = moved.first().ok_or_else(|| Error::not_found("calendar", number.0))?;
    let change = HistoryId(row.int(0)?.cast_unsigned());
    if row.optional_int(1)?.is_some() {
        channels::mark_changed(session, number, change, now).await?;
    }
    Ok(change)
}

/// Stored times and rule of an entry before a write.
#[derive(PartialEq, Eq)]
struct StoredTimes {
    rule: Option<String>,
    length: i64,
    first: i64,
    last: i64,
}

impl StoredTimes {
    fn from_entry(entry: &NewEntry) -> Self {
        let (rule, length) = match &entry.kind {
            EntryKind::Series { rule, length, .. } => (Some(rule.clone()), *length),
            _ => (None, 0),
        };
        Self { rule, length, first: entry.span.first, last: entry.span.last }
    }
}

/// Checks that nothing was modified since it was read. Returns the stored times and states of the replaced entries. A
/// new entry that conflicts with a stored one is detected on insertion.
async fn check_expected<S: Session>(session: &mut S, write: &EventWrite) -> Result<Vec<Option<(StoredTimes, i64)>>> {
    let read = write.expected.iter().map(|(calendar, id, changed)| (*calendar, id, Some(*changed)));
    let replacing = write.entries.iter().filter(|entry| entry.replaces.is_some());
    let written = replacing.map(|entry| (entry.calendar, &entry.id, entry.replaces));
    let all: Vec<_> = read.chain(written).collect();
    let keys: Vec<Vec<Value>> =
        all.iter().map(|(calendar, id, _)| vec![calendar.0.into(), id.as_str().into()]).collect();
    let mut found = Vec::with_capacity(all.len());
    for ((.., changed), mut rows) in all.iter().zip(session.rows_of_each(sql::ENTRY_STAND, &keys).await?) {
        let stored = rows.first_mut().map(stored_times).transpose()?;
        if stored.as_ref().map(|(change, ..)| *change) != *changed {
            return Err(Error::Outdated);
        }
        found.push(stored.map(|(_, stored_times, state)| (stored_times, state)));
    }
    let mut stored = found.split_off(write.expected.len()).into_iter();
    Ok(write.entries.iter().map(|entry| entry.replaces.and_then(|_| stored.next().flatten())).collect())
}

/// Checks that no exception of a series was added or modified since the exceptions were read.
async fn check_exceptions<S: Session>(session: &mut S, read: &[(CalendarNumber, String, HistoryId)]) -> Result<()> {
    let keys: Vec<Vec<Value>> = read
        .iter()
        .map(|(calendar, series, last)| vec![calendar.0.into(), series.as_str().into(), last.0.cast_signed().into()])
        .collect();
    let newer = session.rows_of_each(sql::EXCEPTION_SINCE, &keys).await?;
    if newer.iter().all(Vec::is_empty) { Ok(()) } else { Err(Error::Outdated) }
}

/// Checks that UIDs are new. Their calendars are locked, so that two writes cannot both find the same UID new.
async fn check_new<S: Session>(session: &mut S, uids: &[(CalendarNumber, String)]) -> Result<()> {
    let keys: Vec<Vec<Value>> =
        uids.iter().map(|(calendar, uid)| vec![calendar.0.into(), texts::replace_nul(uid.clone()).into()]).collect();
    let known = session.rows_of_each(sql::ENTRY_OF_UID, &keys).await?;
    if known.iter().all(Vec::is_empty) { Ok(()) } else { Err(Error::Outdated) }
}

fn stored_times(row: &mut Row) -> Result<(HistoryId, StoredTimes, i64)> {
    let change = HistoryId(row.int(0)?.cast_unsigned());
    let (rule, length) = (row.optional_text(1)?, row.int(5)?);
    Ok((change, StoredTimes { rule, length, first: row.int(2)?, last: row.int(3)? }, row.int(4)?))
}

async fn store_entries<S: Session>(
    session: &mut S,
    written: &[NewEntry],
    numbers: &[EventNumber],
    changes: &BTreeMap<CalendarNumber, HistoryId>,
    replaced: &[Option<(StoredTimes, i64)>],
) -> Result<()> {
    let (mut added, mut rows, mut slots, mut moved) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut states = Vec::new();
    for (entry, before) in written.iter().zip(replaced) {
        let event = match entry.event {
            EventRef::Stored(event) => Some(event),
            EventRef::New(index) => numbers.get(index).copied(),
        };
        let unknown = || Error::Internal("a calendar entry refers to an event outside of its write".to_owned());
        let changed = changes.get(&entry.calendar).copied().unwrap_or(HistoryId(0));
        let row = entries::entry_values(entry, event.ok_or_else(unknown)?, changed);
        if entry.replaces.is_some() { &mut rows } else { &mut added }.push(row);
        let key = || vec![entry.calendar.0.into(), entry.id.clone().into()];
        match before {
            Some((before, state)) if *before == StoredTimes::from_entry(entry) => {
                if before.rule.is_some() && *state != entry.state as i64 {
                    states.push([key(), vec![(entry.state as i64).into()]].concat());
                }
                continue;
            }
            Some((before, _)) if before.rule.is_some() => moved.push(key()),
            _ => {}
        }
        slots.extend(slot_rows(entry));
    }
    if session.run_each(sql::ENTRY_ADD, &added).await? != added.len() as u64 {
        return Err(Error::Outdated);
    }
    session.run_each(sql::ENTRY_PUT, &rows).await?;
    session.run_each(sql::SLOTS_STATE, &states).await?;
    session.run_each(sql::SLOTS_DROP, &moved).await?;
    session.run_each(sql::SLOT_ADD, &slots).await?;
    Ok(())
}

fn slot_rows(entry: &NewEntry) -> Vec<Vec<Value>> {
    let EntryKind::Series { slots, rule, length } = &entry.kind else { return Vec::new() };
    let any = [SLOTS];
    let slots = if slots.is_empty() { &any[..] } else { slots };
    let row = |slot: &u8| {
        let (first, last) = (entry.span.first, entry.span.last);
        vec![
            entry.calendar.0.into(),
            i64::from(*slot).into(),
            last.into(),
            first.into(),
            entry.id.clone().into(),
            (entry.state as i64).into(),
            (*length).into(),
            rule.clone().into(),
        ]
    };
    slots.iter().map(row).collect()
}

/// Runs a step of a list. A step of a long search takes turns with other searches.
async fn run_step<B: Backend, O: Operation>(store: &B, search: Option<Mailbox>, operation: O) -> Result<O::Output> {
    let Some(caller) = search else { return store.perform(operation).await };
    let admission = store.search_scheduler().admit(Some(caller))?;
    let _turn = admission.acquire().await?;
    store.perform(operation).await
}

impl<B: Backend> Events for B {
    async fn write_events(&self, write: EventWrite, now: Millis) -> Result<BTreeMap<CalendarNumber, HistoryId>> {
        self.perform(WriteEvents(write, now)).await
    }

    async fn entries(&self, calendar: CalendarNumber, ids: Vec<String>) -> Result<Vec<Option<Entry>>> {
        self.perform(entries::ReadEntries(calendar, ids)).await
    }

    async fn entries_within(
        &self,
        calendar: CalendarNumber,
        ids: Vec<String>,
        max: u64,
    ) -> Result<(ChangeSize, Option<Vec<Option<Entry>>>)> {
        self.perform(entries::ReadEntriesWithin { calendar, ids, max }).await
    }

    async fn some_entries(&self, calendar: CalendarNumber, ids: Vec<String>) -> Result<Vec<Option<Entry>>> {
        self.perform(entries::ReadSomeEntries(calendar, ids)).await
    }

    async fn event_entries(&self, event: EventNumber) -> Result<Vec<Entry>> {
        self.perform(entries::ReadCopies(event)).await
    }

    async fn exceptions(
        &self,
        calendar: CalendarNumber,
        series: &str,
        (from, to): (i64, i64),
        limit: u32,
    ) -> Result<Vec<Entry>> {
        let series = series.to_owned();
        self.perform(entries::ReadExceptions { calendar, series, from, to, limit }).await
    }

    async fn exception_heads(&self, calendar: CalendarNumber, series: &str, limit: u32) -> Result<Vec<EntryHead>> {
        self.perform(entries::ReadExceptionHeads { calendar, series: series.to_owned(), limit }).await
    }

    async fn due_jobs(&self, now: Millis, limit: u32) -> Result<Vec<Job>> {
        self.perform(jobs::ReadDueJobs(now, limit)).await
    }

    async fn end_job(&self, number: i64, again: Option<Millis>) -> Result<()> {
        self.perform(jobs::EndJob(number, again)).await
    }

    async fn list_entries(&self, calendar: CalendarNumber, query: EntryQuery) -> Result<EntryPage> {
        let search = query.search_mailbox;
        run_step(self, search, scans::WalkEntries(calendar, query)).await
    }

    async fn read_window(&self, calendar: CalendarNumber, query: WindowQuery) -> Result<Window> {
        run_step(self, query.search_mailbox, windows::ReadWindow(calendar, query)).await
    }

    async fn run_in_turn<T, F>(&self, user: Option<Mailbox>, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.search_scheduler().run(user, work).await
    }
}
