//! What scripts can ask of the service while they run: the interface between runs and the service.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::boxed::Boxed;
use crate::schedule::Schedule;

/// Whose properties, cache or lock is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those of all users of the script.
    Script,
    /// Those of the user who runs it.
    User,
}

/// The severity of a line of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// For whoever looks for a mistake.
    Debug,
    /// What happens.
    Info,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
}

/// What a run is answered. An error is an exception in the script, and its text what that says.
pub trait Host: Send + Sync {
    /// The address of the user as whom the script runs.
    fn effective_user(&self) -> String;
    /// The address of the user who asks; empty where nobody knows who it is.
    fn active_user(&self) -> String;
    /// A key of the user who asks, which does not tell who that is; empty where nobody knows.
    fn temporary_key(&self) -> String;
    /// The URL of the web app of the script: that which runs, or that of the version which was deployed last.
    fn web_app_url(&self) -> Boxed<'_, Result<Option<String>, String>>;
    /// Takes a line of the log, as soon as it is written.
    fn log(&self, severity: Severity, text: String);

    /// All properties.
    fn properties(&self, scope: Scope) -> Boxed<'_, Result<BTreeMap<String, String>, String>>;
    /// Sets properties, and removes those without a value; all and no others with `replace`.
    fn set_properties(
        &self,
        scope: Scope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
    ) -> Boxed<'_, Result<(), String>>;
    /// What is cached under names.
    fn cached(&self, scope: Scope, names: Vec<String>) -> Boxed<'_, Result<Vec<Option<String>>, String>>;
    /// Caches values for so long, or removes them.
    fn put_cached(
        &self,
        scope: Scope,
        values: Vec<(String, Option<String>)>,
        time: Duration,
    ) -> Boxed<'_, Result<(), String>>;
    /// Waits for a lock; returns whether it was free in time.
    fn lock(&self, scope: Scope, wait: Duration) -> Boxed<'_, Result<bool, String>>;
    /// The triggers of the user on the script.
    fn triggers(&self) -> Boxed<'_, Result<Vec<HostTrigger>, String>>;
    /// Adds a trigger that runs a function by time.
    fn add_trigger(&self, function: String, schedule: Schedule) -> Boxed<'_, Result<HostTrigger, String>>;
    /// Removes a trigger of the user.
    fn remove_trigger(&self, id: String) -> Boxed<'_, Result<(), String>>;
    /// Performs a method of `CalendarApp` on the calendars of the user.
    fn calendar(&self, method: String, arguments: Value) -> Boxed<'_, Result<Value, String>>;
    /// Performs a method of `GmailApp` on the mail of the user.
    fn mail(&self, method: String, arguments: Value) -> Boxed<'_, Result<Value, String>>;
    /// Gives a lock back.
    fn unlock(&self, scope: Scope) -> Boxed<'_, Result<(), String>>;
}

/// A trigger as scripts see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTrigger {
    /// Its identifier.
    pub id: String,
    /// The function that it runs.
    pub function: String,
}
