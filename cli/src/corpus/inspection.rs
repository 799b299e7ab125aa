//! Inspection of a document before it is imported.

use std::collections::BTreeSet;
use std::time::Duration;

use super::counts::Counts;
use super::documents::Kind;

/// Result of inspecting a document.
pub struct Inspection {
    /// Kind of the document; `None` if it does not describe an API.
    pub kind: Option<Kind>,
    /// Name that its API would have.
    pub name: Option<String>,
    /// Counts of its contents; `None` if an earlier run has counted them.
    pub counts: Option<Counts>,
    /// Paths of other files that it refers to, relative to its folder.
    pub files: BTreeSet<String>,
    /// Number of operations.
    pub operations: usize,
    /// Duration of the inspection.
    pub time: Duration,
}
