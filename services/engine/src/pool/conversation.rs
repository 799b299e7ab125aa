//! Messages of one run.

use serde::Serialize;
use tokio::io::BufReader;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::OwnedSemaphorePermit;

use super::ProcessGuard;
use crate::child::max_message;
use crate::wire::{self, MAX_TO_CHILD, ToChild, ToParent};
use crate::{Analysis, Host, Limits, LogLine, Outcome, Program};

/// Process with the pipes to it.
pub(super) struct Conversation {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    max_message: usize,
    log_budget: usize,
    _process: ProcessGuard,
}

impl Conversation {
    /// Takes the pipes of a new process; returns `None`, and ends the process, if it has none.
    pub(super) fn start(mut child: Child, limits: &Limits, permit: OwnedSemaphorePermit) -> Option<Self> {
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = ProcessGuard::new(child, permit);
        let (input, output) = pipes?;
        Some(Self {
            input,
            output: BufReader::new(output),
            max_message: max_message(limits.output),
            // A process that keeps its budget appends a remark to the last line.
            log_budget: limits.logs.saturating_add(1024),
            _process: process,
        })
    }

    /// Runs a function and serves its calls. Returns `None` if the process ended without a result.
    pub(super) async fn run(&mut self, message: &impl Serialize, host: &dyn Host) -> Option<Outcome> {
        self.send(message).await?;
        loop {
            match self.receive().await? {
                ToParent::Call(call) => {
                    let reply = host.call(call).await;
                    self.send(&ToChild::<Program>::Reply(reply)).await?;
                }
                ToParent::Log(line) => self.log(line, host)?,
                ToParent::Done(outcome) => return Some(outcome),
                ToParent::Analyzed(_) => return None,
            }
        }
    }

    /// Lists the functions of files.
    pub(super) async fn analyze(&mut self, message: &impl Serialize) -> Option<Vec<Analysis>> {
        self.send(message).await?;
        match self.receive().await? {
            ToParent::Analyzed(files) => Some(files),
            _ => None,
        }
    }

    /// Sends a message; returns `None` if the process is gone.
    async fn send(&mut self, message: &impl Serialize) -> Option<()> {
        wire::send(&mut self.input, message, MAX_TO_CHILD).await.ok()
    }

    /// Receives the next message; returns `None` if the process is gone or the message is invalid or too long.
    async fn receive(&mut self) -> Option<ToParent> {
        wire::receive(&mut self.output, self.max_message).await.ok()
    }

    /// Forwards a line of the log. `None` ends a process that exceeds its limit.
    fn log(&mut self, line: LogLine, host: &dyn Host) -> Option<()> {
        self.log_budget = self.log_budget.checked_sub(line.message.len())?;
        host.log(line);
        Some(())
    }
}
