//! Pages of mail: messages and conversations by label and search, single messages, and the history of a mailbox.

mod attachment;
mod body;
mod content;
mod conversation;
mod history;
mod labels;
mod list;
mod message;
mod parts;
mod rows;
mod selection;
mod summary;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::browse::BrowsePages;
use crate::link::Link;
use crate::services::Services;

/// Returns the routes of the pages.
pub(crate) fn router<O: Services>() -> Router<Arc<BrowsePages<O>>> {
    Router::new()
        .route("/mail", get(list::show::<O>))
        .route("/mail/rows", get(list::rows::<O>))
        .route("/mail/message", get(message::show::<O>))
        .route("/mail/message/eml", get(attachment::message::<O>))
        .route("/mail/attachment", get(attachment::show::<O>))
        .route("/mail/message/html", get(body::show::<O>))
        .route("/mail/history", get(history::show::<O>))
        .route("/mail/history/records", get(history::records::<O>))
}

/// Returns the link to an operation on the user's mailbox.
fn operation(path: &str) -> Link {
    Link::new("/mail/v1/users/me").plain_segment(path)
}

/// Returns a time in milliseconds as the local time in a zone.
fn time_at(milliseconds: i64, zone: &TimeZone) -> Option<Zoned> {
    Timestamp::from_millisecond(milliseconds).ok().map(|at| at.to_zoned(zone.clone()))
}

/// Formats a number of bytes.
fn size(bytes: i32) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        ..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KiB", bytes / 1_024),
        _ => format!("{}.{} MiB", bytes / 1_048_576, bytes % 1_048_576 * 10 / 1_048_576),
    }
}
