//! Flows of several requests: pagination, synchronization, and read-modify-write.

use std::borrow::Cow;
use std::fmt::Debug;

use super::{ParameterTexts, Request};
use crate::direction::Direction;
use crate::merge::Merge;
use crate::operation::Expired;

/// Request with a paginated response.
pub trait Paged: Request {
    /// Item of a page; an entry if the items are a map.
    type Item: Send + 'static;

    /// Field of the response that identifies the next page, or indicates whether there is one; empty if no field
    /// does.
    const NEXT: &'static str;

    /// Field of the response that holds the items; empty if the response is a list of them.
    const ITEMS: &'static str;

    /// True if a page is identified by its URL, which replaces that of the request.
    const LINKED: bool = false;

    /// True if the URL of the next page is in the header `Link` (RFC 8288).
    const LINK_HEADER: bool = false;

    /// Returns the requested page: a page token, a number, or an offset; `None` for the first page.
    fn page_token(&self) -> Option<Cow<'_, str>>;

    /// Sets the requested page.
    fn set_page_token(&mut self, token: Option<String>);

    /// Returns the page after this response to the request.
    fn next_page(&self, response: &Self::Response) -> Option<String>;

    /// Takes the items out of a response.
    fn take_items(response: &mut Self::Response) -> Vec<Self::Item>;
}

/// Request that can be limited to changes since an earlier response.
pub trait Synced: Paged {
    /// Sync token of a response, with which later changes are requested.
    type Cursor: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// Change of a resource.
    type Change: Send + 'static;

    /// Field of the response that holds the sync token.
    const CURSOR: &'static str;

    /// Error response that means that the sync token has expired.
    const EXPIRED: Expired;

    /// True if the request without a sync token lists everything.
    const LISTS_ALL: bool;

    /// Parameters that a sync token can carry to the next request.
    const CARRIED: &'static [Carried] = &[];

    /// Returns the sync token of the request, if it is a string.
    fn resumed(&self) -> Option<&str> {
        None
    }

    /// Returns the request with the parameters that can be combined with a sync token, but without the token; `None` if
    /// it has a parameter that cannot be combined with one.
    fn resumable(&self) -> Option<Self>;

    /// Sets the parameter with this name to its value in an earlier request.
    fn inherit<'t>(&mut self, _name: &str, _texts: &mut impl ParameterTexts<'t>) {}

    /// Sets the sync token; without one the request lists everything, if [`LISTS_ALL`](Self::LISTS_ALL) is true.
    fn resume(&mut self, cursor: Option<Self::Cursor>);

    /// Returns the sync token of a response; at least the last page has one.
    fn cursor(response: &Self::Response) -> Option<Self::Cursor>;

    /// Appends the changes that an item contains.
    fn changes(item: Self::Item, changes: &mut Vec<Self::Change>);
}

/// Parameter that a sync token carries to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Name of the parameter.
    pub name: &'static str,
    /// True if the next request can have another value, such as another page size.
    pub may_differ: bool,
}

/// Read request whose response can be changed and written back as a whole.
pub trait UpdatesRead: Request {
    /// Request that writes the resource.
    type Update: Request;

    /// Returns the request that writes `value` to the resource that this request read.
    fn update(&self, value: Self::Response) -> Self::Update;
}

/// Read request whose response can be changed by a merge patch.
pub trait PatchesRead: Request {
    /// Request that patches the resource.
    type Patched: Request;

    /// Returns the request that changes `old` to `new` in the resource that this request read.
    fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::Patched;
}

/// Request whose body determines the stored value: as a whole, or as a merge patch.
pub trait Writes: Request {
    /// Stored resource.
    type Resource: Direction + Clone + Debug + Send + Sync + 'static;

    /// Applies the body to the stored value, if there is one. Fields that the request cannot change are not restored
    /// yet.
    fn merged(&self, stored: Option<&Self::Resource>) -> Self::Resource;
}

/// Applies a merge patch to a value, or creates a value from it.
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
