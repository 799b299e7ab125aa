//! Durable insert of one event, compared with a baseline.

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, TransactionBehavior, params};
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use wireform_rounds::{Rounds, Side};
use wireform_store::{
    Accounts as _, Calendars as _, Clock, EntryKind, EntryState, EventRef, EventWrite, Events as _, Maintenance as _,
    Millis, NewEntry, Span, Sqlite, SqliteOptions,
};

use super::event;
use crate::paths;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of rounds; each inserts 20 events on each side.
    #[arg(long, default_value_t = 25)]
    rounds: usize,
}

/// Number of inserts per round, of each side.
const INSERTS_PER_ROUND: u32 = 20;

/// Private data of a copy of an event, as the calendar service writes it.
const COPY_DATA: &str = r#"{"organizer":true,"address":"me@example.org","zone":"UTC"}"#;

/// Event as both sides store it.
struct Sample {
    id: String,
    body: String,
    span: Span,
}

impl Sample {
    fn new() -> anyhow::Result<Self> {
        let number = rand::random_range(0..744);
        let id = event::id();
        let body = serde_json::to_string(&serde_json::json!({
            "summary": "Meeting", "location": "Somewhere", "status": "confirmed", "sequence": 0,
            "description": "What it is about, in a sentence or two that people write to each other.",
            "created": "2026-03-01T12:00:00.000Z", "iCalUID": format!("{id}@example.org"),
            "creator": { "email": "me@example.org" }, "organizer": { "email": "me@example.org" },
            "start": { "dateTime": format!("2026-03-02T{:02}:00:00Z", number % 24) },
            "end": { "dateTime": format!("2026-03-02T{:02}:45:00Z", number % 24) },
        }))?;
        let first = 1_772_409_600 + i64::from(number) * 3_600;
        Ok(Self { id, body, span: Span { first, last: first + 2_700 } })
    }
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let (store, calendar) = open_store(&paths::scratch("calendar-insert-ours")?).await?;
    // The baseline writes into the same tables, created by the store.
    let other = paths::scratch("calendar-insert-by-hand")?;
    let (made, theirs) = open_store(&other).await?;
    made.close().await;
    let mut by_hand = Baseline::open(&other, theirs.0)?;
    let now = Clock::system().now();

    let ours = || {
        let writes = samples()?.into_iter().map(|sample| write(calendar, sample, now)).collect::<Vec<_>>();
        let begun = Instant::now();
        for write in writes {
            block_in_place(|| Handle::current().block_on(store.write_events(write, now)))?;
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(INSERTS_PER_ROUND))
    };
    let hand = || {
        let samples = samples()?;
        let begun = Instant::now();
        for sample in &samples {
            by_hand.insert(sample, now)?;
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(INSERTS_PER_ROUND))
    };
    let sides = vec![Side::new("the store", ours), Side::new("by hand, one transaction", hand)];
    Rounds::measure(settings.rounds, sides)?.print("one durable event");
    store.close().await;
    Ok(())
}

/// Creates the events of a round.
fn samples() -> anyhow::Result<Vec<Sample>> {
    (0..INSERTS_PER_ROUND).map(|_| Sample::new()).collect()
}

async fn open_store(folder: &Path) -> anyhow::Result<(Sqlite, wireform_store::CalendarNumber)> {
    let store = Sqlite::open(folder, SqliteOptions::default())?;
    let user = store.add_user("me@example.org", "Me", Clock::system().now()).await?;
    let calendars = store.calendars(Some(user.mailbox)).await?;
    let calendar = calendars.first().map(|calendar| calendar.number);
    Ok((store, anyhow::Context::context(calendar, "a user without a calendar")?))
}

/// Converts an event to the write with which the calendar service stores it.
fn write(calendar: wireform_store::CalendarNumber, sample: Sample, now: Millis) -> EventWrite {
    let Sample { id, body, span } = sample;
    let entry = NewEntry {
        calendar,
        uid: format!("{id}@example.org"),
        id,
        replaces: None,
        event: EventRef::New(0),
        updated: now,
        state: EntryState::Present,
        removed: None,
        kind: EntryKind::Single,
        span,
        own: COPY_DATA.to_owned(),
    };
    EventWrite { new_events: vec![body], entries: vec![entry], ..EventWrite::default() }
}

/// Baseline: the same rows as the store writes for an event, in one transaction with prepared statements and no other
/// users.
struct Baseline {
    database: Connection,
    calendar: i64,
}

impl Baseline {
    /// Opens the database of a store, with the store's durability.
    fn open(folder: &Path, calendar: i64) -> anyhow::Result<Self> {
        let database = Connection::open(folder.join("store.sqlite3"))?;
        database.pragma_update(None, "journal_mode", "WAL")?;
        database.pragma_update(None, "synchronous", "FULL")?;
        Ok(Self { database, calendar })
    }

    /// Inserts an event, durably.
    fn insert(&mut self, sample: &Sample, now: Millis) -> anyhow::Result<()> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changed: i64 = transaction
            .prepare_cached(
                "UPDATE calendars SET history = history + 1, touched = ?2 WHERE number = ?1 RETURNING history",
            )?
            .query_row([self.calendar, now.0], |row| row.get(0))?;
        let event: i64 = transaction
            .prepare_cached("INSERT INTO events (body) VALUES (?1) RETURNING number")?
            .query_row([&sample.body], |row| row.get(0))?;
        let Span { first, last } = sample.span;
        transaction
            .prepare_cached(
                "INSERT INTO entries (calendar, id, event, changed, updated, state, uid, first, last, class, length, own)
                 VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, 0, 0, ?9)",
            )?
            .execute(params![
                self.calendar,
                sample.id,
                event,
                changed,
                now.0,
                format!("{}@example.org", sample.id),
                first,
                last,
                COPY_DATA
            ])?;
        transaction.commit()?;
        Ok(())
    }
}
