//! Page of a message.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use mailbox_types::{Message, MessagePart};

use super::content::{self, read};
use super::labels::Labels;
use super::parts::{self, Parts, header};
use super::summary::subject_or_placeholder;
use super::{attachment, conversation, size, time_at};
use crate::assets;
use crate::browse::{BrowsePages, Failure, primary_time_zone};
use crate::html::{AllowedResources, Escaped, Section, code, json, page};
use crate::link::Link;
use crate::services::Services;

/// Maximum number of characters of a text.
const MAX_TEXT: usize = 200_000;
/// Maximum number of bytes of JSON.
const MAX_JSON: usize = 300_000;
/// Headers shown above the text.
const HEADERS: [&str; 5] = ["From", "To", "Cc", "Reply-To", "Date"];

/// `GET /mail/message`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Mail, "Message"),
    }
}

/// Renders the page of a message.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let id = parameters.get("id").ok_or_else(|| Failure::BadRequest("The URL contains no message.".to_owned()))?;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let (message, body) = read(pages, user, id).await?;
    let (labels, zone) = (Labels::read(pages, user).await?, primary_time_zone(pages, user).await?);
    let subject = subject_or_placeholder(&message);
    let back = Link::new("/mail").with("user", user);
    let mut html = format!(
        "<p class=\"back\"><a href=\"{back}\">‹ The mailbox</a></p>\n<article class=\"message\">\n\
         <h1><bdi>{}</bdi></h1>\n<p class=\"labels\">{}</p>\n",
        Escaped(&subject),
        labels.chips(&message.label_ids)
    );
    let received = message.internal_date.and_then(|date| time_at(date.0, &zone));
    write_headers(&mut html, &message, received.map(|at| at.strftime("%A, %-d %B %Y, %H:%M %Z").to_string()));
    let parts = Parts::classify(&message);
    let view = View::choose(parameters.get("view"), &parts)?;
    write_tabs(&mut html, &message, &parts, user, view);
    match view {
        View::Source => write_source(&mut html, &source_or_note(pages, user, &message).await?),
        View::Html | View::Text => write_text(&mut html, &message, &parts, user, view),
    }
    write_attachments(&mut html, &message, &parts, user);
    html.push_str(&conversation::links(pages, user, &message, &zone).await?);
    html.push_str(&raw_json(&body, &message));
    html.push_str("</article>\n");
    let sheet = labels.sheet();
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: true };
    let head = assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT);
    Ok(page(StatusCode::OK, Some(Section::Mail), &subject, loads, &head, &html))
}

/// View of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Html,
    Text,
    Source,
}

impl View {
    /// All views with their names in URLs and their labels.
    const ALL: [(Self, &'static str, &'static str); 3] =
        [(Self::Html, "html", "HTML"), (Self::Text, "text", "Text"), (Self::Source, "source", "Source")];

    /// Returns the named view, or else the first one for which the message has a part.
    fn choose(name: Option<&str>, parts: &Parts<'_>) -> Result<Self, Failure> {
        let Some(name) = name else {
            return Ok(if parts.html.is_empty() { Self::Text } else { Self::Html });
        };
        let found = Self::ALL.into_iter().find(|(_, known, _)| *known == name);
        found.map(|(view, ..)| view).ok_or_else(|| Failure::BadRequest(format!("View `{name}` not found.")))
    }

    /// Returns whether the message has a part for the view.
    fn is_there(self, parts: &Parts<'_>) -> bool {
        match self {
            Self::Html => !parts.html.is_empty(),
            Self::Text => !parts.plain.is_empty() || parts.html.is_empty(),
            Self::Source => true,
        }
    }
}

/// Writes links to the views of the message, and to the message as a file.
fn write_tabs(html: &mut String, message: &Message, parts: &Parts<'_>, user: &str, shown: View) {
    let link = |path: &str| Link::new(path).with("user", user).with_some("id", message.id.as_deref());
    html.push_str("<nav class=\"views\" aria-label=\"Views\">");
    for (view, name, title) in View::ALL.into_iter().filter(|(view, ..)| view.is_there(parts)) {
        let current = if view == shown { " aria-current=\"page\"" } else { "" };
        // Writing to a string does not fail.
        let _ = write!(html, "<a href=\"{}\"{current}>{title}</a> ", link("/mail/message").with("view", name));
    }
    let _ = writeln!(html, "<a href=\"{}\" download>Download .eml</a></nav>", link("/mail/message/eml"));
}

/// Reads the source of a message; a note if it is too large.
async fn source_or_note<O: Services>(pages: &BrowsePages<O>, user: &str, message: &Message) -> Result<String, Failure> {
    match content::read_raw(pages, user, message).await {
        Ok(raw) => Ok(String::from_utf8_lossy(&raw).into_owned()),
        Err(Failure::TooLarge(note)) => Ok(note),
        Err(failure) => Err(failure),
    }
}

fn write_source(html: &mut String, source: &str) {
    let (shown, is_cut) = cut(source);
    let _ = writeln!(html, "<div class=\"source\">{}</div>", code(shown));
    if is_cut {
        html.push_str("<p role=\"note\">The message is longer: download it.</p>\n");
    }
}

/// Returns the shown beginning of a text, and whether it is shorter than the text.
fn cut(text: &str) -> (&str, bool) {
    let end = text.char_indices().nth(MAX_TEXT).map(|(at, _)| at);
    (text.get(..end.unwrap_or(text.len())).unwrap_or_default(), end.is_some())
}

/// Writes the main headers, and all headers collapsed.
fn write_headers(html: &mut String, message: &Message, received: Option<String>) {
    let Some(payload) = &message.payload else { return };
    html.push_str("<dl class=\"headers\">\n");
    for name in HEADERS {
        if let Some(value) = header(payload, name) {
            // Writing to a string does not fail.
            let _ = writeln!(html, "<dt>{name}</dt><dd><bdi>{}</bdi></dd>", Escaped(value));
        }
    }
    if let Some(received) = received {
        let _ = writeln!(html, "<dt>Received</dt><dd>{}</dd>", Escaped(received));
    }
    html.push_str("</dl>\n<details><summary>All headers</summary>\n<dl class=\"headers all\">\n");
    for header in &payload.headers {
        let (name, value) = (header.name.as_deref().unwrap_or_default(), header.value.as_deref().unwrap_or_default());
        let _ = writeln!(html, "<dt>{}</dt><dd><bdi>{}</bdi></dd>", Escaped(name), Escaped(value));
    }
    html.push_str("</dl></details>\n");
}

/// Writes the texts of the message, or frames for its HTML parts.
fn write_text(html: &mut String, message: &Message, parts: &Parts<'_>, user: &str, view: View) {
    if parts::inline_bytes(message) > content::MAX_TEXT_BYTES {
        html.push_str("<p role=\"note\">The message is too large to be shown here with its text.</p>\n");
        return;
    }
    if view == View::Html {
        return parts.html.iter().for_each(|part| write_frame(html, message, part, user));
    }
    for part in &parts.plain {
        let text = parts::text(part);
        let (shown, is_cut) = cut(&text);
        let _ = writeln!(html, "<div class=\"text\" dir=\"auto\">{}</div>", Escaped(shown));
        if is_cut {
            html.push_str("<p role=\"note\">The text is longer.</p>\n");
        }
    }
    if parts.plain.is_empty() {
        html.push_str("<p class=\"nothing\">The message has no text.</p>\n");
    }
}

/// Writes the frame of an HTML part.
fn write_frame(html: &mut String, message: &Message, part: &MessagePart, user: &str) {
    let link = Link::new("/mail/message/html")
        .with("user", user)
        .with("id", message.id.as_deref().unwrap_or_default())
        .with("part", part.part_id.as_deref().unwrap_or_default());
    let _ = writeln!(
        html,
        "<section class=\"html\"><h2>HTML <small>without scripts, links, and external images</small></h2>\n\
         <iframe sandbox=\"\" src=\"{link}\" title=\"Text of the message in HTML\" referrerpolicy=\"no-referrer\">\
         </iframe></section>"
    );
}

fn write_attachments(html: &mut String, message: &Message, parts: &Parts<'_>, user: &str) {
    if parts.attached.is_empty() {
        return;
    }
    html.push_str("<section class=\"attached\"><h2>Attached</h2>\n<ul>\n");
    for part in &parts.attached {
        let link = Link::new("/mail/attachment").with("user", user).with_some("id", message.id.as_deref());
        let link = link.with("part", part.part_id.as_deref().unwrap_or_default());
        let _ = writeln!(html, "<li>{}</li>", attachment_html(part, &link));
    }
    html.push_str("</ul></section>\n");
}

/// Returns the name, the media type and the size of an attachment, with links to download and to open it.
fn attachment_html(part: &MessagePart, link: &Link) -> String {
    let name = Escaped(part.filename.as_deref().filter(|name| !name.is_empty()).unwrap_or("without a name"));
    let kind = Escaped(part.mime_type.as_deref().unwrap_or_default());
    let bytes = part.body.as_ref().and_then(|body| body.size).unwrap_or_default();
    let about = format!("<b><bdi>{name}</bdi></b> <small>{kind}, {}</small>", size(bytes));
    if bytes > content::MAX_FILE_BYTES {
        return format!("{about} <small>too large to be downloaded here: request it from the API</small>");
    }
    let open = match attachment::opened_type(part) {
        Some(_) => {
            let link = link.clone().with("open", true);
            format!("<a href=\"{link}\" target=\"_blank\" rel=\"noopener\">Open<span class=\"sr\"> {name}</span></a> ")
        }
        None => String::new(),
    };
    format!("{about} {open}<a href=\"{link}\" download>Download<span class=\"sr\"> {name}</span></a>")
}

/// Returns the JSON of a message, or a note if it is too long.
fn raw_json(body: &[u8], message: &Message) -> String {
    if body.len() <= MAX_JSON {
        return json("As the API returns it", &String::from_utf8_lossy(body));
    }
    let id = Escaped(message.id.as_deref().unwrap_or_default());
    format!(
        "<p role=\"note\">The JSON is too long to be shown: request <code>/mail/v1/users/me/messages/{id}</code>.</p>\n"
    )
}
