//! Mail that says something of calendars.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use mailbox_server::Error;
use wireform_store::{Mailbox, Store};

use crate::{MailboxService, mail};

/// Mails of more bytes are not looked at: an answer to an invitation has a few thousand.
const LOOKED_AT: usize = 1 << 20;
/// The most parts that are looked at.
const PARTS: usize = 4;

/// What is done, or why it could not be.
pub type Taken<'a> = Pin<Box<dyn Future<Output = Result<(), Box<dyn StdError + Send + Sync>>> + Send + 'a>>;

/// A part of the type `text/calendar` of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarPart {
    /// The address of the author of the mail.
    pub from: String,
    /// What the part holds.
    pub calendar: Vec<u8>,
    /// Whether invitations count as well as answers to them.
    pub invitations: bool,
}

/// Takes what mail says of calendars.
pub trait CalendarMail: fmt::Debug + Send + Sync {
    /// Takes a part of a mail that comes into a mailbox. It is called before the mail is stored, and again when the request
    /// is: what was taken before changes nothing.
    fn take(&self, of: Mailbox, part: CalendarPart) -> Taken<'_>;
}

/// Hands over what a mail says of calendars.
///
/// # Errors
/// Those of [`CalendarMail::take`].
pub(crate) async fn tell(
    calendars: &dyn CalendarMail,
    of: Mailbox,
    raw: &[u8],
    invitations: bool,
) -> Result<(), Box<dyn StdError + Send + Sync>> {
    if raw.len() > LOOKED_AT {
        return Ok(());
    }
    let Some((from, parts)) = mail::calendar_parts(raw) else { return Ok(()) };
    for calendar in parts.into_iter().take(PARTS) {
        calendars.take(of, CalendarPart { from: from.clone(), calendar, invitations }).await?;
    }
    Ok(())
}

impl<S: Store> MailboxService<S> {
    /// Hands over what a mail says of calendars.
    ///
    /// # Errors
    /// 503 where that cannot be done now.
    pub(crate) async fn tell_calendars(&self, of: Mailbox, raw: &[u8], invitations: bool) -> Result<(), Error> {
        let Some(calendars) = &self.calendars else { return Ok(()) };
        let told = |cause| Error::unavailable("the calendar cannot take the mail now; try again", 1).with_cause(cause);
        tell(&**calendars, of, raw, invitations).await.map_err(told)
    }
}
