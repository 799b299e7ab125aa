//! Server program of all three APIs with its own store.

mod accounts;
mod calendar_mail;
mod cli;
mod command;
mod output;
mod scopes;
mod seed;
mod service;
mod settings;
mod signals;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use anyhow::Context as _;
use cli::{Cli, Command};
use settings::{Layer, ServeFlags, ServeSettings, StoreFlags, StoreLocation};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use wireform_allocator::Allocator;
use wireform_store::Clock;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    // Checked before the command line is parsed: a process that runs a script needs nothing else of the program.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == settings::script::SCRIPT_PROCESS) {
        return wireform_engine::child::main();
    }
    wireform_allocator::set_purge_delay();
    let cli = match cli::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // An error of writing the message is ignored, because it cannot be reported.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")
        .and_then(|runtime| runtime.block_on(run(cli)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    signals::ignore_irrelevant()?;
    let (store_file, serve_file) = match &cli.config {
        Some(path) => settings::read(path)?,
        None => (StoreFlags::default(), ServeFlags::default()),
    };
    let mut layers = cli.locations;
    layers.extend(cli.config.iter().map(|path| Layer::from_file(path, &store_file)));
    let (location, unused) = StoreLocation::from_layers(&layers)?;
    // A command reports its result itself, so its log shows warnings only.
    let default = if matches!(cli.command, None | Some(Command::Serve(_))) { "info" } else { "warn" };
    log(cli.store.log.as_deref().or(store_file.log.as_deref()), default)?;
    for unused in unused {
        tracing::warn!("{unused}");
    }
    let clock = cli.store.clock.or(store_file.clock);
    match cli.command {
        None => service::serve(&location, ServeSettings::resolve(cli.serve.or(serve_file), clock)?).await,
        Some(Command::Serve(flags)) => {
            service::serve(&location, ServeSettings::resolve(flags.or(cli.serve).or(serve_file), clock)?).await
        }
        Some(command) => {
            let clock = clock.map_or_else(Clock::system, Clock::starting_at);
            command::run(&location, &clock, command).await
        }
    }
}

/// Sets up logging to the standard error; the standard output is for results.
fn log(filter: Option<&str>, default: &str) -> anyhow::Result<()> {
    filter.map_or(Ok(()), settings::value::log).map_err(|error| anyhow::anyhow!("`log`: {error}"))?;
    let from_environment = std::env::var("RUST_LOG").ok().filter(|filter| !filter.is_empty());
    let filter = filter.or(from_environment.as_deref()).unwrap_or(default);
    let targets = log_targets(filter).with_context(|| {
        format!("`log` (or RUST_LOG) must be error, warn, info, debug or trace, or filters of them: `{filter}`")
    })?;
    let use_color = std::io::stderr().is_terminal();
    // A log that cannot be written, as on a full disk, must not fail the program, so it is not reported there.
    let log = tracing_subscriber::fmt::layer().log_internal_errors(false);
    let log = log.with_writer(std::io::stderr).with_ansi(use_color).with_filter(targets);
    tracing_subscriber::registry().with(log).init();
    Ok(())
}

/// Parses filters by target and level. Those by span or field would be taken for targets, and match nothing.
fn log_targets(filter: &str) -> anyhow::Result<Targets> {
    anyhow::ensure!(!filter.contains(['[', '{']), "filters by span or field are not supported");
    let filters: Vec<_> = filter.split(',').map(str::trim).filter(|filter| !filter.is_empty()).collect();
    Ok(filters.join(",").parse()?)
}
