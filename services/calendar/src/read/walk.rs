//! Lists by identifier, by last change, or by UID.

use wireform_store::{Entry, EntryOrder, EntryQuery, Store};

use super::expand::rule;
use super::filter::Order;
use super::page::{ListError, Listing};
use super::positions::{Continuation, ListPosition, ListState, WalkPosition};
use crate::CalendarService;
use crate::view::CalendarItem;

/// Number of entries read at once.
pub(super) const BATCH: u32 = 250;

impl<S: Store> CalendarService<S> {
    /// Lists the events by identifier or by last change, or those with a UID, up to the size of a page. Returns where
    /// to continue.
    pub(super) async fn list_in_order(
        &self,
        listing: &mut Listing<'_>,
        from: ListState<WalkPosition>,
    ) -> Result<Continuation, ListError> {
        let filter = listing.filter;
        let walk = match (&filter.uid, filter.order) {
            (Some(uid), Order::Id) => EntryOrder::WithUid(uid.clone()),
            (_, Order::Update) => EntryOrder::ByUpdate(filter.updated_min.unwrap_or(wireform_store::Millis(i64::MIN))),
            _ => EntryOrder::ById,
        };
        let mut place = from.at.clone();
        let mut steps = 0;
        loop {
            let query = EntryQuery {
                order: walk.clone(),
                after: place.after.clone(),
                epoch: Some(from.epoch),
                search_mailbox: (steps > 0).then_some(listing.access.user.mailbox),
                limit: BATCH,
            };
            steps += 1;
            let page = self.store.list_entries(listing.access.calendar.number, query).await?;
            for entry in page.entries {
                if listing.is_full() {
                    return Ok(Continuation::Page(ListPosition::Walk(from.with_position(place))));
                }
                let at = match walk {
                    EntryOrder::ByUpdate(_) => entry.updated.0,
                    _ => 0,
                };
                let key = (at, entry.id.clone());
                let within = place.within.take().filter(|(id, _)| *id == entry.id).map(|(_, second)| second);
                if let Some(second) = self.list_entry(listing, entry, within, from.horizon).await? {
                    place.within = Some((key.1, second));
                    return Ok(Continuation::Page(ListPosition::Walk(from.with_position(place))));
                }
                place.after = Some(key);
            }
            if !page.has_more {
                return Ok(from.end());
            }
        }
    }

    /// Lists an entry, or its instances after a second. Returns the instance to continue from, if the page is full
    /// before all instances are listed.
    async fn list_entry(
        &self,
        listing: &mut Listing<'_>,
        entry: Entry,
        within: Option<i64>,
        horizon: i64,
    ) -> Result<Option<i64>, ListError> {
        let series = match rule(&entry) {
            Some(rule) => Some(self.cache.series(rule)?).filter(|series| !series.is_single),
            None => None,
        };
        let found = CalendarItem::from_entry(entry)?;
        let filter = listing.filter;
        let Some(series) = series else {
            if filter.overlaps(found.entry.span.first, found.entry.span.last) {
                listing.add_if_matching(&found)?;
            } else {
                listing.skip(1);
            }
            return Ok(None);
        };
        let to = if series.is_endless() { horizon } else { filter.to.unwrap_or(i64::MAX) };
        let mut instances = series.instances_in(filter.from.unwrap_or(i64::MIN), to);
        if !filter.single {
            // A series is in a time range if one of its instances is.
            let ranged = filter.from.is_some() || filter.to.is_some();
            if !ranged || instances.next().is_some() {
                listing.add_if_matching(&found)?;
            } else {
                listing.skip(1);
            }
            return Ok(None);
        }
        let originals = self.originals(found.entry.calendar, &found.entry.id).await?;
        let mut last = within;
        for instance in instances.skip_while(|instance| within.is_some_and(|within| instance.span.first <= within)) {
            if originals.contains(&instance.span.first) {
                continue;
            }
            if listing.is_full() {
                return Ok(last.or(Some(i64::MIN)));
            }
            last = Some(instance.span.first);
            listing.add_if_matching(&found.with_instance(instance))?;
        }
        Ok(None)
    }
}
