//! The thread that keeps processes ready.

use std::ffi::OsString;
use std::io;
use std::process::Stdio;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};

/// Processes that are ready.
///
/// They are started by one thread that lives as long as the pool: the kernel ends them with the thread that started
/// them, and a worker of the runtime may end earlier.
#[derive(Debug)]
pub(super) struct Spawner {
    ready: Mutex<mpsc::Receiver<io::Result<Child>>>,
    /// Returns the process that it could not hand over any more.
    thread: Mutex<Option<JoinHandle<Option<Child>>>>,
    attempts: usize,
}

impl Spawner {
    /// Starts the thread, which keeps this many processes ready.
    pub(super) fn start(command: Vec<OsString>, idle: usize) -> Self {
        // One more is in the hand of the thread.
        let (sender, ready) = mpsc::channel(idle.saturating_sub(1).max(1));
        let runtime = Handle::current();
        let thread = std::thread::Builder::new().name("script-processes".to_owned());
        let thread = thread.spawn(move || supply(&command, &runtime, &sender));
        let thread = thread
            .inspect_err(|error| tracing::error!(%error, "cannot start the thread that starts script processes"))
            .ok();
        Self { ready: Mutex::new(ready), thread: Mutex::new(thread), attempts: idle.saturating_add(2) }
    }

    /// Returns a process that is ready. `None` where none can be started.
    pub(super) async fn take(&self) -> Option<Child> {
        for _ in 0..self.attempts {
            match self.ready.lock().await.recv().await? {
                Ok(mut child) => match child.try_wait() {
                    Ok(None) => return Some(child),
                    ended => tracing::warn!(?ended, "a script process ended before its run"),
                },
                Err(error) => tracing::error!(%error, "cannot start a script process"),
            }
        }
        None
    }

    /// Ends the thread and the processes that wait.
    pub(super) async fn stop(&self) {
        let mut ready = self.ready.lock().await;
        ready.close();
        while let Some(child) = ready.recv().await {
            end(child.ok()).await;
        }
        let Some(thread) = self.thread.lock().await.take() else { return };
        if let Ok(Ok(child)) = tokio::task::spawn_blocking(|| thread.join()).await {
            end(child).await;
        }
    }
}

async fn end(child: Option<Child>) {
    if let Some(mut child) = child {
        // A process that has ended already needs no signal.
        let _ = child.kill().await;
    }
}

fn supply(command: &[OsString], runtime: &Handle, sender: &mpsc::Sender<io::Result<Child>>) -> Option<Child> {
    loop {
        let child = {
            let _runtime = runtime.enter();
            spawn(command)
        };
        let failed = child.is_err();
        // An error here is the end of the pool.
        if let Err(mpsc::error::SendError(child)) = sender.blocking_send(child) {
            return child.ok();
        }
        if failed {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

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
