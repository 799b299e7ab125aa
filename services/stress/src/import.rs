//! Import of an mbox by the command line.

use std::io::Write as _;
use std::process::Command;
use std::time::Instant;

use anyhow::ensure;
use fs_err as fs;

use crate::server::Server;
use crate::{mail, paths};

/// Settings of the import.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of messages.
    #[arg(long, default_value_t = 100_000)]
    messages: u64,
    /// Approximate number of bytes of each.
    #[arg(long, default_value_t = 2_000)]
    bytes: usize,
    /// Number of rounds, each into a store of its own.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

/// Runs the measurement.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("import")?;
    let mbox = folder.join("mail.mbox");
    let mut file = std::io::BufWriter::new(fs::File::create(&mbox)?);
    for number in 0..settings.messages {
        let text = mail::message(number, settings.bytes).replace("\r\n", "\n");
        writeln!(file, "From stress@example.com Thu Jan  1 00:00:00 2026\n{text}")?;
    }
    file.flush()?;
    let size = fs::metadata(&mbox)?.len() as f64 / f64::from(1 << 20);
    for round in 0..settings.rounds {
        let data = folder.join(format!("store-{round}"));
        fs::create_dir_all(&data)?;
        Server::start(&data, &[])?.stop()?;
        let begun = Instant::now();
        let status = Command::new(paths::program()?)
            .args(["import", "mbox"])
            .arg(&mbox)
            .args(["--user", "me@localhost", "--data"])
            .arg(&data)
            .status()?;
        let time = begun.elapsed().as_secs_f64();
        ensure!(status.success(), "the import failed: {status}");
        let rate = settings.messages as f64 / time;
        println!("{} messages, {size:.0} MiB, in {time:.1} s: {rate:.0} a second", settings.messages);
    }
    Ok(())
}
