//! Storage of new messages.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use crate::backend::Backend;
use crate::domain::bodies::{Body, MIN_CHUNKED_SIZE};
use crate::domain::counts::Counts;
use crate::domain::mailbox::MailboxState;
use crate::domain::record::{NewRecord, label_numbers, message_id, thread_id, to_stored};
use crate::domain::{bodies, counts, labels, message, record, sql, texts};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{
    ChangeKind, Error, HistoryId, Label, Mailbox, Message, MessageChange, MessageDate, MessageId, Millis, NewMessage,
    Result, SearchableText, ThreadId, Unavailable,
};

/// Number of random bits of a message identifier; the others are the time in milliseconds.
const RANDOM_BITS: u32 = 20;
/// Maximum number of references followed to find the conversation of a message.
const MAX_REFERENCES: usize = 100;

/// Stores messages, all in one transaction.
struct Insert {
    of: Mailbox,
    messages: Vec<NewMessage>,
    /// Bodies of the messages whose `raw` was taken because it is stored in chunks already.
    bodies: Vec<Option<Body>>,
    now: Millis,
}

/// Stores messages, after the bodies of large ones.
pub(super) async fn insert<B: Backend>(
    store: &B,
    of: Mailbox,
    mut messages: Vec<NewMessage>,
    now: Millis,
) -> Result<Vec<Message>> {
    let mut bodies = Vec::with_capacity(messages.len());
    for message in &mut messages {
        bodies.push(write_body(store, message, now).await?);
    }
    store.perform(Insert { of, messages, bodies, now }).await
}

/// Stores the body of a message whose content is stored in chunks, and takes it from the message.
pub(super) async fn write_body<B: Backend>(store: &B, message: &mut NewMessage, now: Millis) -> Result<Option<Body>> {
    let is_large = message.raw.len() > MIN_CHUNKED_SIZE && !message.deleted;
    if is_large { bodies::write(store, mem::take(&mut message.raw), now).await.map(Some) } else { Ok(None) }
}

/// Returns the size of a message within an operation.
pub(super) fn weight(message: &NewMessage) -> usize {
    let search = &message.search;
    message.raw.len() + search.text.len() + search.subject.len() + search.from.len()
}

/// Stores a message of a locked mailbox with an identifier, in an existing conversation.
pub(super) async fn add_one<S: Session>(
    session: &mut S,
    head: &mut MailboxState,
    (new, body): (NewMessage, Option<Body>),
    (id, thread): (MessageId, ThreadId),
    now: Millis,
) -> Result<Message> {
    let of = head.mailbox;
    let message = build_message(&new, body, id, thread, head.issue_number()?, now);
    let mut rows = Rows::default();
    rows.add(of, &message, (new, body), false);
    rows.store(session, of, head.record_time(now)).await?;
    head.store(session, now).await?;
    Ok(message)
}

impl Operation for Insert {
    type Output = Vec<Message>;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        self.messages.iter().map(weight).sum()
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Message>> {
        let Self { of, messages, bodies, now } = self;
        add(session, of, messages, bodies, now).await
    }
}

/// Stores messages as part of another write. Skips mailboxes that no longer exist.
pub(super) async fn deliver<S: Session>(session: &mut S, mails: Vec<(Mailbox, NewMessage)>, now: Millis) -> Result<()> {
    // Mailboxes are locked in order, so that writes cannot deadlock.
    let mut by_mailbox: BTreeMap<Mailbox, Vec<NewMessage>> = BTreeMap::new();
    for (of, mail) in mails {
        if mail.raw.len() > MIN_CHUNKED_SIZE {
            return Err(Error::Refused("a notification message can have at most 256 KiB".to_owned()));
        }
        by_mailbox.entry(of).or_default().push(mail);
    }
    for (of, messages) in by_mailbox {
        let bodies = messages.iter().map(|_| None).collect();
        match add(session, of, messages, bodies, now).await {
            Ok(_) | Err(Error::NotFound { what: "user", .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Stores messages in the mailbox, which it locks, and returns them as stored.
async fn add<S: Session>(
    session: &mut S,
    of: Mailbox,
    messages: Vec<NewMessage>,
    bodies: Vec<Option<Body>>,
    now: Millis,
) -> Result<Vec<Message>> {
    let mut head = MailboxState::lock(session, of).await?;
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    for message in &messages {
        labels::check_count(message.labels.len())?;
    }
    let given: BTreeSet<Label> = messages.iter().flat_map(|message| message.labels.iter().copied()).collect();
    labels::require_existing(session, of, given).await?;
    let first = find_free_ids(session, of, now, messages.len() as u64).await?;
    let mut threads = Threads::load(session, of, &messages).await?;
    let mut rows = Rows::default();
    let mut inserted = Vec::with_capacity(messages.len());
    for ((new, body), id) in messages.into_iter().zip(bodies).zip(first..) {
        let id = message_id(id)?;
        let (thread, begins) = threads.find(&new, id);
        let message = build_message(&new, body, id, thread, head.issue_number()?, now);
        rows.add(of, &message, (new, body), begins);
        inserted.push(message);
    }
    rows.store(session, of, head.record_time(now)).await?;
    head.store(session, now).await?;
    Ok(inserted)
}

/// Returns the first of `count` consecutive identifiers that no message and no conversation has.
pub(super) async fn find_free_ids<S: Session>(session: &mut S, of: Mailbox, now: Millis, count: u64) -> Result<u64> {
    let time = (now.0.cast_unsigned() << RANDOM_BITS) & i64::MAX.cast_unsigned();
    let room = (1_u64 << RANDOM_BITS).saturating_sub(count).max(1);
    for _ in 0..100 {
        let first = time + rand::random_range(0..room);
        let between = [of.0.into(), to_stored(first).into(), to_stored(first + count - 1).into()];
        let taken = session.rows(sql::MESSAGE_BETWEEN, &between).await?;
        if taken.is_empty() && session.rows(sql::THREAD_BETWEEN, &between).await?.is_empty() {
            return Ok(first);
        }
    }
    // The next millisecond has free identifiers again.
    Err(Error::Unavailable(Unavailable::Busy))
}

/// Conversations by `Message-ID` hash: those looked up for the whole batch at once, and those of earlier messages in
/// the batch.
struct Threads(HashMap<i64, ThreadId>);

impl Threads {
    /// Looks up the references of all messages at once; fails if a requested conversation does not exist.
    async fn load<S: Session>(session: &mut S, of: Mailbox, messages: &[NewMessage]) -> Result<Self> {
        let given: BTreeSet<ThreadId> = messages.iter().filter_map(|message| message.threading.thread).collect();
        counts::require_threads(session, of, &given).await?;
        let is_unassigned = |message: &&NewMessage| message.threading.thread.is_none();
        let references: BTreeSet<i64> = messages
            .iter()
            .filter(is_unassigned)
            .flat_map(|message| message.threading.references.iter().take(MAX_REFERENCES).copied())
            .collect();
        let keys: Vec<Vec<Value>> = references.iter().map(|hash| vec![of.0.into(), (*hash).into()]).collect();
        let mut known = HashMap::new();
        for (hash, rows) in references.into_iter().zip(session.rows_of_each(sql::MESSAGE_IDENTIFIED, &keys).await?) {
            if let Some(row) = rows.first() {
                known.insert(hash, thread_id(row.int(1)?.cast_unsigned())?);
            }
        }
        Ok(Self(known))
    }

    /// Returns the conversation of a message, and whether the message begins it.
    fn find(&mut self, new: &NewMessage, id: MessageId) -> (ThreadId, bool) {
        let threading = &new.threading;
        let mut references = threading.references.iter().take(MAX_REFERENCES);
        let known = threading.thread.or_else(|| references.find_map(|hash| self.0.get(hash).copied()));
        let thread = known.unwrap_or_else(|| ThreadId::from(id));
        if let Some(own) = threading.message_id.filter(|_| !new.deleted) {
            self.0.entry(own).or_insert(thread);
        }
        (thread, known.is_none())
    }
}

fn build_message(
    new: &NewMessage,
    body: Option<Body>,
    id: MessageId,
    thread: ThreadId,
    history: HistoryId,
    now: Millis,
) -> Message {
    let labels: BTreeSet<i64> = new.labels.iter().map(|label| label.number()).collect();
    Message {
        id,
        thread,
        labels: labels.into_iter().filter_map(Label::from_number).collect(),
        history,
        date: match new.date {
            MessageDate::Received => now,
            MessageDate::At(time) => time,
        },
        size: body.map_or(new.raw.len() as u64, |body| body.size),
        snippet: texts::replace_nul(new.snippet.clone()),
    }
}

/// Rows of a batch, collected so that each statement runs once for all of them.
#[derive(Default)]
struct Rows {
    messages: Vec<Vec<Value>>,
    texts: Vec<Vec<Value>>,
    bodies: Vec<(Body, Value)>,
    labels: Vec<Vec<Value>>,
    records: Vec<NewRecord>,
    counts: Counts,
}

impl Rows {
    /// Adds a message. One that was deleted on arrival leaves only its history record.
    fn add(&mut self, of: Mailbox, message: &Message, (new, body): (NewMessage, Option<Body>), begins: bool) {
        let kinds = if new.deleted { &[ChangeKind::Added, ChangeKind::Deleted][..] } else { &[ChangeKind::Added] };
        let changes = kinds.iter().map(|kind| MessageChange {
            kind: *kind,
            message: message.id,
            thread: message.thread,
            labels: Vec::new(),
            labels_after: message.labels.clone(),
        });
        self.records.push(NewRecord { id: message.history, changes: changes.collect() });
        if new.deleted {
            return;
        }
        if begins {
            self.counts.add_thread(message.thread);
        }
        self.counts.add_message(message.thread, &message.labels);
        let id = Value::from(to_stored(message.id.number()));
        let label = |number: i64| vec![of.0.into(), number.into(), message.date.0.into(), id.clone()];
        self.labels.extend(label_numbers(&message.labels).into_iter().map(label));
        self.messages.push(vec![
            of.0.into(),
            id.clone(),
            to_stored(message.thread.number()).into(),
            message.date.0.into(),
            to_stored(message.history.0).into(),
            to_stored(message.size).into(),
            new.threading.message_id.into(),
            message::serialize_labels(&message.labels).into(),
            message.snippet.clone().into(),
        ]);
        self.bodies.extend(body.map(|body| (body, id.clone())));
        self.texts.push(text_row(of, id, new));
    }

    /// Inserts all rows; `made` is the time of the history records.
    async fn store<S: Session>(self, session: &mut S, of: Mailbox, made: i64) -> Result<()> {
        session.run_each(sql::MESSAGE_ADD, &self.messages).await?;
        session.run_each(sql::TEXT_ADD, &self.texts).await?;
        for (body, id) in self.bodies {
            bodies::attach(session, body, of, id).await?;
        }
        session.run_each(sql::MESSAGE_LABEL_ADD, &self.labels).await?;
        record::store(session, of, made, &self.records).await?;
        self.counts.store(session, of).await
    }
}

/// Returns the values of `sql::TEXT_ADD`: the texts that searches read, and the content.
fn text_row(of: Mailbox, id: Value, new: NewMessage) -> Vec<Value> {
    let SearchableText { from, to, subject, text, attachment } = new.search;
    let mut row = vec![of.0.into(), id];
    row.extend([from, to, subject, text].map(|text| Value::from(texts::replace_nul(text))));
    row.extend([i64::from(attachment).into(), new.raw.into()]);
    row
}
