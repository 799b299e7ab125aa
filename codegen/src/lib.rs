//! Turns YAML descriptions of an API into Rust crates.
pub mod diagnostics;
pub mod schema;
