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

/// Takes what mail says of calendars.
pub trait CalendarMail: fmt::Debug + Send + Sync {
    /// Takes a part of the type `text/calendar` of a mail that comes into a mailbox, from an address. It is called before the
    /// mail is stored, and again when the request is: what was taken before changes nothing.
    fn take(&self, of: Mailbox, from: String, calendar: Vec<u8>) -> Taken<'_>;
}

impl<S: Store> MailboxService<S> {
    /// Hands over what a mail says of calendars.
    ///
    /// # Errors
    /// 503 where that cannot be done now.
    pub(crate) async fn tell_calendars(&self, of: Mailbox, raw: &[u8]) -> Result<(), Error> {
        let Some(calendars) = self.calendars.as_ref().filter(|_| raw.len() <= LOOKED_AT) else { return Ok(()) };
        let Some((from, parts)) = mail::calendar_parts(raw) else { return Ok(()) };
        for part in parts.into_iter().take(PARTS) {
            let taken = calendars.take(of, from.clone(), part).await;
            let told =
                |cause| Error::unavailable("the calendar cannot take the answer now; try again", 1).with_cause(cause);
            taken.map_err(told)?;
        }
        Ok(())
    }
}
