//! Mail of the calendar: who makes it ready for mailboxes.

use std::fmt;

use wireform_store::NewMessage;

/// Makes mail of the calendar ready to be stored in the inbox of a user.
pub trait MailPreparer: fmt::Debug + Send + Sync {
    /// Makes a mail ready, as it arrives in an inbox.
    fn prepare(&self, raw: Vec<u8>) -> NewMessage;
}
