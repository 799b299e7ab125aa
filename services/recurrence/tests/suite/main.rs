//! Tests of series, from text to instances.
#![allow(clippy::unwrap_used, clippy::panic)]

mod corpus;
mod dates;
mod hostile;
mod oracle;
mod properties;
mod random;
mod rfc;
mod rules;
mod support;
mod text;
mod windows;
mod zones;
