//! The mail service over its router, on a store in a folder that is thrown away.

mod budget;
mod changes;
mod desk;
mod formats;
mod history;
mod hostile;
mod imports;
mod labels;
mod mails;
mod queries;
mod searches;
mod stored;
mod troubles;
mod users;
