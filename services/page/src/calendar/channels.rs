//! Channels of a user, with the last and the next notification of each.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::assets;
use crate::browse::{BrowsePages, Failure, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::services::{Channel, Person, Services, VisibleCalendar};
use crate::sheet::Sheet;

/// Maximum number of channels on the page; a user has no more.
const MAX_CHANNELS: usize = 200;

/// `GET /calendar/channels`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Calendar, "Channels"),
    }
}

/// Renders the page of a user's watch channels.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let source = &pages.page.source;
    let calendars = source.calendars(user).await.map_err(Failure::Unavailable)?;
    let channels = source.channels(user).await.map_err(Failure::Unavailable)?;
    // Times are in the zone of the user's primary calendar, as on the pages of mail.
    let own = calendars.iter().find(|calendar| calendar.id == user);
    let (name, zone) = match own.and_then(|own| Some((own.time_zone.clone(), TimeZone::get(&own.time_zone).ok()?))) {
        Some(own) => own,
        None => ("UTC".to_owned(), TimeZone::UTC),
    };
    let mut html = toolbar(&people, person, user, &name);
    if channels.is_empty() {
        html.push_str("<p class=\"nothing\">No channel is open.</p>\n");
    } else {
        write_table(&mut html, &channels, &calendars, user, &zone);
    }
    let sheet = Sheet::default();
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: false };
    let head = assets::head(assets::CALENDAR_STYLE, assets::CALENDAR_SCRIPT);
    Ok(page(StatusCode::OK, Some(Section::Calendar), &format!("Channels – {user}"), loads, &head, &html))
}

/// Returns the title of the page, the links to other views, and the choice of a user.
fn toolbar(people: &[Person], person: usize, user: &str, zone: &str) -> String {
    let (calendar, channels) =
        (Link::new("/calendar").with("user", user), Link::new("/calendar/channels").with("user", user));
    format!(
        "<a class=\"skip\" href=\"#channels\">To the channels</a>\n<div class=\"bar\">\n<h1>Channels</h1>\n\
         <nav class=\"views\" aria-label=\"Views\"><a href=\"{calendar}\">Calendar</a> \
         <a href=\"{channels}\" aria-current=\"page\">Channels</a></nav>\n</div>\n\
         <form class=\"choice\" action=\"/calendar/channels\">\n{}\n<button>Show</button>\n\
         <span class=\"zone\">Times of {}</span>\n</form>\n",
        user_select(people, person),
        Escaped(zone)
    )
}

/// Writes the table of channels.
fn write_table(html: &mut String, channels: &[Channel], calendars: &[VisibleCalendar], user: &str, zone: &TimeZone) {
    html.push_str(
        "<table class=\"channels\" id=\"channels\" tabindex=\"-1\">\n<thead><tr><th scope=\"col\">Channel</th>\
         <th scope=\"col\">Calendar</th><th scope=\"col\">Receiver</th><th scope=\"col\">Open</th>\
         <th scope=\"col\">Message</th><th scope=\"col\">Last attempt</th><th scope=\"col\">Next</th></tr></thead>\n<tbody>\n",
    );
    for channel in channels.iter().take(MAX_CHANNELS) {
        row(html, channel, calendars, user, zone);
    }
    html.push_str("</tbody>\n</table>\n");
}

/// Writes a channel, without its token and the path of its URL, which are secrets.
fn row(html: &mut String, channel: &Channel, calendars: &[VisibleCalendar], user: &str, zone: &TimeZone) {
    let time = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%-d %b %Y %H:%M:%S").to_string();
    let calendar = calendars.iter().find(|calendar| calendar.id == channel.calendar);
    let title = calendar.map_or(&channel.calendar, |calendar| &calendar.summary);
    let link = Link::new("/calendar").with("user", user).with("calendar", &channel.calendar);
    let (message, state) = (channel.message, if channel.is_sending { "on its way" } else { "settled" });
    let last = match &channel.last {
        Some((at, number, outcome)) => {
            format!("<bdi>{}</bdi> <small>message {number}, {}</small>", Escaped(outcome), time(*at))
        }
        None => "none yet".to_owned(),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        html,
        "<tr><th scope=\"row\"><bdi>{}</bdi> <small><bdi>{}</bdi></small></th>\
         <td><a href=\"{link}\"><bdi>{}</bdi></a></td><td><bdi>{}</bdi></td>\
         <td>{} <small>until {}</small></td><td><span class=\"message\">{message}</span> <small>{state}, {}</small></td>\
         <td>{last}</td><td>{}</td></tr>",
        Escaped(&channel.id),
        Escaped(&channel.resource_id),
        Escaped(title),
        Escaped(&channel.host),
        time(channel.opened),
        time(channel.expires),
        format_attempts(channel.attempts),
        channel.next.map_or_else(|| "with the next change".to_owned(), time)
    );
}

/// Returns the number of attempts in words.
fn format_attempts(count: u32) -> String {
    match count {
        0 => "not tried yet".to_owned(),
        1 => "tried once".to_owned(),
        count => format!("tried {count} times"),
    }
}
