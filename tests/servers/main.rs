//! The generated servers, held to what is on the wire: generated clients against generated servers, over sockets and
//! within this process.

#[allow(dead_code)] // the example and the tests need different steps
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
