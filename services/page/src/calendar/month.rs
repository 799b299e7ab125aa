//! Month view: weeks below each other, with events across their days.

use std::cmp::Reverse;
use std::fmt::Write as _;

use jiff::civil::Date;

use super::choice::{Choice, View, add_days};
use super::events::{EventList, PageEvent};
use super::toolbar::truncation_note;
use super::week::{end_classes, format_days, format_times, link, title_and_state};
use crate::sheet::Sheet;

/// Maximum number of events below each other on a day; the others are counted.
const MAX_LANES: usize = 4;

/// Event across days of a week.
struct Span<'a> {
    event: &'a PageEvent,
    /// First and last day, counted from the beginning of the week.
    from: usize,
    to: usize,
    lane: usize,
}

/// Writes the month.
pub(super) fn write(html: &mut String, choice: &Choice, listed: &EventList) -> Sheet {
    let mut sheet = Sheet::default();
    html.push_str("<div class=\"month\" id=\"events\" tabindex=\"-1\">\n<div class=\"weekdays\" aria-hidden=\"true\">");
    let days = choice.days();
    for day in days.iter().take(7) {
        // Writing to a string does not fail.
        let _ = write!(html, "<span>{}</span>", day.strftime("%a"));
    }
    html.push_str("</div>\n");
    for week in days.chunks(7) {
        write_week(html, &mut sheet, choice, week, &listed.events);
    }
    html.push_str("</div>\n");
    html.push_str(truncation_note(listed.more));
    sheet
}

/// Writes a row of days, and the events of these days across it.
fn write_week(html: &mut String, sheet: &mut Sheet, choice: &Choice, week: &[Date], events: &[PageEvent]) {
    let Some(monday) = week.first() else { return };
    let spans = week_spans(*monday, events);
    let empty = if spans.is_empty() { " empty" } else { "" };
    let _ = writeln!(html, "<section class=\"row{empty}\" aria-label=\"Week of {}\">", monday.strftime("%-d %B %Y"));
    for (column, day) in week.iter().enumerate() {
        write_cell(html, choice, column, *day);
    }
    html.push_str("<ol>\n");
    for span in &spans {
        let event = span.event;
        let place = (span.from + 1, span.to + 2, span.lane + 2);
        let id = sheet.add(&[("color", &event.color), ("from", &place.0), ("to", &place.1), ("lane", &place.2)]);
        let day = add_days(*monday, i64::try_from(span.from).unwrap_or_default());
        let long = event.is_long() || event.start.date() != event.last_day();
        let when = if long { format_days(event) } else { format_times(event, day) };
        let over = if span.lane >= MAX_LANES { " over" } else { "" };
        let kind = if long { " across" } else { "" };
        let ends = end_classes(event.start.date() < *monday, event.last_day() >= add_days(*monday, 7));
        let _ = writeln!(
            html,
            "<li id=\"{id}\" class=\"event {}{kind}{over}{ends}\"><span class=\"date\">{}</span> <a href=\"{}\">{}</a></li>",
            event.style.class(),
            day.strftime("%a %-d"),
            link(choice, event),
            // Where little fits, the title says more than the time.
            title_and_state(choice, event, &format!(" <span class=\"when\">{when}</span>"))
        );
    }
    html.push_str("</ol>\n");
    write_more(html, choice, week, &spans);
    html.push_str("</section>\n");
}

fn write_cell(html: &mut String, choice: &Choice, column: usize, day: Date) {
    let other = if day.month() == choice.date.month() { "" } else { " other" };
    let today = if day == choice.now.date() { " today" } else { "" };
    let current = if today.is_empty() { "" } else { " aria-current=\"date\"" };
    let title = day.strftime("Week of %A, %-d %B %Y");
    let _ = writeln!(
        html,
        "<div class=\"cell d{column}{other}{today}\"><a href=\"{}\" aria-label=\"{title}\"{current}>{}</a></div>",
        choice.link(View::Week, day),
        day.day()
    );
}

/// Writes the number of events of each day that do not fit.
fn write_more(html: &mut String, choice: &Choice, week: &[Date], spans: &[Span<'_>]) {
    for (column, day) in week.iter().enumerate() {
        let more =
            spans.iter().filter(|span| span.lane >= MAX_LANES && (span.from..=span.to).contains(&column)).count();
        if more > 0 {
            let (title, link) = (day.strftime("%-d %B"), choice.link(View::Week, *day));
            let _ = writeln!(
                html,
                "<a class=\"more d{column}\" href=\"{link}\">+{more}<span class=\"sr\"> more on {title}</span></a>"
            );
        }
    }
}

/// Returns the events of a week with their lanes, which are assigned by first day, the longest events first.
fn week_spans(monday: Date, events: &[PageEvent]) -> Vec<Span<'_>> {
    let place = |day: Date| day.duration_since(monday).as_hours() / 24;
    let within = |event: &&PageEvent| place(event.last_day()) >= 0 && place(event.start.date()) < 7;
    let column = |day: Date| usize::try_from(place(day).clamp(0, 6)).unwrap_or_default();
    let mut spans: Vec<Span<'_>> = events
        .iter()
        .filter(within)
        .map(|event| Span { event, from: column(event.start.date()), to: column(event.last_day()), lane: 0 })
        .collect();
    spans.sort_by_key(|span| (span.from, Reverse(span.to), Reverse(span.event.is_long()), span.event.start));
    // First free day of each lane.
    let mut lanes: Vec<usize> = Vec::new();
    for span in &mut spans {
        let free = lanes.iter().position(|next| *next <= span.from);
        span.lane = free.unwrap_or(lanes.len());
        match lanes.get_mut(span.lane) {
            Some(next) => *next = span.to + 1,
            None => lanes.push(span.to + 1),
        }
    }
    spans
}
