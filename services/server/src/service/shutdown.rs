//! Shutdown: a first signal finishes the accepted requests, a second one ends the program at once.

use rustix::process::Signal;
use tokio::signal::unix;
use tokio::sync::watch;

use crate::signals::{is_ignored, listen};

/// Shutdown signal. All clones receive it together.
#[derive(Clone)]
pub struct ShutdownSignal(watch::Receiver<bool>);

impl ShutdownSignal {
    /// Creates a shutdown signal for SIGINT and SIGTERM, for a closed terminal (SIGHUP), and for a limit of processor
    /// time that is nearly used up (SIGXCPU). The last two may come several times for one reason, so they never end the
    /// program at once.
    pub fn on_signals() -> anyhow::Result<Self> {
        let signals = Signals {
            interrupt: listen(Signal::INT)?,
            terminate: listen(Signal::TERM)?,
            hangup: if is_ignored(Signal::HUP) { None } else { Some(listen(Signal::HUP)?) },
            time: listen(Signal::XCPU)?,
        };
        let (sender, receiver) = watch::channel(false);
        tokio::spawn(signals.watch(sender));
        Ok(Self(receiver))
    }

    /// Waits for the first signal.
    pub async fn wait(mut self) {
        let _ = self.0.wait_for(|stopped| *stopped).await;
    }
}

/// Streams of the signals that shut the program down.
struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    /// `None` under `nohup`.
    hangup: Option<unix::Signal>,
    time: unix::Signal,
}

impl Signals {
    /// Returns the next signal, and whether it is an explicit request to stop.
    async fn next(&mut self) -> (&'static str, bool) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", true),
            _ = self.terminate.recv() => ("SIGTERM", true),
            _ = hangup => ("SIGHUP", false),
            _ = self.time.recv() => ("SIGXCPU", false),
        }
    }

    /// Reports the first signal to all receivers, and exits when an explicit request to stop follows another signal.
    async fn watch(mut self, sender: watch::Sender<bool>) {
        let mut stopping = false;
        loop {
            let (name, requests_stop) = self.next().await;
            if stopping && requests_stop {
                tracing::warn!(signal = name, "ended at once");
                std::process::exit(130);
            }
            if !stopping {
                tracing::info!(signal = name, "finishing accepted requests; a second signal ends at once");
            }
            sender.send_replace(true);
            stopping = true;
        }
    }
}
