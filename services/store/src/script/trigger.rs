//! Triggers of scripts.

use crate::{Mailbox, Millis, ProjectNumber};

/// Number of a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriggerNumber(pub i64);

/// A trigger that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTrigger {
    /// The script.
    pub project: ProjectNumber,
    /// Whose trigger it is, as whom it runs.
    pub user: Mailbox,
    /// The function that it runs.
    pub function: String,
    /// When it fires, as the service writes it.
    pub spec: String,
    /// When it fires next; `None`: not by time.
    pub due: Option<Millis>,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// Its number.
    pub number: TriggerNumber,
    /// Its identifier.
    pub id: String,
    /// What it does and when.
    pub settings: NewTrigger,
    /// When it was made.
    pub created: Millis,
}

/// How triggers that are due are leased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerLease {
    /// The time of the services' clock.
    pub now: Millis,
    /// The time of the machine's clock.
    pub machine: Millis,
    /// Until when nobody else gets them, by the machine's clock.
    pub until: Millis,
    /// How many.
    pub limit: u32,
}

/// A trigger that is due, and the lease on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedTrigger {
    /// The trigger.
    pub trigger: Trigger,
    /// The lease.
    pub lease: i64,
}
