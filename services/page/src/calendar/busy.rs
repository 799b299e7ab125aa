//! Free and busy times of calendars, without details of events.

use std::fmt::Write as _;

use jiff::civil::{Date, DateTime};

use super::choice::{Choice, View};
use super::events::{Busy, merge, minutes_of_day};
use super::toolbar::truncation_note;
use crate::html::Escaped;
use crate::sheet::Sheet;

/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

/// Writes a row for each calendar, and one for all of them.
pub(super) fn write(html: &mut String, choice: &Choice, busy: &[Busy]) -> Sheet {
    let mut sheet = Sheet::default();
    let days = choice.days();
    let scale = if choice.view == View::BusyDay { "one" } else { "seven" };
    // Writing to a string does not fail.
    let _ = writeln!(html, "<table class=\"busy {scale}\" id=\"events\" tabindex=\"-1\">\n<thead><tr><td></td>");
    for day in &days {
        let current = if *day == choice.now.date() { " class=\"today\" aria-current=\"date\"" } else { "" };
        let _ = writeln!(
            html,
            "<th scope=\"col\"{current}>{} <b>{}</b>{}</th>",
            day.strftime("%a"),
            day.strftime("%-d %b"),
            hour_scale(choice)
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in busy {
        let Some((calendar, _)) = choice.calendars.get(row.calendar) else { continue };
        let title = format!("<span class=\"dot\"></span><bdi>{}</bdi>", Escaped(&calendar.summary));
        write_row(html, &mut sheet, &days, &format!("c{}", row.calendar), &title, &row.times);
    }
    if busy.len() > 1 {
        let all = merge(busy.iter().flat_map(|row| row.times.iter().copied()).collect());
        write_row(html, &mut sheet, &days, "all", "All together", &all);
    }
    html.push_str("</tbody>\n</table>\n<p class=\"legend\">Events that are declined, cancelled, or shown as free are left out.</p>\n");
    html.push_str(truncation_note(busy.iter().any(|row| row.more)));
    sheet
}

/// Returns the labels of the hours above a day.
fn hour_scale(choice: &Choice) -> String {
    let step = if choice.view == View::BusyDay { 3 } else { 6 };
    let hours = (0..24).step_by(step).map(|hour| format!("<span>{hour:02}</span>"));
    format!("<span class=\"scale\" aria-hidden=\"true\">{}</span>", hours.collect::<String>())
}

/// Writes a row of busy times, with a cell for each day.
fn write_row(
    html: &mut String,
    sheet: &mut Sheet,
    days: &[Date],
    class: &str,
    title: &str,
    times: &[(DateTime, DateTime)],
) {
    let _ = writeln!(html, "<tr class=\"{class}\"><th scope=\"row\">{title}</th>");
    for day in days {
        let name = day.strftime("%a %-d %b");
        let parts: Vec<(i64, i64)> = times.iter().filter_map(|(from, to)| minutes_of_day(*from, *to, *day)).collect();
        let _ = write!(html, "<td><span class=\"name\">{name}</span>");
        if parts.is_empty() {
            html.push_str("<span class=\"line\"><span class=\"sr\">free</span></span>");
        } else {
            html.push_str("<ol class=\"line\">");
            for (from, to) in parts {
                write_block(html, sheet, from, to);
            }
            html.push_str("</ol>");
        }
        html.push_str("</td>\n");
    }
    html.push_str("</tr>\n");
}

/// Writes a busy time of a day. `from` and `to` are minutes of the day.
fn write_block(html: &mut String, sheet: &mut Sheet, from: i64, to: i64) {
    let percent = |minutes: i64| format!("{}.{:02}", minutes * 100 / DAY_MINUTES, minutes * 10_000 / DAY_MINUTES % 100);
    let id = sheet.add(&[("left", &percent(from)), ("width", &percent(to - from))]);
    let time = |minutes: i64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
    let times =
        if (from, to) == (0, DAY_MINUTES) { "all day".to_owned() } else { format!("{}–{}", time(from), time(to)) };
    let _ = write!(html, "<li id=\"{id}\" title=\"busy {times}\"><span>{times}</span></li>");
}
