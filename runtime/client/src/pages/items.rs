//! Paginated lists item by item.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;
use wireform_runtime::Paginated;

use super::Pages;
use crate::call::Call;
use crate::error::Error;

/// Items of a list, page after page; a stream that is, with [`next`](Self::next), usable without a crate for streams.
/// It behaves as [`Pages`] does.
#[must_use = "nothing is requested until an item is polled"]
pub struct Items<R: Paginated> {
    pages: Pages<R>,
    /// Remaining items of the current page.
    items: vec::IntoIter<R::Item>,
    /// Token of the current page.
    token: Option<String>,
    /// True if no page after the current one was requested.
    in_page: bool,
}

impl<R: Paginated> Items<R> {
    /// Creates the stream of a list's items.
    pub fn new(call: Call<R>) -> Self {
        Self { pages: Pages::new(call), items: Vec::new().into_iter(), token: None, in_page: false }
    }

    /// Sets the maximum number of pages; the stream then ends without an error.
    pub fn max_pages(mut self, max: usize) -> Self {
        self.pages = self.pages.max_pages(max);
        self
    }

    /// Starts at a page token that [`page_token`](Self::page_token) returned, instead of the first page.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.items = Vec::new().into_iter();
        self.in_page = false;
        self.pages = self.pages.from_token(token);
        self
    }

    /// Returns the token of the page of the last item; after an error, of the page that failed; after
    /// [`max_pages`](Self::max_pages) pages, of the page that would have been next. A stream that resumes there misses
    /// no item, and repeats those of that page. `None` stands for the first page, or for the end once the list [is
    /// complete](Self::is_complete). It is also `None` after the error that the list ended before the total that it
    /// states, as of [`Pages::page_token`].
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        if self.in_page { self.token.as_deref() } else { self.pages.page_token() }
    }

    /// Returns true if the list has been read to its end: the last page was read, and [`next`](Self::next) returned
    /// `None`.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.in_page && self.pages.is_complete()
    }

    /// Returns the next item; `None` after the last one.
    ///
    /// Cancel safe: if the future is dropped, the pending request is kept, and the next call waits for it.
    ///
    /// # Errors
    /// Returns the same errors as [`Pages::next`]. The stream ends after an error.
    pub async fn next(&mut self) -> Option<Result<R::Item, Error<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Collects all items.
    ///
    /// # Errors
    /// Returns the first error of [`next`](Self::next). The items before it are lost; use `next` to keep them.
    pub async fn collect(mut self) -> Result<Vec<R::Item>, Error<R::ErrorBody>> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
            items.extend(self.items.by_ref());
        }
        Ok(items)
    }

    /// Returns a blocking iterator over the items.
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn into_blocking(self) -> crate::blocking::Iter<Self> {
        crate::blocking::Iter::new(R::OPERATION, self)
    }
}

impl<R: Paginated> Stream for Items<R> {
    type Item = Result<R::Item, Error<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            this.in_page = false;
            // Read before the page arrives, which replaces it.
            let token = this.pages.page_token().map(str::to_owned);
            match ready!(Pin::new(&mut this.pages).poll_next(cx)) {
                Some(Ok(mut page)) => {
                    this.items = R::take_items(&mut page).into_iter();
                    this.token = token;
                    this.in_page = true;
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

// No field is structurally pinned: the pending call is boxed.
impl<R: Paginated> Unpin for Items<R> {}

impl<R: Paginated> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).field("left", &self.items.len()).finish_non_exhaustive()
    }
}
