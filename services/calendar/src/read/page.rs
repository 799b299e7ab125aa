//! Pages of lists.

use calendar_server::runtime::tokens::{expired_page, expired_sync};
use calendar_server::types::{Event, Events};
use calendar_server::{Context, Error, Reply, Result, requests};
use wireform_recurrence::jiff::civil;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{Calendar, Error as StoreError, Store};

use super::filter::{Filter, Order};
use super::memory::PageMemory;
use super::positions::{Continuation, ListPosition, ListState, SyncPosition, SyncToken, WalkPosition, WindowPosition};
use crate::CalendarService;
use crate::calendars::{access_role, default_reminders};
use crate::caller::Access;
use crate::error;
use crate::times;
use crate::view::{CalendarItem, View};

/// Default page size.
pub(crate) const DEFAULT_PAGE_SIZE: usize = 250;
/// Maximum number of events examined per page.
const MAX_EXAMINED: usize = 5_000;
/// Number of steps of expansions after which a page ends.
pub(super) const MAX_STEPS: u64 = 5_000_000;
/// Time for which instances of an endless series are listed if the request has no end, in years.
const HORIZON_YEARS: i16 = 2;

/// Page under construction.
pub(super) struct Listing<'a> {
    pub(super) access: &'a Access,
    pub(super) view: View<'a>,
    pub(super) filter: &'a Filter,
    pub(super) events: Vec<Event>,
    size: usize,
    examined: usize,
    /// Number of steps of expansions.
    steps: u64,
    pub(super) memory: PageMemory,
}

impl<'a> Listing<'a> {
    pub(super) fn new(
        access: &'a Access,
        view: View<'a>,
        filter: &'a Filter,
        (size, memory): (usize, PageMemory),
    ) -> Self {
        Self { access, view, filter, events: Vec::new(), size, examined: 0, steps: 0, memory }
    }

    /// Returns whether the page is complete: it is full, or enough events were examined.
    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= self.size || self.examined >= MAX_EXAMINED || self.memory.is_full()
    }

    /// Counts steps of expansions.
    pub(super) fn count_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Returns whether the page ends because enough series were expanded for it, whatever it contains.
    pub(super) fn is_out_of_steps(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// Returns the number of events that were examined.
    pub(super) fn examined(&self) -> usize {
        self.examined
    }

    /// Returns the number of steps of expansions.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of events that still fit on the page.
    pub(super) fn remaining(&self) -> usize {
        self.size.saturating_sub(self.events.len())
    }

    /// Adds an event, if it matches the filter.
    pub(super) async fn add_if_matching(&mut self, found: &CalendarItem) -> std::result::Result<(), Error> {
        self.examined += 1;
        if self.filter.may_match(found) {
            self.memory.reserve_event(&found.entry).await?;
            let event = self.view.represent(found)?;
            if self.matches_full(found, &event)? {
                self.events.push(event);
                self.memory.count_event(&found.entry);
            }
        }
        Ok(())
    }

    /// Returns whether the filter matches the full representation of an event, even if the list omits parts of it.
    fn matches_full(&self, found: &CalendarItem, event: &Event) -> std::result::Result<bool, Error> {
        if !self.filter.is_search() || event.attendees_omitted.is_none() || self.view.max_attendees.is_none() {
            return Ok(self.filter.matches(event));
        }
        let whole = View { max_attendees: None, ..self.view.clone() };
        Ok(self.filter.matches(&whole.represent(found)?))
    }

    /// Counts events that were examined and not offered.
    pub(super) fn skip(&mut self, count: usize) {
        self.examined += count;
    }

    /// Adds an event as removed.
    pub(super) async fn push_removed(&mut self, found: &CalendarItem) -> std::result::Result<(), Error> {
        self.examined += 1;
        self.memory.add_removed().await?;
        self.events.push(self.view.stub(found));
        Ok(())
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns the time up to which instances of endless series are listed: the first day of a month, so that it rarely
    /// changes.
    pub(crate) fn horizon(&self) -> i64 {
        let today = times::date_of(self.clock.now().0.div_euclid(1_000), &TimeZone::UTC);
        let month =
            civil::Date::new(today.year().saturating_add(HORIZON_YEARS), today.month(), 1).unwrap_or(civil::Date::MAX);
        let next = month.saturating_add(wireform_recurrence::jiff::Span::new().months(1));
        times::second_of_date(next, &TimeZone::UTC).unwrap_or(i64::MAX)
    }

    /// Returns the start of the requested page.
    pub(super) fn start_position(
        &self,
        access: &Access,
        request: &requests::EventsList,
        context: &Context,
        filter: &Filter,
        since: Option<SyncToken>,
    ) -> std::result::Result<ListPosition, Error> {
        let calendar = &access.calendar;
        let first = ListState {
            epoch: calendar.epoch,
            change: calendar.history.0,
            time: self.clock.now().0,
            horizon: filter.horizon,
            at: (),
        };
        if let Some(since) = since {
            if let Some(begun) = self.pages.open_page(context, request)? {
                return Ok(ListPosition::Sync(begun));
            }
            if since.epoch != calendar.epoch {
                return Err(expired_sync::<requests::EventsList>());
            }
            return Ok(ListPosition::Sync(first.with_position(SyncPosition {
                since,
                walk: WalkPosition::default(),
                grown: None,
            })));
        }
        Ok(match filter.order {
            Order::Start => {
                let begun = self.pages.open_page(context, request)?;
                ListPosition::Window(begun.unwrap_or_else(|| first.with_position(WindowPosition::default())))
            }
            _ => {
                let begun = self.pages.open_page(context, request)?;
                ListPosition::Walk(begun.unwrap_or_else(|| first.with_position(WalkPosition::default())))
            }
        })
    }

    /// Returns the response with a page.
    pub(super) fn page(
        &self,
        access: &Access,
        request: &requests::EventsList,
        context: &Context,
        listing: Listing<'_>,
        next: Continuation,
    ) -> Result<Events> {
        let mut page = empty_page(access);
        page.items = Some(listing.events);
        match next {
            Continuation::Page(place) => {
                page.next_page_token = Some(match place {
                    ListPosition::Walk(begun) => self.pages.seal_page(context, request, &begun)?,
                    ListPosition::Window(begun) => self.pages.seal_page(context, request, &begun)?,
                    ListPosition::Sync(begun) => self.pages.seal_page(context, request, &begun)?,
                });
            }
            Continuation::End(token) => page.next_sync_token = self.syncs.seal_sync(context, request, &token)?,
        }
        Ok(with_memory(Reply::new(page), listing.memory))
    }
}

/// Keeps the memory of a page until its response has been sent.
pub(super) fn with_memory(reply: Reply<Events>, memory: PageMemory) -> Reply<Events> {
    match memory.into_share() {
        Some(share) => reply.with_value_share(share),
        None => reply,
    }
}

/// Returns a version of the list, which differs after each change of the calendar and between readers with different
/// views.
pub(super) fn list_version(access: &Access, horizon: i64) -> String {
    let Access { calendar, role, busy_only, .. } = access;
    format!("{}-{horizon}-{}{}", calendar.history, role.as_str(), if *busy_only { "-busy" } else { "" })
}

/// Returns a page with the properties of the calendar and without events. Both of its lists are written even if they
/// are empty, because programs for the public service expect them.
pub(super) fn empty_page(access: &Access) -> Events {
    let calendar: &Calendar = &access.calendar;
    let mut page = Events::default()
        .with_kind("calendar#events")
        .with_summary(calendar.summary.as_str())
        .with_time_zone(calendar.time_zone.as_str())
        .with_access_role(access_role(access.role))
        .with_default_reminders(default_reminders(calendar))
        .with_items(Vec::<Event>::new());
    page.updated = Some(times::to_date_time(calendar.modified));
    let description = &calendar.settings.description;
    page.description = Some(description.clone()).filter(|description| !description.is_empty());
    page
}

/// Returns the error of a list that cannot be continued.
pub(super) fn expired(error: ListError, context: &Context, request: &requests::EventsList) -> Error {
    match error {
        ListError::Api(error) => error,
        ListError::NotRecorded => expired_sync::<requests::EventsList>(),
        ListError::Store(StoreError::Expired(_)) => expired_sync::<requests::EventsList>(),
        ListError::Store(StoreError::EpochEnded) if request.sync_token.is_some() => {
            expired_sync::<requests::EventsList>()
        }
        ListError::Store(StoreError::EpochEnded) => expired_page(context, request),
        ListError::Store(error) => error::from_store(error),
    }
}

/// Reason why a list cannot be continued.
pub(super) enum ListError {
    Api(Error),
    Store(StoreError),
    /// The state that the client has read is no longer recorded.
    NotRecorded,
}

impl From<Error> for ListError {
    fn from(error: Error) -> Self {
        Self::Api(error)
    }
}

impl From<StoreError> for ListError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
