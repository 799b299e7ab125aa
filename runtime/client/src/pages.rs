//! Listings that come in pages: page by page, or item by item.

mod items;
mod links;

pub use items::Items;

use std::collections::HashSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use wireform_runtime::{Paged, Request, fields};

use crate::call::{Call, Performing, Reply};
use crate::error::{Error, ErrorKind, one_line};
use crate::options::CallOptions;

/// How many pages are read where nothing else is said. A server can make up new tokens for ever.
const MOST_PAGES: usize = 100_000;

/// The most bytes of a token that are shown.
const MOST_TOKEN: usize = 100;

/// The pages of a listing, from the first or a named one on; a stream, and with [`next`](Self::next) usable without
/// any crate for streams.
///
/// A page is asked for when it is wanted and not before. The stream ends after the last page, after as many pages as
/// [`max_pages`](Self::max_pages) allows, or after an error; [`page_token`](Self::page_token) then says where a later
/// stream can go on. A server that leads back to a page which was read before, or that gives more than 100,000 pages unasked, is an error, not an endless loop.
///
/// When members are selected, those that name the items and the next page are selected as well.
///
/// A page that is named by its URL has that URL for its token. It is followed to where the client sends its requests, and
/// nowhere else: credentials go to no other server.
#[must_use = "nothing is asked for until a page is wanted"]
pub struct Pages<R: Paged> {
    call: Call<R>,
    /// The page to ask for next; after an error, the page that failed.
    token: Option<String>,
    /// How many pages may be asked for yet.
    left: usize,
    /// Whether the caller said how many.
    bounded: bool,
    /// The tokens that were asked for, as hashes: a listing may have very many pages.
    asked: HashSet<u64>,
    /// The page that is on its way.
    running: Option<Performing<R>>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    Failed,
    Complete,
}

impl<R: Paged> Pages<R> {
    /// The pages of a listing, from the one that the request names, or the first.
    pub fn new(mut call: Call<R>) -> Self {
        let token = call.request().page_token().and_then(|token| given(&token));
        unconditional(call.options_mut());
        select(call.options_mut(), &[R::NEXT, R::ITEMS]);
        let (asked, running) = (HashSet::new(), None);
        Self { call, token, left: MOST_PAGES, bounded: false, asked, running, state: State::Reading }
    }

    /// At the most so many pages are read; the stream then ends without an error.
    pub fn max_pages(mut self, most: usize) -> Self {
        self.left = most;
        self.bounded = true;
        self
    }

    /// Begins with the page of that token, as [`page_token`](Self::page_token) gave it, in place of the first.
    pub fn from_token(mut self, token: impl Into<String>) -> Self {
        self.token = given(&token.into());
        self.running = None;
        self.asked.clear();
        self.state = State::Reading;
        self
    }

    /// The token of the page that comes next; after an error, of the page that failed. `None` stands for the first
    /// page, and for nothing once the listing [is complete](Self::is_complete).
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether the last page has been read.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// The next page; `None` after the last one.
    ///
    /// The future may be dropped at any time: what is on its way stays, and the next call waits for it.
    ///
    /// # Errors
    /// Those of the call, and a protocol error when the server leads back to a page that was read before. The stream
    /// ends with an error.
    pub async fn next(&mut self) -> Option<Result<R::Response, Error<R::ErrorBody>>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// All pages.
    ///
    /// # Errors
    /// The first of [`next`](Self::next), and the pages before it are lost; use `next` to keep them.
    pub async fn collect(mut self) -> Result<Vec<R::Response>, Error<R::ErrorBody>> {
        let mut pages = Vec::new();
        while let Some(page) = self.next().await {
            pages.push(page?);
        }
        Ok(pages)
    }

    /// The pages, for programs without an async runtime.
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn into_blocking(self) -> crate::blocking::Iter<Self> {
        crate::blocking::Iter::new(R::OPERATION, self)
    }

    /// Selects one more member that a flow cannot do without.
    pub(crate) fn select(&mut self, member: &str) {
        select(self.call.options_mut(), &[member]);
    }

    /// Asks for the next page, if there is one to ask for.
    fn ask(&mut self) -> Option<Result<Performing<R>, Error<R::ErrorBody>>> {
        if self.state != State::Reading || self.left == 0 && self.bounded {
            return None;
        }
        if self.left == 0 {
            self.state = State::Failed;
            let message = format!("the listing has more than {MOST_PAGES} pages; allow more with `max_pages`");
            return Some(Err(protocol::<R>(message)));
        }
        if let Some(token) = &self.token
            && !self.asked.insert(hash(token))
        {
            self.state = State::Failed;
            let token = one_line(token, MOST_TOKEN);
            let message = format!("the server leads back to a page that was read before, with the token `{token}`");
            return Some(Err(protocol::<R>(message)));
        }
        self.left -= 1;
        if R::LINKED {
            self.call.options_mut().page.clone_from(&self.token);
        } else {
            self.call.request_mut().set_page_token(self.token.clone());
        }
        Some(Ok(self.call.perform()))
    }

    fn take(&mut self, answer: Result<Reply<R::Response>, Error<R::ErrorBody>>) -> <Self as Stream>::Item {
        let page = answer.and_then(|reply| {
            let link = if R::LINK_HEADER { links::next(&reply.headers) } else { None };
            value::<R>(reply).map(|page| (page, link))
        });
        let (page, link) = match page {
            Ok(page) => page,
            Err(error) => {
                self.state = State::Failed;
                return Err(error);
            }
        };
        let next = if R::LINK_HEADER { link } else { self.call.request().next_page(&page) };
        self.token = next.as_deref().and_then(given);
        if self.token.is_none() {
            self.state = State::Complete;
        }
        Ok(page)
    }
}

/// Client and server do not understand each other.
pub(crate) fn protocol<R: Request>(message: impl Into<String>) -> Error<R::ErrorBody> {
    Error::new(R::OPERATION, ErrorKind::Protocol(message.into()))
}

/// The value of an answer to a request without a condition.
pub(crate) fn value<R: Request>(reply: Reply<R::Response>) -> Result<R::Response, Error<R::ErrorBody>> {
    reply.value.ok_or_else(|| protocol::<R>("the server says that nothing has changed, which it was not asked"))
}

/// A token, unless it is empty, which says the same as none.
fn given(token: &str) -> Option<String> {
    (!token.is_empty()).then(|| token.to_owned())
}

fn hash(token: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(token)
}

/// A condition is about one answer, and pages are several.
fn unconditional(options: &mut CallOptions) {
    options.if_none_match = None;
    options.if_match = None;
}

/// Selects members that a flow cannot do without, where members are selected at all.
fn select(options: &mut CallOptions, members: &[&str]) {
    if let Some(selection) = &mut options.fields {
        for member in members.iter().filter(|member| !member.is_empty()) {
            *selection = fields::include(selection, member);
        }
    }
}

impl<R: Paged> Stream for Pages<R> {
    type Item = Result<R::Response, Error<R::ErrorBody>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let running = match &mut this.running {
            Some(running) => running,
            None => match this.ask() {
                Some(Ok(running)) => this.running.insert(running),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            },
        };
        let answer = ready!(Pin::new(running).poll(cx));
        this.running = None;
        Poll::Ready(Some(this.take(answer)))
    }
}

// Nothing in it is pinned in place: what is on its way is boxed.
impl<R: Paged> Unpin for Pages<R> {}

impl<R: Paged> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &R::OPERATION.name)
            .field("page_token", &self.token)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Gives a builder `pages()` and `items()`: `paged!(List, requests::EventsList)`. They begin with the page that the
/// request names; the parameter for it is the generator's to offer, like any other.
#[macro_export]
macro_rules! paged {
    ($name:ident, $request:ty) => {
        impl $name {
            /// The pages of the listing, one after the other; `into_blocking()` makes an iterator of them.
            pub fn pages(self) -> $crate::Pages<$request> {
                $crate::Pages::new(self.call)
            }

            /// The items of the listing, page after page; `into_blocking()` makes an iterator of them.
            pub fn items(self) -> $crate::Items<$request> {
                $crate::Items::new(self.call)
            }
        }
    };
}
