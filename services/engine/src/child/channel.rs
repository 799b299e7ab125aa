//! Pipes to the pool.

use std::cell::{Cell, RefCell};
use std::io::{Stdin, Stdout, stdin, stdout};
use std::rc::Rc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use crate::wire::{self, ChildLimits, MAX_TO_CHILD, ToChild, ToParent};
use crate::{HostCall, HostError, LogLine, Program};

/// Connection to the pool, shared by all functions of the script.
#[derive(Clone)]
pub(super) struct Channel(Rc<Inner>);

/// State of a [`Channel`], shared by its clones. `log_budget` is the remaining number of bytes of the log.
struct Inner {
    input: RefCell<Stdin>,
    output: RefCell<Stdout>,
    max_message: Cell<usize>,
    log_budget: Cell<usize>,
}

impl Channel {
    pub(super) fn new() -> Self {
        Self(Rc::new(Inner {
            input: RefCell::new(stdin()),
            output: RefCell::new(stdout()),
            max_message: Cell::new(1 << 20),
            log_budget: Cell::new(0),
        }))
    }

    /// Sets the limits of what the run may send.
    pub(super) fn set_limits(&self, limits: &ChildLimits) {
        self.0.max_message.set(max_message(limits.output));
        self.0.log_budget.set(limits.logs);
    }

    /// Reads the next message.
    pub(super) fn receive(&self) -> std::io::Result<ToChild<Program>> {
        wire::read(&mut *self.0.input.borrow_mut(), MAX_TO_CHILD)
    }

    /// Sends a message.
    pub(super) fn send(&self, message: &ToParent) -> std::io::Result<()> {
        wire::write(&mut *self.0.output.borrow_mut(), message, self.0.max_message.get())
    }

    /// Calls the host and waits for its reply.
    pub(super) fn call(&self, call: HostCall) -> Result<Value, HostError> {
        let name = format!("{:?}.{}", call.service, call.method);
        if let Err(error) = self.send(&ToParent::Call(call)) {
            return Err(HostError::new(format!("{name}: {error}")));
        }
        match self.receive() {
            Ok(ToChild::Reply(reply)) => reply,
            // The pool is gone, and no caller waits for this run.
            _ => std::process::exit(1),
        }
    }

    /// Sends a line of the log, within the budget of the run.
    pub(super) fn log(&self, mut line: LogLine) {
        let budget = self.0.log_budget.get();
        if budget == 0 {
            return;
        }
        let left = budget.saturating_sub(line.message.len().max(1));
        if left == 0 {
            let end = (0..=budget.min(line.message.len())).rev().find(|end| line.message.is_char_boundary(*end));
            line.message.truncate(end.unwrap_or(0));
            line.message.push_str(" … (the log is full)");
        }
        self.0.log_budget.set(left);
        // If the pool is gone, the process is ended elsewhere.
        let _ = self.send(&ToParent::Log(line));
    }

    /// Returns whether the pool has closed its end.
    pub(super) fn is_orphaned(&self) -> bool {
        let Ok(input) = self.0.input.try_borrow() else { return false };
        let mut descriptors = [PollFd::new(&*input, PollFlags::empty())];
        let found = poll(&mut descriptors, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        found.is_ok() && descriptors.iter().any(|one| one.revents().intersects(PollFlags::HUP | PollFlags::ERR))
    }
}

/// Returns the maximum length of a message of a run whose result has at most this many bytes.
pub(crate) fn max_message(output: usize) -> usize {
    output.max(1 << 20).saturating_add(64 << 10)
}
