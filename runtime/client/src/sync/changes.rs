//! Changes since an earlier response, as a stream that ends with the next sync token.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;
use wireform_runtime::Syncable;

use super::error::SyncError;
use crate::call::Call;
use crate::pages::{Pages, protocol_error};

/// Event of a synchronization: a change, or the end of the changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncEvent<T, C> {
    /// A change.
    Change(T),
    /// End of the changes, with the sync token for later ones. Keep it only once every change before it has been
    /// processed.
    Done(C),
}

/// Changes since an earlier response, or all items; a stream whose last event is the next sync token. With
/// [`next`](Self::next) it is usable without a crate for streams.
///
/// It reads page after page as [`Pages`] does, with the same sync token for all of them. If fields are selected, those
/// of the items, of the next page token and of the sync token are added.
#[must_use = "nothing is requested until a change is polled"]
pub struct Changes<R: Syncable> {
    pages: Pages<R>,
    /// True if the request has a sync token, which may have expired.
    has_sync_token: bool,
    /// Remaining changes of the current page.
    changes: vec::IntoIter<R::Change>,
    /// Token of the current page.
    token: Option<String>,
    /// Cursor of the current page, if it is the last one; taken when it is returned.
    cursor: Option<R::SyncToken>,
    /// True if no page after the current one was requested, or the current one is invalid.
    in_page: bool,
}

/// Page of changes.
pub(super) struct ChangeBatch<R: Syncable> {
    pub changes: Vec<R::Change>,
    /// Cursor of the last page.
    pub cursor: Option<R::SyncToken>,
}

/// Poll of a stream whose errors distinguish an expired sync token.
type PollItem<R, T> = Poll<Option<Result<T, SyncError<<R as wireform_runtime::Request>::ErrorBody>>>>;

impl<R: Syncable> Changes<R> {
    /// Creates the stream of changes since the response with the sync token; without a sync token, of all items, if
    /// [`SUPPORTS_FULL_SYNC`](Syncable::SUPPORTS_FULL_SYNC) is true.
    pub fn new(mut call: Call<R>, cursor: Option<R::SyncToken>) -> Self {
        let resumed = cursor.is_some();
        call.request_mut().set_sync_token(cursor);
        // A page token of the request belongs to another list.
        call.request_mut().set_page_token(None);
        let mut pages = Pages::new(call);
        pages.require_field(R::SYNC_TOKEN_FIELD);
        Self {
            pages,
            has_sync_token: resumed,
            changes: Vec::new().into_iter(),
            token: None,
            cursor: None,
            in_page: false,
        }
    }

    /// Sets the maximum number of pages; the stream then ends without an error and without a sync token.
    pub fn max_pages(mut self, max: usize) -> Self {
        self.pages = self.pages.max_pages(max);
        self
    }

    /// Starts at a page token that [`page_token`](Self::page_token) returned, instead of the first page. The sync token
    /// must be that of the stream that returned the token.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.changes = Vec::new().into_iter();
        self.cursor = None;
        self.in_page = false;
        self.pages = self.pages.from_token(token);
        self
    }

    /// Returns the token of the page of the last change; after an error, of the page that failed; after
    /// [`max_pages`](Self::max_pages) pages, of the page that would have been next. A stream that resumes there misses
    /// no change, and repeats those of that page. `None` stands for the first page, or for the end once the sync token
    /// has been returned.
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        if self.in_page { self.token.as_deref() } else { self.pages.page_token() }
    }

    /// Returns the next change, and finally the sync token; then `None`.
    ///
    /// Cancel safe: if the future is dropped, the pending request is kept, and the next call waits for it.
    ///
    /// # Errors
    /// Returns [`SyncError::FullSyncRequired`] if the sync token has expired; otherwise the same errors as
    /// [`Pages::next`], and a protocol error if the last page has no sync token. The stream ends after an error.
    pub async fn next(&mut self) -> Option<Result<SyncEvent<R::Change, R::SyncToken>, SyncError<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Collects all changes and the next sync token.
    ///
    /// # Errors
    /// Returns the first error of [`next`](Self::next), and an error if [`max_pages`](Self::max_pages) ends the stream
    /// before the sync token. The changes before it are lost; use `next` to keep them.
    pub async fn collect(mut self) -> Result<(Vec<R::Change>, R::SyncToken), SyncError<R::ErrorBody>> {
        let mut changes = Vec::new();
        while let Some(batch) = self.next_batch().await {
            let batch = batch?;
            changes.extend(batch.changes);
            if let Some(cursor) = batch.cursor {
                return Ok((changes, cursor));
            }
        }
        Err(SyncError::Call(protocol_error::<R>(
            "reached the maximum number of pages before the sync token; help: allow more with `max_pages`",
        )))
    }

    /// Returns the next page of changes; `None` after the last one.
    pub(super) async fn next_batch(&mut self) -> Option<Result<ChangeBatch<R>, SyncError<R::ErrorBody>>> {
        poll_fn(|cx| self.poll_batch(cx)).await
    }

    /// Returns the next event of the current page.
    pub(super) fn ready_event(&mut self) -> Option<SyncEvent<R::Change, R::SyncToken>> {
        if let Some(change) = self.changes.next() {
            return Some(SyncEvent::Change(change));
        }
        let cursor = self.cursor.take()?;
        self.in_page = false;
        Some(SyncEvent::Done(cursor))
    }

    /// Polls for the changes of the next page.
    fn poll_batch(&mut self, cx: &mut Context<'_>) -> PollItem<R, ChangeBatch<R>> {
        // Read before the page arrives, which replaces it.
        let token = self.pages.page_token().map(str::to_owned);
        let Some(page) = ready!(Pin::new(&mut self.pages).poll_next(cx)) else { return Poll::Ready(None) };
        Poll::Ready(Some(page.map_err(|error| SyncError::classify::<R>(error, self.has_sync_token)).and_then(|page| {
            (self.token, self.in_page) = (token, true);
            self.batch(page)
        })))
    }

    /// Converts a page to a batch of changes; the last page must have a sync token.
    fn batch(&self, mut page: R::Response) -> Result<ChangeBatch<R>, SyncError<R::ErrorBody>> {
        let cursor = if self.pages.is_complete() { R::next_sync_token(&page) } else { None };
        if self.pages.is_complete() && cursor.is_none() {
            return Err(SyncError::Call(protocol_error::<R>(format!(
                "the last page has no `{}`",
                R::SYNC_TOKEN_FIELD
            ))));
        }
        let mut changes = Vec::new();
        for item in R::take_items(&mut page) {
            R::collect_changes(item, &mut changes);
        }
        Ok(ChangeBatch { changes, cursor })
    }
}

impl<R: Syncable> Stream for Changes<R> {
    type Item = Result<SyncEvent<R::Change, R::SyncToken>, SyncError<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.ready_event() {
                return Poll::Ready(Some(Ok(event)));
            }
            // A last page that is invalid is still the one to resume at.
            this.in_page &= this.pages.is_complete();
            match ready!(this.poll_batch(cx)) {
                Some(Ok(batch)) => {
                    this.changes = batch.changes.into_iter();
                    this.cursor = batch.cursor;
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

// No field is structurally pinned: the pending call is boxed.
impl<R: Syncable> Unpin for Changes<R> {}

impl<R: Syncable> fmt::Debug for Changes<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("pages", &self.pages).field("left", &self.changes.len()).finish_non_exhaustive()
    }
}
