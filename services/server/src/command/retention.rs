//! Commands of the retention of history.

use std::time::Duration;

use serde_json::json;
use wireform_store::{Retention as Kept, Store};

use crate::cli::Retention;
use crate::output;
use crate::settings::value::format_retention;

/// Shortest retention without a warning: below it, clients that sync once a week need a full sync each time.
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Runs a command of the retention.
pub async fn run<S: Store>(store: &S, command: Retention) -> anyhow::Result<()> {
    match command {
        Retention::Show(listing) => {
            let kept = store.retention().await?;
            let seconds = match kept {
                Kept::For(time) => Some(time.as_secs()),
                Kept::Forever => None,
            };
            let text = if listing.json {
                json!({"retention": format_retention(kept), "seconds": seconds}).to_string()
            } else {
                format_retention(kept)
            };
            output::write_line(&text)
        }
        Retention::Set { time } => {
            store.set_retention(time).await?;
            if let Some(warning) = warning(time) {
                eprintln!("warning: {warning}");
            }
            output::write_line(&format!("history is kept: {}", format_retention(time)))
        }
    }
}

/// Returns the warning about a short retention.
pub fn warning(time: Kept) -> Option<String> {
    match time {
        Kept::For(kept) if kept < WEEK => Some(format!(
            "history is kept for only {}: clients that sync less often have to resynchronize",
            format_retention(time)
        )),
        _ => None,
    }
}
