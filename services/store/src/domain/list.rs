//! Messages are listed and searched, the newest first.

use crate::domain::filter::{Candidate, Texts, conditions, reads_texts};
use crate::domain::mailbox::Head;
use crate::domain::record::{ANY, message_id, stored, thread_id};
use crate::domain::{counts, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Label, ListPage, ListQuery, Mailbox, Position, Result, TextFilter};

/// So many messages are looked at for a page; fewer where more than [`CONDITIONS`] are held against each text.
const EXAMINED: usize = 5_000;
const CONDITIONS: usize = 10;
/// So many are fetched at once: at the least, at the most.
const PIECE: (usize, usize) = (100, 500);
/// The texts of so many are fetched at once: those of one message can have a quarter of a megabyte.
const TEXTS: usize = 50;

/// Lists messages. `SEARCHES` says whether texts are looked into, which reads many pages of the database.
pub(super) struct List<const SEARCHES: bool> {
    pub(super) of: Mailbox,
    pub(super) query: ListQuery,
}

/// Whether a query looks into texts.
pub(super) fn searches(query: &ListQuery) -> bool {
    query.filters.iter().any(reads_texts)
}

impl<const SEARCHES: bool> Operation for List<SEARCHES> {
    type Output = ListPage;
    const ACCESS: Access = if SEARCHES { Access::Scan } else { Access::Read };

    async fn run<S: Session>(self, session: &mut S) -> Result<ListPage> {
        let Self { of, query } = self;
        Head::read(session, of).await?;
        let (source, greatest) = Source::of(session, of, &query).await?;
        let mut walk = Walk { at: start(&query), messages: Vec::new(), examined: 0 };
        let next = walk.run(session, of, &query, source).await?;
        let found = walk.messages.len() as u64;
        let whole = query.from.is_none() && next.is_none();
        let estimate = if whole { found } else { greatest.max(found) };
        Ok(ListPage { messages: walk.messages, next, estimate })
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
    let from = query.from.unwrap_or(Position { date: i64::MAX, id: i64::MAX.cast_unsigned() });
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

/// A walk along an index.
struct Walk {
    at: Position,
    messages: Vec<(crate::MessageId, crate::ThreadId)>,
    examined: usize,
}

impl Walk {
    /// Goes until the page is full and one more is found, or enough was looked at; answers where to go on.
    async fn run<S: Session>(
        &mut self,
        session: &mut S,
        of: Mailbox,
        query: &ListQuery,
        source: Source,
    ) -> Result<Option<Position>> {
        let limit = query.limit.max(1) as usize;
        let since = since(query);
        let effort = query.filters.iter().map(conditions).sum::<usize>().div_ceil(CONDITIONS).max(1);
        let piece = match source {
            // They are not found in the order of their dates, so that all are looked at.
            Source::Few(_) => EXAMINED,
            _ => (limit + 1).clamp(PIECE.0, PIECE.1),
        };
        while self.examined < EXAMINED {
            let candidates = source.candidates(session, of, (self.at, since), piece).await?;
            let last = candidates.len() < piece;
            self.examined += candidates.len() * effort;
            for (candidate, fits) in judged(session, of, query, candidates).await? {
                if fits && self.messages.len() == limit {
                    return Ok(Some(self.at));
                }
                if fits {
                    self.messages.push((message_id(candidate.at.id)?, thread_id(candidate.thread)?));
                }
                self.at = candidate.at;
            }
            if last {
                return Ok(None);
            }
        }
        Ok(Some(self.at))
    }
}

/// Candidates, and whether they are as the query says.
async fn judged<S: Session>(
    session: &mut S,
    of: Mailbox,
    query: &ListQuery,
    candidates: Vec<Candidate>,
) -> Result<Vec<(Candidate, bool)>> {
    let mut judged: Vec<(Candidate, bool)> = candidates
        .into_iter()
        .map(|candidate| (candidate.may_fit(query), candidate))
        .map(|(fits, one)| (one, fits))
        .collect();
    if !searches(query) {
        return Ok(judged);
    }
    let mut open: Vec<&mut (Candidate, bool)> = judged.iter_mut().filter(|(_, fits)| *fits).collect();
    for some in open.chunks_mut(TEXTS) {
        let keys: Vec<Vec<Value>> = some.iter().map(|(one, _)| vec![of.0.into(), stored(one.at.id).into()]).collect();
        let texts = session.rows_of_each(sql::LIST_TEXT, &keys).await?;
        for ((candidate, fits), mut rows) in some.iter_mut().map(|one| &mut **one).zip(texts) {
            *fits = match rows.first_mut() {
                Some(row) => candidate.fits(query, &Texts::read(row)?),
                None => false,
            };
        }
    }
    Ok(judged)
}
