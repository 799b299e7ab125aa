//! Calls on every kind of runtime, each with a watchdog.

use std::fmt::Display;
use std::future::Future;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use wireform_client::transport::BoxFuture;
use wireform_client::{Client, RetryPolicy};

use super::sample::SAMPLE;
use super::server::{Endless, Server};

/// Maximum time of an attempt.
pub const LIMIT: Duration = Duration::from_millis(300);

/// Time after which a call counts as endless: long, because the machine may be busy, but less than the life of a server.
pub const WATCHDOG: Duration = Duration::from_secs(60);

/// Kinds of runtimes, with the number of their workers.
const RUNTIMES: &[(&str, usize)] = &[("current_thread", 0), ("multi_thread", 1), ("multi_thread", 2), ("blocking", 0)];

/// Creates a client of a server, whose calls have one attempt with a short timeout.
pub fn client(server: &Server) -> wireform_client::Builder {
    let builder = Client::builder(&SAMPLE).base_url(format!("http://{}", server.at));
    builder.retry(RetryPolicy::off()).timeout(LIMIT)
}

/// Asserts that a call fails in time with an error that contains the text, on every kind of runtime, and that the
/// client closes the connection.
pub fn assert_ends<T, E>(
    what: &str,
    response: &Endless,
    text: &str,
    call: fn(&Server) -> BoxFuture<'static, Result<T, E>>,
) where
    T: Send + 'static,
    E: Display + Send + 'static,
{
    for (runtime, workers) in RUNTIMES {
        let what = format!("{what}, {runtime} with {workers}");
        let server = Server::start(response.clone());
        let message = watched(&what, runtime, *workers, call(&server));
        assert!(message.contains(text), "{what}: {message}");
        assert!(server.is_closed_within(WATCHDOG), "{what}: the connection is still read");
    }
}

/// Returns the message of the error that the future ends with.
fn watched<T, E>(
    what: &str,
    runtime: &'static str,
    workers: usize,
    call: impl Future<Output = Result<T, E>> + Send + 'static,
) -> String
where
    T: Send + 'static,
    E: Display + Send + 'static,
{
    let (sender, ended) = channel();
    let call = async move { call.await.map(|_| ()).map_err(|error| error.to_string()) };
    thread::spawn(move || {
        let runtime = match runtime {
            "blocking" => {
                let _ = sender.send(wireform_client::blocking::block_on(call).unwrap());
                return;
            }
            "current_thread" => Builder::new_current_thread().enable_all().build(),
            _ => Builder::new_multi_thread().worker_threads(workers).enable_all().build(),
        };
        runtime.unwrap().block_on(async move {
            let _ = sender.send(call.await);
            // The caller has another task on the same runtime.
            tokio::time::sleep(2 * WATCHDOG).await;
        });
    });
    let outcome = ended.recv_timeout(WATCHDOG).unwrap_or_else(|_| panic!("{what}: the call does not end"));
    outcome.err().unwrap_or_else(|| panic!("{what}: the call succeeded"))
}
