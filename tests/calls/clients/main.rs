//! Tests of the generated clients on the wire: the request of every operation, the handling of every kind of response,
//! and flows of several requests.

mod calls;
mod clients;
mod server;

mod flows;
mod list;
mod paths;
mod readme;
mod requests;
mod responses;
