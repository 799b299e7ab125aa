//! Commands of the retention of history.

use serde_json::json;
use wireform_store::{Retention as Kept, Store};

use crate::cli::Retention;
use crate::output;
use crate::settings::value::{format_retention, retention_warning};

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
            if let Some(warning) = retention_warning(time) {
                eprintln!("warning: {warning}");
            }
            output::write_line(&format!("history is kept: {}", format_retention(time)))
        }
    }
}
