//! What a script asks of its surroundings.

use std::future::Future;
use std::pin::Pin;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;

/// A boxed future, so that hosts of different services are one type.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The surroundings of one run: acts as the user who runs the script.
pub trait Host: Send + Sync {
    /// Runs one call of the script, which waits for it within its own time limit.
    fn call(&self, call: HostCall) -> BoxFuture<'_, Result<Value, HostError>>;

    /// Takes one line of the log, as soon as the script writes it.
    fn log(&self, line: LogLine);

    /// Takes note that the run starts: until then it waits for one of the pool's places.
    fn started(&self) {}
}

/// A call of a script to a service outside of its process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostCall {
    /// The service.
    pub service: HostService,
    /// The method of the service, as `get`.
    pub method: String,
    /// The arguments: an object.
    pub arguments: Value,
}

/// The services outside of a script's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostService {
    /// Lasting texts by key: `PropertiesService`.
    Properties,
    /// Texts by key with an end: `CacheService`.
    Cache,
    /// Mutual exclusion of runs: `LockService`.
    Locks,
    /// Who runs the script: `Session`.
    Session,
    /// Runs by time: `ScriptApp`.
    Triggers,
    /// Calendars of the user: `CalendarApp`.
    Calendar,
    /// Mail of the user: `GmailApp`.
    Mail,
}

/// Why a call of a script failed: thrown to the script as an `Exception`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct HostError {
    /// The message for the author of the script.
    pub message: String,
}

impl HostError {
    /// Creates an error from its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// One line of the log of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The severity.
    pub level: LogLevel,
    /// The text, which may have several lines.
    pub message: String,
}

/// The severity of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// `console.debug`, `console.time`.
    Debug,
    /// `console.log`, `console.info`, `Logger.log`.
    Info,
    /// `console.warn`.
    Warning,
    /// `console.error`.
    Error,
}
