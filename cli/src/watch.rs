//! `gen --watch`: generates again whenever a schema is saved.

use std::sync::mpsc;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher as _};

use crate::generate;
use crate::home::CommandContext;
use crate::options::GenOptions;

/// Quiet period before a run starts: editors save in several steps.
const QUIET_PERIOD: Duration = Duration::from_millis(50);

/// Runs until interrupted. Errors in a schema are printed, and the watch continues.
pub fn run(home: &CommandContext, options: &GenOptions) -> anyhow::Result<bool> {
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a schema is an event too, and must not trigger another run.
        if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
            let _ = sender.send(());
        }
    })?;
    let dir = crate::settings::resolve(home, options)?.schemas;
    watcher.watch(&dir, RecursiveMode::Recursive)?;
    loop {
        if let Err(error) = generate::run(home, options) {
            eprintln!("error: {error:#}");
        }
        println!("watching {}", dir.display());
        events.recv()?;
        while events.recv_timeout(QUIET_PERIOD).is_ok() {}
    }
}
