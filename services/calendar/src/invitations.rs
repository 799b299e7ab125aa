//! Preparation of calendar mail for mailboxes.

use std::fmt;

use wireform_store::NewMessage;

/// Converter of calendar mail into messages for the inbox of a user.
pub trait MailPreparer: fmt::Debug + Send + Sync {
    /// Converts a mail into a message that arrives in an inbox.
    fn prepare(&self, raw: Vec<u8>) -> NewMessage;
}
