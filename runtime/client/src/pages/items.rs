//! Listings item by item.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;
use wireform_runtime::Paged;

use super::Pages;
use crate::call::Call;
use crate::error::Error;

/// The items of a listing, page after page; a stream, and with [`next`](Self::next) usable without any crate for
/// streams. What is said of [`Pages`] holds for it.
#[must_use = "nothing is asked for until an item is wanted"]
pub struct Items<R: Paged> {
    pages: Pages<R>,
    /// What is left of the page that was read last.
    items: vec::IntoIter<R::Item>,
    /// The token of that page.
    token: Option<String>,
    /// Whether nobody has asked for more than that page.
    inside: bool,
}

impl<R: Paged> Items<R> {
    /// The items of a listing.
    pub fn new(call: Call<R>) -> Self {
        Self { pages: Pages::new(call), items: Vec::new().into_iter(), token: None, inside: false }
    }

    /// At the most so many pages are read; the stream then ends without an error.
    pub fn max_pages(mut self, most: usize) -> Self {
        self.pages = self.pages.max_pages(most);
        self
    }

    /// Begins with the page of that token, as [`page_token`](Self::page_token) gave it, in place of the first.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.items = Vec::new().into_iter();
        self.inside = false;
        self.pages = self.pages.from_token(token);
        self
    }

    /// The token of the page that the last item came from; after an error, of the page that failed; after the bound of
    /// [`max_pages`](Self::max_pages), of the page that would have come next. A stream that goes on from it misses no
    /// item, and gives those of that page again. `None` stands for the first page, and for nothing once the listing
    /// [is complete](Self::is_complete).
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        if self.inside { self.token.as_deref() } else { self.pages.page_token() }
    }

    /// Whether the listing has been read to its end: the last page is the last one, and [`next`](Self::next) has
    /// given `None`.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.inside && self.pages.is_complete()
    }

    /// The next item; `None` after the last one.
    ///
    /// The future may be dropped at any time: what is on its way stays, and the next call waits for it.
    ///
    /// # Errors
    /// Those of [`Pages::next`]. The stream ends with an error.
    pub async fn next(&mut self) -> Option<Result<R::Item, Error<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// All items.
    ///
    /// # Errors
    /// The first of [`next`](Self::next), and the items before it are lost; use `next` to keep them.
    pub async fn collect(mut self) -> Result<Vec<R::Item>, Error<R::ErrorBody>> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
            items.extend(self.items.by_ref());
        }
        Ok(items)
    }

    /// The items, for programs without an async runtime.
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn into_blocking(self) -> crate::blocking::Iter<Self> {
        crate::blocking::Iter::new(R::OPERATION, self)
    }
}

impl<R: Paged> Stream for Items<R> {
    type Item = Result<R::Item, Error<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            this.inside = false;
            // The token of the page that comes is gone once the page is there.
            let token = this.pages.page_token().map(str::to_owned);
            match ready!(Pin::new(&mut this.pages).poll_next(cx)) {
                Some(Ok(mut page)) => {
                    this.items = R::take_items(&mut page).into_iter();
                    this.token = token;
                    this.inside = true;
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

// Nothing in it is pinned in place: what is on its way is boxed.
impl<R: Paged> Unpin for Items<R> {}

impl<R: Paged> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).field("left", &self.items.len()).finish_non_exhaustive()
    }
}
