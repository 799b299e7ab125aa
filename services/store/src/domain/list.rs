//! Listing and searching messages, the newest first. A page is built in steps, one transaction each, so that other
//! operations can run in between.

mod source;

use std::sync::Arc;

use tokio::sync::oneshot;

use self::source::Source;
use crate::backend::Backend;
use crate::domain::filter::{Candidate, Texts, count_text_conditions, requires_texts};
use crate::domain::mailbox::MailboxState;
use crate::domain::record::{message_id, thread_id, to_stored};
use crate::domain::{epoch, sql};
use crate::operation::{Access, Operation};
use crate::search_scheduler::Admission;
use crate::session::{Session, Value};
use crate::{Epoch, Error, ListCursor, ListPage, ListQuery, Mailbox, Position, Result, TextFilter};

/// Maximum number of messages examined per page; fewer if more than [`CONDITIONS_AT_FULL_SIZE`] conditions apply to
/// each text.
const MAX_EXAMINED: usize = 5_000;
/// Number of text conditions up to which pages and batches have their full size.
const CONDITIONS_AT_FULL_SIZE: usize = 10;
/// Minimum and maximum number of messages fetched at once.
const BATCH_SIZES: (usize, usize) = (100, 500);
/// Number of messages whose texts are fetched at once: those of one message can have a quarter of a megabyte. Fewer if
/// more than [`CONDITIONS_AT_FULL_SIZE`] conditions apply to each.
const TEXT_BATCH_SIZE: usize = 50;
/// Maximum number of messages examined per step, and maximum number of bytes of texts times conditions.
const STEP_LIMITS: (usize, usize) = (500, 4 << 20);
/// Maximum number of messages examined in a step that does not take turns: enough for a page of the usual length.
const MAX_UNSCHEDULED_STEP: usize = 150;

/// Returns a page. A list that may take more than one step takes turns with other searches; one that examines only a
/// few rows does not wait for them.
pub(super) async fn list_page<B: Backend>(store: &B, of: Mailbox, query: ListQuery) -> Result<ListPage> {
    let query = Arc::new(query);
    let mut walk = Walk::new(&query);
    let searches = query.filters.iter().any(requires_texts);
    if !searches {
        match store.perform(Step::<false> { of, query: Arc::clone(&query), walk }).await? {
            Progress::Page(page) => return Ok(page),
            Progress::Unfinished(further) => walk = further,
        }
    }
    let admission = if searches {
        store.search_scheduler().admit(Some(of))?
    } else {
        store.search_scheduler().admit_list(Some(of))
    };
    let search = Search { admission, store: store.clone(), of, query };
    let (reply, response) = oneshot::channel();
    // Runs in a task of its own: a turn held by a caller that does not continue would block all others.
    tokio::spawn(search.run(walk, reply));
    response.await.unwrap_or_else(|_| Err(Error::Internal("a search was interrupted".to_owned())))
}

/// Search that was admitted.
struct Search<B> {
    store: B,
    admission: Admission,
    of: Mailbox,
    query: Arc<ListQuery>,
}

impl<B: Backend> Search<B> {
    /// Runs step by step, as long as the caller waits for the page.
    async fn run(self, mut walk: Walk, reply: oneshot::Sender<Result<ListPage>>) {
        while !reply.is_closed() {
            match self.step(walk).await {
                Ok(Progress::Unfinished(further)) => walk = further,
                Ok(Progress::Page(page)) => return drop(reply.send(Ok(page))),
                Err(error) => return drop(reply.send(Err(error))),
            }
        }
    }

    /// Runs a step when it is the caller's turn.
    async fn step(&self, walk: Walk) -> Result<Progress> {
        let _turn = self.admission.acquire().await?;
        self.store.perform(Step::<true> { of: self.of, query: Arc::clone(&self.query), walk }).await
    }
}

/// Step of a list. `SEARCHES` is true if the step may read texts or is not the first one.
struct Step<const SEARCHES: bool> {
    of: Mailbox,
    query: Arc<ListQuery>,
    walk: Walk,
}

/// Result of a step.
enum Progress {
    /// Completed page.
    Page(ListPage),
    /// Position from which the walk continues.
    Unfinished(Walk),
}

impl<const SEARCHES: bool> Step<SEARCHES> {
    /// Maximum number of messages examined.
    const MAX_EXAMINED_PER_STEP: usize = if SEARCHES { STEP_LIMITS.0 } else { MAX_UNSCHEDULED_STEP };
}

impl<const SEARCHES: bool> Operation for Step<SEARCHES> {
    type Output = Progress;
    const ACCESS: Access = if SEARCHES { Access::Scan } else { Access::Read };

    async fn run<S: Session>(self, session: &mut S) -> Result<Progress> {
        let Self { of, query, mut walk } = self;
        let current = MailboxState::read(session, of).await?.epoch;
        // The store can be restored between two pages, and between two steps of one page.
        let began = query.from.map_or(current, |from| from.epoch);
        epoch::require_current(current, *walk.epoch.get_or_insert(began))?;
        let (source, greatest) = Source::select(session, of, &query).await?;
        let greatest = *walk.estimate.get_or_insert(greatest);
        let StopReason::PageEnd(next) = walk.run(session, of, &query, source, Self::MAX_EXAMINED_PER_STEP).await?
        else {
            return Ok(Progress::Unfinished(walk));
        };
        let next = next.map(|at| ListCursor { at, epoch: current });
        let found = walk.messages.len() as u64;
        let whole = query.from.is_none() && next.is_none();
        let estimate = if whole { found } else { greatest.max(found) };
        Ok(Progress::Page(ListPage { messages: walk.messages, next, estimate }))
    }
}

/// Returns the start of the list: after the previous page, and before the dates that are too late.
fn start_position(query: &ListQuery) -> Position {
    let newest = Position { date: i64::MAX, id: i64::MAX.cast_unsigned() };
    let from = query.from.map_or(newest, |from| from.at);
    let before = query.filters.iter().filter_map(|filter| match filter {
        TextFilter::Before(time) => Some(Position { date: time.0, id: 0 }),
        _ => None,
    });
    before.fold(from, |first, second| if (second.date, second.id) < (first.date, first.id) { second } else { first })
}

/// Returns the date at which the list ends.
fn end_date(query: &ListQuery) -> i64 {
    let since = query.filters.iter().filter_map(|filter| match filter {
        TextFilter::Since(time) => Some(time.0),
        _ => None,
    });
    since.max().unwrap_or(i64::MIN)
}

/// Reason why a step stopped.
enum StopReason {
    /// The end of the step.
    StepLimit,
    /// The end of the page, with the start of the next page, if there is one.
    PageEnd(Option<Position>),
}

/// State of a walk along an index.
struct Walk {
    position: Position,
    messages: Vec<(crate::MessageId, crate::ThreadId)>,
    examined: usize,
    /// Estimate of the number of messages by the first step.
    estimate: Option<u64>,
    /// Epoch of the store in which the walk began.
    epoch: Option<Epoch>,
}

impl Walk {
    /// Creates a walk that has not begun.
    fn new(query: &ListQuery) -> Self {
        Self { position: start_position(query), messages: Vec::new(), examined: 0, estimate: None, epoch: None }
    }

    /// Runs a step, until the page is full and one more message is found, or the limits of the step are reached.
    async fn run<S: Session>(
        &mut self,
        session: &mut S,
        of: Mailbox,
        query: &ListQuery,
        source: Source,
        longest: usize,
    ) -> Result<StopReason> {
        let limit = query.limit.max(1) as usize;
        let since = end_date(query);
        let condition_count = query.filters.iter().map(count_text_conditions).sum::<usize>();
        let effort = condition_count.div_ceil(CONDITIONS_AT_FULL_SIZE).max(1);
        let batch = match source {
            // These messages are not ordered by date, so all of them are examined.
            Source::WithIdentifier(_) => MAX_EXAMINED,
            _ => (limit + 1).clamp(BATCH_SIZES.0, BATCH_SIZES.1.min(longest)),
        };
        let (mut examined, mut bytes) = (0, 0);
        while self.examined < MAX_EXAMINED {
            if examined >= longest {
                return Ok(StopReason::StepLimit);
            }
            let candidates = source.candidates(session, of, (self.position, since), batch).await?;
            let last = candidates.len() < batch;
            for some in candidates.chunks(TEXT_BATCH_SIZE.div_ceil(effort)) {
                if examined >= longest || bytes >= STEP_LIMITS.1 {
                    return Ok(StopReason::StepLimit);
                }
                let (matching, read) = evaluate(session, of, query, some).await?;
                (examined, bytes) = (examined + some.len(), bytes + read * condition_count);
                self.examined += some.len() * effort;
                for (candidate, fits) in some.iter().zip(matching) {
                    if fits && self.messages.len() == limit {
                        return Ok(StopReason::PageEnd(Some(self.position)));
                    }
                    if fits {
                        self.messages.push((message_id(candidate.position.id)?, thread_id(candidate.thread)?));
                    }
                    self.position = candidate.position;
                }
            }
            if last {
                return Ok(StopReason::PageEnd(None));
            }
        }
        Ok(StopReason::PageEnd(Some(self.position)))
    }
}

/// Returns which candidates match the query, and the number of bytes of texts read for that.
async fn evaluate<S: Session>(
    session: &mut S,
    of: Mailbox,
    query: &ListQuery,
    candidates: &[Candidate],
) -> Result<(Vec<bool>, usize)> {
    let mut matching: Vec<bool> = candidates.iter().map(|candidate| candidate.may_match(query)).collect();
    if !query.filters.iter().any(requires_texts) {
        return Ok((matching, 0));
    }
    let open = || candidates.iter().zip(&matching).filter(|(_, fits)| **fits).map(|(candidate, _)| candidate);
    let keys: Vec<Vec<Value>> = open().map(|one| vec![of.0.into(), to_stored(one.position.id).into()]).collect();
    let mut texts = session.rows_of_each(sql::LIST_TEXT, &keys).await?.into_iter();
    let mut bytes = 0;
    for (candidate, fits) in candidates.iter().zip(&mut matching).filter(|(_, fits)| **fits) {
        *fits = match texts.next().unwrap_or_default().first_mut() {
            Some(row) => {
                let texts = Texts::from_row(row)?;
                bytes += texts.byte_len();
                candidate.matches(query, &texts)
            }
            None => false,
        };
    }
    Ok((matching, bytes))
}
