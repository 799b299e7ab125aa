//! All three APIs in one program, on a store of its own.

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
use settings::{Layer, Place, ServeFlags, Serving, StoreFlags};
use wireform_allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    // Before anything else of the program: a process that runs a script has no need of it.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == service::SCRIPT_PROCESS) {
        return wireform_engine::child::main();
    }
    wireform_allocator::give_back_soon();
    let cli = match cli::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // What cannot be written has nobody to read it.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the program cannot begin to work")
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
    signals::ignore_meaningless()?;
    let (store_file, serve_file) = match &cli.config {
        Some(path) => settings::read(path)?,
        None => (StoreFlags::default(), ServeFlags::default()),
    };
    let mut layers = cli.places;
    layers.extend(cli.config.iter().map(|path| Layer::of_file(path, &store_file)));
    let (place, unused) = Place::of(&layers)?;
    // A command says what it did by itself.
    let usual = if matches!(cli.command, None | Some(Command::Serve(_))) { "info" } else { "warn" };
    log(cli.store.log.as_deref().or(store_file.log.as_deref()), usual)?;
    for unused in unused {
        tracing::warn!("{unused}");
    }
    match cli.command {
        None => service::serve(&place, Serving::of(cli.serve.or(serve_file))?).await,
        Some(Command::Serve(flags)) => service::serve(&place, Serving::of(flags.or(cli.serve).or(serve_file))?).await,
        Some(command) => command::run(&place, command).await,
    }
}

/// Logs to the standard error: the standard output is for what was asked for.
fn log(filter: Option<&str>, usual: &str) -> anyhow::Result<()> {
    filter.map_or(Ok(()), settings::value::log).map_err(|error| anyhow::anyhow!("`log`: {error}"))?;
    let from_environment = std::env::var("RUST_LOG").ok().filter(|filter| !filter.is_empty());
    let filter = filter.or(from_environment.as_deref()).unwrap_or(usual);
    let filter = tracing_subscriber::EnvFilter::try_new(filter).with_context(|| {
        format!("`log` (or RUST_LOG) must be error, warn, info, debug or trace, or filters of them: `{filter}`")
    })?;
    let colours = std::io::stderr().is_terminal();
    // A log that cannot be written, on a disk that is full, is no reason to fail: nothing is said about it there.
    let log = tracing_subscriber::fmt().log_internal_errors(false).with_env_filter(filter);
    log.with_writer(std::io::stderr).with_ansi(colours).init();
    Ok(())
}
