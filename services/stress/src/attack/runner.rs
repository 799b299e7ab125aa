//! Honest user who runs a short function. The run may have to wait but not long.

use std::time::{Duration, Instant};

use script_client::types::ExecutionRequest;

use super::large::SlowCallStats;
use crate::server;

/// Pause between two runs.
const PAUSE: Duration = Duration::from_millis(200);
/// Maximum duration of a run.
const MAX: Duration = Duration::from_secs(5);

/// Runs the function `one` of a project for some time.
pub async fn work(base: &str, token: &str, project: &str, time: Duration) -> anyhow::Result<SlowCallStats> {
    let client = server::scripts(base, token)?;
    let mut figures = SlowCallStats::default();
    let until = Instant::now() + time;
    while Instant::now() < until {
        let begun = Instant::now();
        let run = client.scripts().run(project, ExecutionRequest::default().with_function("one")).send().await;
        let failure = match run {
            Ok(_) if begun.elapsed() > MAX => Some(format!("longer than {} s", MAX.as_secs())),
            Ok(_) => None,
            Err(error) => Some(error.status().map_or_else(|| "no response".to_owned(), |status| status.to_string())),
        };
        figures.add("run", begun, failure);
        tokio::time::sleep(PAUSE).await;
    }
    Ok(figures)
}
