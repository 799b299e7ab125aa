//! Pages of lists that are computed as a whole: calendar lists and settings.
//!
//! Nothing records the changes of such a list. A token holds the version of the list, and expires when it changes.

use calendar_server::runtime::ErrorLocation;
use calendar_server::runtime::wireform_runtime::{Paginated, Syncable};
use calendar_server::{Context, Error, ListResult};
use serde_derive::{Deserialize, Serialize};
use wireform_store::Store;

use super::digest;
use crate::CalendarService;

/// Version of a list that a client knows, in a sync token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnownVersion {
    version: String,
}

/// Start of a page: the version of the list, and the number of entries before the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EntriesPosition {
    version: String,
    from: usize,
}

impl<S: Store> CalendarService<S> {
    /// Returns the response with the requested page of all entries, or without entries if the client knows this version.
    /// `page` creates it from entries, a page token and a sync token.
    pub(super) fn reply_with_entries<R, T>(
        &self,
        context: &Context,
        request: &R,
        (entries, since): (Vec<T>, Option<KnownVersion>),
        size: i32,
        page: impl FnOnce(Vec<T>, Option<String>, Option<String>) -> R::Response,
    ) -> ListResult<R>
    where
        R: Paginated + Syncable,
        T: serde::Serialize,
    {
        let version = digest(&entries)?;
        if since.as_ref().is_some_and(|since| since.version != version) {
            let error = changed("syncToken", "do a full sync");
            return Err(error.with_reason("fullSyncRequired"));
        }
        let tag = context.list_tag(request, &version);
        if let Some(unchanged) = tag.not_modified() {
            return Ok(unchanged);
        }
        let position: Option<EntriesPosition> = self.pages.open_page(context, request)?;
        if position.as_ref().is_some_and(|position| position.version != version) {
            let error = changed("pageToken", "start again from the first page");
            return Err(error.with_reason("pageTokenExpired"));
        }
        let from = if since.is_some() { entries.len() } else { position.map_or(0, |position| position.from) };
        let size = usize::try_from(size).unwrap_or(1).max(1);
        let has_more = entries.len().saturating_sub(from) > size;
        let listed = entries.into_iter().skip(from).take(size).collect();
        let (mut next, mut sync) = (None, None);
        if has_more {
            let position = EntriesPosition { version, from: from + size };
            next = Some(self.pages.seal_page(context, request, &position)?);
        } else {
            sync = self.syncs.seal_sync(context, request, &KnownVersion { version })?;
        }
        Ok(tag.reply(page(listed, next, sync)))
    }
}

/// Creates the error of a token of an older version of a list.
fn changed(parameter: &'static str, advice: &str) -> Error {
    let error = Error::gone(format!("the list has changed since the token was issued; {advice}"));
    error.with_location(ErrorLocation::Parameter(parameter.into()))
}
