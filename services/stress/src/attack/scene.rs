//! Shared state of the attackers of one process.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_derive::{Deserialize, Serialize};

use super::Attack;

/// Number of occurrences by name.
pub type Counts = BTreeMap<String, u64>;

/// Orders of a process of attackers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AttackConfig {
    pub attack: Attack,
    pub address: SocketAddr,
    pub seconds: u64,
    pub connections: usize,
    pub peers: u8,
    /// Token of the one user who attacks.
    pub token: String,
    /// Tokens of two users, each with the identifier of a large mail of theirs.
    pub slow_readers: Vec<(String, String)>,
    /// Tokens of the users who search.
    pub searchers: Vec<String>,
    /// Requests for large responses.
    pub requests: Vec<String>,
}

impl AttackConfig {
    /// Returns the base URL of the server.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Shared state of the attackers of one process.
pub struct AttackContext {
    pub orders: AttackConfig,
    /// Time when the attack ends.
    pub until: Instant,
    counts: Mutex<Counts>,
}

impl AttackContext {
    /// Creates the state of an attack.
    pub fn new(orders: AttackConfig, until: Instant) -> Self {
        Self { orders, until, counts: Mutex::default() }
    }

    /// Returns the counts.
    pub fn counts(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Increments the count of `what`.
    pub fn count(&self, what: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(what) {
            Some(count) => *count += 1,
            None => _ = counts.insert(what.to_owned(), 1),
        }
    }

    /// Counts the outcome of a call.
    pub fn count_call<T>(&self, result: &Result<T, mailbox_client::Error>) {
        match result {
            Ok(_) => self.count("200"),
            Err(error) => match error.status() {
                Some(status) => self.count(&status.to_string()),
                None => self.count("no response"),
            },
        }
    }

    /// Returns whether the attack is over.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}
