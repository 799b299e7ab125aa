//! Indexes that a list can walk.

use super::BATCH_SIZES;
use crate::domain::filter::Candidate;
use crate::domain::record::{ANY_LABEL, to_stored};
use crate::domain::{counts, sql};
use crate::session::{Session, Value};
use crate::{Label, ListQuery, Mailbox, Position, Result, TextFilter, ThreadId};

/// Index to walk.
pub(super) enum Source {
    /// All messages, by date.
    All,
    /// Messages with a label, by date.
    Label(Label),
    /// Messages of a conversation, by date.
    Thread(ThreadId),
    /// Messages with the requested `Message-ID` hash.
    WithIdentifier(Vec<Vec<Value>>),
}

impl Source {
    /// Returns the source with the fewest messages, and an estimate of the number of messages that match the labels.
    pub(super) async fn select<S: Session>(session: &mut S, of: Mailbox, query: &ListQuery) -> Result<(Self, u64)> {
        if let Some(thread) = query.thread {
            return Ok((Self::Thread(thread), 0));
        }
        let named = query.filters.iter().find_map(|filter| match filter {
            TextFilter::Identifier(hash) => Some(*hash),
            _ => None,
        });
        if let Some(hash) = named {
            let max = BATCH_SIZES.1 + 1;
            let found =
                session.rows(sql::LIST_IDENTIFIED, &[of.0.into(), hash.into(), to_stored(max as u64).into()]).await?;
            if found.len() < max {
                let count = found.len() as u64;
                return Ok((Self::WithIdentifier(found.into_iter().map(|row| row.0).collect()), count));
            }
        }
        let mut rarest = (Self::All, counts::read(session, of, ANY_LABEL).await?.messages);
        for (place, label) in query.labels.iter().enumerate() {
            let messages = counts::read(session, of, label.number()).await?.messages;
            if place == 0 || messages < rarest.1 {
                rarest = (Self::Label(*label), messages);
            }
        }
        let mut without = 0;
        for label in query.excluded_labels.iter().filter(|_| query.labels.is_empty()) {
            without += counts::read(session, of, label.number()).await?.messages;
        }
        rarest.1 = rarest.1.saturating_sub(without);
        Ok(rarest)
    }

    /// Returns the next messages after a position, and since a date.
    pub(super) async fn candidates<S: Session>(
        &self,
        session: &mut S,
        of: Mailbox,
        (at, since): (Position, i64),
        limit: usize,
    ) -> Result<Vec<Candidate>> {
        let limit = Value::from(to_stored(limit as u64));
        let mut page = vec![of.0.into(), at.date.into(), to_stored(at.id).into(), since.into(), limit];
        let mut rows = match self {
            Self::All => session.rows(sql::LIST_ALL, &page).await?,
            Self::Label(label) => {
                page.push(label.number().into());
                session.rows(sql::LIST_LABEL, &page).await?
            }
            Self::Thread(thread) => {
                page.push(to_stored(thread.number()).into());
                session.rows(sql::LIST_THREAD, &page).await?
            }
            Self::WithIdentifier(keys) => {
                session.rows_of_each(sql::LIST_ONE, keys).await?.into_iter().flatten().collect()
            }
        };
        let mut found: Vec<Candidate> = rows.iter_mut().map(Candidate::from_row).collect::<Result<_>>()?;
        if let Self::WithIdentifier(_) = self {
            let place = |position: Position| (position.date, position.id);
            found.retain(|candidate| place(candidate.position) < place(at) && candidate.position.date >= since);
            found.sort_by_key(|candidate| std::cmp::Reverse(place(candidate.position)));
        }
        Ok(found)
    }
}
