//! Links of an event to files, conferences, and its source.

use std::fmt::Write as _;

use calendar_types::{Attachment, ConferenceData, Event};

use crate::html::Escaped;
use crate::rich_text::{link, link_start};

/// Returns the attachments of an event, with links to their files.
pub(super) fn attachments(event: &Event) -> String {
    let one = |attachment: &Attachment| {
        titled_link(attachment.title.as_deref(), attachment.file_url.as_deref().unwrap_or_default())
    };
    event.attachments.iter().map(one).collect::<Vec<_>>().join("<br>")
}

/// Returns a link to a URL with a title, or its URL if it has none; a text if the URL is none that may be followed.
fn titled_link(title: Option<&str>, url: &str) -> String {
    match (title.filter(|title| !title.trim().is_empty()), link_start(url)) {
        (Some(title), Some(start)) => format!("{start}<bdi>{}</bdi></a>", Escaped(title)),
        (Some(title), None) => format!("<bdi>{}</bdi>", Escaped(title)),
        (None, _) => link(url),
    }
}

/// Returns a link to the source of an event.
pub(super) fn source(event: &Event) -> String {
    let Some(source) = &event.source else { return String::new() };
    source.url.as_deref().map(|url| titled_link(source.title.as_deref(), url)).unwrap_or_default()
}

/// Returns the name of a conference and its entry points.
pub(super) fn conference(conference: &ConferenceData) -> String {
    let name = conference.conference_solution.as_ref().and_then(|solution| solution.name.as_deref());
    let mut html = name.map(|name| format!("<bdi>{}</bdi>", Escaped(name))).unwrap_or_default();
    for entry in &conference.entry_points {
        let uri = entry.uri.as_deref().unwrap_or_default();
        let kind = entry.entry_point_type.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = write!(html, "<br>{}: {}", Escaped(kind), link(uri));
    }
    let request = conference.create_request.as_ref().and_then(|request| request.status.as_ref());
    if let Some(status) = request.and_then(|status| status.status_code.as_ref()) {
        let _ = write!(html, " <small>{}</small>", Escaped(status));
    }
    html
}
