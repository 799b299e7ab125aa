//! Data of a file that cannot be kept.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Maximum number of losses that are listed individually.
const MAX_LISTED: usize = 50;
/// Maximum number of names that are counted separately.
const MAX_NAMES: usize = 200;

/// Data of a file that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Name of the file.
    pub file: String,
    /// Line number, starting at 1.
    pub line: usize,
    /// Name of the property or component.
    pub name: String,
    /// Reason why it cannot be kept, or how it was changed.
    pub reason: String,
}

impl Display for Loss {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, line, name, reason } = self;
        write!(f, "{file}:{line}: `{name}`: {reason}")
    }
}

/// Data of files that cannot be kept: counts by name, and the first losses with their locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    file: String,
    listed: Vec<Loss>,
    counts: BTreeMap<String, u64>,
    others: u64,
}

impl Losses {
    /// Sets the file of the following losses.
    pub(crate) fn begin_file(&mut self, file: &str) {
        file.clone_into(&mut self.file);
    }

    /// Counts a loss.
    pub(crate) fn add(&mut self, line: usize, name: &str, reason: impl Into<String>) {
        let name: String = name.chars().take(60).flat_map(char::escape_debug).collect();
        if self.listed.len() < MAX_LISTED {
            let file = self.file.clone();
            self.listed.push(Loss { file, line, name: name.clone(), reason: reason.into() });
        }
        if self.counts.len() < MAX_NAMES || self.counts.contains_key(&name) {
            *self.counts.entry(name).or_default() += 1;
        } else {
            self.others += 1;
        }
    }

    /// Returns the first losses.
    #[must_use]
    pub fn listed(&self) -> &[Loss] {
        &self.listed
    }

    /// Returns the number of losses for each name, the most frequent first.
    #[must_use]
    pub fn counts(&self) -> Vec<(&str, u64)> {
        let mut counts: Vec<(&str, u64)> = self.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        if self.others > 0 {
            counts.push(("others", self.others));
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// Returns the total number of losses.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.others
    }
}
