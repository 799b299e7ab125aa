//! Suites that compile, lint and document generated code by cargo, one module each. They take minutes, so they run only
//! where they are asked for: `cargo xtask check-all` does, and `cargo test -p wireform-tests --test compiled`.

mod cases;
mod conformance;
mod forgotten_group;
mod generated_names;
mod hostile;
mod outside;
mod smithy;
