//! Settings of a user. Only the time zone is a property of the user; nothing changes the others.

use calendar_server::runtime::ErrorLocation;
use calendar_server::types::{Setting, Settings};
use calendar_server::{Context, Error, ListResult, Reply, Result, requests};
use wireform_store::Store;

use super::entity_tag;
use crate::CalendarService;
use crate::{caller, error};

/// Name of the setting with the time zone of the user's own calendar.
const TIME_ZONE: &str = "timezone";

/// Settings that are the same for everyone, as the pages of this program show calendars and as quick additions are
/// read.
const FIXED: [(&str, &str); 11] = [
    ("autoAddHangouts", "false"),
    ("dateFieldOrder", "MDY"),
    ("defaultEventLength", "60"),
    ("format24HourTime", "true"),
    ("hideInvitations", "false"),
    ("hideWeekends", "false"),
    ("locale", "en"),
    ("remindOnRespondedEventsOnly", "false"),
    ("showDeclinedEvents", "true"),
    ("useKeyboardShortcuts", "true"),
    ("weekStart", "1"),
];

impl<S: Store> CalendarService<S> {
    /// Lists the settings of the calling user.
    pub(crate) async fn list_settings(
        &self,
        request: requests::SettingsList,
        context: &Context,
    ) -> ListResult<requests::SettingsList> {
        let (request, since) = self.syncs.open_sync(context, request)?;
        let settings = self.settings(context).await?;
        let size = request.max_results_or_default();
        self.reply_with_entries(context, &request, (settings, since), size, |settings, page, sync| {
            let list = Settings::default().with_kind("calendar#settings").with_items(settings);
            Settings { next_page_token: page, next_sync_token: sync, ..list }
        })
    }

    /// Returns a setting of the calling user.
    pub(crate) async fn get_setting(&self, request: requests::SettingsGet, context: &Context) -> Result<Setting> {
        let settings = self.settings(context).await?;
        let found = settings.into_iter().find(|setting| setting.id.as_deref() == Some(request.setting.as_str()));
        found.map(Reply::new).ok_or_else(|| {
            Error::not_found(format!("setting `{}` not found", request.setting))
                .with_reason("notFound")
                .with_location(ErrorLocation::Parameter("setting".into()))
        })
    }

    async fn settings(&self, context: &Context) -> std::result::Result<Vec<Setting>, Error> {
        let user = caller::user(&self.store, context).await?;
        let own = self.store.find_calendars(vec![user.address.clone()], user.mailbox).await;
        let own = own.map_err(error::from_store)?.into_iter().next().flatten();
        let zone = own.map_or_else(|| "UTC".to_owned(), |(calendar, _)| calendar.time_zone);
        let mut all: Vec<(&str, &str)> = FIXED.to_vec();
        all.push((TIME_ZONE, &zone));
        all.sort_unstable();
        let setting = |(id, value): (&str, &str)| {
            let mut setting = Setting::default().with_kind("calendar#setting").with_id(id).with_value(value);
            setting.etag = Some(entity_tag(&setting)?);
            Ok(setting)
        };
        all.into_iter().map(setting).collect()
    }
}
