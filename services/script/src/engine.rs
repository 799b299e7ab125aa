//! Interface of the engine that runs scripts.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use crate::boxed_future::BoxedFuture;
use crate::host::Host;

/// Engine that runs scripts and finds the functions that they define.
pub trait Engine: Debug + Send + Sync {
    /// Returns the top-level functions of each file, given by name and source. Of two functions with the same name the
    /// last one is returned.
    ///
    /// # Errors
    /// Returns an error if the files cannot be analyzed.
    fn analyze(&self, files: Vec<(String, String)>) -> BoxedFuture<'_, Result<Vec<Analysis>, String>>;

    /// Runs a function to its end. Whatever happens in a script is no error of the engine but an [`Outcome`].
    fn run(&self, run: FunctionCall, host: Arc<dyn Host>) -> BoxedFuture<'_, Outcome>;
}

/// Function of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
}

/// Functions of a file, or its syntax error.
pub type Analysis = Result<Vec<Function>, SyntaxError>;

/// Syntax error of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Message.
    pub message: String,
    /// Line, starting at 1.
    pub line: u32,
    /// Column, starting at 1.
    pub column: u32,
}

/// Function call to run.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    /// Identifier of the script.
    pub script: String,
    /// Code.
    pub code: Code,
    /// Name of the function, after the name of its library and a dot if it belongs to one.
    pub function: String,
    /// Arguments.
    pub parameters: Vec<Value>,
    /// Number of milliseconds by which the clock of the services is ahead of the machine's.
    pub clock_offset_ms: i64,
    /// Limits.
    pub limits: RunLimits,
}

/// Code of a project.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// Source files by name, in order.
    pub scripts: Vec<(String, String)>,
    /// HTML files by name.
    pub pages: Vec<(String, String)>,
    /// Libraries by their names in the script.
    pub libraries: Vec<(String, Code)>,
    /// IANA name of the script's time zone.
    pub time_zone: String,
    /// True if uncaught exceptions are not logged.
    pub hides_exceptions: bool,
}

/// Limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: usize,
    /// Bytes of the result and of the log.
    pub output: usize,
}

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The function returned, possibly without a value.
    Returned(Option<Value>),
    /// The function or the platform threw an exception.
    Threw(Exception),
    /// The time limit was exceeded.
    TimedOut,
    /// The run was cancelled.
    Canceled,
}

/// Exception.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exception {
    /// Message.
    pub message: String,
    /// Class.
    pub class: Option<String>,
    /// Call stack, innermost first: functions and lines.
    pub stack: Vec<(String, u32)>,
}

impl Exception {
    /// Returns the exception as logs show it: message and call stack.
    #[must_use]
    pub fn describe(&self) -> String {
        let class = self.class.as_ref().map(|class| format!("{class}: ")).unwrap_or_default();
        let calls = self.stack.iter().map(|(function, line)| match function.as_str() {
            "" => format!("\n    at line {line}"),
            function => format!("\n    at {function} (line {line})"),
        });
        format!("{class}{}{}", self.message, calls.collect::<String>())
    }

    /// Creates an exception of the platform.
    #[must_use]
    pub fn platform(message: impl Into<String>) -> Self {
        Self { message: message.into(), class: Some("ScriptError".to_owned()), stack: Vec::new() }
    }
}
