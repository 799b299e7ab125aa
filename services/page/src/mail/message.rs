//! A message.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use mailbox_types::{Message, MessagePart};

use super::labels::Labels;
use super::list::subject_of;
use super::parts::{Parts, readable, text};
use super::{operation, size, time_at};
use crate::assets;
use crate::browse::{Browser, Failure, decode, zone_of};
use crate::html::{Escaped, Loads, json, page};
use crate::link::Link;
use crate::services::Services;

/// A message of more bytes is shown without its text, which would be in memory several times.
const LARGEST: i32 = 2 << 20;
/// So many characters of a text are shown.
const TEXT: usize = 200_000;
/// JSON of more bytes is not shown.
const JSON: usize = 300_000;
/// The headers that stand above the text.
const HEADERS: [&str; 5] = ["From", "To", "Cc", "Reply-To", "Date"];

/// `GET /mail/message`.
pub(super) async fn show<O: Services>(State(browser): State<Arc<Browser<O>>>, request: Request) -> Response {
    match shown(&browser, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page("Message"),
    }
}

/// Reads a message as the API answers it, and as it is written there.
pub(super) async fn read<O: Services>(
    browser: &Browser<O>,
    user: &str,
    id: &str,
) -> Result<(Message, Vec<u8>), Failure> {
    let link = operation("messages").segment(id);
    let small: Message = browser.get(user, &link.clone().with("format", "minimal")).await?;
    let whole = small.size_estimate.unwrap_or_default() <= LARGEST;
    let link = link.with("format", if whole { "full" } else { "metadata" }).with("prettyPrint", true);
    let body = browser.get_text(user, &link).await?;
    Ok((decode(&body)?, body))
}

async fn shown<O: Services>(browser: &Browser<O>, request: Request) -> Result<Response, Failure> {
    let parameters = browser.admit(request)?;
    let _turn = browser.turn().await;
    let id = parameters.get("id").ok_or_else(|| Failure::Bad("The address names no message.".to_owned()))?;
    let (people, person) = browser.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let (message, body) = read(browser, user, id).await?;
    let (labels, zone) = (Labels::read(browser, user).await?, zone_of(browser, user).await?);
    let subject = subject_of(&message);
    let back = Link::new("/mail").with("user", user);
    let mut html = format!(
        "<p class=\"back\"><a href=\"{back}\">‹ The mailbox</a></p>\n<article class=\"message\">\n\
         <h1><bdi>{}</bdi></h1>\n<p class=\"labels\">{}</p>\n",
        Escaped(&subject),
        labels.chips(&message.label_ids)
    );
    let received = message.internal_date.and_then(|date| time_at(date.0, &zone));
    headers(&mut html, &message, received.map(|at| at.strftime("%A, %-d %B %Y, %H:%M %Z").to_string()));
    let parts = Parts::of(&message);
    texts(&mut html, &message, &parts, user);
    attachments(&mut html, &parts);
    html.push_str(&raw(&body, &message));
    html.push_str("</article>\n");
    let sheet = labels.sheet();
    let loads = Loads::Browse { style: sheet.as_str(), frames: true };
    Ok(page(StatusCode::OK, &subject, loads, &assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT), &html))
}

/// Writes the headers: those that people read, and all of them folded.
fn headers(html: &mut String, message: &Message, received: Option<String>) {
    let Some(payload) = &message.payload else { return };
    html.push_str("<dl class=\"headers\">\n");
    for name in HEADERS {
        if let Some(value) = readable(payload, name) {
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

/// Writes the texts of the message, and frames for those in HTML.
fn texts(html: &mut String, message: &Message, parts: &Parts<'_>, user: &str) {
    if message.size_estimate.unwrap_or_default() > LARGEST {
        html.push_str("<p role=\"note\">The message is too large to be shown here with its text.</p>\n");
        return;
    }
    for part in &parts.plain {
        let text = text(part);
        let cut = text.char_indices().nth(TEXT).map(|(at, _)| at);
        let shown = text.get(..cut.unwrap_or(text.len())).unwrap_or_default();
        let _ = writeln!(html, "<div class=\"text\" dir=\"auto\">{}</div>", Escaped(shown));
        if cut.is_some() {
            html.push_str("<p role=\"note\">The text goes on.</p>\n");
        }
    }
    for part in &parts.html {
        let link = Link::new("/mail/message/html")
            .with("user", user)
            .with("id", message.id.as_deref().unwrap_or_default())
            .with("part", part.part_id.as_deref().unwrap_or_default());
        let _ = writeln!(
            html,
            "<section class=\"html\"><h2>HTML <small>without scripts, links, and pictures from elsewhere</small></h2>\n\
             <iframe sandbox=\"\" src=\"{link}\" title=\"Text of the message in HTML\" referrerpolicy=\"no-referrer\">\
             </iframe></section>"
        );
    }
}

fn attachments(html: &mut String, parts: &Parts<'_>) {
    if parts.attached.is_empty() {
        return;
    }
    html.push_str("<section class=\"attached\"><h2>Attached</h2>\n<ul>\n");
    for part in &parts.attached {
        let _ = writeln!(html, "<li>{}</li>", attachment(part));
    }
    html.push_str("</ul></section>\n");
}

fn attachment(part: &MessagePart) -> String {
    let name = part.filename.as_deref().filter(|name| !name.is_empty()).unwrap_or("without a name");
    let kind = part.mime_type.as_deref().unwrap_or_default();
    let bytes = part.body.as_ref().and_then(|body| body.size).unwrap_or_default();
    format!("<b><bdi>{}</bdi></b> <small>{}, {}</small>", Escaped(name), Escaped(kind), size(bytes))
}

fn raw(body: &[u8], message: &Message) -> String {
    if body.len() <= JSON {
        return json("As the API answers it", &String::from_utf8_lossy(body));
    }
    let id = Escaped(message.id.as_deref().unwrap_or_default());
    format!(
        "<p role=\"note\">The JSON is too long to be shown: ask for <code>/mail/v1/users/me/messages/{id}</code>.</p>\n"
    )
}
