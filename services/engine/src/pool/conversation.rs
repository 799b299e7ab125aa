//! Messages of one run.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio::io::BufReader;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::OwnedSemaphorePermit;

use super::ProcessGuard;
use crate::child::max_message;
use crate::wire::{self, ChildLimits, MAX_TO_CHILD, RunRequest, ToChild, ToParent};
use crate::{Analysis, Host, Limits, LogLine, LongMessage, Outcome, Program};

/// Length of a message for which the host reserves no memory.
const MAX_SHORT_MESSAGE: usize = 16 << 10;

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

    /// Runs a function and serves its calls. The program is dropped once the process has it.
    pub(super) async fn run(&mut self, program: Arc<Program>, call: RunCall, host: &dyn Host) -> Outcome {
        match self.serve(program, call, host).await {
            Ok(outcome) => outcome,
            Err(Ended::Crashed) => Outcome::Crashed,
            Err(Ended::NoMemory) => Outcome::NoMemory,
        }
    }

    async fn serve(
        &mut self,
        program: Arc<Program>,
        RunCall { function, parameters, limits }: RunCall,
        host: &dyn Host,
    ) -> Result<Outcome, Ended> {
        let message = ToChild::Run(RunRequest { program: &*program, function, parameters, limits });
        self.send(&message).await.ok_or(Ended::Crashed)?;
        drop(message);
        drop(program);
        host.sent();
        loop {
            match self.receive(Some(host)).await? {
                ToParent::Call(call) => {
                    let reply = host.call(call).await;
                    self.send(&ToChild::<Program>::Reply(reply)).await.ok_or(Ended::Crashed)?;
                    host.sent();
                }
                ToParent::Log(line) => self.log(line, host).ok_or(Ended::Crashed)?,
                ToParent::Done(outcome) => return Ok(outcome),
                ToParent::Analyzed(_) => return Err(Ended::Crashed),
            }
        }
    }

    /// Lists the functions of files.
    pub(super) async fn analyze(&mut self, message: &impl Serialize) -> Option<Vec<Analysis>> {
        self.send(message).await?;
        match self.receive(None).await {
            Ok(ToParent::Analyzed(files)) => Some(files),
            _ => None,
        }
    }

    /// Sends a message; returns `None` if the process is gone.
    async fn send(&mut self, message: &impl Serialize) -> Option<()> {
        wire::send(&mut self.input, message, MAX_TO_CHILD).await.ok()
    }

    /// Receives the next message; fails if the process is gone, or the message is invalid or too long. The host reserves
    /// memory for a long one.
    async fn receive(&mut self, host: Option<&dyn Host>) -> Result<ToParent, Ended> {
        let length = wire::receive_length(&mut self.output, self.max_message).await?;
        let host = host.filter(|_| length > MAX_SHORT_MESSAGE);
        reserve(host, LongMessage::Length(length)).await?;
        let text = wire::receive_text(&mut self.output, length).await?;
        reserve(host, LongMessage::Text(&text)).await?;
        Ok(wire::decode(&text)?)
    }

    /// Forwards a line of the log. `None` ends a process that exceeds its limit.
    fn log(&mut self, line: LogLine, host: &dyn Host) -> Option<()> {
        self.log_budget = self.log_budget.checked_sub(line.message.len())?;
        host.log(line);
        Some(())
    }
}

/// Reason why a conversation ends without an outcome.
enum Ended {
    /// The process is gone, or its messages are invalid.
    Crashed,
    /// There is no memory for a message.
    NoMemory,
}

impl From<std::io::Error> for Ended {
    fn from(_: std::io::Error) -> Self {
        Self::Crashed
    }
}

/// Function call of a run, without its program.
pub(super) struct RunCall {
    pub(super) function: String,
    pub(super) parameters: Vec<Value>,
    pub(super) limits: ChildLimits,
}

/// Waits for memory, if the message is long.
async fn reserve(host: Option<&dyn Host>, message: LongMessage<'_>) -> Result<(), Ended> {
    match host {
        Some(host) if !host.reserve(message).await => Err(Ended::NoMemory),
        _ => Ok(()),
    }
}
