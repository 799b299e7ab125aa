//! The changes since an earlier answer, as a stream that ends in the next cursor.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;
use wireform_runtime::Synced;

use super::error::SyncError;
use crate::call::Call;
use crate::pages::{Pages, protocol};

/// What a synchronisation gives: changes, and in the end the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncEvent<T, C> {
    /// Something has changed.
    Change(T),
    /// That was all; with this cursor later changes can be asked for. It is to be kept only when every change before
    /// it has been dealt with.
    Done(C),
}

/// What has changed since an earlier answer, or everything; a stream whose last event is the next cursor. With
/// [`next`](Self::next) it is usable without any crate for streams.
///
/// It reads page after page as [`Pages`] does, with the same cursor for all of them. When members are selected, those
/// that name the items, the next page and the cursor are selected as well.
#[must_use = "nothing is asked for until a change is wanted"]
pub struct Changes<R: Synced> {
    pages: Pages<R>,
    /// Whether it goes on from a cursor, which may have expired.
    resumed: bool,
    /// What is left of the page that was read last.
    changes: vec::IntoIter<R::Change>,
    /// The token of that page.
    token: Option<String>,
    /// The cursor of that page, if it is the last one; taken when it is given out.
    cursor: Option<R::Cursor>,
    /// Whether nobody has asked for more than that page, or it cannot be used.
    inside: bool,
}

/// A page of changes.
pub(super) struct Batch<R: Synced> {
    pub changes: Vec<R::Change>,
    /// That of the last page.
    pub cursor: Option<R::Cursor>,
}

type Polled<R, T> = Poll<Option<Result<T, SyncError<<R as wireform_runtime::Request>::ErrorBody>>>>;

impl<R: Synced> Changes<R> {
    /// The changes since the answer that gave the cursor; without one everything, where
    /// [`LISTS_ALL`](Synced::LISTS_ALL) says that the request can be sent so.
    pub fn new(mut call: Call<R>, cursor: Option<R::Cursor>) -> Self {
        let resumed = cursor.is_some();
        call.request_mut().resume(cursor);
        // A token that the request held belongs to another listing.
        call.request_mut().set_page_token(None);
        let mut pages = Pages::new(call);
        pages.select(R::CURSOR);
        Self { pages, resumed, changes: Vec::new().into_iter(), token: None, cursor: None, inside: false }
    }

    /// At the most so many pages are read; the stream then ends without an error and without a cursor.
    pub fn max_pages(mut self, most: usize) -> Self {
        self.pages = self.pages.max_pages(most);
        self
    }

    /// Begins with the page of that token, as [`page_token`](Self::page_token) gave it, in place of the first. The
    /// cursor must be the one that the stream had which gave the token.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.changes = Vec::new().into_iter();
        self.cursor = None;
        self.inside = false;
        self.pages = self.pages.from_token(token);
        self
    }

    /// The token of the page that the last change came from; after an error, of the page that failed; after the bound
    /// of [`max_pages`](Self::max_pages), of the page that would have come next. A stream that goes on from it misses
    /// no change, and gives those of that page again. `None` stands for the first page, and for nothing once the
    /// cursor has been given out.
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        if self.inside { self.token.as_deref() } else { self.pages.page_token() }
    }

    /// The next change, or in the end the cursor; then `None`.
    ///
    /// The future may be dropped at any time: what is on its way stays, and the next call waits for it.
    ///
    /// # Errors
    /// [`SyncError::FullSyncRequired`] when the cursor is not valid any more; otherwise those of [`Pages::next`], and
    /// a protocol error when the last page has no cursor. The stream ends with an error.
    pub async fn next(&mut self) -> Option<Result<SyncEvent<R::Change, R::Cursor>, SyncError<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// All changes and the next cursor.
    ///
    /// # Errors
    /// The first of [`next`](Self::next), and the changes before it are lost; use `next` to keep them. Ending at the
    /// bound of [`max_pages`](Self::max_pages) before there is a cursor is an error too.
    pub async fn collect(mut self) -> Result<(Vec<R::Change>, R::Cursor), SyncError<R::ErrorBody>> {
        let mut changes = Vec::new();
        while let Some(batch) = self.next_batch().await {
            let batch = batch?;
            changes.extend(batch.changes);
            if let Some(cursor) = batch.cursor {
                return Ok((changes, cursor));
            }
        }
        Err(SyncError::Call(protocol::<R>("the bound of pages was reached before there was a cursor")))
    }

    /// The next page of changes; `None` after the last one.
    pub(super) async fn next_batch(&mut self) -> Option<Result<Batch<R>, SyncError<R::ErrorBody>>> {
        poll_fn(|cx| self.poll_batch(cx)).await
    }

    /// The next event of the page that is there.
    pub(super) fn ready_event(&mut self) -> Option<SyncEvent<R::Change, R::Cursor>> {
        if let Some(change) = self.changes.next() {
            return Some(SyncEvent::Change(change));
        }
        let cursor = self.cursor.take()?;
        self.inside = false;
        Some(SyncEvent::Done(cursor))
    }

    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Polled<R, Batch<R>> {
        // The token of the page that comes is gone once the page is there.
        let token = self.pages.page_token().map(str::to_owned);
        let Some(page) = ready!(Pin::new(&mut self.pages).poll_next(cx)) else { return Poll::Ready(None) };
        Poll::Ready(Some(page.map_err(|error| SyncError::of::<R>(error, self.resumed)).and_then(|page| {
            (self.token, self.inside) = (token, true);
            self.batch(page)
        })))
    }

    fn batch(&self, mut page: R::Response) -> Result<Batch<R>, SyncError<R::ErrorBody>> {
        let cursor = if self.pages.is_complete() { R::cursor(&page) } else { None };
        if self.pages.is_complete() && cursor.is_none() {
            return Err(SyncError::Call(protocol::<R>(format!("the last page has no `{}`", R::CURSOR))));
        }
        let mut changes = Vec::new();
        for item in R::take_items(&mut page) {
            R::changes(item, &mut changes);
        }
        Ok(Batch { changes, cursor })
    }
}

impl<R: Synced> Stream for Changes<R> {
    type Item = Result<SyncEvent<R::Change, R::Cursor>, SyncError<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.ready_event() {
                return Poll::Ready(Some(Ok(event)));
            }
            // A last page that cannot be used is still the one to go on from.
            this.inside &= this.pages.is_complete();
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

// Nothing in it is pinned in place: what is on its way is boxed.
impl<R: Synced> Unpin for Changes<R> {}

impl<R: Synced> fmt::Debug for Changes<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("pages", &self.pages).field("left", &self.changes.len()).finish_non_exhaustive()
    }
}
