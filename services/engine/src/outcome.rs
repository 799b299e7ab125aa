//! What comes of a run or an analysis.

use std::time::Duration;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// How the run ended.
    pub outcome: Outcome,
    /// The time from the start of the run to its end, without the wait for a free process.
    pub duration: Duration,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The function returned; `None` for `undefined`.
    Returned(#[serde(with = "present")] Option<Value>),
    /// The function, or the code around it, threw.
    Threw(ScriptError),
    /// The program has no function of this name.
    UnknownFunction,
    /// A file does not parse.
    Syntax {
        /// The name of the file.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// What the parser says.
        message: String,
    },
    /// The result has no JSON; the text says which value of it, as `a function at result.items[2]`.
    NotSerializable(String),
    /// The run took longer than its limit.
    TimedOut,
    /// The script used more memory than its limit.
    OutOfMemory,
    /// The result is longer than its limit.
    OutputTooLong,
    /// The process ended without a result.
    Crashed,
    /// The run was ended by its [`Cancellation`](crate::Cancellation), or by the end of the pool.
    Canceled,
}

/// An exception of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptError {
    /// The name of the error, as `TypeError`; empty where something else than an error was thrown.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The calls, deepest first.
    pub stack: Vec<Frame>,
}

/// A call on the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The name of the function; empty for the code around functions.
    pub function: String,
    /// The name of the file; a file of a library is `Symbol/file`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The functions of a file, or why it has none.
pub type Analysis = Result<Vec<Function>, SyntaxError>;

/// A function that a file declares at its top level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The name of the function.
    pub name: String,
    /// The names of the parameters; a destructured one is its pattern.
    pub parameters: Vec<String>,
}

/// The place where a file does not parse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What the parser says.
    pub message: String,
}

/// Tells `undefined` (no member) from `null`.
mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(value: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
        Ok(Vec::<Value>::deserialize(deserializer)?.pop())
    }
}
