//! Lists of executions.
//!
//! A filter selects facets; the executions of each facet are ordered in an index, and lists are merged from those. So
//! the cost of a page depends on its size, however rare the matching executions are. If there are too many facets,
//! executions are read one by one, and a page ends early after a number of them.

use std::collections::VecDeque;

use super::executions::{execution_from_row, scope_key};
use super::facets::Facet;
use super::{sql, versions};
use crate::domain::epoch;
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{
    Epoch, Execution, ExecutionCursor, ExecutionFilter, ExecutionNumber, ExecutionPage, ExecutionQuery, ExecutionScope,
    Millis, Result,
};

/// Maximum number of facets examined.
const MAX_FACETS: usize = 600;
/// Maximum number of executions without a match examined per page.
const MAX_EXAMINED: usize = 1_500;

/// Lists a page of executions, the latest first.
pub(super) struct ListExecutions(pub(super) ExecutionQuery);

impl Operation for ListExecutions {
    type Output = ExecutionPage;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<ExecutionPage> {
        let query = self.0;
        let epoch = epoch::current(session).await?;
        versions::require_epoch(epoch, query.after.map(|place| place.epoch))?;
        let mut start = query.after.map_or((i64::MAX, i64::MAX), |place| (place.started.0, place.number.0));
        if let Some(until) = query.filter.until {
            // A later start cannot have ended by then.
            start = start.min((until.0, i64::MAX));
        }
        let Some(streams) = streams(session, &query).await? else {
            return Ok(ExecutionPage { executions: Vec::new(), next: None });
        };
        Merge::new(&query, streams, start).page(session, epoch).await
    }
}

/// Ordered list of executions, partially read.
struct Stream {
    sql: &'static str,
    key: i64,
    read: VecDeque<Execution>,
    /// True if there is nothing beyond what was read.
    is_complete: bool,
    position: (i64, i64),
}

/// Returns the streams to merge; `None` if nothing matches.
async fn streams<S: Session>(session: &mut S, query: &ExecutionQuery) -> Result<Option<Vec<(&'static str, i64)>>> {
    let (side, owner) = scope_key(query.scope);
    let (all, of_facet) = match query.scope {
        ExecutionScope::Project(_) => (sql::EXECUTIONS, sql::EXECUTIONS_IN_FACET),
        ExecutionScope::User(_) => (sql::EXECUTIONS_OF_USER, sql::EXECUTIONS_IN_FACET_OF_USER),
    };
    let ExecutionFilter { from, until, .. } = query.filter;
    if query.filter == (ExecutionFilter { from, until, ..ExecutionFilter::default() }) {
        return Ok(Some(vec![(all, owner)]));
    }
    let mut values: Vec<Value> = vec![side.into(), owner.into(), (MAX_FACETS.cast_signed() as i64 + 1).into()];
    let statement = match query.filter.project {
        Some(project) => {
            values.push(project.0.into());
            sql::FACETS_OF_PROJECT
        }
        None => sql::FACETS,
    };
    let rows = session.rows(statement, &values).await?;
    if rows.len() > MAX_FACETS {
        return Ok(Some(vec![(all, owner)]));
    }
    let mut wanted = Vec::new();
    for mut row in rows {
        row.0.push(Value::Int(0));
        let number = row.int(0)?;
        if Facet::from_row(&mut row, 2)?.matches(&query.filter) {
            wanted.push((of_facet, number));
        }
    }
    Ok(Some(wanted).filter(|wanted| !wanted.is_empty()))
}

/// Merge of sorted streams of executions into one list.
struct Merge<'a> {
    query: &'a ExecutionQuery,
    streams: Vec<Stream>,
    /// Number of executions read from a stream at once.
    batch: usize,
}

impl<'a> Merge<'a> {
    fn new(query: &'a ExecutionQuery, streams: Vec<(&'static str, i64)>, place: (i64, i64)) -> Self {
        let limit = query.limit as usize;
        let batch = (2 * limit / streams.len().max(1)).clamp(2, limit + 1);
        let stream = |(sql, key)| Stream { sql, key, read: VecDeque::new(), is_complete: false, position: place };
        Self { query, streams: streams.into_iter().map(stream).collect(), batch }
    }

    /// Reads on from streams of which nothing is left.
    async fn fill<S: Session>(&mut self, session: &mut S) -> Result<()> {
        let from = self.query.filter.from.map_or(i64::MIN, |from| from.0);
        let batch = i64::try_from(self.batch).unwrap_or(i64::MAX);
        let key = |stream: &Stream| -> Vec<Value> {
            let (started, number) = stream.position;
            vec![stream.key.into(), started.into(), number.into(), from.into(), batch.into()]
        };
        let mut empty: Vec<&mut Stream> =
            self.streams.iter_mut().filter(|stream| stream.read.is_empty() && !stream.is_complete).collect();
        // All streams of a list use the same statement.
        let Some(sql) = empty.first().map(|stream| stream.sql) else { return Ok(()) };
        let keys: Vec<_> = empty.iter().map(|stream| key(stream)).collect();
        for (stream, mut rows) in empty.iter_mut().zip(session.rows_of_each(sql, &keys).await?) {
            stream.is_complete = rows.len() < self.batch;
            stream.read = rows.iter_mut().map(execution_from_row).collect::<Result<_>>()?;
            if let Some(last) = stream.read.back() {
                stream.position = position_of(last);
            }
        }
        Ok(())
    }

    /// Takes the next execution in the merged order.
    async fn next<S: Session>(&mut self, session: &mut S) -> Result<Option<Execution>> {
        self.fill(session).await?;
        let first = self.streams.iter_mut().filter(|stream| !stream.read.is_empty());
        let first = first.max_by_key(|stream| stream.read.front().map(position_of));
        Ok(first.and_then(|stream| stream.read.pop_front()))
    }

    /// Takes executions until the page is full or [`MAX_EXAMINED`] have not matched.
    async fn page<S: Session>(mut self, session: &mut S, epoch: Epoch) -> Result<ExecutionPage> {
        let limit = self.query.limit as usize;
        let mut executions: Vec<Execution> = Vec::new();
        let mut last: Option<(i64, i64)> = None;
        for _ in 0..limit + MAX_EXAMINED {
            let Some(next) = self.next(session).await? else { return Ok(ExecutionPage { executions, next: None }) };
            if self.matches(&next) {
                if executions.len() == limit {
                    return Ok(ExecutionPage { executions, next: cursor_at(epoch, last) });
                }
                last = Some(position_of(&next));
                executions.push(next);
            } else {
                last = Some(position_of(&next));
            }
        }
        Ok(ExecutionPage { executions, next: cursor_at(epoch, last) })
    }

    /// Returns whether an execution matches the filter: by its facet, in case that was not examined before, and by its
    /// end.
    fn matches(&self, execution: &Execution) -> bool {
        let filter = &self.query.filter;
        Facet::of(execution).matches(filter)
            && filter.project.is_none_or(|wanted| wanted == execution.project)
            && filter.until.is_none_or(|until| execution.ended.is_some_and(|ended| ended <= until))
    }
}

fn position_of(execution: &Execution) -> (i64, i64) {
    (execution.started.0, execution.number.0)
}

fn cursor_at(epoch: Epoch, place: Option<(i64, i64)>) -> Option<ExecutionCursor> {
    place.map(|(started, number)| ExecutionCursor { epoch, started: Millis(started), number: ExecutionNumber(number) })
}
