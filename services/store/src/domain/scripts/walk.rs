//! Lists of executions.
//!
//! A filter says which facets are wanted; the executions of each stand in their order in an index, and lists are merged from
//! those. So a page costs about as much as it holds, however rare what is wanted may be. Where there are too many facets,
//! the executions are read one after the other, and after so many of them a page ends before it is full.

use std::collections::VecDeque;

use super::executions::{execution, side};
use super::facets::Facet;
use super::{sql, versions};
use crate::domain::epoch;
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{
    Epoch, Execution, ExecutionFilter, ExecutionNumber, ExecutionPage, ExecutionPlace, ExecutionQuery, ExecutionScope,
    Millis, Result,
};

/// At most so many facets are looked at.
const FACETS: usize = 600;
/// So many executions are looked at for a page that are not wanted.
const EXAMINED: usize = 1_500;

pub(super) struct ListExecutions(pub(super) ExecutionQuery);

impl Operation for ListExecutions {
    type Output = ExecutionPage;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<ExecutionPage> {
        let query = self.0;
        let epoch = epoch::current(session).await?;
        versions::require(epoch, query.after.map(|place| place.epoch))?;
        let mut start = query.after.map_or((i64::MAX, i64::MAX), |place| (place.started.0, place.number.0));
        if let Some(until) = query.filter.until {
            // What began later cannot have ended by then.
            start = start.min((until.0, i64::MAX));
        }
        let Some(streams) = streams(session, &query).await? else {
            return Ok(ExecutionPage { executions: Vec::new(), next: None });
        };
        Merge::new(&query, streams, start).page(session, epoch).await
    }
}

/// A list of executions in their order, of which some were read.
struct Stream {
    sql: &'static str,
    key: i64,
    read: VecDeque<Execution>,
    /// Whether there is nothing beyond what was read.
    ended: bool,
    place: (i64, i64),
}

/// Returns what is to be merged; `None`: nothing fits.
async fn streams<S: Session>(session: &mut S, query: &ExecutionQuery) -> Result<Option<Vec<(&'static str, i64)>>> {
    let (side, owner) = side(query.scope);
    let (all, of_facet) = match query.scope {
        ExecutionScope::Project(_) => (sql::EXECUTIONS, sql::EXECUTIONS_IN_FACET),
        ExecutionScope::User(_) => (sql::EXECUTIONS_OF_USER, sql::EXECUTIONS_IN_FACET_OF_USER),
    };
    let ExecutionFilter { from, until, .. } = query.filter;
    if query.filter == (ExecutionFilter { from, until, ..ExecutionFilter::default() }) {
        return Ok(Some(vec![(all, owner)]));
    }
    let mut values: Vec<Value> = vec![side.into(), owner.into(), (FACETS.cast_signed() as i64 + 1).into()];
    let statement = match query.filter.project {
        Some(project) => {
            values.push(project.0.into());
            sql::FACETS_OF_PROJECT
        }
        None => sql::FACETS,
    };
    let rows = session.rows(statement, &values).await?;
    if rows.len() > FACETS {
        return Ok(Some(vec![(all, owner)]));
    }
    let mut wanted = Vec::new();
    for mut row in rows {
        row.0.push(Value::Int(0));
        let number = row.int(0)?;
        if Facet::read(&mut row, 2)?.fits(&query.filter) {
            wanted.push((of_facet, number));
        }
    }
    Ok(Some(wanted).filter(|wanted| !wanted.is_empty()))
}

struct Merge<'a> {
    query: &'a ExecutionQuery,
    streams: Vec<Stream>,
    /// How many executions are read of a stream at once.
    piece: usize,
}

impl<'a> Merge<'a> {
    fn new(query: &'a ExecutionQuery, streams: Vec<(&'static str, i64)>, place: (i64, i64)) -> Self {
        let limit = query.limit as usize;
        let piece = (2 * limit / streams.len().max(1)).clamp(2, limit + 1);
        let stream = |(sql, key)| Stream { sql, key, read: VecDeque::new(), ended: false, place };
        Self { query, streams: streams.into_iter().map(stream).collect(), piece }
    }

    /// Reads on where nothing is left of a stream.
    async fn fill<S: Session>(&mut self, session: &mut S) -> Result<()> {
        let from = self.query.filter.from.map_or(i64::MIN, |from| from.0);
        let piece = i64::try_from(self.piece).unwrap_or(i64::MAX);
        let key = |stream: &Stream| -> Vec<Value> {
            let (started, number) = stream.place;
            vec![stream.key.into(), started.into(), number.into(), from.into(), piece.into()]
        };
        let mut empty: Vec<&mut Stream> =
            self.streams.iter_mut().filter(|stream| stream.read.is_empty() && !stream.ended).collect();
        // All of a list go by the same statement.
        let Some(sql) = empty.first().map(|stream| stream.sql) else { return Ok(()) };
        let keys: Vec<_> = empty.iter().map(|stream| key(stream)).collect();
        for (stream, mut rows) in empty.iter_mut().zip(session.rows_of_each(sql, &keys).await?) {
            stream.ended = rows.len() < self.piece;
            stream.read = rows.iter_mut().map(execution).collect::<Result<_>>()?;
            if let Some(last) = stream.read.back() {
                stream.place = place(last);
            }
        }
        Ok(())
    }

    /// Takes the next execution in the order of all.
    async fn next<S: Session>(&mut self, session: &mut S) -> Result<Option<Execution>> {
        self.fill(session).await?;
        let first = self.streams.iter_mut().filter(|stream| !stream.read.is_empty());
        let first = first.max_by_key(|stream| stream.read.front().map(place));
        Ok(first.and_then(|stream| stream.read.pop_front()))
    }

    async fn page<S: Session>(mut self, session: &mut S, epoch: Epoch) -> Result<ExecutionPage> {
        let limit = self.query.limit as usize;
        let mut executions: Vec<Execution> = Vec::new();
        let mut passed: Option<(i64, i64)> = None;
        for _ in 0..limit + EXAMINED {
            let Some(next) = self.next(session).await? else { return Ok(ExecutionPage { executions, next: None }) };
            if self.fits(&next) {
                if executions.len() == limit {
                    return Ok(ExecutionPage { executions, next: at(epoch, passed) });
                }
                passed = Some(place(&next));
                executions.push(next);
            } else {
                passed = Some(place(&next));
            }
        }
        Ok(ExecutionPage { executions, next: at(epoch, passed) })
    }

    /// Returns whether an execution is wanted: by its facet, where that was not looked at before, and by its end.
    fn fits(&self, execution: &Execution) -> bool {
        let Execution { title, function, deployment, status, kind, access, runtime, project, ended, .. } = execution;
        let (title, function, deployment) = (title.clone(), function.clone(), deployment.clone());
        let (status, kind, access, runtime) = (*status, *kind, *access, *runtime);
        let facet = Facet { title, function, deployment, status, kind, access, runtime };
        let filter = &self.query.filter;
        facet.fits(filter)
            && filter.project.is_none_or(|wanted| wanted == *project)
            && filter.until.is_none_or(|until| ended.is_some_and(|ended| ended <= until))
    }
}

fn place(execution: &Execution) -> (i64, i64) {
    (execution.started.0, execution.number.0)
}

fn at(epoch: Epoch, place: Option<(i64, i64)>) -> Option<ExecutionPlace> {
    place.map(|(started, number)| ExecutionPlace { epoch, started: Millis(started), number: ExecutionNumber(number) })
}
