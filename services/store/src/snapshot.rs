//! Snapshots of a store in memory, for tests.

use crate::session::Value;

/// Contents of a store at one moment, in the memory of the process.
#[derive(Clone)]
pub struct Snapshot {
    /// Rows of each restored table, in the order of the tables.
    pub(crate) tables: Vec<Vec<Vec<Value>>>,
    pub(crate) bytes: usize,
}

impl Snapshot {
    /// Returns the memory of the contents, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl std::fmt::Debug for Snapshot {
    /// Omits the contents, which are those of users.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
