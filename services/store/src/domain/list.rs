//! Messages are listed and searched, the newest first. A page is made in steps, each of them a transaction: between two
//! of them others get their turn.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::backend::Backend;
use crate::domain::filter::{Candidate, Texts, conditions, reads_texts};
use crate::domain::mailbox::Head;
use crate::domain::record::{ANY, message_id, stored, thread_id};
use crate::domain::{counts, epoch, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::shares::Admission;
use crate::{Epoch, Error, Label, ListCursor, ListPage, ListQuery, Mailbox, Position, Result, TextFilter};

/// So many messages are looked at for a page; fewer where more than [`CONDITIONS`] are held against each text.
const EXAMINED: usize = 5_000;
const CONDITIONS: usize = 10;
/// So many are fetched at once: at the least, at the most.
const PIECE: (usize, usize) = (100, 500);
/// The texts of so many are fetched at once: those of one message can have a quarter of a megabyte. Fewer where more than
/// [`CONDITIONS`] are held against each.
const TEXTS: usize = 50;
/// A step ends when so many messages were looked at, or so many bytes of texts as often as there are conditions.
const STEP: (usize, usize) = (500, 4 << 20);
/// A step that waits for nobody ends when so many messages were looked at: a page of the usual length needs no other one.
const FIRST_STEP: usize = 150;

/// Answers a page. What may take more than a step takes turns with others who read much; what is told without looking at
/// more than a few rows does not wait for them.
pub(super) async fn page<B: Backend>(store: &B, of: Mailbox, query: ListQuery) -> Result<ListPage> {
    let query = Arc::new(query);
    let mut walk = Walk::of(&query);
    let searches = query.filters.iter().any(reads_texts);
    if !searches {
        match store.perform(Step::<false> { of, query: Arc::clone(&query), walk }).await? {
            Progress::Page(page) => return Ok(page),
            Progress::Step(further) => walk = further,
        }
    }
    let admission = if searches { store.shares().admit(Some(of))? } else { store.shares().join(Some(of)) };
    let search = Search { admission, store: store.clone(), of, query };
    let (reply, answer) = oneshot::channel();
    // In a task of its own: a turn that somebody has, and does nothing with, would keep all others from theirs.
    tokio::spawn(search.run(walk, reply));
    answer.await.unwrap_or_else(|_| Err(Error::Fault("a search was interrupted".to_owned())))
}

/// A search that was admitted.
struct Search<B> {
    store: B,
    admission: Admission,
    of: Mailbox,
    query: Arc<ListQuery>,
}

impl<B: Backend> Search<B> {
    /// Goes step by step, as long as somebody waits for the page.
    async fn run(self, mut walk: Walk, reply: oneshot::Sender<Result<ListPage>>) {
        while !reply.is_closed() {
            match self.step(walk).await {
                Ok(Progress::Step(further)) => walk = further,
                Ok(Progress::Page(page)) => return drop(reply.send(Ok(page))),
                Err(error) => return drop(reply.send(Err(error))),
            }
        }
    }

    async fn step(&self, walk: Walk) -> Result<Progress> {
        let _turn = self.admission.turn().await?;
        self.store.perform(Step::<true> { of: self.of, query: Arc::clone(&self.query), walk }).await
    }
}

/// A step of a list. `SEARCHES` says whether it may look into texts or is not the first one.
struct Step<const SEARCHES: bool> {
    of: Mailbox,
    query: Arc<ListQuery>,
    walk: Walk,
}

/// What came of a step.
enum Progress {
    /// The page is complete.
    Page(ListPage),
    /// The walk goes on from here.
    Step(Walk),
}

impl<const SEARCHES: bool> Step<SEARCHES> {
    /// How many messages it looks at.
    const LONGEST: usize = if SEARCHES { STEP.0 } else { FIRST_STEP };
}

impl<const SEARCHES: bool> Operation for Step<SEARCHES> {
    type Output = Progress;
    const ACCESS: Access = if SEARCHES { Access::Scan } else { Access::Read };

    async fn run<S: Session>(self, session: &mut S) -> Result<Progress> {
        let Self { of, query, mut walk } = self;
        let current = Head::read(session, of).await?.epoch;
        // The store can be restored between two pages, and between two steps of one.
        let began = query.from.map_or(current, |from| from.epoch);
        epoch::require(current, *walk.epoch.get_or_insert(began))?;
        let (source, greatest) = Source::of(session, of, &query).await?;
        let greatest = *walk.greatest.get_or_insert(greatest);
        let Reached::End(next) = walk.run(session, of, &query, source, Self::LONGEST).await? else {
            return Ok(Progress::Step(walk));
        };
        let next = next.map(|at| ListCursor { at, epoch: current });
        let found = walk.messages.len() as u64;
        let whole = query.from.is_none() && next.is_none();
        let estimate = if whole { found } else { greatest.max(found) };
        Ok(Progress::Page(ListPage { messages: walk.messages, next, estimate }))
    }
}

/// Which index is walked.
enum Source {
    /// All messages by their dates.
    All,
    /// Those with a label by their dates.
    Label(Label),
    /// These, of which the hash of their `Message-ID` was asked for.
    Few(Vec<Vec<Value>>),
}

impl Source {
    /// The one that leads past the fewest messages, and how many it leads past.
    async fn of<S: Session>(session: &mut S, of: Mailbox, query: &ListQuery) -> Result<(Self, u64)> {
        let named = query.filters.iter().find_map(|filter| match filter {
            TextFilter::Identifier(hash) => Some(*hash),
            _ => None,
        });
        if let Some(hash) = named {
            let most = PIECE.1 + 1;
            let found =
                session.rows(sql::LIST_IDENTIFIED, &[of.0.into(), hash.into(), stored(most as u64).into()]).await?;
            if found.len() < most {
                let count = found.len() as u64;
                return Ok((Self::Few(found.into_iter().map(|row| row.0).collect()), count));
            }
        }
        let mut rarest = (Self::All, counts::read(session, of, ANY).await?.messages);
        for (place, label) in query.labels.iter().enumerate() {
            let messages = counts::read(session, of, label.number()).await?.messages;
            if place == 0 || messages < rarest.1 {
                rarest = (Self::Label(*label), messages);
            }
        }
        let mut without = 0;
        for label in query.without.iter().filter(|_| query.labels.is_empty()) {
            without += counts::read(session, of, label.number()).await?.messages;
        }
        rarest.1 = rarest.1.saturating_sub(without);
        Ok(rarest)
    }

    async fn candidates<S: Session>(
        &self,
        session: &mut S,
        of: Mailbox,
        (at, since): (Position, i64),
        limit: usize,
    ) -> Result<Vec<Candidate>> {
        let limit = Value::from(stored(limit as u64));
        let mut page = vec![of.0.into(), at.date.into(), stored(at.id).into(), since.into(), limit];
        let mut rows = match self {
            Self::All => session.rows(sql::LIST_ALL, &page).await?,
            Self::Label(label) => {
                page.push(label.number().into());
                session.rows(sql::LIST_LABEL, &page).await?
            }
            Self::Few(keys) => session.rows_of_each(sql::LIST_ONE, keys).await?.into_iter().flatten().collect(),
        };
        let mut found: Vec<Candidate> = rows.iter_mut().map(Candidate::read).collect::<Result<_>>()?;
        if let Self::Few(_) = self {
            let place = |position: Position| (position.date, position.id);
            found.retain(|candidate| place(candidate.at) < place(at) && candidate.at.date >= since);
            found.sort_by_key(|candidate| std::cmp::Reverse(place(candidate.at)));
        }
        Ok(found)
    }
}

/// Where the list begins: after the page before, and before the dates that are too late.
fn start(query: &ListQuery) -> Position {
    let newest = Position { date: i64::MAX, id: i64::MAX.cast_unsigned() };
    let from = query.from.map_or(newest, |from| from.at);
    let before = query.filters.iter().filter_map(|filter| match filter {
        TextFilter::Before(time) => Some(Position { date: time.0, id: 0 }),
        _ => None,
    });
    before.fold(from, |first, second| if (second.date, second.id) < (first.date, first.id) { second } else { first })
}

/// The date that ends the list.
fn since(query: &ListQuery) -> i64 {
    let since = query.filters.iter().filter_map(|filter| match filter {
        TextFilter::Since(time) => Some(time.0),
        _ => None,
    });
    since.max().unwrap_or(i64::MIN)
}

/// How far a step went.
enum Reached {
    /// The end of the step.
    Step,
    /// The end of the page, and where the next one begins, if there is one.
    End(Option<Position>),
}

/// A walk along an index, as far as it has come.
struct Walk {
    at: Position,
    messages: Vec<(crate::MessageId, crate::ThreadId)>,
    examined: usize,
    /// About how many messages there are, as the first step has found.
    greatest: Option<u64>,
    /// The epoch of the store in which it began.
    epoch: Option<Epoch>,
}

impl Walk {
    /// A walk that has not begun.
    fn of(query: &ListQuery) -> Self {
        Self { at: start(query), messages: Vec::new(), examined: 0, greatest: None, epoch: None }
    }

    /// Goes a step: until the page is full and one more is found, or enough was looked at. Answers how
    /// far it went.
    async fn run<S: Session>(
        &mut self,
        session: &mut S,
        of: Mailbox,
        query: &ListQuery,
        source: Source,
        longest: usize,
    ) -> Result<Reached> {
        let limit = query.limit.max(1) as usize;
        let since = since(query);
        let held = query.filters.iter().map(conditions).sum::<usize>();
        let effort = held.div_ceil(CONDITIONS).max(1);
        let piece = match source {
            // They are not found in the order of their dates, so that all are looked at.
            Source::Few(_) => EXAMINED,
            _ => (limit + 1).clamp(PIECE.0, PIECE.1.min(longest)),
        };
        let (mut examined, mut bytes) = (0, 0);
        while self.examined < EXAMINED {
            if examined >= longest {
                return Ok(Reached::Step);
            }
            let candidates = source.candidates(session, of, (self.at, since), piece).await?;
            let last = candidates.len() < piece;
            for some in candidates.chunks(TEXTS.div_ceil(effort)) {
                if examined >= longest || bytes >= STEP.1 {
                    return Ok(Reached::Step);
                }
                let (fitting, read) = judge(session, of, query, some).await?;
                (examined, bytes) = (examined + some.len(), bytes + read * held);
                self.examined += some.len() * effort;
                for (candidate, fits) in some.iter().zip(fitting) {
                    if fits && self.messages.len() == limit {
                        return Ok(Reached::End(Some(self.at)));
                    }
                    if fits {
                        self.messages.push((message_id(candidate.at.id)?, thread_id(candidate.thread)?));
                    }
                    self.at = candidate.at;
                }
            }
            if last {
                return Ok(Reached::End(None));
            }
        }
        Ok(Reached::End(Some(self.at)))
    }
}

/// Which of some candidates are as the query says, and how many bytes of texts were read to know.
async fn judge<S: Session>(
    session: &mut S,
    of: Mailbox,
    query: &ListQuery,
    candidates: &[Candidate],
) -> Result<(Vec<bool>, usize)> {
    let mut fitting: Vec<bool> = candidates.iter().map(|candidate| candidate.may_fit(query)).collect();
    if !query.filters.iter().any(reads_texts) {
        return Ok((fitting, 0));
    }
    let open = || candidates.iter().zip(&fitting).filter(|(_, fits)| **fits).map(|(candidate, _)| candidate);
    let keys: Vec<Vec<Value>> = open().map(|one| vec![of.0.into(), stored(one.at.id).into()]).collect();
    let mut texts = session.rows_of_each(sql::LIST_TEXT, &keys).await?.into_iter();
    let mut bytes = 0;
    for (candidate, fits) in candidates.iter().zip(&mut fitting).filter(|(_, fits)| **fits) {
        *fits = match texts.next().unwrap_or_default().first_mut() {
            Some(row) => {
                let texts = Texts::read(row)?;
                bytes += texts.bytes();
                candidate.fits(query, &texts)
            }
            None => false,
        };
    }
    Ok((fitting, bytes))
}
