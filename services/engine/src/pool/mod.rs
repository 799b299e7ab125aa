//! Processes that are ready to run a script.

mod analysis;
mod conversation;
mod spawner;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use conversation::Conversation;
use spawner::Spawner;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::wire::{ChildLimits, Start, ToChild};
use crate::{Cancellation, Execution, Host, Invocation, Limits, Outcome};

/// How a [`Pool`] starts its processes, and how many.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program and the arguments that make it call [`child::main`](crate::child::main).
    pub command: Vec<OsString>,
    /// Processes that are ready for the next runs, at least one.
    pub idle: usize,
    /// Runs at the same time, at least one; the others wait.
    pub concurrent: usize,
}

impl Settings {
    /// Creates settings that start this very program with the given argument.
    ///
    /// # Errors
    ///
    /// The path of the program is not known to the system.
    pub fn current_program(argument: &str) -> std::io::Result<Self> {
        Ok(Self { command: vec![std::env::current_exe()?.into(), argument.into()], idle: 2, concurrent: 16 })
    }
}

/// Processes that are ready to run a script; clones share them.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    spawner: Spawner,
    /// A permit for each process that works; it is given back when the process is gone.
    places: Arc<Semaphore>,
    concurrent: u32,
    /// Permits for the processes that parse files, so that saving does not wait for runs.
    analyses: Arc<Semaphore>,
    /// Permits for the threads that read files with nothing unusual.
    readings: Arc<Semaphore>,
    closed: watch::Sender<bool>,
}

/// Analyses at the same time.
const ANALYSES: u32 = 2;

impl Pool {
    /// Creates a pool, which starts its processes in the background.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let concurrent = settings.concurrent.clamp(1, 1 << 16);
        Self(Arc::new(Inner {
            spawner: Spawner::start(settings.command, settings.idle.max(1)),
            places: Arc::new(Semaphore::new(concurrent)),
            concurrent: u32::try_from(concurrent).unwrap_or(1),
            analyses: Arc::new(Semaphore::new(ANALYSES as usize)),
            readings: Arc::new(Semaphore::new(ANALYSES as usize)),
            closed: watch::Sender::new(false),
        }))
    }

    /// Calls a function in a process of its own.
    ///
    /// The process ends with the run, also where the future is dropped.
    pub async fn run(&self, invocation: Invocation, host: Arc<dyn Host>) -> Execution {
        let Invocation { program, function, parameters, limits, cancellation } = invocation;
        let start = Start { program: &*program, function, parameters, limits: child_limits(&limits) };
        let message = ToChild::Run(start);
        let work = async |conversation: &mut Conversation| conversation.run(&message, &*host).await;
        match self.converse(&self.0.places, &limits, &cancellation, || host.started(), work).await {
            Ok((outcome, duration)) => Execution { outcome: outcome.unwrap_or(Outcome::Crashed), duration },
            Err((outcome, duration)) => Execution { outcome, duration },
        }
    }

    /// Ends all processes; runs that are under way end as [`Outcome::Canceled`]. Returns when no process is left.
    pub async fn close(&self) {
        self.0.closed.send_replace(true);
        self.0.spawner.stop().await;
        // Each working process holds a place until it is reaped.
        let runs = self.0.places.acquire_many(self.0.concurrent).await;
        let analyses = self.0.analyses.acquire_many(ANALYSES).await;
        drop((runs, analyses));
    }

    /// Runs a conversation with a process, within the limits. The error is an end from outside of the process.
    async fn converse<T>(
        &self,
        places: &Arc<Semaphore>,
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
        let place = tokio::select! {
            biased;
            () = &mut canceled => return Err((Outcome::Canceled, Duration::ZERO)),
            place = Arc::clone(places).acquire_owned() => place,
        };
        let Ok(place) = place else { return Err((Outcome::Canceled, Duration::ZERO)) };
        started();
        let begin = Instant::now();
        let working = async {
            let (child, _working) = self.0.spawner.take().await?;
            let mut conversation = Conversation::start(child, limits, place)?;
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
        // The pool measures the time; this ends a process that nobody watches any more.
        cpu_seconds: limits.wall.as_secs().saturating_add(2),
        memory: limits.memory,
        stack: limits.stack,
        output: limits.output,
        logs: limits.logs,
    }
}

/// A process, killed and reaped in the background when this is dropped; its place is free after that.
#[derive(Debug)]
struct Guard {
    parts: Option<(tokio::process::Child, OwnedSemaphorePermit)>,
}

impl Guard {
    fn new(child: tokio::process::Child, place: OwnedSemaphorePermit) -> Self {
        Self { parts: Some((child, place)) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some((mut child, place)) = self.parts.take() else { return };
        // A process that has ended already needs no signal.
        let _ = child.start_kill();
        // Without a runtime, dropping the process kills it as well.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = child.wait().await;
                drop(place);
            });
        }
    }
}
