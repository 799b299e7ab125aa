//! Instances of the series of a window.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use calendar_server::Error;
use wireform_store::{EntryState, SeriesSummary, WindowQuery};

use super::super::expand::Cache;
use super::super::filter::Filter;
use super::super::page::{Listing, MAX_STEPS};
use super::Range;
use crate::series::{Instance, Series, Steps};

/// Search for the instances of all series of a window that a page can list.
pub(super) struct SeriesSearch {
    filter: Filter,
    range: Range,
    query: WindowQuery,
    /// Series, and the index of the first of them among all series of the window.
    lines: Vec<SeriesSummary>,
    first: usize,
    originals: Arc<OriginalStarts>,
    /// Number of events that still fit on the page.
    remaining: usize,
    /// Index of the next series.
    next: usize,
    /// Instances of the series before it.
    found: FoundInstances,
    /// Number of steps of complete turns.
    steps: u64,
}

/// Original starts of the exceptions of a window, by series.
pub(super) type OriginalStarts = HashMap<String, BTreeSet<i64>>;

/// Collects the original starts of exceptions by series.
pub(super) fn original_starts(exceptions: Vec<(String, i64)>) -> OriginalStarts {
    let mut originals = OriginalStarts::new();
    for (series, original) in exceptions {
        originals.entry(series).or_default().insert(original);
    }
    originals
}

/// Part of the instances of a series: the position up to which it is complete, and the instances.
type SeriesPart = (Option<(i64, String)>, Vec<(String, usize, Instance, bool)>);

/// Instances that were found.
#[derive(Default)]
pub(super) struct FoundInstances {
    /// Identifier, index of the series, instance, and whether the series itself is listed.
    pub(super) instances: Vec<(String, usize, Instance, bool)>,
    /// Start and identifier up to which the instances are complete, if a series has more than were computed.
    pub(super) cut: Option<(i64, String)>,
    /// False if the steps of a page were not enough for all series.
    pub(super) is_complete: bool,
}

impl FoundInstances {
    /// Adds what was found in other series.
    pub(super) fn merge(&mut self, other: Self) {
        self.instances.extend(other.instances);
        self.cut = self.cut.take().into_iter().chain(other.cut).min();
        self.is_complete &= other.is_complete;
    }
}

impl SeriesSearch {
    pub(super) fn new(
        listing: &Listing<'_>,
        range: &Range,
        query: WindowQuery,
        (first, lines): (usize, Vec<SeriesSummary>),
        originals: Arc<OriginalStarts>,
    ) -> Self {
        Self {
            filter: listing.filter.clone(),
            range: range.clone(),
            query,
            lines,
            first,
            originals,
            remaining: listing.remaining(),
            next: 0,
            found: FoundInstances::default(),
            steps: 0,
        }
    }

    /// Continues the search. It ends without all series if it takes more steps than a page may, unless the window is so
    /// short that it cannot be divided.
    pub(super) fn run(&mut self, cache: &Cache, steps: &Steps) -> Result<ControlFlow<FoundInstances>, Error> {
        let before = steps.used();
        while let Some(line) = self.lines.get(self.next).cloned() {
            let found = self.run_series(&line, cache, steps)?;
            if steps.is_attempt_over() {
                // This series is searched again.
                return Ok(ControlFlow::Continue(()));
            }
            if let Some((cut, instances)) = found {
                self.found.instances.extend(instances);
                self.found.cut = self.found.cut.take().into_iter().chain(cut).min();
            }
            self.next += 1;
            if steps.is_over() {
                self.steps += steps.used() - before;
                let is_divisible = self.query.to.saturating_sub(self.query.from) > 1;
                if self.steps < MAX_STEPS || !is_divisible {
                    return Ok(ControlFlow::Continue(()));
                }
                return Ok(ControlFlow::Break(std::mem::take(&mut self.found)));
            }
        }
        Ok(ControlFlow::Break(FoundInstances { is_complete: true, ..std::mem::take(&mut self.found) }))
    }

    /// Returns the instances of a series in the window, and the position up to which they are complete.
    fn run_series(&self, line: &SeriesSummary, cache: &Cache, steps: &Steps) -> Result<Option<SeriesPart>, Error> {
        let filter = &self.filter;
        let Some(rule) = &line.rule else { return Ok(None) };
        let series = cache.series(rule, steps)?;
        let gone = line.state != EntryState::Present && !(filter.hidden && line.state == EntryState::Hidden);
        if (gone && !filter.lists_removed()) || (self.range.endless_only && !series.is_endless()) {
            return Ok(None);
        }
        let taken = self.originals.get(line.id.as_str());
        let is_whole = series.is_single || !filter.single;
        let id = |instance: &Instance| match is_whole {
            true => line.id.clone(),
            false => format!("{}_{}", line.id, instance.suffix()),
        };
        let is_listed = |instance: &Instance| {
            let first = instance.span.first;
            let exempt = !is_whole && taken.is_some_and(|taken| taken.contains(&first));
            !exempt && self.range.is_next(first, &id(instance))
        };
        let (found, reached) = self.instances(&series, &is_listed, steps);
        let full = found.last().filter(|_| found.len() > self.remaining).map(|last| (last.span.first, id(last)));
        // No identifier is after this one.
        let cut = full.or_else(|| reached.map(|second| (second, "~".to_owned())));
        let instances = found.into_iter().map(|instance| (id(&instance), self.first + self.next, instance, is_whole));
        Ok(Some((cut, instances.collect())))
    }

    /// Returns the instances of a series in the window: as many as fit on the page, or the first instance in the whole
    /// range if the series itself is listed; and the last examined second, if the steps were over after it.
    fn instances(
        &self,
        series: &Series,
        is_listed: &dyn Fn(&Instance) -> bool,
        steps: &Steps,
    ) -> (Vec<Instance>, Option<i64>) {
        let (filter, query) = (&self.filter, self.query);
        // Whether a series is endless is only determined if it matters: it costs as much as an instance.
        let to = if query.to > self.range.horizon && series.is_endless() { self.range.horizon } else { query.to };
        if !filter.single {
            return (self.first_instance(series, steps).filter(is_listed).into_iter().collect(), None);
        }
        let all: Box<dyn Iterator<Item = Instance>> = match (query.overlapping, &self.range.after) {
            // Instances that are listed already are not visited again.
            (true, Some((second, _))) => {
                let all = series.instances(*second, to, steps);
                Box::new(all.filter(move |one| one.span.last > query.from))
            }
            (true, None) => Box::new(series.instances_in(query.from, to, steps)),
            (false, _) => Box::new(series.instances(query.from, to, steps)),
        };
        let overlaps = |one: &Instance| query.overlapping || filter.overlaps(one.span.first, one.span.last);
        let (mut found, mut last) = (Vec::new(), None);
        for instance in all {
            last = Some(instance.span.first);
            found.extend(Some(instance).filter(overlaps).filter(is_listed));
            if found.len() > self.remaining {
                return (found, None);
            }
        }
        (found, last.filter(|_| steps.is_over()))
    }

    /// Returns the first instance of a series in the whole range, if it is in the window.
    fn first_instance(&self, series: &Series, steps: &Steps) -> Option<Instance> {
        // A search that is not complete would omit the series.
        let unlimited = Steps::unlimited();
        let search = if steps.is_attempt() { steps } else { &unlimited };
        let first = self.find_first(series, search);
        steps.take(unlimited.used());
        first
    }

    fn find_first(&self, series: &Series, steps: &Steps) -> Option<Instance> {
        let (filter, query) = (&self.filter, self.query);
        let begin = filter.from.unwrap_or(i64::MIN);
        let to = filter.to.unwrap_or(i64::MAX).min(query.to);
        if query.overlapping {
            return series.instances_in(begin, to, steps).next();
        }
        // Only a series with an instance in the window can have its first one there.
        let first = series.instances(query.from, to, steps).find(|one| one.span.last > begin)?;
        let is_first = series.instances_in(begin, query.from, steps).next().is_none();
        is_first.then_some(first)
    }
}
