//! Lists by identifier, by last change, or by UID.

use std::collections::BTreeSet;

use wireform_store::{Entry, EntryOrder, EntryQuery, Store};

use super::expand::{Cache, FoundInstances, rule};
use super::filter::Order;
use super::page::{ListError, Listing};
use super::positions::{Continuation, ListPosition, ListState, WalkPosition};
use crate::CalendarService;
use crate::series::{Instance, Steps};
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
                if listing.is_full() || listing.is_out_of_steps() {
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
        let Some(text) = rule(&entry).map(str::to_owned) else { return list_single(listing, entry).await };
        let user = listing.access.user.mailbox;
        let (from, to, single) = (listing.filter.from, listing.filter.to, listing.filter.single);
        let originals = if single { self.originals(entry.calendar, &entry.id).await? } else { BTreeSet::new() };
        // A series is in a time range if one of its instances is.
        let limit = if single { listing.remaining().saturating_add(1) } else { usize::from(from.or(to).is_some()) };
        let search = move |cache: &Cache, steps: &Steps| {
            let series = cache.series(&text, steps)?;
            // A search for any instance that is not complete would omit the series.
            let unlimited = Steps::unlimited();
            let own = if single || steps.is_attempt() { steps } else { &unlimited };
            if series.is_single {
                return Ok(None);
            }
            let to = if series.is_endless() { horizon } else { to.unwrap_or(i64::MAX) };
            let range = (&*series, from.unwrap_or(i64::MIN), to);
            let is_listed = |one: &Instance| !originals.contains(&one.span.first);
            let found = FoundInstances::after(within, range, limit, own, is_listed);
            steps.take(unlimited.used());
            Ok(Some(found))
        };
        let (found, steps) = self.expand_once(user, search).await?;
        listing.count_steps(steps);
        let Some(FoundInstances { instances, reached }) = found else { return list_single(listing, entry).await };
        let item = CalendarItem::from_entry(entry)?;
        if !single {
            match limit > 0 && instances.is_empty() {
                true => listing.skip(1),
                false => listing.add_if_matching(&item).await?,
            }
            return Ok(None);
        }
        let mut last = within;
        for instance in instances {
            if listing.is_full() {
                return Ok(last.or(Some(i64::MIN)));
            }
            last = Some(instance.span.first);
            listing.add_if_matching(&item.with_instance(instance)).await?;
        }
        Ok(reached)
    }
}

/// Lists an entry that is no series.
async fn list_single(listing: &mut Listing<'_>, entry: Entry) -> Result<Option<i64>, ListError> {
    let found = CalendarItem::from_entry(entry)?;
    if listing.filter.overlaps(found.entry.span.first, found.entry.span.last) {
        listing.add_if_matching(&found).await?;
    } else {
        listing.skip(1);
    }
    Ok(None)
}
