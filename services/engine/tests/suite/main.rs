//! Tests of scripts in separate processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod apps;
mod confinement;
mod everyday;
mod globals;
mod hostile;
mod limits;
mod outcomes;
mod samples;
mod services;
mod support;
