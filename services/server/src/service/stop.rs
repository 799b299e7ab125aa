//! The end: a first signal finishes what was accepted, a second one ends at once.

use anyhow::Context as _;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Whether the program is to stop. Clones are told together.
#[derive(Clone)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Stops on SIGINT and SIGTERM.
    pub fn on_signals() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("signals cannot be received");
        let signals = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
        let (tell, told) = watch::channel(false);
        tokio::spawn(watch_signals(signals, tell));
        Ok(Self(told))
    }

    /// Waits for the first signal.
    pub async fn wait(mut self) {
        let _ = self.0.wait_for(|stopped| *stopped).await;
    }
}

async fn watch_signals((mut interrupt, mut terminate): (Signal, Signal), tell: watch::Sender<bool>) {
    let mut again = false;
    loop {
        let name = tokio::select! {
            _ = interrupt.recv() => "SIGINT",
            _ = terminate.recv() => "SIGTERM",
        };
        if again {
            tracing::warn!(signal = name, "ended at once");
            std::process::exit(130);
        }
        tracing::info!(signal = name, "finishing what was accepted; a second signal ends at once");
        tell.send_replace(true);
        again = true;
    }
}
