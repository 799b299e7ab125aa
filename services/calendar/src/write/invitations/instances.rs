//! Mails to guests who are invited to instances of a series but not to the series.

use std::collections::{BTreeMap, BTreeSet};

use calendar_server::Error;
use calendar_server::types::{Attendee, Event};
use wireform_store::{Mailbox, NewMessage, Store};

use super::super::exceptions::AffectedException;
use super::{MailKind, Notify, attendee_address};
use crate::CalendarService;
use crate::write::draft::Draft;

impl<S: Store> CalendarService<S> {
    /// Returns the mails to guests whose instances end or come back with a change of the series. Guests of the series
    /// are notified by its mails.
    pub(super) async fn instance_mails(
        &self,
        draft: &Draft,
        notify: Notify,
        exceptions: &[AffectedException],
    ) -> Result<Vec<(Mailbox, NewMessage)>, Error> {
        let Some(parties) = self.parties(draft, notify) else { return Ok(Vec::new()) };
        let people = |event: &Event| event.attendees.iter().map(attendee_address).collect::<BTreeSet<_>>();
        let (were, are) = (people(&draft.found.shared), people(&draft.shared));
        let mut recipients: BTreeMap<(String, bool), (&Attendee, Vec<&Event>)> = BTreeMap::new();
        for AffectedException { body, is_ending: ends } in exceptions {
            for guest in &body.attendees {
                let address = attendee_address(guest);
                let gets_series = were.contains(&address) || (!ends && are.contains(&address));
                if !gets_series && !parties.is_informed(&address) {
                    recipients.entry((address, *ends)).or_insert_with(|| (guest, Vec::new())).1.push(body);
                }
            }
        }
        let mut mails = Vec::new();
        for ((_, ends), (guest, events)) in recipients {
            let kind = if ends { MailKind::Cancellation } else { MailKind::Update };
            if let Some(mailbox) = self.mailbox_of(guest).await? {
                let sent = self.mail(&parties, kind, events.into_iter().cloned().collect(), guest);
                draft.memory.add_mails(&sent).await?;
                mails.extend(sent.into_iter().map(|mail| (mailbox, mail)));
            }
        }
        Ok(mails)
    }
}
