//! Attendees of an event: identities and rights to change them.

use std::collections::BTreeSet;

use calendar_server::Error;
use calendar_server::types::{Attendee, Event, ResponseStatus};

use super::draft::Draft;
use crate::caller::Access;
use crate::content::{CopyData, address_key};
use crate::error::{self, invalid};

/// Party that changes attendees.
pub(crate) struct ChangeAuthor<'a> {
    /// Address of the current calendar, in the form for comparisons.
    pub(crate) own: &'a str,
    /// Addresses of guests with a calendar here, who respond themselves.
    pub(crate) local: &'a BTreeSet<String>,
    /// True if the party is a guest, who sets only the response of their own entry.
    pub(crate) is_guest: bool,
}

/// Returns the address that identifies an attendee.
pub(crate) fn attendee_address(attendee: &Attendee) -> String {
    attendee.email.as_deref().map(address_key).unwrap_or_default()
}

/// Returns whether a requested entry is that of a known attendee: by address, or by identifier without an address.
fn is_entry_of(attendee: &Attendee, known: &Attendee) -> bool {
    match (&attendee.email, &attendee.id) {
        (Some(email), _) => attendee_address(known) == address_key(email),
        (None, id) => id.is_some() && known.id == *id,
    }
}

/// Returns attendees in their stored form: known attendees keep the fields that clients cannot set.
///
/// # Errors
/// Returns 400 for a new attendee without an address, and for a duplicate.
pub(crate) fn merge(
    before: &[Attendee],
    wanted: Vec<Attendee>,
    party: &ChangeAuthor<'_>,
) -> Result<Vec<Attendee>, Error> {
    let mut seen = BTreeSet::new();
    let mut merged = Vec::with_capacity(wanted.len());
    for mut attendee in wanted {
        let known = before.iter().find(|known| is_entry_of(&attendee, known));
        if attendee.email.is_none() {
            let Some(known) = known else {
                return Err(invalid("attendees", "a new attendee must have an `email`"));
            };
            attendee.email.clone_from(&known.email);
        }
        if !seen.insert(attendee_address(&attendee)) {
            let email = attendee.email.unwrap_or_default();
            return Err(invalid("attendees", format!("duplicate attendee `{email}`")));
        }
        merged.push(merge_attendee(attendee, known, party));
    }
    Ok(merged)
}

/// Returns a requested attendee in the stored form. The response status of a guest with a calendar here can be set only
/// by the guest; others can only reset it to `needsAction`. The rest of the guest's response stays unless it is replaced.
fn merge_attendee(mut attendee: Attendee, known: Option<&Attendee>, party: &ChangeAuthor<'_>) -> Attendee {
    let address = attendee_address(&attendee);
    let is_own = address == party.own;
    (attendee.is_self, attendee.organizer, attendee.async_operation) = (None, None, None);
    if let Some(known) = known {
        attendee.resource = known.resource;
        attendee.email.clone_from(&known.email);
        if attendee.display_name.is_none() {
            attendee.display_name.clone_from(&known.display_name);
        }
    }
    if let Some(known) = known.filter(|_| is_own && party.is_guest) {
        attendee.id = attendee.id.or_else(|| known.id.clone());
        attendee.optional = attendee.optional.or(known.optional);
    }
    let waits = || Some(ResponseStatus::NeedsAction);
    let responded = known.map_or_else(waits, |known| known.response_status.clone());
    if !is_own && party.local.contains(&address) {
        if attendee.response_status != waits() {
            attendee.response_status = responded.clone();
        }
        attendee.comment = attendee.comment.or_else(|| known?.comment.clone());
        attendee.additional_guests = attendee.additional_guests.or_else(|| known?.additional_guests);
    }
    attendee.response_status = attendee.response_status.or(responded).or_else(waits);
    for (flag, default) in [(&mut attendee.resource, false), (&mut attendee.optional, false)] {
        *flag = flag.filter(|value| *value != default);
    }
    attendee.comment = attendee.comment.filter(|comment| !comment.is_empty());
    attendee.additional_guests = attendee.additional_guests.filter(|guests| *guests != 0);
    attendee
}

/// Returns the previous attendees with the requested response of the participant; what it does not contain stays.
pub(crate) fn change_response(before: &[Attendee], wanted: &[Attendee], own: &str) -> Vec<Attendee> {
    let mut attendees = before.to_vec();
    if let Some(entry) = attendees.iter_mut().find(|attendee| attendee_address(attendee) == own)
        && let Some(wanted) = wanted.iter().find(|attendee| is_entry_of(attendee, entry))
    {
        entry.response_status = wanted.response_status.clone().or(entry.response_status.take());
        entry.comment = wanted.comment.clone().or(entry.comment.take());
        entry.additional_guests = wanted.additional_guests.or(entry.additional_guests);
    }
    attendees
}

/// Returns the attendees requested by a guest, plus those that the guest cannot see, at their previous positions.
pub(crate) fn with_hidden(before: &[Attendee], wanted: Vec<Attendee>, sees: impl Fn(&str) -> bool) -> Vec<Attendee> {
    let named: BTreeSet<String> = wanted.iter().map(attendee_address).collect();
    let is_unseen = |known: &&Attendee| !sees(&attendee_address(known)) && !named.contains(&attendee_address(known));
    let mut attendees: Vec<Attendee> = before.iter().filter(is_unseen).cloned().collect();
    attendees.extend(wanted);
    let place =
        |attendee: &Attendee| before.iter().position(|known| attendee_address(known) == attendee_address(attendee));
    attendees.sort_by_key(|attendee| place(attendee).unwrap_or(usize::MAX));
    attendees
}

/// Returns the change of attendees that a guest who may not modify the event has no right to make.
pub(crate) fn forbidden_change(
    before: &[Attendee],
    after: &[Attendee],
    own: &str,
    may_invite: bool,
) -> Option<&'static str> {
    let find = |among: &[Attendee], address: &str| {
        among.iter().find(|other| self::attendee_address(other) == address).cloned()
    };
    for attendee in before {
        let address = attendee_address(attendee);
        match find(after, &address) {
            None => return Some("remove attendees"),
            Some(changed) if changed == *attendee => {}
            Some(_) if address != own => return Some("change other attendees"),
            Some(changed) if !is_response(attendee, &changed) => {
                return Some("change more than the response in the own entry among the attendees");
            }
            Some(_) => {}
        }
    }
    let adds = after.iter().any(|attendee| find(before, &attendee_address(attendee)).is_none());
    (adds && !may_invite).then_some("add attendees")
}

/// Returns whether a changed entry differs only in the response.
fn is_response(before: &Attendee, after: &Attendee) -> bool {
    let Attendee { response_status, comment, additional_guests, .. } = after.clone();
    Attendee { response_status, comment, additional_guests, ..before.clone() } == *after
}

/// Checks that a service account without delegation adds no attendees.
pub(crate) fn require_delegation(access: &Access, before: &[Attendee], after: &[Attendee]) -> Result<(), Error> {
    let known = |attendee: &Attendee| before.iter().any(|known| attendee_address(known) == attendee_address(attendee));
    if access.service_account && !after.iter().all(known) { Err(error::service_account_error()) } else { Ok(()) }
}

/// Checks that a reader of the calendar only adds themselves, to an event that allows it.
#[expect(deprecated, reason = "clients still let people add themselves")]
pub(crate) fn require_only_join(
    access: &Access,
    draft: &Draft,
    (before, after): (&Event, &Event),
    own: &CopyData,
) -> Result<(), Error> {
    let joining = address_key(&access.user.address);
    let (added, known): (Vec<_>, Vec<_>) =
        after.attendees.iter().cloned().partition(|attendee| attendee_address(attendee) == joining);
    let is_new = added.len() == 1 && known == before.attendees;
    let same = Event { attendees: before.attendees.clone(), ..after.clone() } == *before && *own == draft.found.own;
    let is_open = before.anyone_can_add_self == Some(true) && !own.is_private() && !draft.found.is_gone();
    if is_new && same && is_open {
        return Ok(());
    }
    Err(error::forbidden("you can read this calendar, and add only yourself to events that allow it"))
}
