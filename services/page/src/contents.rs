//! What the overview shows.

use std::future::Future;

/// What the overview failed for. It goes to the log, and not into the page.
pub type OverviewError = Box<dyn std::error::Error + Send + Sync>;

/// Where the overview is read from. Implementors write `async fn overview`.
pub trait Overview: Send + Sync + 'static {
    /// What is stored at the moment.
    ///
    /// # Errors
    /// When it cannot be read.
    fn overview(&self) -> impl Future<Output = Result<Contents, OverviewError>> + Send;
}

/// What is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The mailboxes.
    pub mailboxes: Listing<Mailbox>,
    /// The calendars.
    pub calendars: Listing<Calendar>,
    /// The script projects.
    pub projects: Listing<Project>,
}

/// The first of some things, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// Those that are shown.
    pub items: Vec<T>,
    /// How many there are, shown or not.
    pub total: u64,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self { items: Vec::new(), total: 0 }
    }
}

impl<T> From<Vec<T>> for Listing<T> {
    /// All that there are.
    fn from(items: Vec<T>) -> Self {
        let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
        Self { items, total }
    }
}

/// A mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The mail address of its user.
    pub address: String,
    /// How many messages it holds.
    pub messages: u64,
    /// How many conversations these belong to.
    pub threads: u64,
    /// The number of its latest change.
    pub history_id: u64,
}

/// A calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub summary: String,
    /// The mail address of its owner.
    pub owner: String,
}

/// A script project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The mail address of its owner.
    pub owner: String,
}
