//! Page of a message.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use mailbox_types::{Message, MessagePart};

use super::labels::Labels;
use super::list::subject_or_placeholder;
use super::parts::{self, Parts, header};
use super::{operation, size, time_at};
use crate::assets;
use crate::browse::{BrowsePages, Failure, decode, primary_time_zone};
use crate::html::{AllowedResources, Escaped, Section, json, page};
use crate::link::Link;
use crate::services::Services;

/// Maximum number of bytes of a message that is shown with its text, which is in memory several times.
const MAX_BYTES: i32 = 2 << 20;
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

/// Reads a message, with the JSON of the API.
pub(super) async fn read<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    id: &str,
) -> Result<(Message, Vec<u8>), Failure> {
    let link = operation("messages").segment(id);
    let small: Message = pages.get(user, &link.clone().with("format", "minimal")).await?;
    let whole = small.size_estimate.unwrap_or_default() <= MAX_BYTES;
    let link = link.with("format", if whole { "full" } else { "metadata" }).with("prettyPrint", true);
    let body = pages.get_text(user, &link).await?;
    Ok((decode(&body)?, body))
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
    write_texts(&mut html, &message, &parts, user);
    write_attachments(&mut html, &parts);
    html.push_str(&raw_json(&body, &message));
    html.push_str("</article>\n");
    let sheet = labels.sheet();
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: true };
    Ok(page(
        StatusCode::OK,
        Some(Section::Mail),
        &subject,
        loads,
        &assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT),
        &html,
    ))
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

/// Writes the texts of the message, and frames for HTML parts.
fn write_texts(html: &mut String, message: &Message, parts: &Parts<'_>, user: &str) {
    if message.size_estimate.unwrap_or_default() > MAX_BYTES {
        html.push_str("<p role=\"note\">The message is too large to be shown here with its text.</p>\n");
        return;
    }
    for part in &parts.plain {
        let text = parts::text(part);
        let cut = text.char_indices().nth(MAX_TEXT).map(|(at, _)| at);
        let shown = text.get(..cut.unwrap_or(text.len())).unwrap_or_default();
        let _ = writeln!(html, "<div class=\"text\" dir=\"auto\">{}</div>", Escaped(shown));
        if cut.is_some() {
            html.push_str("<p role=\"note\">The text is longer.</p>\n");
        }
    }
    for part in &parts.html {
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
}

fn write_attachments(html: &mut String, parts: &Parts<'_>) {
    if parts.attached.is_empty() {
        return;
    }
    html.push_str("<section class=\"attached\"><h2>Attached</h2>\n<ul>\n");
    for part in &parts.attached {
        let _ = writeln!(html, "<li>{}</li>", attachment_html(part));
    }
    html.push_str("</ul></section>\n");
}

/// Returns the name, the media type and the size of an attachment.
fn attachment_html(part: &MessagePart) -> String {
    let name = part.filename.as_deref().filter(|name| !name.is_empty()).unwrap_or("without a name");
    let kind = part.mime_type.as_deref().unwrap_or_default();
    let bytes = part.body.as_ref().and_then(|body| body.size).unwrap_or_default();
    format!("<b><bdi>{}</bdi></b> <small>{}, {}</small>", Escaped(name), Escaped(kind), size(bytes))
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
