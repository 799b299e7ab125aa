//! Implementation of the mailboxes trait.

use crate::backend::Backend;
use crate::domain::mailbox::MailboxState;
use crate::domain::record::ANY_LABEL;
use crate::domain::{counts, edit, history, history_start, insert, label_removal, labels, list, message, threads};
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{
    Edit, Error, HistoryId, HistoryPage, HistoryQuery, Label, LabelCounts, LabelInfo, LabelSettings, ListPage,
    ListQuery, Mailbox, Mailboxes, Message, MessageId, Millis, NewMessage, Profile, Replacement, Result, ThreadId,
    ThreadSummary,
};

/// Reads the counts and the history number of a mailbox.
struct ReadProfile(Mailbox);

impl Operation for ReadProfile {
    type Output = Profile;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Profile> {
        let head = MailboxState::read(session, self.0).await?;
        let all = counts::read(session, self.0, ANY_LABEL).await?;
        Ok(Profile { messages: all.messages, threads: all.threads, history: head.history()? })
    }
}

impl<B: Backend> Mailboxes for B {
    async fn profile(&self, of: Mailbox) -> Result<Profile> {
        self.perform(ReadProfile(of)).await
    }

    async fn insert_message(&self, of: Mailbox, message: NewMessage, now: Millis) -> Result<Message> {
        let stored = insert::insert(self, of, vec![message], now).await?;
        stored.into_iter().next().ok_or_else(|| Error::Internal("a stored message was not returned".to_owned()))
    }

    async fn insert_messages(&self, of: Mailbox, messages: Vec<NewMessage>, now: Millis) -> Result<Vec<Message>> {
        insert::insert(self, of, messages, now).await
    }

    async fn known_identifiers(&self, of: Mailbox, identifiers: Vec<i64>) -> Result<Vec<i64>> {
        self.perform(message::FindKnownIdentifiers { of, identifiers }).await
    }

    async fn message(&self, of: Mailbox, id: MessageId) -> Result<Message> {
        self.perform(message::GetMessage { of, id }).await
    }

    async fn whole_message(&self, of: Mailbox, id: MessageId) -> Result<(Message, Vec<u8>)> {
        self.perform(message::GetWholeMessage(message::GetMessage { of, id })).await
    }

    async fn message_part(&self, of: Mailbox, id: MessageId, from: u64, max: usize) -> Result<Vec<u8>> {
        self.perform(message::GetMessagePart { of: message::GetMessage { of, id }, from, max }).await
    }

    async fn messages(&self, of: Mailbox, query: ListQuery) -> Result<ListPage> {
        list::list_page(self, of, query).await
    }

    async fn threads(&self, of: Mailbox, ids: Vec<ThreadId>) -> Result<Vec<Option<ThreadSummary>>> {
        self.perform(threads::ReadThreads { of, ids }).await
    }

    async fn replace_message(
        &self,
        of: Mailbox,
        id: MessageId,
        replacement: Replacement,
        now: Millis,
    ) -> Result<Message> {
        threads::replace(self, of, id, replacement, now).await
    }

    async fn edit_message(&self, of: Mailbox, id: MessageId, edit: Edit, now: Millis) -> Result<Message> {
        self.perform(edit::EditOne { of, id, edit, now }).await
    }

    async fn edit_messages(&self, of: Mailbox, ids: Vec<MessageId>, edit: Edit, now: Millis) -> Result<()> {
        let mut work = edit::EditAll { of, ids, edit: edit.clone(), now, is_first: true };
        loop {
            let ids = self.perform(work).await?.rest;
            if ids.is_empty() {
                return Ok(());
            }
            work = edit::EditAll { of, ids, edit: edit.clone(), now, is_first: false };
        }
    }

    async fn labels(&self, of: Mailbox) -> Result<Vec<LabelInfo>> {
        self.perform(labels::ListLabels(of)).await
    }

    async fn label(&self, of: Mailbox, label: Label) -> Result<LabelInfo> {
        self.perform(labels::GetLabel(of, label)).await
    }

    async fn label_counts(&self, of: Mailbox, label: Label) -> Result<LabelCounts> {
        self.perform(labels::CountLabel(of, label)).await
    }

    async fn add_label(&self, of: Mailbox, settings: LabelSettings) -> Result<LabelInfo> {
        self.perform(labels::AddLabel(of, settings)).await
    }

    async fn update_label<T, E, F>(
        &self,
        of: Mailbox,
        label: Label,
        change: F,
    ) -> Result<std::result::Result<(LabelInfo, T), E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnOnce(LabelInfo) -> std::result::Result<(LabelSettings, T), E> + Send + 'static,
    {
        self.perform(labels::UpdateLabel { of, label, change }).await
    }

    async fn remove_label(&self, of: Mailbox, label: Label, now: Millis) -> Result<()> {
        self.perform(label_removal::HideLabel(of, label)).await?;
        while self.perform(label_removal::ClearHiddenLabel { of, label, now }).await? {}
        Ok(())
    }

    async fn history(&self, of: Mailbox, query: HistoryQuery) -> Result<HistoryPage> {
        self.perform(history::ReadHistory { of, query }).await
    }

    async fn history_start(&self, of: Mailbox, until: Option<HistoryId>, count: u32) -> Result<HistoryId> {
        self.perform(history_start::FindHistoryStart { of, until, count }).await
    }
}
