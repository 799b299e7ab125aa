//! Calendars as resources: the calendar list of a user, and the metadata of a calendar.

mod entries;
mod settings;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use calendar_server::requests::scopes;
use calendar_server::types::{
    AccessRole, AvailableTime, Calendar as Metadata, CalendarList, CalendarListEntry, ConferenceProperties, EventLabel,
    LabelProperties, Reminder, WorkingHours,
};
use calendar_server::{Context, Error, ListResult, Reply, Result, requests};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use wireform_store::{Calendar, Role, Store, User};

use crate::CalendarService;
use crate::caller::{self, MetadataScopes};
use crate::{colors, error};

/// Conferences that events of every calendar can have.
const CONFERENCES: [&str; 1] = ["hangoutsMeet"];
/// Names of the days, Monday first.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Scopes of the calendar list, and of metadata, with which every calendar of the user is visible.
const LIST_SCOPES: MetadataScopes = [scopes::CALENDAR_CALENDARLIST, scopes::CALENDAR_CALENDARLIST_READONLY];
const METADATA_SCOPES: MetadataScopes = [scopes::CALENDAR_CALENDARS, scopes::CALENDAR_CALENDARS_READONLY];

impl<S: Store> CalendarService<S> {
    /// Lists the calendars that a user can access: the user's own first.
    pub(crate) async fn list_calendars(
        &self,
        request: requests::CalendarListList,
        context: &Context,
    ) -> ListResult<requests::CalendarListList> {
        let user = caller::user(&self.store, context).await?;
        let visible = self.store.visible_calendars(user.mailbox).await.map_err(error::from_store)?;
        let (request, since) = self.syncs.open_sync(context, request)?;
        let least = request.min_access_role.as_ref().map(lowest_role).transpose()?.flatten();
        let visible = visible.iter().filter(|(_, role)| least.is_none_or(|least| *role >= least));
        let entries: Vec<_> = visible.map(|(calendar, role)| entry(&user, calendar, *role)).collect();
        let entries = entries.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        let size = request.max_results_or_default();
        self.reply_with_entries(context, &request, (entries, since), size, |entries, page, sync| {
            let list = CalendarList::default().with_kind("calendar#calendarList").with_items(entries);
            CalendarList { next_page_token: page, next_sync_token: sync, ..list }
        })
    }

    /// Returns a calendar of the list.
    pub(crate) async fn get_list_entry(
        &self,
        request: requests::CalendarListGet,
        context: &Context,
    ) -> Result<CalendarListEntry> {
        let (user, calendar, role) = caller::calendar(&self.store, context, &request.calendar_id, &LIST_SCOPES).await?;
        Ok(Reply::new(entry(&user, &calendar, role)?))
    }

    /// Returns the metadata of a calendar. Its labels and its description are for those who read its events.
    pub(crate) async fn get_calendar(&self, request: requests::CalendarsGet, context: &Context) -> Result<Metadata> {
        let (user, calendar, role) =
            caller::calendar(&self.store, context, &request.calendar_id, &METADATA_SCOPES).await?;
        let mut found = Metadata::default()
            .with_kind("calendar#calendar")
            .with_id(calendar.id.as_str())
            .with_summary(calendar.summary.as_str())
            .with_time_zone(calendar.time_zone.as_str())
            .with_conference_properties(conferences());
        found.data_owner = data_owner(&user, &calendar);
        if role > Role::FreeBusyReader {
            found.description = description(&calendar);
            found.label_properties = label_properties(&calendar);
            found.working_hours = working_hours(&calendar);
        }
        found.etag = Some(entity_tag(&found)?);
        Ok(Reply::new(found))
    }
}

/// Returns the entry of a calendar in the list of a user.
fn entry(user: &User, calendar: &Calendar, role: Role) -> std::result::Result<CalendarListEntry, Error> {
    let (color, background) = colors::of_calendar(calendar.number);
    let mut entry = CalendarListEntry::default()
        .with_kind("calendar#calendarListEntry")
        .with_id(calendar.id.as_str())
        .with_summary(calendar.summary.as_str())
        .with_time_zone(calendar.time_zone.as_str())
        .with_color_id(color)
        .with_background_color(background)
        .with_foreground_color(colors::FOREGROUND)
        .with_selected(true)
        .with_access_role(access_role(role))
        .with_default_reminders(default_reminders(calendar))
        .with_conference_properties(conferences());
    entry.primary = is_primary(user, calendar).then_some(true);
    entry.data_owner = data_owner(user, calendar);
    entry.description = description(calendar).filter(|_| role > Role::FreeBusyReader);
    entry.etag = Some(entity_tag(&entry)?);
    Ok(entry)
}

/// Returns the entity tag of a resource that is computed for a user: a digest of all of it.
fn entity_tag(resource: &impl Serialize) -> std::result::Result<String, Error> {
    Ok(format!("\"{}\"", digest(resource)?))
}

/// Returns a digest of the JSON of a value.
fn digest(value: &impl Serialize) -> std::result::Result<String, Error> {
    let text = serde_json::to_vec(value).map_err(Error::internal)?;
    let digest = Sha256::digest(text);
    Ok(URL_SAFE_NO_PAD.encode(digest.get(..DIGEST_LENGTH).unwrap_or(&digest)))
}

/// Length of a digest in bytes.
const DIGEST_LENGTH: usize = 12;

/// Returns whether a calendar is the one that has its user's address.
fn is_primary(user: &User, calendar: &Calendar) -> bool {
    calendar.owner == user.mailbox && calendar.id.eq_ignore_ascii_case(&user.address)
}

/// Returns the address of the owner of a secondary calendar, if that is the user.
fn data_owner(user: &User, calendar: &Calendar) -> Option<String> {
    let is_secondary = calendar.owner == user.mailbox && !is_primary(user, calendar);
    is_secondary.then(|| user.address.clone())
}

fn description(calendar: &Calendar) -> Option<String> {
    Some(calendar.settings.description.clone()).filter(|description| !description.is_empty())
}

fn conferences() -> ConferenceProperties {
    ConferenceProperties::default().with_allowed_conference_solution_types(CONFERENCES)
}

fn label_properties(calendar: &Calendar) -> Option<LabelProperties> {
    let labels = &calendar.settings.labels;
    let label = |label: &wireform_store::CalendarLabel| {
        EventLabel::default()
            .with_id(label.id.as_str())
            .with_name(label.name.as_str())
            .with_background_color(label.color.as_str())
    };
    (!labels.is_empty()).then(|| LabelProperties::default().with_event_labels(labels.iter().map(label)))
}

fn working_hours(calendar: &Calendar) -> Option<WorkingHours> {
    let hours = &calendar.settings.working_hours;
    let time = |hours: &wireform_store::WorkingHours| {
        let day = DAYS.get(usize::from(hours.day.saturating_sub(1))).copied().unwrap_or_default();
        AvailableTime::default()
            .with_day_of_week(day)
            .with_period_start(i32::from(hours.from))
            .with_period_end(i32::from(hours.until))
    };
    let times = hours.iter().map(time);
    (!hours.is_empty()).then(|| WorkingHours::default().with_working_hours_enabled(true).with_available_times(times))
}

/// Returns the default reminders of a calendar.
pub(crate) fn default_reminders(calendar: &Calendar) -> impl Iterator<Item = Reminder> + '_ {
    let reminders = calendar.settings.reminders.iter();
    reminders.map(|reminder| Reminder::default().with_method(reminder.method.as_str()).with_minutes(reminder.minutes))
}

/// Returns a role as in the API.
pub(crate) fn access_role(role: Role) -> AccessRole {
    match role {
        Role::FreeBusyReader => AccessRole::FreeBusyReader,
        Role::Reader => AccessRole::Reader,
        Role::Writer => AccessRole::Writer,
        Role::Owner => AccessRole::Owner,
    }
}

/// Returns the lowest role that is at least a role of the API; `None` if every role is.
fn lowest_role(least: &AccessRole) -> std::result::Result<Option<Role>, Error> {
    match least {
        AccessRole::None => Ok(None),
        AccessRole::WriterWithoutPrivateAccess => Ok(Some(Role::Writer)),
        other => {
            let name = other.to_string();
            let role = Role::from_name(&name);
            role.map(Some).ok_or_else(|| error::invalid_parameter("minAccessRole", format!("unknown role `{name}`")))
        }
    }
}
