//! Bar chart of the executions of a project.

use std::fmt::Write as _;

use jiff::tz::TimeZone;
use script_types::{Metrics, MetricsValue};

use crate::html::Escaped;

/// Height of the tallest bar in pixels.
const HEIGHT: u64 = 90;
/// Width of a bar with its gap in pixels.
const STEP: u64 = 44;

/// Returns a bar chart of executions by day, the latest day at the end, with failed executions on top of the others,
/// and a table with the same numbers.
pub(super) fn plot(metrics: &Metrics) -> String {
    let mut days: Vec<(String, u64, u64, u64)> = metrics
        .total_executions
        .iter()
        .map(|total| {
            let same = |values: &[MetricsValue]| {
                values.iter().find(|value| value.start_time == total.start_time).map_or(0, number)
            };
            (day(total), number(total), same(&metrics.failed_executions), same(&metrics.active_users))
        })
        .collect();
    days.reverse();
    let max = days.iter().map(|(_, total, ..)| *total).max().unwrap_or(0).max(1);
    let width = STEP * days.len() as u64;
    let mut html = format!(
        "<figure class=\"plot\"><svg viewBox=\"0 0 {width} {}\" width=\"{width}\" aria-hidden=\"true\">\n",
        HEIGHT + 34
    );
    for (place, (day, total, failed, _)) in (0_u64..).zip(&days) {
        let (all, bad) = (total * HEIGHT / max, failed * HEIGHT / max);
        let (left, middle) = (place * STEP + 6, place * STEP + STEP / 2);
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<rect class=\"good\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\
             <rect class=\"bad\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{bad}\"/>\
             <text x=\"{middle}\" y=\"{}\">{total}</text><text x=\"{middle}\" y=\"{}\">{}</text>",
            16 + HEIGHT - all,
            STEP - 12,
            all.saturating_sub(bad),
            16 + HEIGHT - bad,
            STEP - 12,
            12 + HEIGHT - all,
            HEIGHT + 30,
            Escaped(day.get(5..).unwrap_or(day))
        );
    }
    html.push_str("</svg>\n<figcaption>Executions by day; those that failed are red.</figcaption>\n");
    write_table(&mut html, &days);
    html.push_str("</figure>\n");
    html
}

/// Writes the numbers of the chart as a collapsed table.
fn write_table(html: &mut String, days: &[(String, u64, u64, u64)]) {
    html.push_str(
        "<details><summary>As a table</summary>\n<table><thead><tr><th>Day</th><th>Executions</th><th>Failed</th>\
         <th>Users</th></tr></thead>\n<tbody>\n",
    );
    for (day, total, failed, users) in days {
        let day = Escaped(day);
        let _ = writeln!(html, "<tr><td>{day}</td><td>{total}</td><td>{failed}</td><td>{users}</td></tr>");
    }
    html.push_str("</tbody></table></details>\n");
}

/// Returns the first day of a measurement.
fn day(value: &MetricsValue) -> String {
    let start = value.start_time.as_ref().and_then(|start| start.to_timestamp());
    start.map(|start| start.to_zoned(TimeZone::UTC).date().to_string()).unwrap_or_default()
}

/// Returns the number of a measurement, or 0.
fn number(value: &MetricsValue) -> u64 {
    value.value.map_or(0, |value| value.0)
}
