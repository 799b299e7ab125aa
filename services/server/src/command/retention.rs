//! How long history is kept.

use std::time::Duration;

use serde_json::json;
use wireform_store::{Retention as Kept, Store};

use crate::cli::Retention;
use crate::output;
use crate::settings::value::spell_retention;

/// Below this, clients that come by once a week have to read everything anew.
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Shows, sets.
pub async fn run<S: Store>(store: &S, command: Retention) -> anyhow::Result<()> {
    match command {
        Retention::Show(listing) => {
            let kept = store.retention().await?;
            let seconds = match kept {
                Kept::For(time) => Some(time.as_secs()),
                Kept::Forever => None,
            };
            let said = if listing.json {
                json!({"retention": spell_retention(kept), "seconds": seconds}).to_string()
            } else {
                spell_retention(kept)
            };
            output::line(&said)
        }
        Retention::Set { time } => {
            store.set_retention(time).await?;
            if let Some(warning) = warning(time) {
                eprintln!("warning: {warning}");
            }
            output::line(&format!("history is kept: {}", spell_retention(time)))
        }
    }
}

/// What is to be known of a short time.
pub fn warning(time: Kept) -> Option<String> {
    match time {
        Kept::For(kept) if kept < WEEK => Some(format!(
            "history is kept for {} alone: clients that come by less often have to read everything anew",
            spell_retention(time)
        )),
        _ => None,
    }
}
