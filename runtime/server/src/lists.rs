//! Entity tags of lists, one for all pages.

use std::fmt::{self, Write as _};
use std::marker::PhantomData;

use wireform_runtime::etag::ETag;
use wireform_runtime::{Paginated, Request};

use crate::context::Context;
use crate::error::Error;
use crate::reply::Reply;
use crate::response::version;

/// Entity tag of a list. It identifies the state of the list, whatever page tokens are in the response, so that
/// `If-None-Match` results in a 304 until something has changed.
///
/// [`Context::list_tag`] creates one, before a handler reads anything of the list:
///
/// ```
/// # use wireform_server::{Context, ListResult, wireform_runtime::Paginated};
/// fn list<R: Paginated>(request: R, context: &Context, changes: u64, read: impl Fn(&R) -> R::Response) -> ListResult<R> {
///     let tag = context.list_tag(&request, changes);
///     if let Some(unchanged) = tag.not_modified() {
///         return Ok(unchanged);
///     }
///     Ok(tag.reply(read(&request)))
/// }
/// ```
///
/// A list without one does not compile:
///
/// ```compile_fail,E0308
/// # use wireform_server::{ListResult, Reply, wireform_runtime::Paginated};
/// fn list<R: Paginated>(page: R::Response) -> ListResult<R> {
///     Ok(Reply::new(page))
/// }
/// ```
pub struct ListTag<R> {
    /// Always `Some`: every text is a valid tag.
    tag: Option<ETag>,
    is_known: bool,
    request: PhantomData<fn() -> R>,
}

impl<R: Request> ListTag<R> {
    /// Returns the 304 response if the client has the current list: the handler returns it without reading the list.
    #[must_use]
    pub fn not_modified(&self) -> Option<ListReply<R>> {
        self.is_known.then(|| ListReply(Page::NotModified(self.tag.clone())))
    }

    /// Creates the response with a page of the list. The tag is written to the field for it, if there is one.
    pub fn reply(self, reply: impl Into<Reply<R::Response>>) -> ListReply<R> {
        let mut reply = reply.into();
        if let Some(tag) = &self.tag {
            R::set_etag(&mut reply.value, tag.as_str());
        }
        reply.etag = self.tag;
        ListReply(Page::Modified(reply))
    }

    /// Returns the entity tag of the list.
    #[must_use]
    pub const fn etag(&self) -> Option<&ETag> {
        self.tag.as_ref()
    }
}

impl<R> fmt::Debug for ListTag<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListTag").field(&self.tag).finish()
    }
}

/// Response to a list with conditions.
#[derive(Debug)]
pub struct ListReply<R: Request>(pub(crate) Page<R::Response>);

/// Page of a list, or 304.
#[derive(Debug)]
pub(crate) enum Page<T> {
    NotModified(Option<ETag>),
    Modified(Reply<T>),
}

/// Return type of handlers of lists whose schema declares `If-None-Match`.
pub type ListResult<R> = std::result::Result<ListReply<R>, Error>;

impl Context {
    /// Creates the entity tag of a list. `changes` is any value that differs after each change that is visible in the
    /// list, such as a counter in the store, and the day if the list depends on it. The tag differs for each caller and
    /// operation.
    #[must_use]
    pub fn list_tag<R: Paginated>(&self, _request: &R, changes: impl fmt::Display) -> ListTag<R> {
        let mut text = String::new();
        for part in [R::API.name, R::OPERATION.name, self.principal.subject()] {
            // Each part is prefixed with its length, so that no two lists have the same text. Writing to a string never
            // fails.
            let _ = write!(text, "{}:{part},", part.len());
        }
        let _ = write!(text, "{changes}");
        self.list_tag_from(version::from_hash(text.as_bytes()))
    }

    /// Creates the entity tag of a list from a known tag, such as that of the server behind a proxy.
    #[must_use]
    pub fn known_list_tag<R: Paginated>(&self, _request: &R, tag: ETag) -> ListTag<R> {
        self.list_tag_from(Some(tag))
    }

    /// Creates the tag of a list, and determines whether the client already has this version.
    fn list_tag_from<R>(&self, tag: Option<ETag>) -> ListTag<R> {
        let known = self.if_none_match.as_ref().filter(|_| self.contract.if_none_match);
        let is_known = known.zip(tag.as_ref()).is_some_and(|(known, tag)| known.matches_weak(tag));
        ListTag { tag, is_known, request: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::sample::*;

    const TAGGED: Contract = Contract { if_none_match: true, paged: true, ..LIST };

    fn listed(headers: &[(&'static str, &str)], changes: u64) -> (u16, Option<String>) {
        let context = context(Box::leak(Box::new(TAGGED)), headers);
        let tag = context.list_tag(&List::default(), changes);
        let listed = tag.not_modified().unwrap_or_else(|| {
            // The next page token is different every time.
            let page = Things { next: Some(format!("{headers:?}")), ..Things::default() };
            tag.reply(page)
        });
        let response = context.respond_list::<List>(listed).unwrap();
        let tag = response.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned());
        (response.status().as_u16(), tag)
    }

    #[test]
    fn list_is_not_modified_until_changes_differ() {
        let (status, tag) = listed(&[], 7);
        let tag = tag.unwrap();
        assert_eq!(status, 200);
        assert_eq!(listed(&[("if-none-match", &tag)], 7), (304, Some(tag.clone())));
        assert_eq!(listed(&[("if-none-match", &format!("\"x\", W/{tag}"))], 7), (304, Some(tag.clone())));
        let (status, next) = listed(&[("if-none-match", &tag)], 8);
        assert_eq!(status, 200);
        assert_ne!(next, Some(tag));
    }

    #[test]
    fn tag_depends_on_caller_and_operation() {
        let context = |subject: &str| Context { principal: crate::Principal::new(subject), ..context(&LIST, &[]) };
        let tag = context("a").list_tag(&List::default(), 1);
        assert_eq!(tag.etag(), context("a").list_tag(&List { most: Some(1), ..List::default() }, 1).etag());
        assert_ne!(tag.etag(), context("b").list_tag(&List::default(), 1).etag());
        assert_ne!(tag.etag(), context("a").list_tag(&ListOthers::default(), 1).etag());
        assert!(tag.not_modified().is_none());
    }
}
