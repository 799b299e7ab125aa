//! Thread that keeps processes ready.

use std::ffi::OsString;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex as StdMutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};

/// Duration of a run after which it no longer delays the start of further processes.
const SHORT_RUN: Duration = Duration::from_millis(20);
/// Time for the result of a run to reach its caller.
const DELIVERY_TIME: Duration = Duration::from_millis(2);

/// Queue of ready processes.
///
/// They are started by one thread that lives as long as the pool: the kernel ends them with the thread that started
/// them, and a worker of the runtime may end earlier.
#[derive(Debug)]
pub(super) struct Spawner {
    ready: Mutex<mpsc::Receiver<io::Result<Child>>>,
    /// Thread; it returns the process that it could not hand over any more.
    thread: Mutex<Option<JoinHandle<Option<Child>>>>,
    attempts: usize,
    load: Arc<WorkTracker>,
}

/// Tracker of the working processes. Starting a process takes as much time as a short run, so the start waits until the
/// run is over and its result delivered, while another process is ready.
#[derive(Debug)]
struct WorkTracker {
    state: StdMutex<State>,
    changed: Condvar,
}

/// Number of processes that are working, and the time of the last change.
#[derive(Debug)]
struct State {
    working: usize,
    /// Time when a process last began or ended its work.
    changed: Instant,
}

/// Working process, until this is dropped.
#[derive(Debug)]
pub(super) struct WorkingGuard(Arc<WorkTracker>);

impl WorkTracker {
    fn new() -> Self {
        Self { state: StdMutex::new(State { working: 0, changed: Instant::now() }), changed: Condvar::new() }
    }

    /// Locks the state, even if a thread panicked while it held the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and wakes the thread that starts processes.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        state.changed = Instant::now();
        change(&mut state);
        self.changed.notify_all();
    }

    /// Counts a process as working until the guard is dropped.
    fn start(self: &Arc<Self>) -> WorkingGuard {
        self.change(|state| state.working += 1);
        WorkingGuard(Arc::clone(self))
    }

    /// Waits until another process should be started.
    fn wait<T>(&self, sender: &mpsc::Sender<T>) {
        let mut state = self.state();
        loop {
            let ready = sender.max_capacity() - sender.capacity();
            if sender.is_closed() || ready == 0 {
                return;
            }
            if ready == sender.max_capacity() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let delay = if state.working == 0 { DELIVERY_TIME } else { SHORT_RUN };
            let left = delay.saturating_sub(state.changed.elapsed());
            if left.is_zero() {
                return;
            }
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for WorkingGuard {
    fn drop(&mut self) {
        self.0.change(|state| state.working -= 1);
    }
}

impl Spawner {
    /// Starts the thread, which keeps this many processes ready.
    pub(super) fn start(command: Vec<OsString>, idle: usize) -> Self {
        let (sender, ready) = mpsc::channel(idle);
        let runtime = Handle::current();
        let load = Arc::new(WorkTracker::new());
        let thread = std::thread::Builder::new().name("script-processes".to_owned());
        let watched = Arc::clone(&load);
        let thread = thread.spawn(move || supply(&command, &runtime, &sender, &watched));
        let thread = thread
            .inspect_err(|error| tracing::error!(%error, "cannot start the thread that starts script processes"))
            .ok();
        Self { ready: Mutex::new(ready), thread: Mutex::new(thread), attempts: idle.saturating_add(2), load }
    }

    /// Returns a process that is ready, or `None` if none can be started.
    pub(super) async fn take(&self) -> Option<(Child, WorkingGuard)> {
        for _ in 0..self.attempts {
            let next = self.ready.lock().await.recv().await?;
            let working = self.load.start();
            match next {
                Ok(mut child) => match child.try_wait() {
                    Ok(None) => return Some((child, working)),
                    ended => tracing::warn!(?ended, "a script process ended before its run"),
                },
                Err(error) => tracing::error!(%error, "cannot start a script process"),
            }
        }
        None
    }

    /// Ends the thread and the waiting processes.
    pub(super) async fn stop(&self) {
        let mut ready = self.ready.lock().await;
        ready.close();
        // The thread either sees the end, or waits and is woken.
        self.load.change(|_| ());
        while let Some(child) = ready.recv().await {
            end(child.ok()).await;
        }
        let Some(thread) = self.thread.lock().await.take() else { return };
        if let Ok(Ok(child)) = tokio::task::spawn_blocking(|| thread.join()).await {
            end(child).await;
        }
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.ready.get_mut().close();
        self.load.change(|_| ());
    }
}

/// Kills a process, if there is one, and waits for its end.
async fn end(child: Option<Child>) {
    if let Some(mut child) = child {
        // A process that has already ended needs no signal.
        let _ = child.kill().await;
    }
}

/// Starts processes until the receiver is closed; returns the process that could not be handed over, if any.
fn supply(
    command: &[OsString],
    runtime: &Handle,
    sender: &mpsc::Sender<io::Result<Child>>,
    load: &WorkTracker,
) -> Option<Child> {
    loop {
        load.wait(sender);
        if sender.is_closed() {
            return None;
        }
        let child = {
            let _runtime = runtime.enter();
            spawn(command)
        };
        let failed = child.is_err();
        // An error here means that the pool has ended.
        if let Err(mpsc::error::SendError(child)) = sender.blocking_send(child) {
            return child.ok();
        }
        if failed {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Starts a process with pipes, without environment and error output. It is killed when dropped.
fn spawn(command: &[OsString]) -> io::Result<Child> {
    let [program, arguments @ ..] = command else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command of script processes is empty"));
    };
    Command::new(program)
        .args(arguments)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}
