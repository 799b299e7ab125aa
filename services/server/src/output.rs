//! Output of commands, on the standard output.

use std::io::{self, Write as _};

/// Writes a text and a line end. A reader that has stopped reading, as `head` does, is no error.
pub fn write_line(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a text without a line end.
pub fn write_text(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns a number with a noun: `1 mail`, `2 mails`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Writes a table with headings.
pub fn write_table<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> anyhow::Result<()> {
    let mut widths = headings.map(|heading| heading.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = Vec::new();
    for row in std::iter::once(&headings.map(str::to_owned)).chain(rows) {
        let cells: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| {
                format!("{}{}", replace_control_characters(cell), " ".repeat(width - cell.chars().count()))
            })
            .collect();
        text.push(cells.join("  ").trim_end().to_owned());
    }
    write_line(&text.join("\n"))
}

/// Returns a value with its control characters replaced: it stays on its line and cannot control the terminal.
fn replace_control_characters(cell: &str) -> String {
    cell.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Writes a list: as JSON, or as a table with the named fields of its objects.
pub fn write_list<const N: usize>(json: bool, columns: [&str; N], items: &[serde_json::Value]) -> anyhow::Result<()> {
    if json {
        return write_line(&serde_json::to_string_pretty(items)?);
    }
    let cell = |item: &serde_json::Value, column: &str| match &item[column] {
        serde_json::Value::Null => "-".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    };
    let rows: Vec<[String; N]> = items.iter().map(|item| columns.map(|column| cell(item, column))).collect();
    write_table(columns, &rows)
}
