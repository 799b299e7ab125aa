//! What runs, and within which limits.

use std::sync::Arc;
use std::time::Duration;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

/// Files that are evaluated in order in one global scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The files in the order of their evaluation.
    pub files: Vec<SourceFile>,
    /// Other programs whose functions are called through a symbol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Library>,
    /// The name of a time zone (IANA); empty for UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time_zone: String,
    /// The identifier that `ScriptApp.getScriptId` returns.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub script_id: String,
    /// How many milliseconds the clock of the program is ahead of that of the machine; negative where it is behind. That of
    /// a library is that of its program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ahead: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// The name without an extension.
    pub name: String,
    /// What the file holds.
    pub kind: FileKind,
    /// The text of the file.
    pub source: String,
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// JavaScript that is evaluated.
    Server,
    /// A page or template that `HtmlService` reads.
    Html,
}

/// A program whose functions another one calls as `Symbol.function`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// The global name of the library.
    pub symbol: String,
    /// The program of the library, which has a global scope of its own.
    pub program: Program,
}

/// A function to call, once.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The program that declares the function.
    pub program: Arc<Program>,
    /// The name of the function, or `Library.function`.
    pub function: String,
    /// The arguments by position.
    pub parameters: Vec<Value>,
    /// What the run may use.
    pub limits: Limits,
    /// Ends the run early.
    pub cancellation: Cancellation,
}

/// What one run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time from the start of the run to its end.
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

/// Ends a run from elsewhere; clones end the same run.
#[derive(Clone, Debug)]
pub struct Cancellation(Arc<watch::Sender<bool>>);

impl Default for Cancellation {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Cancellation {
    /// Ends the run, which returns [`Outcome::Canceled`](crate::Outcome::Canceled).
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the run is to end.
    pub(crate) async fn cancelled(&self) {
        // The sender lives as long as this borrow.
        let _ = self.0.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
