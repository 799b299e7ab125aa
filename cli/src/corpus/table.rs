//! Table with a row per document, and the total.

use std::fmt::Write as _;
use std::time::Duration;

use super::counts::sum;
use super::terminal::{sanitize, truncate};
use super::{Row, coverage};
use crate::pluralize::pluralize;

/// Formats all rows.
pub fn render(rows: &[Row], checked: Option<Duration>, others: usize, with_losses: bool) -> String {
    let width = rows.iter().map(|row| sanitize(&row.document).chars().count()).max().unwrap_or_default().max(12);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:width$}  {:>7}  {:>10}  {:>9}  {:>6}  {:>9}  {:>9}  result",
        "document", "schemas", "operations", "generated", "losses", "lines", "time"
    );
    for row in rows {
        let (schemas, operations) = row.counts.map_or_else(
            || ("–".to_owned(), "–".to_owned()),
            |counts| (counts.schemas().to_string(), counts.methods().to_string()),
        );
        let _ = writeln!(
            text,
            "{:width$}  {schemas:>7}  {operations:>10}  {:>9}  {:>6}  {:>9}  {:>9}  {}",
            sanitize(&row.document),
            row.generated_operations,
            row.losses.len(),
            row.lines,
            format_duration(row.time),
            format_result(row)
        );
    }
    text += &total(rows, width, checked);
    text += &coverage::render(rows);
    let all: usize = rows.iter().map(|row| row.losses.len()).sum();
    if with_losses {
        text += &losses(rows);
        text += &warnings(rows);
    } else if all > 0 {
        let all = pluralize(all, "losses");
        let _ =
            writeln!(text, "{all}, parts of the documents that their schemas cannot express; `--losses` lists them");
    }
    if others > 0 {
        let files = if others == 1 { "other file does" } else { "other files do" };
        let _ = writeln!(text, "{others} {files} not describe an API");
    }
    text
}

/// Formats the losses of all documents, one per line.
fn losses(rows: &[Row]) -> String {
    let all = rows.iter().flat_map(|row| &row.losses);
    all.map(|loss| format!("loss: {}\n", sanitize(loss))).collect()
}

/// Formats the warnings about the schemas of all documents, one per line.
fn warnings(rows: &[Row]) -> String {
    let all = rows.iter().flat_map(|row| &row.warnings);
    all.map(|warning| format!("warning: {}\n", sanitize(warning))).collect()
}

fn total(rows: &[Row], width: usize, checked: Option<Duration>) -> String {
    let all = sum(rows.iter().filter_map(|row| row.counts.as_ref()));
    let fine = rows.iter().filter(|row| row.problems.is_empty()).count();
    let losses: usize = rows.iter().map(|row| row.losses.len()).sum();
    let lines: usize = rows.iter().map(|row| row.lines).sum();
    let time: Duration = rows.iter().map(|row| row.time).sum();
    let checked = match checked {
        Some(time) => format!("checked in {}", format_duration(time)),
        None => "not checked".to_owned(),
    };
    let (name, documents) = (format!("{} in all", rows.len()), rows.len());
    let generated: usize = rows.iter().map(|row| row.generated_operations).sum();
    format!(
        "{name:width$}  {:>7}  {:>10}  {generated:>9}  {losses:>6}  {lines:>9}  {:>9}  \
         {fine} of {documents} ok, {checked}\n",
        all.schemas(),
        all.methods(),
        format_duration(time)
    )
}

fn format_result(row: &Row) -> String {
    if row.problems.is_empty() {
        let named = row.api.as_deref().filter(|_| row.is_named_by_file);
        let named = named.map_or_else(String::new, |api| format!(", as `{api}`"));
        return format!("ok{}{named}", if row.unchanged { ", unchanged" } else { "" });
    }
    let whole = row.problems.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("failed: {}", truncate(&sanitize(&whole)))
}

/// Formats a duration such as `12 ms` or `3.4 s`.
fn format_duration(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
