//! Expansion of series into instances: at once if it is short, otherwise off the async workers, in a turn of the user.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use calendar_server::Error;
use wireform_store::{CalendarNumber, Entry, EntryHead, EntryKind, EntryState, Mailbox, SeriesSummary, Store};

use super::page::ListError;
use crate::CalendarService;
use crate::error;
use crate::series::{Instance, Rule, Series, SeriesError, Steps};
use crate::write::recurrence_error;

/// Maximum number of exceptions of a series that are examined.
pub(super) const MAX_EXCEPTIONS: u32 = 10_000;

/// Cache of parsed series by rule: parsing takes longer than finding an instance.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<String, Arc<Series>>>);

/// Maximum number of cached series.
const MAX_CACHED: usize = 4_096;
/// Number of series whose rules are read at once.
const RULE_BATCH: usize = 16;
/// Maximum length of a cached rule in bytes.
const MAX_CACHED_BYTES: usize = 1_024;

impl Cache {
    /// Returns the parsed series of a rule.
    pub(crate) fn series(&self, rule: &str, steps: &Steps) -> Result<Arc<Series>, Error> {
        if let Some(series) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(rule) {
            return Ok(Arc::clone(series));
        }
        let parsed = Rule::parse(rule).map_err(error::corrupt)?;
        let series = parsed.series(steps).map_err(|error| error::corrupt(format!("{error:?}")))?;
        Ok(self.insert(rule.to_owned(), series))
    }

    /// Returns the series of a rule that may be new.
    pub(crate) fn series_of_rule(&self, rule: &Rule, steps: &Steps) -> Result<Arc<Series>, SeriesError> {
        let key = rule.without_history().serialize()?;
        if let Some(series) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(series));
        }
        Ok(self.insert(key, rule.series(steps)?))
    }

    fn insert(&self, rule: String, series: Series) -> Arc<Series> {
        let series = Arc::new(series);
        if rule.len() <= MAX_CACHED_BYTES {
            let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.len() >= MAX_CACHED {
                cache.clear();
            }
            cache.insert(rule, Arc::clone(&series));
        }
        series
    }
}

/// Instances of a series that were found.
pub(super) struct FoundInstances {
    pub(super) instances: Vec<Instance>,
    /// Start of the last instance that was examined, if the steps were over after it.
    pub(super) reached: Option<i64>,
}

impl FoundInstances {
    /// Collects instances after a second, up to a limit.
    pub(super) fn after(
        second: Option<i64>,
        (series, from, to): (&Series, i64, i64),
        limit: usize,
        steps: &Steps,
        is_listed: impl Fn(&Instance) -> bool,
    ) -> Self {
        let mut found = Self { instances: Vec::new(), reached: None };
        if limit == 0 {
            return found;
        }
        let all: Box<dyn Iterator<Item = Instance>> = match second {
            // Instances that are listed already are not visited again.
            Some(second) => {
                let all = series.instances(second.saturating_add(1), to, steps);
                Box::new(all.filter(move |one| one.span.last > from))
            }
            None => Box::new(series.instances_in(from, to, steps)),
        };
        let mut last = None;
        for instance in all {
            last = Some(instance.span.first);
            found.instances.extend(Some(instance).filter(&is_listed));
            if found.instances.len() == limit {
                return found;
            }
        }
        found.reached = last.filter(|_| steps.is_over());
        found
    }
}

/// Returns the rule of an entry.
pub(super) fn rule(entry: &Entry) -> Option<&str> {
    match &entry.kind {
        EntryKind::Series { rule, .. } => Some(rule),
        _ => None,
    }
}

impl<S: Store> CalendarService<S> {
    /// Runs an expansion: first on the async worker, and if the steps of an attempt are not enough, in turns of the user, or
    /// of the operator, on a thread of its own. It stops and keeps its state whenever its steps are over. Returns the result and the number of
    /// steps in turns.
    pub(crate) async fn expand<T, W>(&self, user: impl Into<Option<Mailbox>>, mut work: W) -> Result<(T, u64), Error>
    where
        T: Send + 'static,
        W: FnMut(&Cache, &Steps) -> Result<ControlFlow<T>, Error> + Send + 'static,
    {
        let (user, steps) = (user.into(), Steps::of_attempt());
        match work(&self.cache, &steps) {
            Err(_) if steps.is_over() => {}
            Err(error) => return Err(error),
            Ok(ControlFlow::Break(result)) => return Ok((result, steps.used())),
            Ok(ControlFlow::Continue(())) => {}
        }
        let mut used = 0;
        loop {
            let cache = Arc::clone(&self.cache);
            let run = move || {
                let steps = Steps::of_turn();
                let result = work(&cache, &steps);
                (work, result, steps.used())
            };
            let (same, result, steps) = self.store.run_in_turn(user, run).await.map_err(error::from_store)?;
            (work, used) = (same, used + steps);
            if let ControlFlow::Break(result) = result? {
                return Ok((result, used));
            }
        }
    }

    /// Runs an expansion of one series, which ends with its first turn: an attempt is repeated.
    pub(crate) async fn expand_once<T, W>(
        &self,
        user: impl Into<Option<Mailbox>>,
        mut work: W,
    ) -> Result<(T, u64), Error>
    where
        T: Send + 'static,
        W: FnMut(&Cache, &Steps) -> Result<T, Error> + Send + 'static,
    {
        self.expand(user, move |cache, steps| {
            let result = work(cache, steps)?;
            Ok(if steps.is_attempt_over() { ControlFlow::Continue(()) } else { ControlFlow::Break(result) })
        })
        .await
    }

    /// Returns what `find` finds in the series of a stored rule.
    pub(crate) async fn in_series<T: Send + 'static>(
        &self,
        user: Option<Mailbox>,
        rule: &str,
        find: impl Fn(&Series, &Steps) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let rule = rule.to_owned();
        let search = move |cache: &Cache, steps: &Steps| Ok(find(&*cache.series(&rule, steps)?, steps));
        Ok(self.expand_once(user, search).await?.0)
    }

    /// Returns what `find` finds in the series of a rule that may be new, or its error.
    pub(crate) async fn in_new_series<T: Send + 'static>(
        &self,
        user: Option<Mailbox>,
        rule: Rule,
        find: impl Fn(&Rule, &Series, &Steps) -> Result<T, SeriesError> + Send + 'static,
    ) -> Result<T, Error> {
        let search = move |cache: &Cache, steps: &Steps| {
            Ok(cache.series_of_rule(&rule, steps).and_then(|series| find(&rule, &series, steps)))
        };
        self.expand_once(user, search).await?.0.map_err(recurrence_error)
    }

    /// Returns the next series of a window with their rules, which are read if the window was read without them.
    pub(crate) async fn next_series(
        &self,
        calendar: CalendarNumber,
        series: &mut VecDeque<SeriesSummary>,
    ) -> Result<Vec<SeriesSummary>, Error> {
        let known = series.iter().take_while(|series| series.rule.is_some()).count();
        if known > 0 {
            return Ok(series.drain(..known).collect());
        }
        let ids = series.iter().take(RULE_BATCH).map(|series| series.id.clone()).collect();
        let read = self.store.some_entries(calendar, ids).await.map_err(error::from_store)?;
        let mut next: Vec<SeriesSummary> = series.drain(..read.len().clamp(1, series.len())).collect();
        for (series, entry) in next.iter_mut().zip(read) {
            // A series that was removed meanwhile has none.
            series.rule = entry.as_ref().and_then(rule).map(str::to_owned);
        }
        Ok(next)
    }

    /// Returns the original starts of the exceptions of a series.
    pub(super) async fn originals(&self, calendar: CalendarNumber, series: &str) -> Result<BTreeSet<i64>, ListError> {
        let found = self.store.exception_heads(calendar, series, MAX_EXCEPTIONS).await?;
        Ok(found.iter().filter_map(replaced_start).collect())
    }
}

/// Returns the series of a window in the order in which they are searched: those with rules first.
pub(crate) fn unsearched(mut series: Vec<SeriesSummary>) -> VecDeque<SeriesSummary> {
    series.sort_by_key(|series| series.rule.is_none());
    series.into()
}

/// Returns the original start of the instance that an exception replaces.
pub(super) fn replaced_start(exception: &EntryHead) -> Option<i64> {
    exception.original.filter(|_| exception.state != EntryState::Orphaned)
}
