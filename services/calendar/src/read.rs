//! Reading, listing and synchronizing events.

mod contents;
mod expand;
mod filter;
mod free_busy;
mod ics;
mod instances;
mod memory;
mod page;
mod positions;
mod sync;
mod walk;
mod window;

use calendar_server::runtime::ListResult;
use calendar_server::types::Event;
use calendar_server::{Context, Result, requests};
use wireform_store::Store;

pub(crate) use self::expand::{Cache, unsearched};
use self::filter::Filter;
use self::memory::PageMemory;
use self::page::Listing;
use self::positions::{ListPosition, SyncToken};
use crate::CalendarService;
use crate::caller::{Need, access};
use crate::view::View;
use crate::write::reply;

impl<S: Store> CalendarService<S> {
    pub(crate) async fn get_event(&self, request: requests::EventsGet, context: &Context) -> Result<Event> {
        let access = access(&self.store, context, &request.calendar_id, Need::Read).await?;
        let found = self.find(&access, &request.event_id).await?;
        let view = self.view(&access, request.time_zone.as_deref(), request.max_attendee);
        Ok(reply(&access, view.represent(&found)?))
    }

    /// Lists events ordered by start if instances or a time range are requested; otherwise by identifier or by last
    /// change. Changes since an earlier list are in order of occurrence.
    pub(crate) async fn list_events(
        &self,
        request: requests::EventsList,
        context: &Context,
    ) -> ListResult<requests::EventsList> {
        let access = access(&self.store, context, &request.calendar_id, Need::Read).await?;
        let (request, since) = self.syncs.open_sync::<_, SyncToken>(context, request)?;
        let filter = Filter::from_request(&request, self.horizon())?;
        filter.require_recorded_deletions(&access.calendar)?;
        let tag = context.list_tag(&request, page::list_version(&access, filter.list_horizon()));
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let hidden = request.show_hidden_invitations.unwrap_or(false);
        let view =
            View { with_hidden: hidden, ..self.view(&access, request.time_zone.as_deref(), request.max_attendee) };
        let place = self.start_position(&access, &request, context, &filter, since)?;
        let size = request.max_results.map_or(page::DEFAULT_PAGE_SIZE, |size| size.cast_unsigned() as usize);
        let memory = PageMemory::reserve(context, size).await?;
        let mut listing = Listing::new(&access, view, &filter, (size, memory));
        let next = match place {
            ListPosition::Walk(from) => self.list_in_order(&mut listing, from).await,
            ListPosition::Window(from) => self.list_window(&mut listing, from).await,
            ListPosition::Sync(from) => self.list_changes(&mut listing, from).await,
        };
        let next = next.map_err(|error| page::expired(error, context, &request))?;
        Ok(tag.reply(self.page(&access, &request, context, listing, next)?))
    }
}
