//! The generated clients, held to what is on the wire: what they send for every operation, what they make of every
//! kind of answer, and what takes more than one request.

mod calls;
mod clients;
mod server;

mod flows;
mod list;
mod paths;
mod readme;
mod requests;
mod responses;
