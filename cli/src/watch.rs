//! `gen --watch`: generate again whenever a schema is saved.

use std::sync::mpsc;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher as _};

use crate::generate;
use crate::home::Home;
use crate::options::GenOptions;

/// How long no file must have changed before a run starts: editors save in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// Runs until interrupted. Mistakes in a schema are shown, and the watch goes on.
pub fn run(home: &Home, options: &GenOptions) -> anyhow::Result<bool> {
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a schema is an event too, and must not lead to another run.
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
        while events.recv_timeout(QUIET).is_ok() {}
    }
}
