//! What more than one request is needed for: pages, synchronisation, reading before writing.

use std::fmt::Debug;

use super::Request;
use crate::operation::Expired;

/// A request whose answer comes in pages.
pub trait Paged: Request {
    /// What a page is made of; of a map, an entry.
    type Item: Send + 'static;

    /// The member of the answer that names the next page.
    const NEXT: &'static str;

    /// The member of the answer that holds the items.
    const ITEMS: &'static str;

    /// The page that is asked for; the first without.
    fn page_token(&self) -> Option<&str>;

    /// Asks for another page.
    fn set_page_token(&mut self, token: Option<String>);

    /// The page after this answer.
    fn next_page_token(response: &Self::Response) -> Option<&str>;

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

    /// Asks for the changes since; for everything without a cursor, where [`LISTS_ALL`](Self::LISTS_ALL) says so.
    fn resume(&mut self, cursor: Option<Self::Cursor>);

    /// The cursor of an answer; the last page has one.
    fn cursor(response: &Self::Response) -> Option<Self::Cursor>;

    /// Takes an item apart into the changes it tells of.
    fn changes(item: Self::Item, changes: &mut Vec<Self::Change>);
}

/// A read whose answer can be changed and written back as a whole.
pub trait UpdatesRead: Request {
    /// The request that writes it.
    type Update: Request;

    /// The request that writes `value` to where this request read it.
    fn update(&self, value: Self::Response) -> Self::Update;
}

/// A read whose answer can be changed by a merge patch.
pub trait PatchesRead: Request {
    /// The request that patches it.
    type Patched: Request;

    /// The request that makes of `old` a `new`, at the place where this request read it.
    fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::Patched;
}
