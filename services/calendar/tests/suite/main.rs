//! Tests of the calendar service by requests to its router, on a store in a temporary folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod absences;
mod attachments;
mod birthdays;
mod callbacks;
mod cancellations;
mod changes;
mod conferences;
mod copies;
mod desk;
mod from_mail;
mod guests;
mod hook;
mod hostile;
mod ics;
mod identity;
mod invitations;
mod labels;
mod lists;
mod moves;
mod notifications;
mod points;
mod quick_add;
mod races;
mod random_syncs;
mod recurring;
mod reminders;
mod required;
mod responses;
mod rights;
mod syncs;
mod tags;
mod visibility;
mod watch;
mod writes;
mod zones;
