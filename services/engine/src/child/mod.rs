//! Process that runs one script.

mod analyze;
mod channel;
mod confine;
mod exception;
mod natives;
mod run;
mod text;
mod value;

use std::process::ExitCode;

use channel::Channel;
pub(crate) use channel::max_message;
use confine::Gauge;
use natives::Platform;
use rquickjs::{Context, Runtime};

use crate::Outcome;
use crate::wire::{ChildLimits, ToChild, ToParent};

/// Number of interrupts of the engine, of ten thousand steps each, between two checks of the pool.
const WATCH_INTERVAL: u32 = 64;

/// Runs one invocation that the pool sends over standard input, and exits.
///
/// `main` of a program with a [`Pool`](crate::Pool) calls this before anything else (threads, logs, runtimes) when the
/// command line is that of [`Settings::command`](crate::Settings::command).
pub fn main() -> ExitCode {
    match serve() {
        Some(()) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
    }
}

/// Prepares everything that does not depend on the script, waits for it, and runs it. Returns `None` without running
/// anything if the pool is gone or the process cannot be confined.
fn serve() -> Option<()> {
    let channel = Channel::new();
    let runtime = Runtime::new().ok()?;
    let (watch, mut interrupts) = (channel.clone(), 0_u32);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        interrupts = interrupts.wrapping_add(1);
        interrupts.is_multiple_of(WATCH_INTERVAL) && watch.is_orphaned()
    })));
    let context = Context::full(&runtime).ok()?;
    let platform = context.with(|ctx| Platform::install(&ctx, &channel, None)).ok()?;
    let mut gauge = confine::apply().ok()?;

    let result = match channel.receive().ok()? {
        ToChild::Run(start) => {
            set_limits(&runtime, &channel, &mut gauge, &start.limits)?;
            let outcome = run::run(&context, &platform, &channel, &start);
            let full = exception::is_null(&outcome) && gauge.peak() > start.limits.memory as u64 / 2;
            ToParent::Done(if full { Outcome::OutOfMemory } else { outcome })
        }
        ToChild::Analyze { files, limits } => {
            set_limits(&runtime, &channel, &mut gauge, &limits)?;
            ToParent::Analyzed(analyze::analyze(&runtime, &files))
        }
        ToChild::Reply(_) => return None,
    };
    channel.send(&result).ok()?;
    // The heap of the script need not be freed value by value.
    std::process::exit(0)
}

fn set_limits(runtime: &Runtime, channel: &Channel, gauge: &mut Gauge, limits: &ChildLimits) -> Option<()> {
    channel.set_limits(limits);
    // The engine takes zero as no limit.
    runtime.set_memory_limit(limits.memory.max(1 << 20));
    runtime.set_max_stack_size(limits.stack.max(64 << 10).min(confine::max_stack()));
    confine::set_run_limits(gauge, limits).ok()
}
