//! Outcomes of runs and analyses.

use std::time::Duration;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;

/// Result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Time from the start of the run to its end, without the wait for a free process.
    pub duration: Duration,
}

/// Outcome of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The function returned; `None` for `undefined`.
    Returned(#[serde(with = "present")] Option<Value>),
    /// The function, or top-level code, threw an exception.
    Threw(ScriptError),
    /// The program has no function of this name.
    UnknownFunction,
    /// A file does not parse.
    Syntax {
        /// Name of the file.
        file: String,
        /// Line, starting at 1.
        line: u32,
        /// Column, starting at 1.
        column: u32,
        /// Message of the parser.
        message: String,
    },
    /// The result cannot be represented in JSON; the text names the value, such as `a function at result.items[2]`.
    NotSerializable(String),
    /// The run exceeded its time limit.
    TimedOut,
    /// The script exceeded its memory limit.
    OutOfMemory,
    /// The result exceeded its length limit.
    OutputTooLong,
    /// There was no memory for the result here, or for another message of the script.
    NoMemory,
    /// The process ended without a result.
    Crashed,
    /// The run was cancelled by its [`Cancellation`](crate::Cancellation), or by the end of the pool.
    Canceled,
}

/// Exception of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptError {
    /// Name of the error, such as `TypeError`; empty if the thrown value is not an error.
    pub kind: String,
    /// Message.
    pub message: String,
    /// Call stack, innermost first.
    pub stack: Vec<Frame>,
}

/// Call on the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Name of the function; empty for top-level code.
    pub function: String,
    /// Name of the file; a file of a library is `Symbol/file`.
    pub file: String,
    /// Line, starting at 1.
    pub line: u32,
}

/// Functions of a file, or its syntax error.
pub type Analysis = Result<Vec<Function>, SyntaxError>;

/// Function that a file declares at its top level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Name of the function.
    pub name: String,
    /// Names of the parameters; a destructured one is its pattern.
    pub parameters: Vec<String>,
}

/// Syntax error of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct SyntaxError {
    /// Line, starting at 1.
    pub line: u32,
    /// Column, starting at 1.
    pub column: u32,
    /// Message of the parser.
    pub message: String,
}

/// Serialization that distinguishes `undefined` (no field) from `null`.
mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    /// Writes a list of one value or none.
    pub(super) fn serialize<S: Serializer>(value: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_slice().serialize(serializer)
    }

    /// Reads the list that [`serialize`] writes.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
        Ok(Vec::<Value>::deserialize(deserializer)?.pop())
    }
}
