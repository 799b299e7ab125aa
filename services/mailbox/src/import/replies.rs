//! Replies that precede the mails they reply to: mail files are ordered newest first as often as oldest first.

use std::collections::{HashMap, HashSet};

use wireform_store::Threading;

/// Maximum number of awaited mails; replies to others begin conversations of their own.
const MAX_AWAITED: usize = 1_000_000;

/// Mails that were referred to before they were read, by the hashes of their identifiers.
#[derive(Default)]
pub(super) struct PendingReplies {
    /// Mails not read yet, and the first mail that refers to each of them.
    waiting: HashMap<i64, i64>,
    seen: HashSet<i64>,
}

impl PendingReplies {
    /// Adds references to a mail that is read. If earlier mails refer to it, or to the same mails, their conversation
    /// is referred to, after the references of the mail itself.
    pub(super) fn resolve(&mut self, threading: &mut Threading) {
        let Some(own) = threading.message_id else { return };
        self.seen.insert(own);
        let begun = self.waiting.remove(&own);
        let earlier = threading.references.iter().find_map(|reference| self.waiting.get(reference).copied());
        for reference in threading.references.iter().filter(|reference| !self.seen.contains(reference)) {
            if self.waiting.len() < MAX_AWAITED {
                self.waiting.entry(*reference).or_insert(own);
            }
        }
        threading.references.extend(begun.into_iter().chain(earlier));
    }
}
