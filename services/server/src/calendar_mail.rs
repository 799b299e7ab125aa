//! Processing of invitations and replies in mail for calendars.

use std::fmt;

use wireform_calendar::CalendarService;
use wireform_mailbox::{CalendarMailHandler, CalendarPart, HandleFuture};
use wireform_store::{Mailbox, Store};

/// Adapter that applies invitations and replies in mail to calendars.
pub struct CalendarInbox<S>(pub CalendarService<S>);

impl<S> fmt::Debug for CalendarInbox<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CalendarInbox(…)")
    }
}

impl<S: Store> CalendarMailHandler for CalendarInbox<S> {
    fn handle(&self, of: Mailbox, part: CalendarPart) -> HandleFuture<'_> {
        Box::pin(async move {
            self.0.process_replies(of, &part.from, &part.calendar).await?;
            if part.invitations {
                self.0.process_invitations(of, &part.from, &part.calendar).await?;
            }
            Ok(())
        })
    }
}
