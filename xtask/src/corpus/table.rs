//! The table: a row a document, and the sum.

use std::fmt::Write as _;
use std::time::Duration;

use super::Row;
use super::counts::sum;

/// The most characters of what went wrong that stand in a row.
const SHOWN: usize = 360;

/// All rows as text.
pub fn render(rows: &[Row], checked: Option<Duration>) -> String {
    let width = rows.iter().map(|row| row.document.chars().count()).max().unwrap_or_default().max(12);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:width$}  {:>7}  {:>10}  {:>6}  {:>9}  {:>9}  verdict",
        "document", "schemas", "operations", "losses", "lines", "time"
    );
    for row in rows {
        let (schemas, operations) = row.counts.map_or_else(
            || ("–".to_owned(), "–".to_owned()),
            |counts| (counts.schemas().to_string(), counts.methods().to_string()),
        );
        let _ = writeln!(
            text,
            "{:width$}  {schemas:>7}  {operations:>10}  {:>6}  {:>9}  {:>9}  {}",
            row.document,
            row.losses,
            row.lines,
            spelled(row.time),
            verdict(row)
        );
    }
    text + &total(rows, width, checked)
}

fn total(rows: &[Row], width: usize, checked: Option<Duration>) -> String {
    let all = sum(rows.iter().filter_map(|row| row.counts.as_ref()));
    let fine = rows.iter().filter(|row| row.problems.is_empty()).count();
    let losses: usize = rows.iter().map(|row| row.losses).sum();
    let lines: usize = rows.iter().map(|row| row.lines).sum();
    let time: Duration = rows.iter().map(|row| row.time).sum();
    let checked = match checked {
        Some(time) => format!("checked in {}", spelled(time)),
        None => "not checked".to_owned(),
    };
    let (name, documents) = (format!("{} in all", rows.len()), rows.len());
    format!(
        "{name:width$}  {:>7}  {:>10}  {losses:>6}  {lines:>9}  {:>9}  {fine} of {documents} ok, {checked}\n",
        all.schemas(),
        all.methods(),
        spelled(time)
    )
}

fn verdict(row: &Row) -> String {
    if row.problems.is_empty() {
        return if row.unchanged { "ok, unchanged".into() } else { "ok".into() };
    }
    let whole = row.problems.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = whole.chars().take(SHOWN).collect();
    if shown.len() < whole.len() {
        shown.push('…');
    }
    format!("failed: {shown}")
}

/// `12 ms`, `3.4 s`
fn spelled(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
