//! Rules of the three APIs. Each rule has a row with a value that violates only this rule and a similar value without
//! violations. Further tests check properties of validation with mutated values.

mod calendar;
mod http;
mod kinds;
mod long;
mod mailbox;
mod mutated;
mod row;
mod script;
mod table;
