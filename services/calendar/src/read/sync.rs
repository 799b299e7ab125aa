//! Changes of a calendar since a client has read it.

use std::collections::{BTreeMap, BTreeSet};

use calendar_server::Error;
use wireform_store::{Entry, EntryOrder, EntryQuery, EntryState, HistoryId, Mailbox, Store};

use super::expand::{Cache, FoundInstances, rule};
use super::page::{ListError, Listing};
use super::positions::{Continuation, ListPosition, ListState, SyncPosition, WalkPosition, WindowPosition};
use super::walk::BATCH;
use super::window::Range;
use crate::CalendarService;
use crate::error;
use crate::series::{Instance, Rule, Series, Steps, split_id};
use crate::view::CalendarItem;

/// Maximum difference between the clocks of processes, in milliseconds.
const MAX_CLOCK_SKEW: i64 = 60_000;

impl<S: Store> CalendarService<S> {
    /// Lists what has changed since a sync token, up to the size of a page. Returns where to continue.
    pub(super) async fn list_changes(
        &self,
        listing: &mut Listing<'_>,
        from: ListState<SyncPosition>,
    ) -> Result<Continuation, ListError> {
        listing.view.with_stubs = !listing.filter.deleted;
        let SyncPosition { since, mut walk, grown } = from.at.clone();
        if let Some(grown) = grown {
            return self.list_new_instances(listing, &from, grown).await;
        }
        let next = |walk| SyncPosition { since: since.clone(), walk, grown: None };
        let mut search = None;
        loop {
            let query = EntryQuery {
                order: EntryOrder::ByChange(HistoryId(since.change), from.history()),
                after: walk.after.clone(),
                epoch: Some(from.epoch),
                search_mailbox: search.replace(listing.access.user.mailbox),
                limit: BATCH.min(u32::try_from(listing.remaining() + 1).unwrap_or(BATCH)),
            };
            let page = self.store.list_entries(listing.access.calendar.number, query).await?;
            for entry in page.entries {
                if listing.is_full() || listing.is_out_of_steps() {
                    return Ok(Continuation::Page(ListPosition::Sync(from.with_position(next(walk)))));
                }
                let key = (entry.changed.0.cast_signed(), entry.id.clone());
                let within = walk.within.take().filter(|(id, _)| *id == entry.id).map(|(_, second)| second);
                if let Some(second) = self.list_changed_entry(listing, entry, within, &from).await? {
                    walk = WalkPosition { within: Some((key.1, second)), ..walk };
                    return Ok(Continuation::Page(ListPosition::Sync(from.with_position(next(walk)))));
                }
                walk.after = Some(key);
            }
            if !page.has_more {
                return self.list_new_instances(listing, &from, WindowPosition::default()).await;
            }
        }
    }

    /// Lists instances that the moving horizon has reached.
    async fn list_new_instances(
        &self,
        listing: &mut Listing<'_>,
        from: &ListState<SyncPosition>,
        place: WindowPosition,
    ) -> Result<Continuation, ListError> {
        let since = &from.at.since;
        if !listing.filter.single || since.horizon >= from.horizon {
            return Ok(from.end());
        }
        let range = Range {
            begin: Some(since.horizon),
            end: from.horizon,
            after: place.after,
            length: place.length,
            endless_only: true,
            epoch: from.epoch,
            horizon: from.horizon,
        };
        let next = self.list_range(listing, range).await?;
        Ok(next.map_or_else(
            || from.end(),
            |grown| {
                let place = SyncPosition { since: since.clone(), walk: WalkPosition::default(), grown: Some(grown) };
                Continuation::Page(ListPosition::Sync(from.with_position(place)))
            },
        ))
    }

    /// Lists a changed entry. Returns the instance to continue from, if the page is full before all instances are
    /// listed.
    async fn list_changed_entry(
        &self,
        listing: &mut Listing<'_>,
        entry: Entry,
        within: Option<i64>,
        from: &ListState<SyncPosition>,
    ) -> Result<Option<i64>, ListError> {
        let found = CalendarItem::from_entry(entry)?;
        if !listing.filter.has_requested_type(&found) {
            listing.skip(1);
            return Ok(None);
        }
        if listing.filter.single && rule(&found.entry).is_some() {
            return self.list_changed_series(listing, found, within, from).await;
        }
        match found.entry.state {
            EntryState::Orphaned => match self.replacing_instance(listing.access.user.mailbox, &found).await? {
                Some(instance) => listing.add_if_matching(&instance).await?,
                None => listing.push_removed(&found).await?,
            },
            EntryState::Hidden if !listing.filter.hidden => listing.push_removed(&found).await?,
            EntryState::Present | EntryState::Cancelled if found.is_gone() && !listing.filter.deleted => {
                listing.push_removed(&found).await?;
            }
            _ => listing.add_if_matching(&found).await?,
        }
        Ok(None)
    }

    /// Returns the instance that replaces a dropped exception.
    async fn replacing_instance(&self, user: Mailbox, found: &CalendarItem) -> Result<Option<CalendarItem>, ListError> {
        let Some((series, suffix)) = split_id(&found.entry.id) else { return Ok(None) };
        let mut entries = self.store.entries(found.entry.calendar, vec![series.to_owned()]).await?;
        let Some(entry) = entries.pop().flatten() else { return Ok(None) };
        let Some(rule) = rule(&entry).filter(|_| entry.state == EntryState::Present) else { return Ok(None) };
        let suffix = suffix.to_owned();
        let find = move |series: &Series, steps: &Steps| {
            series.instance_by_suffix(&suffix, steps).filter(|_| !series.is_single)
        };
        let instance = self.in_series(Some(user), rule, find).await?;
        let series = CalendarItem::from_entry(entry)?;
        Ok(instance.map(|instance| series.with_instance(instance)))
    }

    /// Lists all instances of a series, and as removed those that no longer exist.
    async fn list_changed_series(
        &self,
        listing: &mut Listing<'_>,
        found: CalendarItem,
        within: Option<i64>,
        from: &ListState<SyncPosition>,
    ) -> Result<Option<i64>, ListError> {
        let search = ChangedSeries {
            rule: rule(&found.entry).unwrap_or_default().to_owned(),
            since: from.at.since.time.saturating_sub(MAX_CLOCK_SKEW),
            originals: self.originals(found.entry.calendar, &found.entry.id).await?,
            is_gone: found.is_gone() && !(found.entry.state == EntryState::Hidden && listing.filter.hidden),
            limit: listing.remaining().saturating_add(1),
            within: within.filter(|within| *within > i64::MIN),
            horizon: from.horizon,
        };
        let user = listing.access.user.mailbox;
        let (changes, steps) = self.expand_once(user, move |cache, steps| search.run(cache, steps)).await?;
        listing.count_steps(steps);
        let Some((changes, reached)) = changes else { return Err(ListError::NotRecorded) };
        Ok(list_instances(listing, &found, changes, within).await?.or(reached))
    }
}

/// Changed series, whose changed instances are searched for.
struct ChangedSeries {
    rule: String,
    /// Time in milliseconds since which the series has changed.
    since: i64,
    originals: BTreeSet<i64>,
    is_gone: bool,
    /// Maximum number of instances of each rule.
    limit: usize,
    /// Second of the last listed instance.
    within: Option<i64>,
    horizon: i64,
}

/// Instances with their representation, by the second in which they begin.
type Changes = BTreeMap<i64, Vec<(Instance, Representation)>>;

impl ChangedSeries {
    /// Returns the changes, and the second up to which they were searched for if the steps are over; `None` if earlier
    /// rules are not stored.
    fn run(&self, cache: &Cache, steps: &Steps) -> Result<Option<(Changes, Option<i64>)>, Error> {
        let series = cache.series(&self.rule, steps)?;
        let past = Rule::parse(&self.rule).map_err(error::corrupt)?.rules_since(self.since);
        let Some(past) = past else { return Ok(None) };
        let to = |series: &Series| if series.is_endless() { self.horizon } else { i64::MAX };
        let (mut changes, mut reached): (Changes, Option<i64>) = (BTreeMap::new(), None);
        let mut add = |found: FoundInstances, representation: Representation| {
            reached = reached.into_iter().chain(found.reached).min();
            for instance in found.instances {
                changes.entry(instance.span.first).or_default().push((instance, representation));
            }
        };
        let is_listed = |one: &Instance| !self.originals.contains(&one.span.first);
        let representation = if self.is_gone { Representation::Removed } else { Representation::Present };
        let representation = if series.is_single { representation.of_event() } else { representation };
        add(self.find(&series, to(&series), steps, is_listed), representation);
        for before in past {
            let before = before.series(steps).map_err(|error| error::corrupt(format!("{error:?}")))?;
            let is_listed = |instance: &Instance| {
                if before.is_single {
                    return !series.is_single;
                }
                // Instances of a now endless series beyond the horizon are no longer listed.
                let within = instance.span.first < to(&series);
                let stays =
                    within && !series.is_single && series.instance_by_suffix(&instance.suffix(), steps).is_some();
                !stays && is_listed(instance)
            };
            let representation =
                if before.is_single { Representation::Removed.of_event() } else { Representation::Removed };
            // Each rule has at least one step, so that the search makes progress.
            add(self.find(&before, to(&before), steps, is_listed), representation);
        }
        if let Some(reached) = reached {
            changes.retain(|second, _| *second <= reached);
        }
        Ok(Some((changes, reached)))
    }

    fn find(&self, series: &Series, to: i64, steps: &Steps, is_listed: impl Fn(&Instance) -> bool) -> FoundInstances {
        FoundInstances::after(self.within, (series, i64::MIN, to), self.limit, steps, is_listed)
    }
}

/// Lists instances by the second in which they begin. If the page is full before the last of them, returns the second
/// of the last instance that is listed.
async fn list_instances(
    listing: &mut Listing<'_>,
    series: &CalendarItem,
    instances: BTreeMap<i64, Vec<(Instance, Representation)>>,
    mut last: Option<i64>,
) -> Result<Option<i64>, ListError> {
    for (second, instances) in instances {
        if listing.is_full() {
            return Ok(last.or(Some(i64::MIN)));
        }
        for (instance, representation) in instances {
            list_as(listing, series, instance, representation).await?;
        }
        last = Some(second);
    }
    Ok(None)
}

/// Representation of an instance in a list of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Representation {
    Present,
    Removed,
    /// The event itself, which is not a series.
    EventPresent,
    EventRemoved,
}

impl Representation {
    /// Returns the same representation, but of the event itself in place of its only instance.
    fn of_event(self) -> Self {
        match self {
            Self::Present | Self::EventPresent => Self::EventPresent,
            Self::Removed | Self::EventRemoved => Self::EventRemoved,
        }
    }
}

/// Lists an instance, or the event itself, in the given representation.
async fn list_as(
    listing: &mut Listing<'_>,
    found: &CalendarItem,
    instance: Instance,
    representation: Representation,
) -> Result<(), ListError> {
    match representation {
        Representation::Present => listing.add_if_matching(&found.with_instance(instance)).await?,
        Representation::EventPresent => listing.add_if_matching(found).await?,
        Representation::Removed => listing.push_removed(&found.with_instance(instance)).await?,
        Representation::EventRemoved => listing.push_removed(found).await?,
    }
    Ok(())
}
