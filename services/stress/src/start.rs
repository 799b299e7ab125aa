//! Start of the program on the large store, up to its first response.

use std::path::Path;

use wireform_rounds::{Rounds, Side};

use crate::server::Server;
use crate::{build, paths};

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of starts on each store.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
}

/// Runs the measurement.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let large = build::existing()?;
    let empty = paths::scratch("start")?;
    let start = |folder: &Path| {
        let server = Server::start(folder, &[])?;
        let time = server.started.as_secs_f64();
        server.stop()?;
        Ok(time)
    };
    let sides =
        vec![Side::new("on the large store", || start(&large)), Side::new("on a store without mail", || start(&empty))];
    Rounds::measure(settings.rounds, sides)?.print("until the server is ready");
    Ok(())
}
