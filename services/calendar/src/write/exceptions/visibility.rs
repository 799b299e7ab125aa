//! Visibility of a series and its exceptions.

use std::collections::BTreeMap;

use calendar_server::Error;
use wireform_store::{EntryState, EventWrite, NewEntry, Store};

use super::super::draft::Draft;
use super::super::entries::with_state;
use crate::CalendarService;
use crate::error;

impl<S: Store> CalendarService<S> {
    /// Applies a changed visibility of a series to its exceptions, and a more restrictive one of an instance to its
    /// series and the other exceptions, all on the calendar of the change.
    pub(crate) async fn spread_visibility(&self, draft: &Draft, write: &mut EventWrite) -> Result<(), Error> {
        let here = &draft.copies[0];
        let affected = match &here.series {
            Some(series) if here.own.restricts(&draft.found.own) => {
                let found = self.store.entries(here.calendar, vec![series.clone()]).await.map_err(error::from_store)?;
                let mut affected: Vec<_> = found.into_iter().flatten().collect();
                affected.extend(self.exceptions_of(here, series).await?);
                affected
            }
            None if here.entry.is_some() && here.own.visibility != draft.found.own.visibility => {
                self.all_exceptions(here).await?
            }
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
        write
            .expected
            .retain(|(calendar, id, _)| !others.iter().any(|entry| (entry.calendar, &entry.id) == (*calendar, id)));
        write.entries.append(&mut others);
        Ok(())
    }
}
