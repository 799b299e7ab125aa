//! The end: a first signal finishes what was accepted, a second one ends at once.

use rustix::process::Signal;
use tokio::signal::unix;
use tokio::sync::watch;

use crate::signals::{is_ignored, listen};

/// Whether the program is to stop. Clones are told together.
#[derive(Clone)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Stops on SIGINT and SIGTERM; also when the terminal is closed and when the time of the processor that the
    /// program may use is nearly over. The last two come several times for one reason, and never end it at once.
    pub fn on_signals() -> anyhow::Result<Self> {
        let signals = Signals {
            interrupt: listen(Signal::INT)?,
            terminate: listen(Signal::TERM)?,
            hangup: if is_ignored(Signal::HUP) { None } else { Some(listen(Signal::HUP)?) },
            time: listen(Signal::XCPU)?,
        };
        let (tell, told) = watch::channel(false);
        tokio::spawn(signals.watch(tell));
        Ok(Self(told))
    }

    /// Waits for the first signal.
    pub async fn wait(mut self) {
        let _ = self.0.wait_for(|stopped| *stopped).await;
    }
}

struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    /// None under `nohup`.
    hangup: Option<unix::Signal>,
    time: unix::Signal,
}

impl Signals {
    /// Returns the next signal, and whether somebody has asked for the end with it.
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

    async fn watch(mut self, tell: watch::Sender<bool>) {
        let mut stopping = false;
        loop {
            let (name, asked) = self.next().await;
            if stopping && asked {
                tracing::warn!(signal = name, "ended at once");
                std::process::exit(130);
            }
            if !stopping {
                tracing::info!(signal = name, "finishing what was accepted; a second signal ends at once");
            }
            tell.send_replace(true);
            stopping = true;
        }
    }
}
