//! Service of script projects: implementation of the generated server of the script API on a store.
//!
//! | topic | items |
//! |---|---|
//! | service and its settings | [`ScriptService`], [`Settings`], [`limits`] |
//! | engine and host of scripts | [`engine`], [`host`], [`apis`] |
//! | web apps | [`web`] |
//! | manifest of a project | [`manifest`] |
//!
//! Behavior that the public API leaves open is documented at the function that implements it.
#![forbid(unsafe_code)]

pub mod apis;
mod arguments;
mod authority;
mod boxed_future;
mod caller;
mod content;
mod deployments;
pub mod engine;
mod entry_points;
mod error;
mod file_names;
pub mod host;
mod logs;
pub mod manifest;
mod metrics;
mod people;
pub mod pool;
mod processes;
mod projects;
mod run;
mod run_memory;
pub mod schedule;
mod service;
pub mod states;
mod store_host;
mod times;
mod trigger_runner;
mod triggers;
mod versions;
pub mod web;

pub use self::content::FileError;
pub use self::run::{EXECUTION_HEADER, ExecutionPause, cancel_execution};
pub use self::service::{ScriptService, Settings, limits, router};
