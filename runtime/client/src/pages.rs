//! Paginated lists, page by page or item by item.

mod items;
mod links;
mod progress;

pub use items::Items;

use std::collections::HashSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use wireform_runtime::{Paginated, Request, fields};

use self::progress::Progress;
use crate::call::{Call, ReplyFuture};
use crate::error::{Error, ErrorKind};
use crate::options::CallOptions;
use crate::reply::Reply;
use crate::text::one_line;

/// Default maximum number of pages. A server can generate new page tokens forever.
const DEFAULT_MAX_PAGES: usize = 100_000;

/// Maximum number of bytes of a page token in a message.
const MAX_TOKEN_BYTES: usize = 100;

/// Pages of a list, from the first one or a page token on; a stream that is, with [`next`](Self::next), usable without
/// a crate for streams.
///
/// Pages are requested lazily. The stream ends after the last page, after the number of pages that
/// [`max_pages`](Self::max_pages) sets, or after an error; a later stream can resume at
/// [`page_token`](Self::page_token). A server that repeats a page token, or that returns more than 100,000 pages when
/// `max_pages` is not set, causes an error instead of an endless loop. So does a server whose second page repeats the items
/// of the first, whose page numbers do not increase by one, or whose list ends before the total that it states: items
/// would be missing.
///
/// If fields are selected, those of the items, of the next page token, and of the position and the end of the list are
/// added.
///
/// If pages are identified by URLs, the page token is the URL. It is followed only to the server that the client sends
/// its requests to, so that credentials reach no other server.
#[must_use = "nothing is requested until a page is polled"]
pub struct Pages<R: Paginated> {
    call: Call<R>,
    /// Token of the page to request next; after an error, of the page that failed.
    token: Option<String>,
    /// Number of pages that may still be requested.
    remaining_pages: usize,
    /// True if the caller set the maximum number of pages.
    has_max_pages: bool,
    /// Hashes of the page tokens that were requested: a list may have very many pages.
    requested: HashSet<u64>,
    /// Position of the previous page.
    progress: Progress,
    /// Request of the current page.
    pending: Option<ReplyFuture<R>>,
    state: State,
}

/// State of paging: pages may follow, the list ended before its total, which is the next error, an error was returned,
/// or the last page was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    Short,
    Failed,
    Complete,
}

impl<R: Paginated> Pages<R> {
    /// Creates the stream of a list's pages, from the page token of the request on, or from the first page.
    pub fn new(mut call: Call<R>) -> Self {
        let token = call.request().page_token().and_then(|token| non_empty_token(&token));
        remove_conditions(call.options_mut());
        include_fields(call.options_mut(), &[R::NEXT_PAGE_FIELD, R::ITEMS_FIELD]);
        include_fields(call.options_mut(), R::POSITION_FIELDS);
        let (requested, running) = (HashSet::new(), None);
        Self {
            call,
            token,
            remaining_pages: DEFAULT_MAX_PAGES,
            has_max_pages: false,
            requested,
            progress: Progress::default(),
            pending: running,
            state: State::Reading,
        }
    }

    /// Sets the maximum number of pages; the stream then ends without an error.
    pub fn max_pages(mut self, max: usize) -> Self {
        self.remaining_pages = max;
        self.has_max_pages = true;
        self
    }

    /// Starts at a page token that [`page_token`](Self::page_token) returned, instead of the first page.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.token = non_empty_token(&token.into());
        self.pending = None;
        self.requested.clear();
        self.progress = Progress::default();
        self.state = State::Reading;
        self
    }

    /// Returns the token of the next page; after an error, of the page that failed. `None` stands for the first page,
    /// or for the end once the list [is complete](Self::is_complete). It is also `None` if the list ended before the
    /// total that it states: which page lacks items is unknown, so only the whole list can be read again.
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns true if the last page has been read, unless the list ended before the total that it states, which
    /// [`next`](Self::next) returns as an error.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// Returns the next page; `None` after the last one.
    ///
    /// Cancel safe: if the future is dropped, the pending request is kept, and the next call waits for it.
    ///
    /// # Errors
    /// Returns the error of the call, or a protocol error if the server repeats a page token or the items of the first
    /// page, skips a page number, ends the list before the total that it states, names a page at another origin, or
    /// returns more than 100,000 pages when `max_pages` is not set. The stream ends after an error.
    pub async fn next(&mut self) -> Option<Result<R::Response, Error<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Collects all pages.
    ///
    /// # Errors
    /// Returns the first error of [`next`](Self::next). The pages before it are lost; use `next` to keep them.
    pub async fn collect(mut self) -> Result<Vec<R::Response>, Error<R::ErrorBody>> {
        let mut pages = Vec::new();
        while let Some(page) = self.next().await {
            pages.push(page?);
        }
        Ok(pages)
    }

    /// Returns a blocking iterator over the pages.
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn into_blocking(self) -> crate::blocking::Iter<Self> {
        crate::blocking::Iter::new(R::OPERATION, self)
    }

    /// Adds a required field to the selection.
    pub(crate) fn require_field(&mut self, member: &str) {
        include_fields(self.call.options_mut(), &[member]);
    }

    /// Creates the call of the next page, if there is one.
    fn request_next(&mut self) -> Option<Result<ReplyFuture<R>, Error<R::ErrorBody>>> {
        if self.state == State::Short {
            self.state = State::Failed;
            return self.progress.missing().map(|message| Err(protocol_error::<R>(message)));
        }
        if self.state != State::Reading || self.remaining_pages == 0 && self.has_max_pages {
            return None;
        }
        if self.remaining_pages == 0 {
            self.state = State::Failed;
            let message =
                format!("the list has more than {DEFAULT_MAX_PAGES} pages; help: allow more with `max_pages`");
            return Some(Err(protocol_error::<R>(message)));
        }
        if let Some(token) = &self.token
            && !self.requested.insert(hash_token(token))
        {
            self.state = State::Failed;
            let token = one_line(token, MAX_TOKEN_BYTES);
            let message = format!("the server returned the page token `{token}` again");
            return Some(Err(protocol_error::<R>(message)));
        }
        self.remaining_pages -= 1;
        if R::PAGES_BY_URL {
            self.call.options_mut().page.clone_from(&self.token);
        } else {
            self.call.request_mut().set_page_token(self.token.clone());
        }
        Some(Ok(self.call.perform()))
    }

    /// Takes the page out of a reply, and sets the token of the next page or the final state.
    fn accept(&mut self, response: Result<Reply<R::Response>, Error<R::ErrorBody>>) -> <Self as Stream>::Item {
        let page = response.and_then(|reply| {
            let link = if R::USES_LINK_HEADER { links::next_link(&reply.headers) } else { None };
            require_value::<R>(reply).map(|page| (page, link))
        });
        let (page, link) = match page {
            Ok(page) => page,
            Err(error) => {
                self.state = State::Failed;
                return Err(error);
            }
        };
        if let Err(message) = self.advance(&page) {
            self.state = State::Failed;
            return Err(protocol_error::<R>(message));
        }
        let next = if R::USES_LINK_HEADER { link } else { self.call.request().next_page(&page) };
        self.token = next.as_deref().and_then(non_empty_token).filter(|_| !self.progress.has_ended());
        if self.token.is_none() {
            self.state = if self.progress.missing().is_some() { State::Short } else { State::Complete };
        }
        Ok(page)
    }

    /// Checks that a page follows the previous one.
    fn advance(&mut self, page: &R::Response) -> Result<(), String> {
        let Some(position) = self.call.request().position(page) else { return Ok(()) };
        // Selected fields of different items can be equal.
        let is_whole = self.call.options_mut().fields.is_none();
        self.progress.advance(position, || R::hash_items(page).filter(|_| is_whole))
    }
}

/// Creates a protocol error.
pub(crate) fn protocol_error<R: Request>(message: impl Into<String>) -> Error<R::ErrorBody> {
    Error::new(R::OPERATION, ErrorKind::Protocol(message.into()))
}

/// Returns the value of the response to an unconditional request.
pub(crate) fn require_value<R: Request>(reply: Reply<R::Response>) -> Result<R::Response, Error<R::ErrorBody>> {
    reply.value.ok_or_else(|| protocol_error::<R>("unexpected response 304: the request was not conditional"))
}

/// Converts an empty page token, which ends the list, to `None`.
fn non_empty_token(token: &str) -> Option<String> {
    (!token.is_empty()).then(|| token.to_owned())
}

/// Hashes a page token with a fixed seed, to detect repeated ones.
fn hash_token(token: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(token)
}

/// Removes the conditions: they apply to one response, not to several pages.
fn remove_conditions(options: &mut CallOptions) {
    options.if_none_match = None;
    options.if_match = None;
}

/// Adds required fields to a selection, if fields are selected at all.
fn include_fields(options: &mut CallOptions, members: &[&str]) {
    if let Some(selection) = &mut options.fields {
        for member in members.iter().filter(|member| !member.is_empty()) {
            *selection = fields::include_field(selection, member);
        }
    }
}

impl<R: Paginated> Stream for Pages<R> {
    type Item = Result<R::Response, Error<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let running = match &mut this.pending {
            Some(running) => running,
            None => match this.request_next() {
                Some(Ok(running)) => this.pending.insert(running),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            },
        };
        let response = ready!(Pin::new(running).poll(cx));
        this.pending = None;
        Poll::Ready(Some(this.accept(response)))
    }
}

// No field is structurally pinned: the pending call is boxed.
impl<R: Paginated> Unpin for Pages<R> {}

impl<R: Paginated> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &R::OPERATION.name)
            .field("page_token", &self.token)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Adds `pages()` and `items()` to a builder: `paged!(List, requests::EventsList)`. They start at the page token of the
/// request, whose setter is generated like that of any other parameter.
#[doc(hidden)]
#[macro_export]
macro_rules! paged {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Returns the pages of the list; `into_blocking()` converts the stream to an iterator.
            pub fn pages(self) -> $crate::Pages<$request> {
                $crate::Pages::new(self.call)
            }

            /// Returns the items of the list, page after page; `into_blocking()` converts the stream to an iterator.
            pub fn items(self) -> $crate::Items<$request> {
                $crate::Items::new(self.call)
            }
        }
    };
}
