//! Logs of executions, stored in batches while an execution runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use wireform_store::{ExecutionNumber, Millis, NewLogEntry, Store};

use crate::host::Severity;
use crate::states;

/// Maximum number of stored lines of an execution, like that of the engine.
const MAX_LINES: usize = 10_000;
/// Maximum total size of the stored lines of an execution in bytes, like that of the engine.
const MAX_BYTES: usize = 1 << 20;
/// Number of lines that are stored together.
const BATCH: usize = 500;

/// Writer of the log of an execution. A task stores the lines that arrived while it stored the previous ones.
pub(crate) struct LogWriter<S> {
    store: S,
    execution: ExecutionNumber,
    state: Mutex<State>,
}

/// State of a log, with the number and the total size of its lines.
struct State {
    progress: Progress,
    lines: usize,
    bytes: usize,
}

/// State of the task. Most executions log nothing and need no task.
enum Progress {
    Empty,
    Open(UnboundedSender<NewLogEntry>, JoinHandle<()>),
    /// The task stores the remaining lines.
    Closed(Option<JoinHandle<()>>),
}

impl<S: Store> LogWriter<S> {
    /// Creates a log that stores lines from the first one on.
    pub(crate) fn new(store: S, execution: ExecutionNumber) -> Self {
        Self { store, execution, state: Mutex::new(State { progress: Progress::Empty, lines: 0, bytes: 0 }) }
    }

    /// Locks the state.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the task that stores the lines.
    fn start_task(&self) -> Progress {
        let (sender, receiver) = unbounded_channel();
        Progress::Open(sender, tokio::spawn(store_lines(self.store.clone(), self.execution, receiver)))
    }

    /// Writes a line. After the last stored line, a line says that there are more.
    pub(crate) fn write(&self, at: Millis, severity: Severity, text: String) {
        let mut state = self.state();
        if matches!(state.progress, Progress::Empty) {
            state.progress = self.start_task();
        }
        let Progress::Open(sender, _) = &state.progress else { return };
        let is_full = state.lines >= MAX_LINES || state.bytes.saturating_add(text.len()) > MAX_BYTES;
        let (severity, text) = match is_full {
            true => {
                (Severity::Warning, "The log has reached its maximum length; further lines are not kept.".to_owned())
            }
            false => (severity, text),
        };
        let (place, severity) = (i64::try_from(state.lines).unwrap_or(i64::MAX), states::severity_number(severity));
        let bytes = text.len();
        // The task ends only after the sender is dropped.
        drop(sender.send(NewLogEntry { index: place, at, severity, text }));
        state.lines += 1;
        state.bytes = state.bytes.saturating_add(bytes);
        if is_full {
            state.close();
        }
    }

    /// Waits until all lines are stored. Later lines are dropped.
    pub(crate) async fn finish(&self) {
        let task = {
            let mut state = self.state();
            state.close();
            match &mut state.progress {
                Progress::Closed(task) => task.take(),
                Progress::Empty | Progress::Open(..) => None,
            }
        };
        if let Some(task) = task
            && let Err(error) = task.await
        {
            tracing::error!(cause = %error, "the task that stores the log of an execution panicked");
        }
    }
}

impl State {
    /// Ends the task once it has stored the remaining lines. Later lines are dropped.
    fn close(&mut self) {
        self.progress = match std::mem::replace(&mut self.progress, Progress::Closed(None)) {
            Progress::Empty => Progress::Closed(None),
            Progress::Open(_, task) => Progress::Closed(Some(task)),
            closed @ Progress::Closed(_) => closed,
        };
    }
}

/// Stores the lines that arrive, in batches, until the sender is dropped. Lines that cannot be stored are lost.
async fn store_lines<S: Store>(store: S, execution: ExecutionNumber, mut lines: UnboundedReceiver<NewLogEntry>) {
    loop {
        let mut batch = Vec::new();
        if lines.recv_many(&mut batch, BATCH).await == 0 {
            return;
        }
        let count = batch.len();
        if let Err(error) = store.add_log(execution, batch).await {
            tracing::warn!(cause = %error, count, "lines of the log of an execution could not be stored");
        }
    }
}
