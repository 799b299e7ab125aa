//! Expansion of series into instances.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use wireform_store::{CalendarNumber, Entry, EntryKind, EntryState, Store};

use super::page::ListError;
use crate::CalendarService;
use crate::error;
use crate::series::{Rule, Series};

/// Maximum number of exceptions of a series that are examined.
pub(super) const MAX_EXCEPTIONS: u32 = 10_000;

/// Cache of parsed series by rule: parsing takes longer than finding an instance.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<String, Arc<Series>>>);

/// Maximum number of cached series.
const MAX_CACHED: usize = 4_096;
/// Maximum length of a cached rule in bytes.
const MAX_CACHED_BYTES: usize = 1_024;

impl Cache {
    /// Returns the parsed series of a rule.
    pub(super) fn series(&self, rule: &str) -> Result<Arc<Series>, ListError> {
        if let Some(series) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(rule) {
            return Ok(Arc::clone(series));
        }
        let parsed = Rule::parse(rule).map_err(error::corrupt)?;
        let series = parsed.series().map_err(|error| error::corrupt(format!("{error:?}")))?;
        let series = Arc::new(series);
        if rule.len() <= MAX_CACHED_BYTES {
            let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.len() >= MAX_CACHED {
                cache.clear();
            }
            cache.insert(rule.to_owned(), Arc::clone(&series));
        }
        Ok(series)
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
    /// Returns the original starts of the exceptions of a series.
    pub(super) async fn originals(&self, calendar: CalendarNumber, series: &str) -> Result<BTreeSet<i64>, ListError> {
        let found = self.store.exceptions(calendar, series, (i64::MIN, i64::MAX), MAX_EXCEPTIONS).await?;
        let original = |entry: &Entry| match entry.kind {
            EntryKind::Exception { original, .. } if entry.state != EntryState::Orphaned => Some(original),
            _ => None,
        };
        Ok(found.iter().filter_map(original).collect())
    }
}
