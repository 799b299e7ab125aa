//! Series from text to instances.

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
