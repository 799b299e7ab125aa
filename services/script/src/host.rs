//! Interface between runs and the service.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::boxed_future::BoxedFuture;
pub use crate::run_memory::RunMemory;
use crate::schedule::Schedule;

/// Owner of properties, caches and locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All users of the script.
    Script,
    /// The user who runs the script.
    User,
}

/// Severity of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Debugging.
    Debug,
    /// Information.
    Info,
    /// Possible problem.
    Warning,
    /// Error.
    Error,
}

/// Host of a run. An error becomes an exception in the script, with its text as the message.
pub trait Host: Send + Sync {
    /// Returns the address of the user that the script runs as.
    fn effective_user(&self) -> String;
    /// Returns the address of the caller, or an empty string if the caller is unknown.
    fn active_user(&self) -> String;
    /// Returns a pseudonymous key of the caller, or an empty string if the caller is unknown.
    fn temporary_key(&self) -> String;
    /// Returns the URL of the script's web app: the running one, or the last deployed version.
    fn web_app_url(&self) -> BoxedFuture<'_, Result<Option<String>, String>>;
    /// Returns the memory of the run.
    fn memory(&self) -> RunMemory;
    /// Logs a line immediately.
    fn log(&self, severity: Severity, text: String);

    /// Returns all properties.
    fn properties(&self, scope: Scope) -> BoxedFuture<'_, Result<BTreeMap<String, String>, String>>;
    /// Sets properties, and removes those without a value; with `replace` also all others.
    fn set_properties(
        &self,
        scope: Scope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
    ) -> BoxedFuture<'_, Result<(), String>>;
    /// Returns the cached values of some names.
    fn cached(&self, scope: Scope, names: Vec<String>) -> BoxedFuture<'_, Result<Vec<Option<String>>, String>>;
    /// Caches values for a time, or removes them.
    fn put_cached(
        &self,
        scope: Scope,
        values: Vec<(String, Option<String>)>,
        time: Duration,
    ) -> BoxedFuture<'_, Result<(), String>>;
    /// Waits for a lock; returns whether it was acquired in time.
    fn lock(&self, scope: Scope, wait: Duration) -> BoxedFuture<'_, Result<bool, String>>;
    /// Returns the user's triggers of the script.
    fn triggers(&self) -> BoxedFuture<'_, Result<Vec<TriggerInfo>, String>>;
    /// Adds a trigger that runs a function on a schedule.
    fn add_trigger(&self, function: String, schedule: Schedule) -> BoxedFuture<'_, Result<TriggerInfo, String>>;
    /// Removes a trigger of the user.
    fn remove_trigger(&self, id: String) -> BoxedFuture<'_, Result<(), String>>;
    /// Calls a method of `CalendarApp` on the user's calendars.
    fn calendar(&self, method: String, arguments: Value) -> BoxedFuture<'_, Result<Value, String>>;
    /// Calls a method of `GmailApp` on the user's mail.
    fn mail(&self, method: String, arguments: Value) -> BoxedFuture<'_, Result<Value, String>>;
    /// Releases a lock.
    fn unlock(&self, scope: Scope) -> BoxedFuture<'_, Result<(), String>>;
}

/// Trigger in the view of scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerInfo {
    /// Identifier.
    pub id: String,
    /// Name of the function.
    pub function: String,
}
