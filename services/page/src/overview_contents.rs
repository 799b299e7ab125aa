//! Contents of the overview.

use std::future::Future;

/// Error of reading the overview. It is logged and not shown in the page.
pub type OverviewError = Box<dyn std::error::Error + Send + Sync>;

/// Data source of the overview. Implementors write `async fn overview`.
pub trait Overview: Send + Sync + 'static {
    /// Returns the current contents of the store.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn overview(&self) -> impl Future<Output = Result<Contents, OverviewError>> + Send;
}

/// Contents of the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Mailboxes.
    pub mailboxes: Listing<Mailbox>,
    /// Calendars.
    pub calendars: Listing<Calendar>,
    /// Script projects.
    pub projects: Listing<Project>,
}

/// First items of a list, and their total number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// Shown items.
    pub items: Vec<T>,
    /// Total number, shown or not.
    pub total: u64,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self { items: Vec::new(), total: 0 }
    }
}

impl<T> From<Vec<T>> for Listing<T> {
    /// Creates a listing of all items.
    fn from(items: Vec<T>) -> Self {
        let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
        Self { items, total }
    }
}

/// Mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// Mail address of the user.
    pub address: String,
    /// Number of messages.
    pub messages: u64,
    /// Number of threads.
    pub threads: u64,
    /// Latest history ID.
    pub history_id: u64,
}

/// Calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// Identifier.
    pub id: String,
    /// Title.
    pub summary: String,
    /// Mail address of the owner.
    pub owner: String,
}

/// Script project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Mail address of the owner.
    pub owner: String,
}
