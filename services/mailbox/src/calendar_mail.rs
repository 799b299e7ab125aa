//! Calendar data in mail.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use mailbox_server::Error;
use wireform_store::{Mailbox, Store};

use crate::{MailboxService, mail};

/// Maximum size in bytes of a mail that is examined: a reply to an invitation has a few thousand.
const MAX_MAIL_BYTES: usize = 1 << 20;
/// Maximum number of parts that are examined.
const MAX_PARTS: usize = 4;

/// Future of handling a calendar part.
pub type HandleFuture<'a> = Pin<Box<dyn Future<Output = Result<(), Box<dyn StdError + Send + Sync>>> + Send + 'a>>;

/// Part of a mail with the type `text/calendar`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarPart {
    /// Address of the mail's author.
    pub from: String,
    /// Content of the part.
    pub calendar: Vec<u8>,
    /// True to process invitations as well as replies to them.
    pub invitations: bool,
}

/// Handler of calendar data in mail.
pub trait CalendarMailHandler: fmt::Debug + Send + Sync {
    /// Handles a part of a mail that arrives in a mailbox. Called before the mail is stored, and again if the request
    /// is retried: a part that was handled before must change nothing.
    fn handle(&self, of: Mailbox, part: CalendarPart) -> HandleFuture<'_>;
}

/// Passes the calendar parts of a mail to the handler.
///
/// # Errors
/// Returns the errors of [`CalendarMailHandler::take`].
pub(crate) async fn deliver_parts(
    calendars: &dyn CalendarMailHandler,
    of: Mailbox,
    raw: &[u8],
    invitations: bool,
) -> Result<(), Box<dyn StdError + Send + Sync>> {
    if raw.len() > MAX_MAIL_BYTES {
        return Ok(());
    }
    let Some((from, parts)) = mail::calendar_parts(raw) else { return Ok(()) };
    for calendar in parts.into_iter().take(MAX_PARTS) {
        calendars.handle(of, CalendarPart { from: from.clone(), calendar, invitations }).await?;
    }
    Ok(())
}

impl<S: Store> MailboxService<S> {
    /// Passes the calendar parts of a mail to the handler of the service, if there is one.
    ///
    /// # Errors
    /// Returns 503 if the handler fails.
    pub(crate) async fn deliver_calendar_parts(&self, of: Mailbox, raw: &[u8], invitations: bool) -> Result<(), Error> {
        let Some(calendars) = &self.calendars else { return Ok(()) };
        let unavailable = |cause| {
            Error::unavailable("the calendar cannot process the mail at the moment; retry later", 1).with_cause(cause)
        };
        deliver_parts(&**calendars, of, raw, invitations).await.map_err(unavailable)
    }
}
