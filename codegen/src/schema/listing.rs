//! What more than one request is needed for: pages, what has changed, channels on which changes are announced.

use super::named::Named;
use super::read::{Kind, Located, Raw, Read, Text, wrong_kind};
use super::shape::shape;
use super::write::{Write, single};
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

shape! {
    /// How an answer comes in pages.
    Pages "pages" {
        /// The parameter that says how many items a page holds.
        size "size": Option<Text> = "maxResults";
        /// The parameter that asks for a further page.
        token "token": Option<Text> = "pageToken";
        /// The member of the answer that names the next page, for `token`.
        next "next": Option<Text> = "nextPageToken";
        /// The member of the last item of a page that names the next page, for `token`, in place of `next`.
        after "after": Option<Text> = "id";
        /// The parameter that is the number of a page, in place of `token`.
        number "number": Option<Text> = "page";
        /// The number of the first page; 1 unless said.
        first "first": Option<Located<i128>> = "0";
        /// The parameter that says how many items come before a page, in place of `token`.
        offset "offset": Option<Text> = "offset";
        /// The member of the answer that holds the URL of the next page, in place of `token`.
        next_url "next_url": Option<Text> = "nextLink";
        /// Whether the header `Link` of the answer has the URL of the next page (RFC 8288), in place of `token`.
        link "link": Option<Located<bool>> = "true";
        /// The boolean member of the answer that says whether there is a further page. Without it pages that are numbered or counted, or named by their last item, end with the first that is empty.
        more "more": Option<Text> = "has_more";
        /// The member of the answer that holds the items; none where the answer is a list of them.
        items "items": Option<Text> = "items";
    }
}

shape! {
    /// How changes since an earlier answer are asked for.
    SyncDef "sync" {
        /// The parameter that takes the cursor.
        resume "resume": Text = "syncToken";
        /// The member of the answer that gives the next cursor.
        cursor "cursor": Text = "nextSyncToken";
        /// How an answer says that the cursor is not valid any more.
        expired "expired": Expired = "{ status: 410 }";
        /// What cannot be given beside the cursor: a parameter, or a parameter with a value.
        forbids "forbids": Vec<Forbidden> = "[q, { showDeleted: false }]";
        /// The operation that a full synchronisation starts from.
        full "full": Option<Text> = "events.list";
        /// The members of an item that hold the changes, in the order in which they are preferred.
        changes "changes": Vec<Text> = "[messagesAdded, messagesDeleted]";
        /// The member of an item that holds the changes of items that have none of those; it may say less.
        otherwise "otherwise": Option<Text> = "messages";
    }
}

shape! {
    /// How an expired cursor is told.
    Expired "expired cursor" {
        /// The status.
        status "status": Located<i128> = "410";
        /// The reason in the body that tells it from other errors of that status.
        reason "reason": Option<Text> = "fullSyncRequired";
        /// The parameter that the error names, which tells it from other errors of that status.
        location "location": Option<Text> = "startHistoryId";
    }
}

/// A parameter that cannot stand beside a cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Forbidden {
    /// The parameter.
    pub name: Text,
    /// The value that cannot; any when there is none.
    pub value: Option<Raw>,
}

impl Write for Forbidden {
    fn write(&self) -> Node {
        match &self.value {
            Some(value) => single(&self.name.text, value.write()),
            None => self.name.write(),
        }
    }
}

impl Read for Forbidden {
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
                _ => wrong_kind(node, "one parameter and its value", sink),
            },
            _ => Text::read(node, sink).map(|name| Self { name, value: None }),
        }
    }
}

shape! {
    /// A channel on which a server notifies clients of changes.
    Watch "watch" {
        /// The operations whose answers are watched.
        of "of": Vec<Text> = "[events.list]";
        /// The member of the body that says where notifications are sent.
        address "address": Text = "address";
        /// The member of the body that names the channel.
        id "id": Option<Text> = "id";
        /// The member of the body that every notification repeats.
        token "token": Option<Text> = "token";
        /// The member of the body that says until when, in milliseconds since the epoch.
        expiration "expiration": Option<Text> = "expiration";
        /// The member of the body that names what is watched.
        resource_id "resource_id": Option<Text> = "resourceId";
        /// The member of the body that says the address of what is watched.
        resource_uri "resource_uri": Option<Text> = "resourceUri";
        /// The header of a notification that says why it is sent; `X-Resource-State` unless said.
        state "state": Option<Text> = "X-Goog-Resource-State";
        /// The enum of its values; `sync`, `exists` and `not_exists` unless said.
        states "states": Option<Text> = "ChannelState";
        /// The header of a notification that holds its number; `X-Message-Number` unless said.
        number "number": Option<Text> = "X-Goog-Message-Number";
        /// The operation that closes a channel.
        stop "stop": Option<Text> = "channels.stop";
        /// The headers of a notification: a member of the channel, or what the header holds. Members that no header is named for have `X-Channel-Id`, `X-Channel-Token`, `X-Channel-Expiration`, `X-Resource-Id` and `X-Resource-Uri`.
        headers "headers": Named<Text> = "{ X-Goog-Channel-ID: id }";
    }
}
