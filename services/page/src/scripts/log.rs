//! Log of the executions of a project.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use super::instant;
use crate::browse::{BrowsePages, Failure};
use crate::html::Escaped;
use crate::services::{LogLine, Services};

/// Maximum number of lines.
const MAX_LINES: u32 = 200;

/// Returns the latest lines of a project, grouped by execution, latest execution first.
pub(super) async fn log<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    project: &str,
    zone: &TimeZone,
) -> Result<String, Failure> {
    let mut lines = pages.page.source.script_log(user, project, MAX_LINES).await.map_err(Failure::Unavailable)?;
    // The sort is stable, which keeps the order of an execution's lines.
    lines.sort_by_key(|line| std::cmp::Reverse(line.execution));
    let mut html = String::new();
    for group in lines.chunk_by(|one, other| one.execution == other.execution) {
        write_execution(&mut html, group, zone);
    }
    Ok(html)
}

/// Writes the lines of an execution.
fn write_execution(html: &mut String, lines: &[LogLine], zone: &TimeZone) {
    let Some(first) = lines.first() else { return };
    let _ = writeln!(
        html,
        "<details data-key=\"{0}\" open><summary>{0} <bdi>{1}</bdi> <small>{2}</small></summary>\n",
        first.execution,
        Escaped(&first.function),
        instant(first.at, zone)
    );
    write_lines(html, lines);
    html.push_str("</details>\n");
}

/// Writes lines with their severities.
pub(super) fn write_lines(html: &mut String, lines: &[LogLine]) {
    html.push_str("<ol>");
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<li data-severity=\"{0}\"><small>{0}</small> <bdi>{1}</bdi></li>",
            Escaped(&line.severity),
            Escaped(&line.text)
        );
    }
    html.push_str("</ol>\n");
}
