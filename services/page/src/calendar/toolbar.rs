//! Toolbar above the events: title, navigation, views and calendars.

use std::fmt::Write as _;

use super::choice::{Choice, View};
use crate::browse::user_select;
use crate::html::Escaped;
use crate::link::Link;

/// Returns the toolbar of a page.
pub(super) fn html(choice: &Choice) -> String {
    let mut html = String::from("<a class=\"skip\" href=\"#events\">To the events</a>\n<div class=\"bar\">\n");
    // Writing to a string does not fail.
    let _ = writeln!(html, "<h1>{}</h1>", Escaped(choice.title()));
    let (before, after) = choice.neighbors();
    let (earlier, later) = (choice.link(choice.view, before), choice.link(choice.view, after));
    let today = choice.link(choice.view, choice.now.date());
    let _ = writeln!(
        html,
        "<nav class=\"steps\" aria-label=\"Days\"><a href=\"{earlier}\" rel=\"prev\" aria-label=\"Previous\">‹</a> \
         <a href=\"{today}\">Today</a> <a href=\"{later}\" rel=\"next\" aria-label=\"Next\">›</a></nav>"
    );
    html.push_str("<nav class=\"views\" aria-label=\"Views\">");
    for (view, _, title) in View::ALL {
        let current = if view == choice.view && choice.search.is_empty() { " aria-current=\"page\"" } else { "" };
        let _ = write!(html, "<a href=\"{}\"{current}>{title}</a> ", choice.link(view, choice.date));
    }
    let channels = Link::new("/calendar/channels").with("user", choice.user());
    let _ = write!(html, "<a href=\"{channels}\">Channels</a>");
    html.push_str("</nav>\n</div>\n");
    form(&mut html, choice);
    html
}

/// Writes the form that selects a user, calendars and a day.
fn form(html: &mut String, choice: &Choice) {
    html.push_str("<form class=\"choice\" action=\"/calendar\">\n");
    html.push_str(&user_select(&choice.people, choice.person));
    let (view, date) = (choice.view.name(), choice.date);
    let _ = writeln!(
        html,
        "\n<label>Day <input type=\"date\" name=\"date\" value=\"{date}\"></label>\n\
         <input type=\"hidden\" name=\"view\" value=\"{view}\">\n\
         <label class=\"search\">Search <input type=\"search\" name=\"q\" value=\"{}\"></label>\n\
         <fieldset><legend>Calendars</legend>",
        Escaped(&choice.search)
    );
    for (place, (calendar, shown)) in choice.calendars.iter().enumerate() {
        let checked = if *shown { " checked" } else { "" };
        let (id, summary, role) = (Escaped(&calendar.id), Escaped(&calendar.summary), Escaped(&calendar.role));
        let shared = if calendar.role == "owner" { String::new() } else { format!(" <small>{role}</small>") };
        let _ = writeln!(
            html,
            "<label class=\"c{place}\"><input type=\"checkbox\" name=\"calendar\" value=\"{id}\"{checked}> \
             <span class=\"dot\"></span><bdi>{summary}</bdi>{shared}</label>"
        );
    }
    let _ = writeln!(
        html,
        "</fieldset>\n<button>Show</button>\n<span class=\"zone\">Times of {}</span>",
        Escaped(&choice.zone_name)
    );
    let hours = super::hours::format_hours(choice.working_hours());
    if !hours.is_empty() {
        let _ = writeln!(html, "<span class=\"working\">Working hours {hours}</span>");
    }
    html.push_str("</form>\n");
}

/// Returns a note that not all events are shown.
pub(super) fn truncation_note(more: bool) -> &'static str {
    if more { "<p role=\"note\">Too many events to show all: choose fewer calendars.</p>\n" } else { "" }
}
