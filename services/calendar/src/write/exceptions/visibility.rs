//! Visibility of a series and its exceptions.

use std::collections::BTreeMap;

use calendar_server::Error;
use wireform_store::{Entry, EntryState, EventWrite, NewEntry, Store};

use super::super::draft::{Draft, EventCopy, has_series};
use super::super::entries::with_state;
use crate::CalendarService;

impl<S: Store> CalendarService<S> {
    /// Returns the series of an instance on its calendar; `None` if the calendar has only instances, to which it is
    /// invited individually.
    pub(crate) async fn series_here(&self, instance: &EventCopy) -> Result<Option<Entry>, Error> {
        let Some(series) = &instance.series else { return Ok(None) };
        Ok(self.entry(instance.calendar, series).await?.filter(|series| has_series(instance, series)))
    }

    /// Applies a changed visibility of a series to its exceptions, and a more restrictive one of an instance to its
    /// series and the other exceptions, all on the calendar of the change.
    pub(crate) async fn spread_visibility(&self, draft: &Draft, write: &mut EventWrite) -> Result<(), Error> {
        let here = &draft.copies[0];
        let is_changed = here.own.visibility != draft.found.own.visibility;
        let affected = match &here.series {
            Some(series) if is_changed && draft.series.as_ref().is_some_and(|of| here.own.restricts(of)) => {
                let mut affected: Vec<_> = self.entry(here.calendar, series).await?.into_iter().collect();
                affected.extend(self.exceptions_of(draft, (here, series), write).await?);
                affected
            }
            None if here.entry.is_some() && is_changed => self.all_exceptions(draft, here, write).await?,
            _ => return Ok(()),
        };
        let known = write.entries.iter_mut().filter(|entry| entry.calendar == here.calendar);
        let mut written: BTreeMap<String, &mut NewEntry> = known.map(|entry| (entry.id.clone(), entry)).collect();
        let mut others = Vec::new();
        for entry in affected.into_iter().filter(|entry| entry.state != EntryState::Orphaned && entry.id != here.id) {
            match written.get_mut(&entry.id) {
                Some(written) => written.own = here.own.share_visibility(&written.own)?,
                None => {
                    let own = here.own.share_visibility(&entry.own)?;
                    let (state, removed) = (entry.state, entry.removed);
                    others.push(NewEntry { own, ..with_state(entry, state, removed, here.updated) });
                }
            }
        }
        write.entries.append(&mut others);
        Ok(())
    }
}
