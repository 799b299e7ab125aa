//! Answers that come before what they answer: files of mail have the newest first as often as the oldest.

use std::collections::{HashMap, HashSet};

use wireform_store::Threading;

/// So many mails are waited for at the most; answers to others begin conversations of their own.
const WAITED_FOR: usize = 1_000_000;

/// The mails that were referred to before they came, by the hashes of their identifiers.
#[derive(Default)]
pub(super) struct Answers {
    /// Mails that have not come, and the first that has referred to each of them.
    waiting: HashMap<i64, i64>,
    come: HashSet<i64>,
}

impl Answers {
    /// A mail comes. One that was waited for also refers to what has waited for it, and so does one that refers to
    /// the same: the conversation has begun there. What the mail itself refers to comes first.
    pub(super) fn take(&mut self, threading: &mut Threading) {
        let Some(own) = threading.own else { return };
        self.come.insert(own);
        let begun = self.waiting.remove(&own);
        let beside = threading.references.iter().find_map(|reference| self.waiting.get(reference).copied());
        for reference in threading.references.iter().filter(|reference| !self.come.contains(reference)) {
            if self.waiting.len() < WAITED_FOR {
                self.waiting.entry(*reference).or_insert(own);
            }
        }
        threading.references.extend(begun.into_iter().chain(beside));
    }
}
