//! Import of special days of contacts.

use anyhow::Context as _;
use wireform_calendar::BirthdayReport;
use wireform_store::{Clock, Store};

use super::events::{open_calendar, print_losses, read, to_anyhow};
use crate::cli::Birthdays;
use crate::output;

/// Runs a command of birthdays.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Birthdays) -> anyhow::Result<()> {
    let Birthdays::Import { file, into } = command;
    let content = read(&file).context("the file cannot be read")?;
    let (service, user, calendar) = open_calendar(store, clock, &into).await?;
    let report =
        service.import_vcards(&user, &calendar, &file.display().to_string(), &content).await.map_err(to_anyhow)?;
    print_losses(&report.losses);
    output::write_line(&summary(&report, &calendar))
}

/// Returns the line that reports an import: numbers of days by what was done with them.
fn summary(report: &BirthdayReport, calendar: &str) -> String {
    let BirthdayReport { stored, replaced, known, without_days: plain, losses, .. } = report;
    let stored = output::count(*stored, "day");
    let mut text = format!("{calendar}: {stored} stored, {replaced} replaced, {known} already present");
    if *plain > 0 {
        text.push_str(&format!("; {plain} contacts have no special day"));
    }
    if losses.total() > 0 {
        text.push_str(&format!("; {} losses", losses.total()));
    }
    text
}
