//! Week view: days side by side, with their hours from top to bottom.

use std::fmt::Write as _;

use jiff::civil::Date;

use super::choice::{Choice, View};
use super::events::{EventList, PageEvent, minutes_of_day};
use super::hours;
use super::lanes::{self, LanePosition};
use super::toolbar::truncation_note;
use crate::html::Escaped;
use crate::link::Link;
use crate::sheet::Sheet;

/// Hours that are always shown; earlier and later ones are added if they contain events.
const DEFAULT_HOURS: (i64, i64) = (8, 19);
/// Minimum height of an event in minutes, so that its title fits.
const MIN_MINUTES: i64 = 30;

/// Maximum number of events side by side on a day of a week, so that their titles can be read; the day shows all.
const MAX_LANES: usize = 3;

/// Part of an event on one day.
struct DayPart<'a> {
    event: &'a PageEvent,
    from: i64,
    until: i64,
}

/// Writes the week.
pub(super) fn write(html: &mut String, choice: &Choice, listed: &EventList) -> Sheet {
    let days = choice.days();
    let mut sheet = Sheet::default();
    let parts: Vec<Vec<DayPart<'_>>> = days.iter().map(|day| day_parts(*day, &listed.events)).collect();
    let (first, last) = shown_hours(&parts);
    sheet.rule(".week", &[("hours", &(last - first)), ("days", &days.len())]);
    html.push_str("<div class=\"week\" id=\"events\" tabindex=\"-1\">\n<div class=\"hours\" aria-hidden=\"true\">");
    for hour in first..last {
        // Writing to a string does not fail.
        let _ = write!(html, "<span>{hour:02}:00</span>");
    }
    html.push_str("</div>\n");
    write_long(html, &mut sheet, choice, &days, &listed.events);
    for (column, (day, parts)) in days.iter().zip(&parts).enumerate() {
        write_day(html, &mut sheet, choice, (column, *day), parts, (first, last));
    }
    html.push_str("</div>\n");
    html.push_str(truncation_note(listed.more));
    sheet
}

/// Returns the parts of events on a day, without those that are drawn above the hours.
fn day_parts(day: Date, events: &[PageEvent]) -> Vec<DayPart<'_>> {
    let short = events.iter().filter(|event| !event.is_long());
    let timed = short.filter_map(|event| Some((event, minutes_of_day(event.start, event.end, day)?)));
    timed.map(|(event, (from, until))| DayPart { event, from, until }).collect()
}

/// Returns the first shown hour, and the hour after the last one.
fn shown_hours(parts: &[Vec<DayPart<'_>>]) -> (i64, i64) {
    let all = || parts.iter().flatten();
    let first = all().map(|part| part.from / 60).min().unwrap_or(DEFAULT_HOURS.0);
    let last = all().map(|part| (drawn_minutes(part).1 + 59) / 60).max().unwrap_or(DEFAULT_HOURS.1);
    (first.min(DEFAULT_HOURS.0), last.clamp(DEFAULT_HOURS.1, 24))
}

/// Returns the minutes between which a part is drawn.
fn drawn_minutes(part: &DayPart<'_>) -> (i64, i64) {
    let from = part.from.min(24 * 60 - MIN_MINUTES);
    (from, part.until.max(from + MIN_MINUTES))
}

/// Writes all-day events, and others of at least a day, each across its days.
fn write_long(html: &mut String, sheet: &mut Sheet, choice: &Choice, days: &[Date], events: &[PageEvent]) {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return };
    // Events on days of another zone may have been found next to the shown ones.
    let is_here = |event: &&PageEvent| event.start.date() <= *last && event.last_day() >= *first;
    let long: Vec<&PageEvent> = events.iter().filter(|event| event.is_long()).filter(is_here).collect();
    if long.is_empty() {
        return;
    }
    html.push_str("<section class=\"long\" aria-labelledby=\"long\"><h2 id=\"long\">All day</h2>\n<ol>\n");
    for event in long {
        let (from, until) = (event.start.date().max(*first), event.last_day().min(*last));
        let column = |day: Date| days.iter().position(|one| *one == day).unwrap_or_default();
        let place = (column(from) + 1, column(until) + 2);
        let id = sheet.add(&[("color", &event.color), ("from", &place.0), ("to", &place.1)]);
        let ends = end_classes(event.start.date() < from, event.last_day() > until);
        let _ = writeln!(
            html,
            "<li id=\"{id}\" class=\"event {}{ends}\"><a href=\"{}\">{}</a></li>",
            event.style.class(),
            link(choice, event),
            label(choice, event, &format_days(event))
        );
    }
    html.push_str("</ol>\n</section>\n");
}

/// Returns the classes of an event that begins before the shown days or ends after them.
pub(super) fn end_classes(before: bool, after: bool) -> String {
    format!("{}{}", if before { " from-before" } else { "" }, if after { " goes-on" } else { "" })
}

/// Writes the column of a day. `first` and `last` are the shown hours.
fn write_day(
    html: &mut String,
    sheet: &mut Sheet,
    choice: &Choice,
    (column, day): (usize, Date),
    parts: &[DayPart<'_>],
    (first, last): (i64, i64),
) {
    let today = day == choice.now.date();
    let class = if today { " today" } else { "" };
    let current = if today { " aria-current=\"date\"" } else { "" };
    let ranges: Vec<(i64, i64)> = parts.iter().map(drawn_minutes).collect();
    let max_lanes = if choice.view == View::Day { usize::MAX } else { MAX_LANES };
    let places: Vec<LanePosition> = lanes::lay_out(&ranges).into_iter().map(|place| place.within(max_lanes)).collect();
    let _ = writeln!(
        html,
        "<section class=\"day d{column}{class}\" aria-labelledby=\"d{column}\"><h2 id=\"d{column}\"{current}>\
         <span class=\"weekday\">{}</span> <b>{}</b> <span class=\"rest\">{}</span>{}</h2>\n<div class=\"column\">",
        day.strftime("%a"),
        day.day(),
        day.strftime("%B %Y"),
        more_link(choice, day, places.iter().filter(|place| place.lane >= max_lanes).count())
    );
    write_outside(html, sheet, choice, day, (first, last));
    html.push_str("<ol>");
    let minutes = (last - first) * 60;
    let percent = |at: i64| format_percent(at - first * 60, minutes);
    for (part, (place, (from, until))) in parts.iter().zip(places.iter().zip(&ranges)) {
        let lane = |number: usize| format_percent(number.try_into().unwrap_or(0), place.lanes.try_into().unwrap_or(1));
        let event = part.event;
        let id = sheet.add(&[
            ("color", &event.color),
            ("top", &percent(*from)),
            ("height", &format_percent(until - from, minutes)),
            ("left", &lane(place.lane)),
            ("width", &lane(place.width)),
        ]);
        let short = if until - from < 50 { " short" } else { "" };
        let narrow = if place.width < place.lanes && choice.view == View::Week { " narrow" } else { "" };
        let over = if place.lane >= max_lanes { " over" } else { "" };
        let _ = writeln!(
            html,
            "<li id=\"{id}\" class=\"event {}{short}{narrow}{over}\"><a href=\"{}\" title=\"{}\">{}</a></li>",
            event.style.class(),
            link(choice, event),
            Escaped(&event.title),
            label(choice, event, &format_times(event, day))
        );
    }
    html.push_str("</ol>");
    if today {
        write_now(html, sheet, choice, (first, last));
    }
    html.push_str("</div></section>\n");
}

/// Returns a link to the day with the number of events that do not fit; empty if all do.
fn more_link(choice: &Choice, day: Date, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let (title, link) = (day.strftime("%-d %B"), choice.link(View::Day, day));
    format!(" <a class=\"hidden-events\" href=\"{link}\">+{count}<span class=\"sr\"> more on {title}</span></a>")
}

/// Writes the time of a day outside of working hours.
fn write_outside(html: &mut String, sheet: &mut Sheet, choice: &Choice, day: Date, (first, last): (i64, i64)) {
    for (from, until) in hours::outside_hours(choice.working_hours(), day) {
        let (from, until) = (from.max(first * 60), until.min(last * 60));
        if from < until {
            let minutes = (last - first) * 60;
            let (top, height) = (format_percent(from - first * 60, minutes), format_percent(until - from, minutes));
            let id = sheet.add(&[("top", &top), ("height", &height)]);
            // Writing to a string does not fail.
            let _ = write!(html, "<div class=\"off\" id=\"{id}\" aria-hidden=\"true\"></div>");
        }
    }
}

/// Writes the line of the current time. It is hidden if its hour is not shown.
fn write_now(html: &mut String, sheet: &mut Sheet, choice: &Choice, (first, last): (i64, i64)) {
    let (minute, minutes) = (i64::from(choice.now.hour()) * 60 + i64::from(choice.now.minute()), (last - first) * 60);
    let since = minute - first * 60;
    let id = sheet.add(&[("top", &format_percent(since, minutes))]);
    let hidden = if (0..minutes).contains(&since) { "" } else { " hidden" };
    // Writing to a string does not fail.
    let _ = write!(
        html,
        "<div class=\"now\" id=\"{id}\" data-minute=\"{since}\" data-minutes=\"{minutes}\" aria-hidden=\"true\"{hidden}></div>"
    );
}

/// Returns a part in percent of a whole.
fn format_percent(part: i64, whole: i64) -> String {
    let hundredths = part * 10_000 / whole.max(1);
    format!("{}{}.{:02}", if hundredths < 0 { "-" } else { "" }, hundredths.abs() / 100, hundredths.abs() % 100)
}

/// Returns the link to the page of an event.
pub(super) fn link(choice: &Choice, event: &PageEvent) -> Link {
    let calendar = choice.calendars.get(event.calendar).map_or("", |(calendar, _)| &calendar.id);
    Link::new("/calendar/event").with("user", choice.user()).with("calendar", calendar).with("event", &event.id)
}

/// Returns the label of an event: its time and its title.
fn label(choice: &Choice, event: &PageEvent, when: &str) -> String {
    format!("<span class=\"when\">{when}</span> {}", title_and_state(choice, event, ""))
}

/// Returns the title of an event, HTML that follows it, and additional text for screen readers.
pub(super) fn title_and_state(choice: &Choice, event: &PageEvent, after: &str) -> String {
    let summary = choice.calendars.get(event.calendar).map_or("", |(calendar, _)| &calendar.summary);
    let state = match event.style {
        super::events::EventStyle::Plain => "",
        super::events::EventStyle::Free => ", free",
        super::events::EventStyle::Open => ", unconfirmed",
        super::events::EventStyle::Declined => ", declined",
    };
    let (title, summary) = (Escaped(&event.title), Escaped(summary));
    format!("<b><bdi>{title}</bdi></b>{after}<span class=\"sr\">, {summary}{state}</span>")
}

/// Returns the times of the part of an event on a day.
pub(super) fn format_times(event: &PageEvent, day: Date) -> String {
    let (start, end) = (event.start.strftime("%H:%M"), event.end.strftime("%H:%M"));
    match (event.start.date() < day, event.last_day() > day) {
        (false, false) if event.start == event.end => start.to_string(),
        (false, false) => format!("{start}<span class=\"until\">–{end}</span>"),
        (false, true) => format!("{start} →"),
        (true, false) => format!("→ {end}"),
        (true, true) => "→".to_owned(),
    }
}

/// Returns the days of an event, with its times if it has any.
pub(super) fn format_days(event: &PageEvent) -> String {
    let (first, last) = (event.start.date(), event.last_day());
    if !event.whole_days {
        return format!("{} – {}", event.start.strftime("%-d %b %H:%M"), event.end.strftime("%-d %b %H:%M"));
    }
    if first == last {
        first.strftime("%-d %b").to_string()
    } else {
        format!("{} – {}", first.strftime("%-d %b"), last.strftime("%-d %b"))
    }
}
