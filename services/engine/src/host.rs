//! Host of scripts.

use std::future::Future;
use std::pin::Pin;

use serde_derive::{Deserialize, Serialize};
use serde_json::Value;

/// Boxed future, which makes hosts of different services one type.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Host of one run, which acts as the user who runs the script.
pub trait Host: Send + Sync {
    /// Executes a call of the script, which waits for it within its own time limit.
    fn call(&self, call: HostCall) -> BoxFuture<'_, Result<Value, HostError>>;

    /// Receives a line of the log as soon as the script writes it.
    fn log(&self, line: LogLine);

    /// Notes that the run starts; until then it waits for a slot of the pool.
    fn started(&self) {}

    /// Notes that the process has the program, or the result of a call, which is in memory here no longer.
    fn sent(&self) {}

    /// Waits until there is memory for a long message of the script. Returns false if there is none, which ends the run.
    fn reserve<'a>(&'a self, _message: LongMessage<'a>) -> BoxFuture<'a, bool> {
        Box::pin(std::future::ready(true))
    }
}

/// Message of a script of more than 16 KiB: a call, a line of the log, or the result.
#[derive(Clone, Copy, Debug)]
pub enum LongMessage<'a> {
    /// Its length, before its text is read. The previous message is no longer in memory, except the arguments of a call
    /// until its end.
    Length(usize),
    /// Its JSON text, before the values in it are decoded.
    Text(&'a [u8]),
}

/// Call of a script to a service outside of its process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostCall {
    /// Service.
    pub service: HostService,
    /// Method of the service, such as `get`.
    pub method: String,
    /// Arguments, an object.
    pub arguments: Value,
}

/// Services outside of a script's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostService {
    /// Persistent texts by key: `PropertiesService`.
    Properties,
    /// Texts by key with an expiry: `CacheService`.
    Cache,
    /// Mutual exclusion of runs: `LockService`.
    Locks,
    /// User of the script: `Session`.
    Session,
    /// Triggers: `ScriptApp`.
    Triggers,
    /// Calendars of the user: `CalendarApp`.
    Calendar,
    /// Mail of the user: `GmailApp`.
    Mail,
}

/// Error of a call of a script, thrown to the script as an `Exception`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct HostError {
    /// Message for the author of the script.
    pub message: String,
}

impl HostError {
    /// Creates an error from its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// Line of the log of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Severity.
    pub level: LogLevel,
    /// Text, which may have several lines.
    pub message: String,
}

/// Severity of a log line.
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
