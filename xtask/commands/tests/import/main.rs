//! `cargo xtask import` from a user's view: written folders, repeated runs, overlays, manual changes, errors.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

mod conflicts;
mod discovery;
mod files;
mod losses;
mod openapi;
mod overlay;
mod place;
