//! Logs of executions.

use std::time::Duration;

use wireform_script::states;
use wireform_store::{AnyStore, ExecutionNumber, LogEntry, LogNumber, LogQuery, LogScope, ProjectNumber, Scripts as _};

use crate::output;
use crate::settings::value::format_instant;

/// Polling interval for new lines.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Number of lines per query.
const BATCH: u32 = 1_000;

/// Prints the log of an execution or of a project; with `follow` also what is logged afterwards.
pub async fn print_log(
    store: &AnyStore,
    project: ProjectNumber,
    execution: Option<ExecutionNumber>,
    limit: u32,
    follow: bool,
) -> anyhow::Result<()> {
    let scope = execution.map_or(LogScope::Latest, |number| LogScope::Execution(number, None));
    let entries = store.log(LogQuery { project, scope, limit }).await?;
    entries.iter().try_for_each(print_line)?;
    if !follow {
        return Ok(());
    }
    let mut place = entries.last().map(|last| last.index);
    let mut newest = entries.last().map_or(LogNumber(0), |last| last.number);
    loop {
        let scope = match execution {
            Some(number) => LogScope::Execution(number, place),
            None => LogScope::After(newest),
        };
        let entries = store.log(LogQuery { project, scope, limit: BATCH }).await?;
        entries.iter().try_for_each(print_line)?;
        if let Some(last) = entries.last() {
            (place, newest) = (Some(last.index), last.number);
        }
        if entries.len() < BATCH as usize {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// Prints a line with its time, execution and severity; further lines of its text are indented.
fn print_line(entry: &LogEntry) -> anyhow::Result<()> {
    let visible =
        |letter: char| if letter.is_control() && letter != '\n' && letter != '\t' { '\u{fffd}' } else { letter };
    let text: String = entry.text.chars().map(visible).collect();
    let (time, severity) = (format_instant(entry.at), states::severity(entry.severity));
    output::write_line(&format!("{time} {} {severity:<7} {}", entry.execution.0, text.replace('\n', "\n    ")))
}
