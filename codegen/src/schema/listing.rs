//! Paging, synchronization, and channels that announce changes.

use super::named::Named;
use super::read::{Kind, Located, Raw, Read, Text, wrong_kind};
use super::shape::{shape, words};
use super::write::{Write, single_entry};
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

shape! {
    /// How a list is paged. A field of the response is a name, or a path of names separated by dots through resources,
    /// such as `meta.total`.
    Pages "pages" {
        /// Where `size`, `token`, `number` and `offset` are, by default among the parameters: `body` if they are fields of
        /// the request body.
        location "in": Option<Located<PagesIn>> = "body";
        /// The parameter for the page size.
        size "size": Option<Text> = "maxResults";
        /// The parameter for the page token.
        token "token": Option<Text> = "pageToken";
        /// The field of the response with the token of the next page, for `token`.
        next "next": Option<Text> = "nextPageToken";
        /// The field of the last item of a page that is the token of the next page, in place of `next`.
        after "after": Option<Text> = "id";
        /// The parameter for the page number, in place of `token`.
        number "number": Option<Text> = "page";
        /// The number of the first page, by default 1; of an `offset`, that of the first item, by default 0.
        first "first": Option<Located<i128>> = "0";
        /// The parameter for the offset, the number of items before the page, in place of `token`.
        offset "offset": Option<Text> = "offset";
        /// The field of the response with the URL of the next page, in place of `token`.
        next_url "next_url": Option<Text> = "nextLink";
        /// Whether the `Link` header of the response contains the URL of the next page (RFC 8288), in place of `token`.
        link "link": Option<Located<bool>> = "true";
        /// The boolean field of the response that is true if there is a next page. Without it, `last`, `total_pages` or
        /// `total`, paging by `number`, `offset` or `after` ends with the first empty page.
        more "more": Option<Text> = "has_more";
        /// The boolean field of the response that is true in the last page.
        last "last": Option<Text> = "last";
        /// The field of the response with the number of pages, for `number`.
        total_pages "total_pages": Option<Text> = "totalPages";
        /// The field of the response with the number of items in all pages, for `number` and `offset`. A client reports
        /// an error if the list ends before that many items. Without `more`, `last` and `total_pages` the list ends with
        /// the last of them.
        total "total": Option<Text> = "meta.totalElements";
        /// The field of the response with the number of the page, for `number`. A client reports an error if it does not
        /// increase by one from page to page. The first number may differ from `first`.
        current "current": Option<Text> = "number";
        /// The field of the response with the items; omit it if the response is a list.
        items "items": Option<Text> = "items";
    }
}

words! {
    /// Where the page is in a request.
    PagesIn {
        /// In the request body, whose fields `size`, `token`, `number` and `offset` name.
        Body "body",
    }
}

shape! {
    /// How a client requests the changes since an earlier response.
    SyncDef "sync" {
        /// The parameter for the sync token.
        resume "resume": Text = "syncToken";
        /// The field of the response with the next sync token.
        cursor "cursor": Text = "nextSyncToken";
        /// The error of a sync token that has expired or is invalid.
        expired "expired": Expired = "{ status: 410 }";
        /// The parameters that cannot be combined with the sync token: a parameter, or a parameter with a value.
        forbids "forbids": Vec<ForbiddenParameter> = "[q, { showDeleted: false }]";
        /// The operation that starts a full sync.
        full "full": Option<Text> = "events.list";
        /// The fields of an item with the changes, in order of preference.
        changes "changes": Vec<Text> = "[messagesAdded, messagesDeleted]";
        /// The field of an item with the changes if the item has none of the fields in `changes`; it may contain less.
        otherwise "otherwise": Option<Text> = "messages";
    }
}

shape! {
    /// The error of a sync token that has expired or is invalid.
    Expired "expired cursor" {
        /// The status.
        status "status": Located<i128> = "410";
        /// The reason in the body that distinguishes it from other errors with that status.
        reason "reason": Option<Text> = "fullSyncRequired";
        /// The parameter in the location of the error, which distinguishes it from other errors with that status.
        location "location": Option<Text> = "startHistoryId";
    }
}

/// A parameter that cannot be combined with a sync token.
#[derive(Clone, Debug, PartialEq)]
pub struct ForbiddenParameter {
    /// The parameter.
    pub name: Text,
    /// The value that cannot be combined; `None` for any value.
    pub value: Option<Raw>,
}

impl Write for ForbiddenParameter {
    fn write(&self) -> Node {
        match &self.value {
            Some(value) => single_entry(&self.name.text, value.write()),
            None => self.name.write(),
        }
    }
}

impl Read for ForbiddenParameter {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Text, Kind::Map("parameter", Box::new(Kind::Any))])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match &node.value {
            Value::Map(entries) => match entries.as_slice() {
                [entry] => {
                    let name = Text { text: entry.key.clone(), span: entry.key_span };
                    Some(Self { name, value: Some(Raw(entry.value.clone())) })
                }
                _ => wrong_kind(node, "a parameter with its value", sink),
            },
            _ => Text::read(node, sink).map(|name| Self { name, value: None }),
        }
    }
}

shape! {
    /// A channel on which a server notifies clients of changes.
    Watch "watch" {
        /// The operations whose results are watched.
        of "of": Vec<Text> = "[events.list]";
        /// The field of the body with the URL that receives the notifications.
        address "address": Text = "address";
        /// The field of the body with the id of the channel.
        id "id": Option<Text> = "id";
        /// The field of the body with a token that every notification repeats.
        token "token": Option<Text> = "token";
        /// The field of the body with the expiration, in milliseconds since the Unix epoch.
        expiration "expiration": Option<Text> = "expiration";
        /// The field of the body with the id of the watched resource.
        resource_id "resource_id": Option<Text> = "resourceId";
        /// The field of the body with the URI of the watched resource.
        resource_uri "resource_uri": Option<Text> = "resourceUri";
        /// The header of a notification with the state, which is the reason for the notification; default
        /// `X-Resource-State`.
        state "state": Option<Text> = "X-Goog-Resource-State";
        /// The enum of the states; by default `sync`, `exists` and `not_exists`.
        states "states": Option<Text> = "ChannelState";
        /// The header of a notification with the message number; default `X-Message-Number`.
        number "number": Option<Text> = "X-Goog-Message-Number";
        /// The operation that closes a channel.
        stop "stop": Option<Text> = "channels.stop";
        /// The headers of a notification by name: a field of the channel, or a description of the value. Fields without
        /// a header here use `X-Channel-Id`, `X-Channel-Token`, `X-Channel-Expiration`, `X-Resource-Id` and
        /// `X-Resource-Uri`.
        headers "headers": Named<Text> = "{ X-Goog-Channel-ID: id }";
    }
}
