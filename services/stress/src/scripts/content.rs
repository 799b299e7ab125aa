//! Content that is on disk when it is acknowledged.

use anyhow::ensure;

use super::project::{create, file, save, spread, timed};
use crate::place;
use crate::server::Server;

/// How much, and how often.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Files.
    #[arg(long, default_value_t = 100)]
    files: usize,
    /// Bytes of each file.
    #[arg(long, default_value_t = 10_000)]
    bytes: usize,
    /// How often it is saved, each time with other content in every file.
    #[arg(long, default_value_t = 51)]
    rounds: usize,
    /// The most milliseconds that the median may take; the run fails otherwise.
    #[arg(long, default_value_t = 15.0)]
    most: f64,
}

/// Measures.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&place::scratch("scripts-content")?, &[])?;
    let client = server.scripts()?;
    let id = create(&client, "").await?;
    let (mut changed, mut same) = (Vec::new(), Vec::new());
    for round in 0..settings.rounds {
        let files =
            || (0..settings.files).map(|number| file(&format!("file{number}"), &source(round, number, settings.bytes)));
        let (all, again) = (files().collect(), files().collect());
        changed.push(timed(save(&client, &id, all)).await?.1);
        same.push(timed(save(&client, &id, again)).await?.1);
    }
    let ((median, first, last), (unchanged, ..)) = (spread(&mut changed), spread(&mut same));
    println!(
        "{} files of {} bytes, all changed: median {:.1} ms ({:.1} to {:.1}); saved again as they are: {:.1} ms",
        settings.files,
        settings.bytes,
        median.as_secs_f64() * 1e3,
        first.as_secs_f64() * 1e3,
        last.as_secs_f64() * 1e3,
        unchanged.as_secs_f64() * 1e3,
    );
    server.stop()?;
    ensure!(median.as_secs_f64() * 1e3 <= settings.most, "the median is over {} ms", settings.most);
    Ok(())
}

/// A file as people write it: functions with a body, other ones in each round.
fn source(round: usize, number: usize, bytes: usize) -> String {
    let mut source = String::with_capacity(bytes + 120);
    let mut function = 0;
    while source.len() < bytes {
        source.push_str(&format!(
            "/** Adds {round}. */\nfunction f{number}_{function}(a, b) {{\n  const c = a + b * {round};\n  return c > 10 ? 'much' : \"little\";\n}}\n"
        ));
        function += 1;
    }
    source
}
