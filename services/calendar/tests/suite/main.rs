//! The calendar service over its router, on a store in a folder that is thrown away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod absences;
mod callbacks;
mod changes;
mod conferences;
mod desk;
mod guests;
mod hook;
mod hostile;
mod lists;
mod moves;
mod notifications;
mod races;
mod recurring;
mod syncs;
mod watch;
mod writes;
