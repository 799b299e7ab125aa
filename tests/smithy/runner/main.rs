//! Executes tasks with the generated client and server: one JSON task per input line, one result per output line. The
//! suite evaluates the results.

mod arguments;
mod client;
mod dispatch;
mod server;
mod task;

use std::io::{BufRead as _, Write as _};

use wireform_runtime::Request;

use crate::arguments::Arguments;
use crate::task::{Done, Kind, Task};

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line of UTF-8");
        let task = Task::read(&line);
        let done = runtime.block_on(dispatch::run(&task));
        writeln!(out, "{}", done.0).expect("standard output is open");
    }
}

/// Runs a task of an operation whose request the function builds.
async fn run<R: Request + PartialEq>(task: &Task, build: fn(&mut Arguments<'_>) -> R) -> Done {
    let mut arguments = Arguments::new(&task.arguments, &task.body);
    let request = build(&mut arguments);
    if let Some(error) = arguments.error() {
        return Done::error(&error);
    }
    match task.kind {
        Kind::Malformed => server::malformed(task).await,
        Kind::RequestClient => client::writes(request).await,
        Kind::RequestServer => server::reads(task, &request).await,
        Kind::ResponseClient => client::reads(task, request).await,
        Kind::ResponseServer => server::writes(task, &request).await,
    }
}
