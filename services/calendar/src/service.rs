//! The service and its operations.

use std::sync::Arc;

use calendar_server::runtime::axum::Router;
use calendar_server::runtime::tokens::TokenSealer;
use calendar_server::runtime::wireform_runtime::{ConditionSet, FieldBehavior as _, WriteContext};
use calendar_server::runtime::{Limits, ListResult, Server, WriteResult};
use calendar_server::types::{Calendar, CalendarListEntry, Channel, Colors, Event, Events, FreeBusyResponse, Setting};
use calendar_server::{Context, Error, Handlers, Reply, Result, requests, service};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_store::{AnyStore, Clock, Role, Store, User};

use crate::caller::Access;
use crate::colors;
use crate::conferences::{ConferenceProvider, Rooms};
use crate::error;
use crate::invitations::MailPreparer;
use crate::read::Cache;
use crate::times;
use crate::view::View;
use crate::watch::Notifier;
use crate::write::Notify;

/// Maximum size of a body in bytes: an event with the maximum number of attendees has a tenth of that.
const MAX_BODY_BYTES: usize = 1 << 20;

/// Parameters that may differ between the request that a token was issued for and the one that uses it.
const CHANGEABLE_PARAMETERS: &[&str] = &["maxResults", "timeZone", "maxAttendee"];

/// Calendar service on a store.
#[derive(Debug, Clone)]
pub struct CalendarService<S> {
    pub(crate) store: S,
    pub(crate) pages: TokenSealer,
    pub(crate) syncs: TokenSealer,
    pub(crate) clock: Clock,
    pub(crate) base: String,
    pub(crate) cache: Arc<Cache>,
    pub(crate) conferences: Arc<dyn ConferenceProvider>,
    pub(crate) notifier: Notifier,
    pub(crate) mail: Option<Arc<dyn MailPreparer>>,
}

impl<S: Store> CalendarService<S> {
    /// Creates the service on a store. `sealer` seals page and sync tokens, `clock` provides the time.
    #[must_use]
    pub fn new(store: S, sealer: TokenSealer, clock: Clock) -> Self {
        let sealer = sealer.with_free_parameters(CHANGEABLE_PARAMETERS);
        let base = "http://localhost".to_owned();
        let conferences = Arc::new(Rooms { base: base.clone() });
        Self {
            store,
            pages: sealer.clone(),
            syncs: sealer,
            clock,
            base,
            cache: Arc::default(),
            conferences,
            notifier: Notifier::default(),
            mail: None,
        }
    }

    /// Sets the public base URL of this program's pages, without a trailing slash.
    #[must_use]
    pub fn with_public_url(mut self, base: impl Into<String>) -> Self {
        self.base = base.into();
        self.conferences = Arc::new(Rooms { base: self.base.clone() });
        self
    }

    /// Sets the conference provider, instead of the rooms of this program.
    #[must_use]
    pub fn with_conferences(mut self, provider: impl ConferenceProvider + 'static) -> Self {
        self.conferences = Arc::new(provider);
        self
    }

    /// Enables mail: invitations, cancellations and replies are put into the inboxes of users.
    #[must_use]
    pub fn with_mail(mut self, preparer: impl MailPreparer + 'static) -> Self {
        self.mail = Some(Arc::new(preparer));
        self
    }

    /// Returns the calling user's view of the events of a calendar, in the requested zone or that of the calendar.
    pub(crate) fn view<'a>(&'a self, access: &'a Access, zone: Option<&str>, max_attendees: Option<i32>) -> View<'a> {
        let zone: TimeZone = times::zone_by_name(zone.unwrap_or(&access.calendar.time_zone));
        let max_attendees = max_attendees.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        View {
            access,
            zone,
            max_attendees,
            base: &self.base,
            is_complete: false,
            with_stubs: false,
            with_hidden: false,
        }
    }
}

impl<S: Store> CalendarService<S> {
    /// Adds an event to a calendar that a user owns, as if they had inserted it without notifying guests, for programs
    /// that fill a store. Returns its identifier.
    ///
    /// # Errors
    /// Returns the errors of `events.insert`, and an error if the user does not own such a calendar.
    pub async fn add_event(&self, user: &User, calendar: &str, mut event: Event) -> std::result::Result<String, Error> {
        let found =
            self.store.find_calendars(vec![calendar.to_owned()], user.mailbox).await.map_err(error::from_store)?;
        let found = found.into_iter().next().flatten().filter(|(_, role)| *role == Some(Role::Owner));
        let (calendar, _) = found.ok_or_else(|| error::calendar_not_found(calendar, "calendarId"))?;
        let access = Access::internal(calendar, user.clone(), Role::Owner);
        let insert = WriteContext { operation: "events.insert", effective: &ConditionSet::ALL };
        event.strip_ineffective(&insert);
        let (id, write) = self.prepare_insert(&access, event, Notify::Nobody).await?;
        self.store.write_events(write, self.clock.now()).await.map_err(error::from_store)?;
        Ok(id)
    }
}

/// Creates the router of a server on a store that is selected at run time. The service is compiled here for such stores,
/// and not again by each program that uses it.
pub fn router(server: Server<Handlers<CalendarService<AnyStore>>>) -> Router {
    server.router()
}

/// Returns the limits of a request.
#[must_use]
pub fn limits() -> Limits {
    Limits { body_bytes: MAX_BODY_BYTES, ..Limits::DEFAULT }
}

impl<S: Store> service::Events for CalendarService<S> {
    async fn get(&self, request: requests::EventsGet, context: &Context) -> Result<Event> {
        self.get_event(request, context).await
    }

    async fn instances(&self, request: requests::EventsInstances, context: &Context) -> Result<Events> {
        self.list_instances(request, context).await
    }

    async fn list(&self, request: requests::EventsList, context: &Context) -> ListResult<requests::EventsList> {
        self.list_events(request, context).await
    }

    async fn insert(&self, request: requests::EventsInsert, context: &Context) -> Result<Event> {
        self.insert_event(request, context).await
    }

    async fn quick_add(&self, request: requests::EventsQuickAdd, context: &Context) -> Result<Event> {
        self.quick_add_event(request, context).await
    }

    async fn import(&self, request: requests::EventsImport, context: &Context) -> Result<Event> {
        self.import_event(request, context).await
    }

    async fn r#move(&self, request: requests::EventsMove, context: &Context) -> WriteResult<requests::EventsMove> {
        self.move_event(request, context).await
    }

    async fn update(&self, request: requests::EventsUpdate, context: &Context) -> WriteResult<requests::EventsUpdate> {
        self.update_event(request, context).await
    }

    async fn patch(&self, request: requests::EventsPatch, context: &Context) -> WriteResult<requests::EventsPatch> {
        self.patch_event(request, context).await
    }

    async fn delete(&self, request: requests::EventsDelete, context: &Context) -> WriteResult<requests::EventsDelete> {
        self.delete_event(request, context).await
    }

    async fn watch(&self, request: requests::EventsWatch, context: &Context) -> Result<Channel> {
        self.watch_events(request, context).await
    }
}

impl<S: Store> service::Channels for CalendarService<S> {
    async fn stop(&self, request: requests::ChannelsStop, context: &Context) -> Result<()> {
        self.stop_channel(request, context).await
    }
}

impl<S: Store> service::CalendarList for CalendarService<S> {
    async fn list(
        &self,
        request: requests::CalendarListList,
        context: &Context,
    ) -> ListResult<requests::CalendarListList> {
        self.list_calendars(request, context).await
    }

    async fn get(&self, request: requests::CalendarListGet, context: &Context) -> Result<CalendarListEntry> {
        self.get_list_entry(request, context).await
    }
}

impl<S: Store> service::Calendars for CalendarService<S> {
    async fn get(&self, request: requests::CalendarsGet, context: &Context) -> Result<Calendar> {
        self.get_calendar(request, context).await
    }
}

impl<S: Store> service::Colors for CalendarService<S> {
    async fn get(&self, _: requests::ColorsGet, _: &Context) -> Result<Colors> {
        Ok(Reply::new(colors::palettes()))
    }
}

impl<S: Store> service::Settings for CalendarService<S> {
    async fn list(&self, request: requests::SettingsList, context: &Context) -> ListResult<requests::SettingsList> {
        self.list_settings(request, context).await
    }

    async fn get(&self, request: requests::SettingsGet, context: &Context) -> Result<Setting> {
        self.get_setting(request, context).await
    }
}

impl<S: Store> service::Freebusy for CalendarService<S> {
    async fn query(&self, request: requests::FreebusyQuery, context: &Context) -> Result<FreeBusyResponse> {
        self.query_free_busy(request, context).await
    }
}
