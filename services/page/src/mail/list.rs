//! Messages by label and search, a page at a time.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;
use mailbox_types::{ListMessagesResponse, Message};

use super::labels::{Labels, name_of};
use super::parts::readable;
use super::{operation, time_at};
use crate::assets;
use crate::browse::{Browser, Failure, user_choice, zone_of};
use crate::html::{Escaped, Loads, page};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{Person, Services};

/// So many messages are on a page.
const SIZE: u32 = 25;
/// What stands in addresses for messages of any label.
const ALL: &str = "all";

/// What is asked for.
struct Wanted {
    people: Vec<Person>,
    person: usize,
    label: String,
    search: String,
    token: Option<String>,
}

impl Wanted {
    fn user(&self) -> &str {
        self.people.get(self.person).map_or("", |person| &person.address)
    }

    /// Returns the page of another label, or the next one of the same.
    fn link(&self, label: &str, token: Option<&str>) -> Link {
        let search = Some(self.search.as_str()).filter(|search| !search.is_empty() && token.is_some());
        let link = Link::new("/mail").with("user", self.user()).with("label", label);
        link.with_some("q", search).with_some("page", token)
    }
}

/// `GET /mail`.
pub(super) async fn show<O: Services>(State(browser): State<Arc<Browser<O>>>, request: Request) -> Response {
    match listed(&browser, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page("Mail"),
    }
}

async fn listed<O: Services>(browser: &Browser<O>, request: Request) -> Result<Response, Failure> {
    let parameters = browser.admit(request)?;
    let _turn = browser.turn().await;
    let wanted = wanted(browser, &parameters).await?;
    let labels = Labels::counted(browser, wanted.user()).await?;
    let title = if wanted.label == ALL { "All mail".to_owned() } else { labels.name(&wanted.label) };
    let mut html = toolbar(&wanted, &title);
    html.push_str("<div class=\"mailbox\">\n");
    side(&mut html, &wanted, &labels);
    let status = match messages(browser, &wanted).await {
        Ok((list, next)) => {
            let zone = zone_of(browser, wanted.user()).await?;
            let now = browser.page.source.now().to_zoned(zone.clone()).date();
            write_list(&mut html, &wanted, &labels, &list, (&zone, now));
            write_pages(&mut html, &wanted, next.as_deref());
            StatusCode::OK
        }
        // What is wrong with a search stands where its messages would.
        Err(failure) => {
            let (status, message) = failure.told();
            let _ = writeln!(html, "<div id=\"messages\"><p role=\"alert\"><bdi>{}</bdi></p></div>", Escaped(message));
            status
        }
    };
    html.push_str("</div>\n");
    let sheet = labels.sheet();
    let loads = Loads::Browse { style: sheet.as_str(), frames: false };
    Ok(page(
        status,
        &format!("{title} – {}", wanted.user()),
        loads,
        &assets::head(assets::MAIL_STYLE, assets::MAIL_SCRIPT),
        &html,
    ))
}

async fn wanted<O: Services>(browser: &Browser<O>, parameters: &Parameters) -> Result<Wanted, Failure> {
    let (people, person) = browser.people(parameters.get("user")).await?;
    let search = parameters.get("q").unwrap_or_default().to_owned();
    let label = parameters.get("label").unwrap_or(if search.is_empty() { "INBOX" } else { ALL }).to_owned();
    Ok(Wanted { people, person, label, search, token: parameters.get("page").map(str::to_owned) })
}

/// Reads a page of messages, of each what a list shows.
async fn messages<O: Services>(
    browser: &Browser<O>,
    wanted: &Wanted,
) -> Result<(Vec<Message>, Option<String>), Failure> {
    let label = Some(wanted.label.as_str()).filter(|label| *label != ALL);
    let search = Some(wanted.search.as_str()).filter(|search| !search.is_empty());
    let link = operation("messages").with("maxResults", SIZE).with_some("labelIds", label);
    let link = link.with_some("q", search).with_some("pageToken", wanted.token.as_deref());
    let list: ListMessagesResponse = browser.get(wanted.user(), &link).await?;
    let mut messages = Vec::with_capacity(list.messages.len());
    for named in list.messages {
        let id = named.id.unwrap_or_default();
        match summary(browser, wanted.user(), &id).await {
            Ok(message) => messages.push(message),
            // Somebody has deleted it since.
            Err(Failure::Api { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok((messages, list.next_page_token))
}

/// Reads what a list shows of a message.
pub(super) async fn summary<O: Services>(browser: &Browser<O>, user: &str, id: &str) -> Result<Message, Failure> {
    let link = operation("messages").segment(id).with("format", "metadata");
    let link = link.with("metadataHeaders", "From").with("metadataHeaders", "To").with("metadataHeaders", "Subject");
    browser.get(user, &link).await
}

fn toolbar(wanted: &Wanted, title: &str) -> String {
    let history = Link::new("/mail/history").with("user", wanted.user());
    format!(
        "<a class=\"skip\" href=\"#messages\">To the messages</a>\n<div class=\"bar\">\n<h1><bdi>{}</bdi></h1>\n\
         <nav class=\"views\" aria-label=\"Views\"><a href=\"{}\" aria-current=\"page\">Messages</a> \
         <a href=\"{history}\">History</a></nav>\n</div>\n\
         <form class=\"choice\" action=\"/mail\" role=\"search\">\n{}\n<input type=\"hidden\" name=\"label\" value=\"{}\">\n\
         <label class=\"search\">Search <input type=\"search\" name=\"q\" value=\"{}\" placeholder=\"from:charles is:unread\">\
         </label>\n<button>Show</button>\n</form>\n",
        Escaped(title),
        wanted.link(&wanted.label, None),
        user_choice(&wanted.people, wanted.person),
        Escaped(&wanted.label),
        Escaped(&wanted.search),
    )
}

/// Writes the labels, with how many messages of each are unread.
fn side(html: &mut String, wanted: &Wanted, labels: &Labels) {
    html.push_str("<nav class=\"side\" aria-label=\"Labels\"><ul>\n");
    let mut line = |id: &str, name: &str, unread: i32, class: &str| {
        let current = if id == wanted.label { " aria-current=\"page\"" } else { "" };
        let unread = if unread > 0 {
            format!(" <b class=\"count\">{unread}<span class=\"sr\"> unread</span></b>")
        } else {
            String::new()
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<li><a href=\"{}\"{current}><span class=\"dot{class}\"></span><bdi>{}</bdi>{unread}</a></li>",
            wanted.link(id, None),
            Escaped(name)
        );
    };
    for (place, label) in labels.all().iter().enumerate() {
        let unread = label.messages_unread.unwrap_or_default();
        line(label.id.as_deref().unwrap_or_default(), &name_of(label), unread, &format!(" l{place}"));
    }
    line(ALL, "All mail", 0, "");
    html.push_str("</ul></nav>\n");
}

fn write_list(
    html: &mut String,
    wanted: &Wanted,
    labels: &Labels,
    list: &[Message],
    (zone, today): (&TimeZone, jiff::civil::Date),
) {
    html.push_str("<div id=\"messages\" tabindex=\"-1\">\n");
    if list.is_empty() {
        html.push_str("<p class=\"nothing\">There are no messages.</p>\n");
    }
    html.push_str("<ol class=\"messages\">\n");
    for message in list {
        let id = message.id.as_deref().unwrap_or_default();
        let link = Link::new("/mail/message").with("user", wanted.user()).with("id", id);
        let named =
            |name: &str| message.payload.as_ref().and_then(|payload| readable(payload, name)).unwrap_or_default();
        let (who, prefix) = if wanted.label == "SENT" { (named("To"), "to ") } else { (named("From"), "") };
        let subject = subject_of(message);
        let unread = message.label_ids.iter().any(|label| label == "UNREAD");
        let (class, said) = if unread { (" class=\"unread\"", "<span class=\"sr\">Unread. </span>") } else { ("", "") };
        let others: Vec<String> =
            message.label_ids.iter().filter(|label| **label != wanted.label && *label != "UNREAD").cloned().collect();
        let _ = writeln!(
            html,
            "<li{class}><a href=\"{link}\">{said}<span class=\"who\">{prefix}<bdi>{}</bdi></span> \
             <span class=\"subject\"><bdi>{}</bdi></span> <span class=\"snippet\"><bdi>{}</bdi></span></a> \
             <span class=\"labels\">{}</span> {}</li>",
            Escaped(short_name(&who)),
            Escaped(subject),
            Escaped(plain(message.snippet.as_deref().unwrap_or_default())),
            labels.chips(&others),
            time(message, zone, today)
        );
    }
    html.push_str("</ol>\n");
}

fn write_pages(html: &mut String, wanted: &Wanted, next: Option<&str>) {
    html.push_str("<nav class=\"steps\" aria-label=\"Pages\">");
    if wanted.token.is_some() {
        let first =
            wanted.link(&wanted.label, None).with_some("q", Some(wanted.search.as_str()).filter(|q| !q.is_empty()));
        let _ = write!(html, "<a href=\"{first}\">Newest</a> ");
    }
    if let Some(next) = next {
        let _ = write!(html, "<a href=\"{}\" rel=\"next\">Older ›</a>", wanted.link(&wanted.label, Some(next)));
    }
    html.push_str("</nav>\n</div>\n");
}

fn time(message: &Message, zone: &TimeZone, today: jiff::civil::Date) -> String {
    let Some(at) = message.internal_date.and_then(|date| time_at(date.0, zone)) else { return String::new() };
    let shown = match at.date() {
        day if day == today => at.strftime("%H:%M"),
        day if day.year() == today.year() => at.strftime("%-d %b"),
        _ => at.strftime("%-d %b %Y"),
    };
    format!("<time datetime=\"{}\" title=\"{}\">{shown}</time>", at.timestamp(), at.strftime("%-d %B %Y, %H:%M %Z"))
}

/// Returns the subject of a message, or that it has none.
pub(super) fn subject_of(message: &Message) -> String {
    let subject = message.payload.as_ref().and_then(|payload| readable(payload, "Subject"));
    subject.filter(|subject| !subject.trim().is_empty()).unwrap_or_else(|| "Without a subject".to_owned())
}

/// Returns the name of an address, or the address if it has none.
fn short_name(address: &str) -> &str {
    let name = address.split('<').next().unwrap_or_default().trim().trim_matches('"');
    if name.is_empty() { address } else { name }
}

/// Returns a snippet without the escapes that the API writes it with.
fn plain(snippet: &str) -> String {
    let text = snippet.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}
