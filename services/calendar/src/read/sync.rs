//! Changes of a calendar since a client has read it.

use std::collections::BTreeMap;

use wireform_store::{Entry, EntryQuery, EntryState, EntryWalk, HistoryId, Store};

use super::expand::rule;
use super::page::{Begun, ListError, Listing, Next, Place, SyncPlace, WalkPlace, WindowPlace};
use super::walk::PIECE;
use super::window::Range;
use crate::CalendarService;
use crate::fault;
use crate::series::{Instance, Rule, Series, split_id};
use crate::view::Found;

/// Maximum difference between the clocks of processes, in milliseconds.
const SLACK: i64 = 60_000;

impl<S: Store> CalendarService<S> {
    pub(super) async fn synchronise(
        &self,
        listing: &mut Listing<'_>,
        from: Begun<SyncPlace>,
    ) -> Result<Next, ListError> {
        listing.view.stubs = !listing.filter.deleted;
        let SyncPlace { since, mut walk, grown } = from.at.clone();
        if let Some(grown) = grown {
            return self.grow(listing, &from, grown).await;
        }
        let next = |walk| SyncPlace { since: since.clone(), walk, grown: None };
        let mut search = None;
        loop {
            let query = EntryQuery {
                walk: EntryWalk::ByChange(HistoryId(since.change), from.history()),
                after: walk.after.clone(),
                epoch: Some(from.epoch),
                search: search.replace(listing.access.user.mailbox),
                limit: PIECE.min(u32::try_from(listing.room() + 1).unwrap_or(PIECE)),
            };
            let page = self.store.walk(listing.access.calendar.number, query).await?;
            for entry in page.entries {
                if listing.is_full() {
                    return Ok(Next::Page(Place::Sync(from.at(next(walk)))));
                }
                let key = (entry.changed.0.cast_signed(), entry.id.clone());
                let within = walk.within.take().filter(|(id, _)| *id == entry.id).map(|(_, second)| second);
                if let Some(second) = self.tell_entry(listing, entry, within, &from).await? {
                    walk = WalkPlace { within: Some((key.1, second)), ..walk };
                    return Ok(Next::Page(Place::Sync(from.at(next(walk)))));
                }
                walk.after = Some(key);
            }
            if !page.more {
                return self.grow(listing, &from, WindowPlace::default()).await;
            }
        }
    }

    /// Lists instances that the moving horizon has reached.
    async fn grow(
        &self,
        listing: &mut Listing<'_>,
        from: &Begun<SyncPlace>,
        place: WindowPlace,
    ) -> Result<Next, ListError> {
        let since = &from.at.since;
        if !listing.filter.single || since.horizon >= from.horizon {
            return Ok(from.end());
        }
        let range = Range {
            begin: Some(since.horizon),
            end: from.horizon,
            after: place.after,
            endless_only: true,
            epoch: from.epoch,
            horizon: from.horizon,
        };
        let next = self.pass(listing, range).await?;
        Ok(next.map_or_else(
            || from.end(),
            |grown| {
                let place = SyncPlace { since: since.clone(), walk: WalkPlace::default(), grown: Some(grown) };
                Next::Page(Place::Sync(from.at(place)))
            },
        ))
    }

    /// Lists a changed entry. Returns the instance to continue from, if the page is full before all instances are
    /// listed.
    async fn tell_entry(
        &self,
        listing: &mut Listing<'_>,
        entry: Entry,
        within: Option<i64>,
        from: &Begun<SyncPlace>,
    ) -> Result<Option<i64>, ListError> {
        let found = Found::of(entry)?;
        if !listing.filter.is_of_type(&found) {
            listing.pass(1);
            return Ok(None);
        }
        if listing.filter.single && rule(&found.entry).is_some() {
            return self.tell_series(listing, found, within, from).await;
        }
        match found.entry.state {
            EntryState::Dropped => match self.instance_in_place(&found).await? {
                Some(instance) => listing.offer(&instance)?,
                None => listing.tell_gone(&found),
            },
            EntryState::Hidden if !listing.filter.hidden => listing.tell_gone(&found),
            EntryState::Present | EntryState::Cancelled if found.is_gone() && !listing.filter.deleted => {
                listing.tell_gone(&found);
            }
            _ => listing.offer(&found)?,
        }
        Ok(None)
    }

    /// Returns the instance that replaces a dropped exception.
    async fn instance_in_place(&self, found: &Found) -> Result<Option<Found>, ListError> {
        let Some((series, suffix)) = split_id(&found.entry.id) else { return Ok(None) };
        let mut entries = self.store.entries(found.entry.calendar, vec![series.to_owned()]).await?;
        let Some(entry) = entries.pop().flatten() else { return Ok(None) };
        let Some(rule) = rule(&entry).filter(|_| entry.state == EntryState::Present) else { return Ok(None) };
        let series = self.cache.series(rule)?;
        let instance = series.instance_named(suffix).filter(|_| !series.is_single);
        let series = Found::of(entry)?;
        Ok(instance.map(|instance| series.instance(instance)))
    }

    /// Lists all instances of a series, and as removed those that no longer exist.
    async fn tell_series(
        &self,
        listing: &mut Listing<'_>,
        found: Found,
        within: Option<i64>,
        from: &Begun<SyncPlace>,
    ) -> Result<Option<i64>, ListError> {
        let text = rule(&found.entry).unwrap_or_default();
        let series = self.cache.series(text)?;
        let past = Rule::read(text).map_err(fault::corrupt)?.since(from.at.since.time.saturating_sub(SLACK));
        let originals = self.originals(found.entry.calendar, &found.entry.id).await?;
        let gone = found.is_gone() && !(found.entry.state == EntryState::Hidden && listing.filter.hidden);
        let limit = listing.room().saturating_add(1);
        let after = within.map_or(i64::MIN, |second| second.saturating_add(1));
        let to = |series: &Series| if series.is_endless() { from.horizon } else { i64::MAX };
        let mut told: BTreeMap<i64, Vec<(Instance, Told)>> = BTreeMap::new();
        let current = series.instances(after, to(&series));
        for instance in current.filter(|instance| !originals.contains(&instance.span.first)).take(limit) {
            let as_what = if gone { Told::Gone } else { Told::There };
            let as_what = if series.is_single { as_what.whole() } else { as_what };
            told.entry(instance.span.first).or_default().push((instance, as_what));
        }
        for before in past.ok_or(ListError::Forgotten)? {
            let before = before.series().map_err(|error| fault::corrupt(format!("{error:?}")))?;
            let has = |instance: &Instance| {
                if before.is_single {
                    return series.is_single;
                }
                // Instances of a now endless series beyond the horizon are no longer listed.
                let within = instance.span.first < to(&series);
                let stays = within && !series.is_single && series.instance_named(&instance.suffix()).is_some();
                stays || originals.contains(&instance.span.first)
            };
            for instance in before.instances(after, to(&before)).filter(|instance| !has(instance)).take(limit) {
                let as_what = if before.is_single { Told::Gone.whole() } else { Told::Gone };
                told.entry(instance.span.first).or_default().push((instance, as_what));
            }
        }
        let mut last = within;
        for (second, instances) in told {
            if listing.is_full() {
                return Ok(last.or(Some(i64::MIN)));
            }
            for (instance, as_what) in instances {
                tell(listing, &found, instance, as_what)?;
            }
            last = Some(second);
        }
        Ok(None)
    }
}

/// Representation of an instance in a list of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    There,
    Gone,
    /// The event itself, which is not a series.
    WholeThere,
    WholeGone,
}

impl Told {
    fn whole(self) -> Self {
        match self {
            Self::There | Self::WholeThere => Self::WholeThere,
            Self::Gone | Self::WholeGone => Self::WholeGone,
        }
    }
}

fn tell(listing: &mut Listing<'_>, found: &Found, instance: Instance, as_what: Told) -> Result<(), ListError> {
    match as_what {
        Told::There => listing.offer(&found.instance(instance))?,
        Told::WholeThere => listing.offer(found)?,
        Told::Gone => listing.tell_gone(&found.instance(instance)),
        Told::WholeGone => listing.tell_gone(found),
    }
    Ok(())
}
