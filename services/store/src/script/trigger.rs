//! Triggers of scripts.

use crate::{Mailbox, Millis, ProjectNumber};

/// Key of a trigger in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriggerNumber(pub i64);

/// Trigger to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTrigger {
    /// The script.
    pub project: ProjectNumber,
    /// Owner of the trigger, on whose behalf it runs.
    pub user: Mailbox,
    /// Name of the function that it runs.
    pub function: String,
    /// Schedule, serialized by the service.
    pub spec: String,
    /// Next firing time; `None` if it does not fire by time.
    pub due: Option<Millis>,
}

/// Stored trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// Key in the store.
    pub number: TriggerNumber,
    /// Public identifier.
    pub id: String,
    /// Function and schedule.
    pub settings: NewTrigger,
    /// Time of creation.
    pub created: Millis,
}

/// Query for due triggers to lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerLeaseQuery {
    /// Time of the services' clock.
    pub now: Millis,
    /// System time.
    pub system_time: Millis,
    /// System time at which the lease expires.
    pub until: Millis,
    /// Maximum number of triggers.
    pub limit: u32,
}

/// Due trigger and the lease on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedTrigger {
    /// The trigger.
    pub trigger: Trigger,
    /// The lease.
    pub lease: i64,
}
