//! What more than one request is needed for: pages, synchronisation, reading before writing.

use std::borrow::Cow;
use std::fmt::Debug;

use super::{ParameterTexts, Request};
use crate::direction::Direction;
use crate::merge::Merge;
use crate::operation::Expired;

/// A request whose answer comes in pages.
pub trait Paged: Request {
    /// What a page is made of; of a map, an entry.
    type Item: Send + 'static;

    /// The member of the answer that names the next page, or says whether there is one; empty where none does.
    const NEXT: &'static str;

    /// The member of the answer that holds the items; empty where the answer is a list of them.
    const ITEMS: &'static str;

    /// Whether a page is named by its URL, which takes the place of that of the request.
    const LINKED: bool = false;

    /// Whether the URL of the next page is in the header `Link` (RFC 8288).
    const LINK_HEADER: bool = false;

    /// Returns the page that is asked for: a token, a number, or how many items come before it; the first without.
    fn page_token(&self) -> Option<Cow<'_, str>>;

    /// Asks for another page.
    fn set_page_token(&mut self, token: Option<String>);

    /// Returns the page after this answer to the request.
    fn next_page(&self, response: &Self::Response) -> Option<String>;

    /// Takes the items out of an answer.
    fn take_items(response: &mut Self::Response) -> Vec<Self::Item>;
}

/// A request that can ask for what has changed since an earlier answer.
pub trait Synced: Paged {
    /// What an answer gives to ask for the changes since.
    type Cursor: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// A change.
    type Change: Send + 'static;

    /// The member of the answer that gives the cursor.
    const CURSOR: &'static str;

    /// How an answer says that the cursor is not valid any more.
    const EXPIRED: Expired;

    /// Whether the request lists everything when it is sent without a cursor.
    const LISTS_ALL: bool;

    /// The parameters that a cursor can carry to the next request.
    const CARRIED: &'static [Carried] = &[];

    /// Returns the cursor that the request shows, where it is a text.
    fn resumed(&self) -> Option<&str> {
        None
    }

    /// Returns the request as it can be sent with a cursor, but for the cursor: none where it has a parameter that
    /// cannot be given beside one.
    fn resumable(&self) -> Option<Self>;

    /// Sets the parameter with that name to what an earlier request said.
    fn inherit<'t>(&mut self, _name: &str, _texts: &mut impl ParameterTexts<'t>) {}

    /// Asks for the changes since; for everything without a cursor, where [`LISTS_ALL`](Self::LISTS_ALL) says so.
    fn resume(&mut self, cursor: Option<Self::Cursor>);

    /// Creates the cursor of an answer; the last page has one.
    fn cursor(response: &Self::Response) -> Option<Self::Cursor>;

    /// Takes an item apart into the changes it tells of.
    fn changes(item: Self::Item, changes: &mut Vec<Self::Change>);
}

/// A parameter that a cursor carries to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its name.
    pub name: &'static str,
    /// Whether the next request can have another value, such as another size of pages.
    pub may_differ: bool,
}

/// A read whose answer can be changed and written back as a whole.
pub trait UpdatesRead: Request {
    /// The request that writes it.
    type Update: Request;

    /// Returns the request that writes `value` to where this request read it.
    fn update(&self, value: Self::Response) -> Self::Update;
}

/// A read whose answer can be changed by a merge patch.
pub trait PatchesRead: Request {
    /// The request that patches it.
    type Patched: Request;

    /// Returns the request that makes of `old` a `new`, at the place where this request read it.
    fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::Patched;
}

/// A request whose body is what is stored afterwards: as a whole, or as a merge patch of it.
pub trait Writes: Request {
    /// What is stored.
    type Resource: Direction + Clone + Debug + Send + Sync + 'static;

    /// Returns what the body makes of the stored value, or of nothing. Members that the request cannot change are not
    /// considered yet.
    fn merged(&self, stored: Option<&Self::Resource>) -> Self::Resource;
}

/// Returns what a merge patch makes of a value, or of nothing.
pub fn patched<T: Merge + Clone>(patch: &T::Patch, stored: Option<&T>) -> T
where
    T::Patch: Clone,
{
    match stored {
        Some(stored) => {
            let mut value = stored.clone();
            value.apply(patch.clone());
            value
        }
        None => T::create(patch.clone()),
    }
}
