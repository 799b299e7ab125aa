//! What runs scripts, as the service sees it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use crate::boxed::Boxed;
use crate::host::Host;

/// Runs scripts, and finds what they define.
pub trait Engine: Debug + Send + Sync {
    /// Returns the functions at the top level of each of some files of code, by their names and texts; of two functions of
    /// the same name the last one.
    ///
    /// # Errors
    /// Why the files cannot be looked at.
    fn analyze(&self, files: Vec<(String, String)>) -> Boxed<'_, Result<Vec<Analysis>, String>>;

    /// Runs a function to its end. Nothing that happens in a script is a fault of the engine: it is an [`Outcome`].
    fn run(&self, run: Run, host: Arc<dyn Host>) -> Boxed<'_, Outcome>;
}

/// A function of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// What it is called.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
}

/// The functions of a file, or why it is no JavaScript.
pub type Analysis = Result<Vec<Function>, SyntaxFlaw>;

/// Why a file is no JavaScript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFlaw {
    /// What is wrong.
    pub message: String,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on.
    pub column: u32,
}

/// What is run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The identifier of the script.
    pub script: String,
    /// The code.
    pub code: Code,
    /// The function, after the name of its library and a dot where it is in one.
    pub function: String,
    /// Its arguments.
    pub parameters: Vec<Value>,
    /// How many milliseconds the clock of the services is ahead of that of the machine.
    pub ahead: i64,
    /// What it may use.
    pub limits: RunLimits,
}

/// The code of a project.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// Files of code in their order, by their names.
    pub scripts: Vec<(String, String)>,
    /// Pages by their names.
    pub pages: Vec<(String, String)>,
    /// Libraries by their names in the script.
    pub libraries: Vec<(String, Code)>,
    /// The time zone of the script by its IANA name.
    pub time_zone: String,
    /// Whether exceptions that nobody catches stay out of the log.
    pub hides_exceptions: bool,
}

/// What a run may use at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: usize,
    /// Bytes of its result and of what it logs.
    pub output: usize,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The function returned; nothing where it returned nothing.
    Returned(Option<Value>),
    /// The function or the platform threw.
    Threw(Exception),
    /// It took longer than it may.
    TimedOut,
    /// It was stopped.
    Canceled,
}

/// An exception.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exception {
    /// What it says.
    pub message: String,
    /// Its class.
    pub class: Option<String>,
    /// The calls that led there, the deepest first: functions and lines.
    pub stack: Vec<(String, u32)>,
}

impl Exception {
    /// Returns the exception as a log shows it: what it says, and the calls that led there.
    #[must_use]
    pub fn describe(&self) -> String {
        let class = self.class.as_ref().map(|class| format!("{class}: ")).unwrap_or_default();
        let calls = self.stack.iter().map(|(function, line)| match function.as_str() {
            "" => format!("\n    at line {line}"),
            function => format!("\n    at {function} (line {line})"),
        });
        format!("{class}{}{}", self.message, calls.collect::<String>())
    }

    /// An exception of the platform.
    #[must_use]
    pub fn of_platform(message: impl Into<String>) -> Self {
        Self { message: message.into(), class: Some("ScriptError".to_owned()), stack: Vec::new() }
    }
}
