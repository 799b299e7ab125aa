//! Pool of processes that are ready to run a script.

mod analysis;
mod conversation;
mod spawner;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use conversation::{Conversation, RunCall};
use spawner::Spawner;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::wire::ChildLimits;
use crate::{Cancellation, Execution, Host, Invocation, Limits, Outcome};

/// Settings of a [`Pool`].
#[derive(Clone, Debug)]
pub struct Settings {
    /// Command line that makes the program call [`child::main`](crate::child::main).
    pub command: Vec<OsString>,
    /// Number of processes kept ready for the next runs, at least one.
    pub idle: usize,
    /// Number of concurrent runs, at least one; the others wait.
    pub concurrent: usize,
}

impl Settings {
    /// Creates settings that start the current program with the given argument.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not know the path of the program.
    pub fn current_program(argument: &str) -> std::io::Result<Self> {
        Ok(Self { command: vec![std::env::current_exe()?.into(), argument.into()], idle: 2, concurrent: 16 })
    }
}

/// Pool of processes that are ready to run a script; clones share them.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Inner>);

/// State of a [`Pool`], shared by its clones.
#[derive(Debug)]
struct Inner {
    spawner: Spawner,
    /// Permits of the working processes, returned when a process is gone.
    permits: Arc<Semaphore>,
    concurrent: u32,
    /// Permits of the processes that parse files, so that saving does not wait for runs.
    analyses: Arc<Semaphore>,
    closed: watch::Sender<bool>,
}

/// Number of concurrent analyses.
const ANALYSES: u32 = 2;

impl Pool {
    /// Creates a pool, which starts its processes in the background.
    ///
    /// # Panics
    ///
    /// Panics outside of a tokio runtime.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let concurrent = settings.concurrent.clamp(1, 1 << 16);
        Self(Arc::new(Inner {
            spawner: Spawner::start(settings.command, settings.idle.max(1)),
            permits: Arc::new(Semaphore::new(concurrent)),
            concurrent: u32::try_from(concurrent).unwrap_or(1),
            analyses: Arc::new(Semaphore::new(ANALYSES as usize)),
            closed: watch::Sender::new(false),
        }))
    }

    /// Calls a function in a process of its own.
    ///
    /// The process ends with the run, even if the future is dropped.
    pub async fn run(&self, invocation: Invocation, host: Arc<dyn Host>) -> Execution {
        let Invocation { program, function, parameters, limits, cancellation } = invocation;
        let call = RunCall { function, parameters, limits: child_limits(&limits) };
        let work = async |conversation: &mut Conversation| Some(conversation.run(program, call, &*host).await);
        match self.exchange(&self.0.permits, &limits, &cancellation, || host.started(), work).await {
            Ok((outcome, duration)) => Execution { outcome: outcome.unwrap_or(Outcome::Crashed), duration },
            Err((outcome, duration)) => Execution { outcome, duration },
        }
    }

    /// Ends all processes; current runs end as [`Outcome::Canceled`]. Returns when no process is left.
    pub async fn close(&self) {
        self.0.closed.send_replace(true);
        self.0.spawner.stop().await;
        // Each working process holds a permit until it is reaped.
        let runs = self.0.permits.acquire_many(self.0.concurrent).await;
        let analyses = self.0.analyses.acquire_many(ANALYSES).await;
        drop((runs, analyses));
    }

    /// Exchanges messages with a process, within the limits. The error is an end of the run by the pool.
    async fn exchange<T>(
        &self,
        permits: &Arc<Semaphore>,
        limits: &Limits,
        cancellation: &Cancellation,
        started: impl FnOnce(),
        work: impl AsyncFnOnce(&mut Conversation) -> Option<T>,
    ) -> Result<(Option<T>, Duration), (Outcome, Duration)> {
        let mut closed = self.0.closed.subscribe();
        let canceled = async {
            tokio::select! {
                () = cancellation.cancelled() => {}
                _ = closed.wait_for(|closed| *closed) => {}
            }
        };
        tokio::pin!(canceled);
        let permit = tokio::select! {
            biased;
            () = &mut canceled => return Err((Outcome::Canceled, Duration::ZERO)),
            permit = Arc::clone(permits).acquire_owned() => permit,
        };
        let Ok(permit) = permit else { return Err((Outcome::Canceled, Duration::ZERO)) };
        started();
        let begin = Instant::now();
        let working = async {
            let (child, _working) = self.0.spawner.take().await?;
            let mut conversation = Conversation::start(child, limits, permit)?;
            work(&mut conversation).await
        };
        tokio::select! {
            biased;
            () = &mut canceled => Err((Outcome::Canceled, begin.elapsed())),
            result = working => Ok((result, begin.elapsed())),
            () = tokio::time::sleep(limits.wall) => Err((Outcome::TimedOut, begin.elapsed())),
        }
    }
}

fn child_limits(limits: &Limits) -> ChildLimits {
    ChildLimits {
        // The pool measures the time; this limit ends a process that is no longer supervised.
        cpu_seconds: limits.wall.as_secs().saturating_add(2),
        memory: limits.memory,
        stack: limits.stack,
        output: limits.output,
        logs: limits.logs,
    }
}

/// Process, killed and reaped in the background on drop; its permit is released after that.
#[derive(Debug)]
struct ProcessGuard {
    parts: Option<(tokio::process::Child, OwnedSemaphorePermit)>,
}

impl ProcessGuard {
    fn new(child: tokio::process::Child, permit: OwnedSemaphorePermit) -> Self {
        Self { parts: Some((child, permit)) }
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        let Some((mut child, permit)) = self.parts.take() else { return };
        // A process that has already ended needs no signal.
        let _ = child.start_kill();
        // Without a runtime, dropping the process kills it as well.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = child.wait().await;
                drop(permit);
            });
        }
    }
}
