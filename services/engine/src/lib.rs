//! Runs JavaScript functions, each in a confined process of its own.
//!
//! A [`Pool`] keeps processes ready. [`Pool::run`] calls one [`Invocation`] in one of them and ends the process. Calls
//! of a script to services (properties, locks, mail, calendars) reach the [`Host`]. The processes are the program
//! itself, started again: its `main` calls [`child::main`] if the command line requests that.

pub mod child;
mod host;
mod outcome;
mod parameters;
mod pool;
mod program;
mod wire;

pub use host::{BoxFuture, Host, HostCall, HostError, HostService, LogLevel, LogLine, LongMessage};
pub use outcome::{Analysis, Execution, Frame, Function, Outcome, ScriptError, SyntaxError};
pub use pool::{Pool, Settings};
pub use program::{Cancellation, FileKind, Invocation, Library, Limits, Program, SourceFile};
