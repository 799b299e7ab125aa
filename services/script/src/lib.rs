//! The service of script projects: the generated server of the script API on a store.
//!
//! | topic | what to read |
//! |---|---|
//! | the service and what it needs | [`ScriptService`], [`Settings`], [`limits`] |
//! | what runs scripts, and what scripts can ask for | [`engine`], [`host`], [`apis`] |
//! | web apps | [`web`] |
//! | what the manifest of a project says | [`manifest`] |
//!
//! What the public API leaves open is decided here, and said at the function that does it.
#![forbid(unsafe_code)]

pub mod apis;
mod arguments;
mod authority;
mod boxed;
mod caller;
mod content;
mod deployments;
pub mod engine;
mod entries;
mod fault;
mod firing;
pub mod host;
mod logs;
pub mod manifest;
mod metrics;
mod names;
mod people;
pub mod pool;
mod processes;
mod projects;
mod run;
pub mod schedule;
mod service;
pub mod states;
mod store_host;
mod times;
mod triggers;
mod versions;
pub mod web;

pub use self::content::FileFlaw;
pub use self::service::{ScriptService, Settings, limits};
