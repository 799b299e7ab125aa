//! Readers of the model test.

use std::collections::BTreeSet;

use wireform_store::{
    AnyStore, ChangeKind, Error, HistoryId, HistoryQuery, HistoryRecord, HistoryStart, Label, Mailbox, Mailboxes as _,
    MessageChange,
};

use super::{Contents, listed};
use crate::support::{INBOX, current};

/// Client that keeps a copy of a mailbox by reading its history.
pub(super) struct Follower {
    store: AnyStore,
    of: Mailbox,
    at: HistoryId,
    contents: Contents,
    /// All records that were read, as long as none has expired.
    read: Option<Vec<HistoryRecord>>,
    /// Records that were read in addition for one label.
    of_inbox: Vec<HistoryRecord>,
}

impl Follower {
    pub(super) fn new(store: &AnyStore, of: Mailbox, at: HistoryId) -> Self {
        let store = store.clone();
        Self { store, of, at, contents: Contents::new(), read: Some(Vec::new()), of_inbox: Vec::new() }
    }

    /// Reads the changes since the last call, in pages of varying sizes.
    pub(super) async fn catch_up(&mut self) {
        let (records, stands) = match self.pages(None).await {
            Ok(read) => read,
            Err(expired) => return self.sync_fully(expired).await,
        };
        let of_inbox = self.pages(Some(INBOX)).await;
        for record in &records {
            assert!(record.id > self.at, "{} was read before {}", self.at, record.id);
            self.at = record.id;
            assert!(!record.changes.is_empty());
            for change in &record.changes {
                self.apply(change);
            }
        }
        assert!(stands >= self.at);
        self.at = stands;
        match (&mut self.read, of_inbox) {
            (Some(read), Ok((of_inbox, _))) => {
                read.extend(records);
                // The second read may include later records than the first.
                self.of_inbox.extend(of_inbox.into_iter().filter(|record| record.id <= stands));
            }
            _ => self.read = None,
        }
    }

    async fn pages(&self, label: Option<Label>) -> Result<(Vec<HistoryRecord>, HistoryId), HistoryId> {
        let limit = rand::random_range(1..9);
        let mut query = HistoryQuery { start: HistoryStart::After(self.at), label, kinds: Vec::new(), limit };
        let mut records: Vec<HistoryRecord> = Vec::new();
        loop {
            let page = match self.store.history(self.of, query.clone()).await {
                Ok(page) => page,
                Err(Error::Expired(number)) => return Err(HistoryId(number)),
                Err(other) => panic!("{other:?}"),
            };
            assert!(page.records.len() <= limit as usize);
            records.extend(page.records);
            match page.next {
                Some(next) => query.start = HistoryStart::Cursor(next),
                None => return Ok((records, page.current)),
            }
        }
    }

    /// Lists everything; changes in the meantime are read from the history, although the list may contain some of them
    /// already.
    async fn sync_fully(&mut self, expired: HistoryId) {
        assert!(expired >= self.at);
        self.read = None;
        self.at = current(&self.store, self.of).await;
        self.contents = listed(&self.store, self.of).await;
    }

    fn apply(&mut self, change: &MessageChange) {
        let has: BTreeSet<Label> = change.labels_after.iter().copied().collect();
        let given: BTreeSet<Label> = change.labels.iter().copied().collect();
        let strict = self.read.is_some();
        let before = self.contents.get(&change.message).map(|(_, labels)| labels.clone());
        match change.kind {
            ChangeKind::Deleted => {
                assert!(!strict || before == Some(has), "{change:?} after {before:?}");
                self.contents.remove(&change.message);
                return;
            }
            ChangeKind::Added => assert!(!strict || before.is_none(), "{change:?} twice"),
            ChangeKind::LabelsAdded => assert!(given.is_subset(&has), "{change:?}"),
            ChangeKind::LabelsRemoved => assert!(given.is_disjoint(&has), "{change:?}"),
        }
        if strict && change.kind != ChangeKind::Added {
            assert!(before.is_some(), "{change:?} of an unknown message");
        }
        self.contents.insert(change.message, (change.thread, has));
    }

    /// Asserts that the copy equals the contents of the mailbox.
    pub(super) fn agrees_with(self, contents: &Contents) {
        assert_eq!(&self.contents, contents);
        let Some(read) = self.read else { return };
        let inbox = |change: &MessageChange| change.labels_after.contains(&INBOX) || change.labels.contains(&INBOX);
        let filtered = read.into_iter().filter_map(|mut record| {
            let found: BTreeSet<_> =
                record.changes.iter().filter(|change| inbox(change)).map(|one| one.message).collect();
            record.changes.retain(|change| found.contains(&change.message));
            (!record.changes.is_empty()).then_some(record)
        });
        assert_eq!(filtered.collect::<Vec<_>>(), self.of_inbox);
    }
}
