//! Programs, invocations and their limits.

use std::sync::Arc;
use std::time::Duration;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

/// Files that are evaluated in order in one global scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Files in the order of their evaluation.
    pub files: Vec<SourceFile>,
    /// Programs whose functions are called through a symbol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Library>,
    /// IANA name of the time zone; empty for UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time_zone: String,
    /// Identifier that `ScriptApp.getScriptId` returns.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub script_id: String,
    /// Number of milliseconds by which the clock of the program is ahead of the machine's; negative if it is behind.
    /// Libraries use that of their program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ahead: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// File of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Name without an extension.
    pub name: String,
    /// Kind of content.
    pub kind: FileKind,
    /// Text of the file.
    pub source: String,
}

/// Kind of content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// JavaScript that is evaluated.
    Server,
    /// A page or template that `HtmlService` reads.
    Html,
}

/// Program whose functions another one calls as `Symbol.function`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Global name of the library.
    pub symbol: String,
    /// Program of the library, which has its own global scope.
    pub program: Program,
}

/// Function call to run once.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Program that declares the function.
    pub program: Arc<Program>,
    /// Name of the function, or `Library.function`.
    pub function: String,
    /// Arguments by position.
    pub parameters: Vec<Value>,
    /// Limits of the run.
    pub limits: Limits,
    /// Handle that cancels the run.
    pub cancellation: Cancellation,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time from the start of the run to its end.
    pub wall: Duration,
    /// Bytes of the heap of the script.
    pub memory: usize,
    /// Bytes of the stack of the script.
    pub stack: usize,
    /// Bytes of the result as JSON.
    pub output: usize,
    /// Bytes of all log lines.
    pub logs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { wall: Duration::from_secs(360), memory: 64 << 20, stack: 1 << 20, output: 10 << 20, logs: 1 << 20 }
    }
}

/// Handle that cancels a run; clones cancel the same run.
#[derive(Clone, Debug)]
pub struct Cancellation(Arc<watch::Sender<bool>>);

impl Default for Cancellation {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Cancellation {
    /// Cancels the run, which returns [`Outcome::Canceled`](crate::Outcome::Canceled).
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the run is cancelled.
    pub(crate) async fn cancelled(&self) {
        // The sender lives as long as this borrow.
        let _ = self.0.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
