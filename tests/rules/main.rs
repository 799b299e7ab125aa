//! The rules of the three APIs, one by one: of each a value that breaks it and nothing else, and one beside it that
//! breaks nothing; and what holds of checks whatever the value is.

mod calendar;
mod http;
mod kinds;
mod long;
mod mailbox;
mod mutated;
mod row;
mod script;
mod table;
