//! Wire tests of the generated servers: generated clients send requests to them over sockets and in process.

#[allow(dead_code)] // the example and the tests use different steps
mod desk;
mod valid;
mod wire;
mod writes;

mod auth;
mod cancelled;
mod chain;
mod conditions;
mod contract;
mod errors;
mod hostile;
mod labels;
mod media;
mod observed;
mod pages;
mod readme;
mod selections;
