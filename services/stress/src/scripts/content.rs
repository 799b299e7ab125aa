//! Durable saves of content.

pub mod baseline;

use std::cell::Cell;

use anyhow::ensure;
use script_client::Client;
use script_client::types::{Content, File, FunctionSet};
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use wireform_rounds::{Rounds, Side};

use super::project::{create, file, measure_time, save_and_return};
use crate::paths;
use crate::server::{Server, scripts};
use baseline::BaselineServer;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of files.
    #[arg(long, default_value_t = 100)]
    files: usize,
    /// Number of bytes of each file.
    #[arg(long, default_value_t = 10_000)]
    bytes: usize,
    /// Number of saves of each kind. Each save changes every file, except for that of unchanged content.
    #[arg(long, default_value_t = 51)]
    rounds: usize,
    /// Maximum ratio to the baseline when everything is changed; the run fails otherwise.
    #[arg(long, default_value_t = 4.0)]
    max: f64,
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let server = Server::start(&paths::scratch("scripts-content")?, &[])?;
    let client = server.scripts()?;
    let id = create(&client, "").await?;
    let by_hand = BaselineServer::start().await?;
    let other = scripts(&by_hand.base, "nobody-asks-for-it")?;
    let files = |round: usize| -> Vec<File> {
        let source = |number| source(round, number, settings.bytes);
        (0..settings.files).map(|number| file(&format!("file{number}"), &source(number))).collect()
    };
    let functions = |content: Content| content.files.into_iter().map(|file| file.function_set).collect();
    let ours: Vec<Option<FunctionSet>> = functions(save_and_return(&client, &id, files(0)).await?);
    let theirs = functions(save_and_return(&other, "by-hand", files(0)).await?);
    ensure!(ours == theirs && ours.len() > settings.files, "the two sides find different functions");

    let time = |client: &Client, id: &str, files: Vec<File>| {
        let (_, time) =
            block_in_place(|| Handle::current().block_on(measure_time(save_and_return(client, id, files))))?;
        Ok(time.as_secs_f64())
    };
    let round = Cell::new(0);
    let changed = || {
        round.set(round.get() + 1);
        time(&client, &id, files(round.get()))
    };
    let sides = vec![
        Side::new("the service, all changed", changed),
        Side::new("by hand, all changed", || time(&other, "by-hand", files(round.get()))),
        Side::new("the service, as they are", || time(&client, &id, files(round.get()))),
    ];
    let rounds = Rounds::measure(settings.rounds, sides)?;
    rounds.print(&format!("{} files of {} bytes", settings.files, settings.bytes));
    server.stop()?;
    let ratio = rounds.side(0).median / rounds.side(1).median;
    ensure!(ratio <= settings.max, "it takes {ratio:.2} times as long as by hand, over {}", settings.max);
    Ok(())
}

/// Returns a realistic file: functions with a body, different ones in each round.
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
