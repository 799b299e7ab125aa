//! Kinds of attacks.

use serde_derive::{Deserialize, Serialize};

/// Kind of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize, Deserialize)]
pub enum Attack {
    /// Anonymous connections that send the head of a request byte by byte.
    Heads,
    /// Anonymous connections that send nothing, or one request and then nothing.
    Idle,
    /// Bodies of inserts that arrive slowly: anonymous, with invalid tokens, and of one user.
    Bodies,
    /// Batches whose bodies arrive slowly: anonymous, and of one user.
    Batches,
    /// Announced bodies of 36 MiB without any bytes: anonymous, and of one user.
    Lengths,
    /// `GET /-/health` without pause.
    Health,
    /// Mails of 6 to 33 MB that one user inserts and reads without pause.
    Mail,
    /// Searches through a large mailbox by one user.
    Searches,
    /// The same number of concurrent searches, each by another user.
    Searchers,
    /// Connections that are reset, half-closed, or whose responses are not read.
    Resets,
    /// Requests with random tokens without pause.
    Auth,
    /// Lists of events of 41 MB that nobody reads.
    Lists,
    /// Lists of 3,000 series without instances, on two connections of one user.
    Series,
    /// Runs with results of 9 MB that nobody reads.
    Runs,
    /// Runs of one user that sleep.
    Sleepers,
    /// Pages of 9 MB of a web app, requested without a credential, that nobody reads.
    Pages,
    /// Files of a project of 9 MB that nobody reads.
    Content,
    /// Manifests with a million libraries.
    Manifest,
    /// Clients of timelines that a restore has undone.
    Restore,
    /// The first seven and `Searchers` at the same time.
    All,
}

impl Attack {
    /// All kinds, in the order in which they run.
    pub const EVERY: [Self; 20] = [
        Self::Heads,
        Self::Idle,
        Self::Bodies,
        Self::Batches,
        Self::Lengths,
        Self::Health,
        Self::Mail,
        Self::Searches,
        Self::Searchers,
        Self::Resets,
        Self::Auth,
        Self::Lists,
        Self::Series,
        Self::Runs,
        Self::Sleepers,
        Self::Pages,
        Self::Content,
        Self::Manifest,
        Self::Restore,
        Self::All,
    ];

    /// Returns the attacks that run at the same time, each in a process of its own.
    pub fn parts(self) -> Vec<Self> {
        match self {
            Self::All => vec![
                Self::Heads,
                Self::Idle,
                Self::Bodies,
                Self::Batches,
                Self::Lengths,
                Self::Health,
                Self::Mail,
                Self::Searchers,
            ],
            one => vec![one],
        }
    }

    /// Returns whether an honest client sends and reads large mail during the attack.
    pub fn has_large_mail(self) -> bool {
        matches!(self, Self::Lengths | Self::Mail | Self::Resets | Self::All)
    }

    /// Returns the name on the command line.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}
