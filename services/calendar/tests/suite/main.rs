//! The calendar service over its router, on a store in a folder that is thrown away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod absences;
mod changes;
mod conferences;
mod desk;
mod guests;
mod hostile;
mod ics;
mod invitations;
mod lists;
mod moves;
mod quick_add;
mod races;
mod recurring;
mod syncs;
mod writes;
