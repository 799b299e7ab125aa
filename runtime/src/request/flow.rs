//! Flows of several requests: pagination, synchronization, and read-modify-write.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use serde::Serialize;

use super::Request;
use crate::field_behavior::FieldBehavior;
use crate::from_parameter::ParameterTexts;
use crate::merge::Merge;
use crate::operation::ExpiredTokenError;

/// Request with a paginated response.
pub trait Paginated: Request {
    /// Item of a page; an entry if the items are a map.
    type Item: Send + 'static;

    /// Field of the response that identifies the next page, or indicates whether there is one; empty if no field
    /// does.
    const NEXT_PAGE_FIELD: &'static str;

    /// Field of the response that holds the items; empty if the response is a list of them.
    const ITEMS_FIELD: &'static str;

    /// True if a page is identified by its URL, which replaces that of the request.
    const PAGES_BY_URL: bool = false;

    /// True if the URL of the next page is in the header `Link` (RFC 8288).
    const USES_LINK_HEADER: bool = false;

    /// Fields of the response that state its position or the end of the list, besides `NEXT_PAGE_FIELD`.
    const POSITION_FIELDS: &'static [&'static str] = &[];

    /// Returns the requested page: a page token, a number, or an offset; `None` for the first page.
    fn page_token(&self) -> Option<Cow<'_, str>>;

    /// Sets the requested page; `None` for the first page.
    fn set_page_token(&mut self, token: Option<String>);

    /// Returns the page after this response to the request.
    fn next_page(&self, response: &Self::Response) -> Option<String>;

    /// Takes the items out of a response.
    fn take_items(response: &mut Self::Response) -> Vec<Self::Item>;

    /// Returns the position of a page that is identified by a number or an offset; `None` for other pages.
    fn position(&self, _response: &Self::Response) -> Option<PagePosition> {
        None
    }

    /// Returns a hash of the items of a response; `None` if two pages can have equal items.
    fn hash_items(_response: &Self::Response) -> Option<u64> {
        None
    }
}

/// Position of a page in its list, as far as the request and the response state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePosition {
    /// Number of items in earlier pages, if the request states it.
    pub before: Option<i128>,
    /// Number of items in the page.
    pub count: usize,
    /// Number of the page in the response.
    pub page: Option<i128>,
    /// Number of items in all pages.
    pub total: Option<i128>,
    /// True if only the total determines where the list ends.
    pub ends_with_total: bool,
}

/// Hashes the JSON of items, to compare pages; `None` if they are empty or cannot be encoded.
#[must_use]
pub fn hash_items<T: Serialize>(items: &T) -> Option<u64> {
    let json = crate::json::to_vec(items).ok()?;
    let is_empty = matches!(json.as_slice(), b"[]" | b"{}" | b"null");
    (!is_empty).then(|| BuildHasherDefault::<DefaultHasher>::default().hash_one(json))
}

/// Request that can be limited to changes since an earlier response.
pub trait Syncable: Paginated {
    /// Sync token of a response, with which later changes are requested.
    type SyncToken: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// Change of a resource.
    type Change: Send + 'static;

    /// Field of the response that holds the sync token.
    const SYNC_TOKEN_FIELD: &'static str;

    /// Error response that means that the sync token has expired.
    const EXPIRED_TOKEN: ExpiredTokenError;

    /// True if the request without a sync token lists everything.
    const SUPPORTS_FULL_SYNC: bool;

    /// Parameters that a sync token can carry to the next request.
    const TOKEN_PARAMETERS: &'static [TokenParameter] = &[];

    /// Returns the sync token of the request, if it is a string.
    fn sync_token(&self) -> Option<&str> {
        None
    }

    /// Returns the request with the parameters that can be combined with a sync token, but without the token; `None` if
    /// it has a parameter that cannot be combined with one.
    fn without_sync_token(&self) -> Option<Self>;

    /// Sets the parameter with this name to its value in an earlier request.
    fn inherit_parameter<'t>(&mut self, _name: &str, _texts: &mut impl ParameterTexts<'t>) {}

    /// Sets the sync token; without one the request lists everything, if
    /// [`SUPPORTS_FULL_SYNC`](Self::SUPPORTS_FULL_SYNC) is true.
    fn set_sync_token(&mut self, cursor: Option<Self::SyncToken>);

    /// Returns the sync token of a response; at least the last page has one.
    fn next_sync_token(response: &Self::Response) -> Option<Self::SyncToken>;

    /// Appends the changes that an item contains.
    fn collect_changes(item: Self::Item, changes: &mut Vec<Self::Change>);
}

/// Parameter that a sync token carries to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// True if the next request can have another value, such as another page size.
    pub can_change: bool,
}

/// Read request whose response can be changed and written back as a whole.
pub trait ReadForUpdate: Request {
    /// Request that writes the resource.
    type UpdateRequest: Request;

    /// Returns the request that writes `value` to the resource that this request read.
    fn update(&self, value: Self::Response) -> Self::UpdateRequest;
}

/// Read request whose response can be changed by a merge patch.
pub trait ReadForPatch: Request {
    /// Request that patches the resource.
    type PatchRequest: Request;

    /// Returns the request that changes `old` to `new` in the resource that this request read.
    fn patch(&self, old: &Self::Response, new: &Self::Response) -> Self::PatchRequest;
}

/// Request whose body determines the stored value: as a whole, or as a merge patch.
pub trait WriteRequest: Request {
    /// Stored resource.
    type Resource: FieldBehavior + Clone + Debug + Send + Sync + 'static;

    /// Applies the body to the stored value, if there is one; without a body it stays as it is. Fields that the request
    /// cannot change are not restored yet.
    fn apply_to(&self, stored: Option<&Self::Resource>) -> Self::Resource;
}

/// Applies a merge patch to a value, or creates a value from it.
pub fn apply_patch<T: Merge + Clone>(patch: &T::Patch, stored: Option<&T>) -> T
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
