//! In-process services with endless bodies that are always ready.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use wireform_client::transport::{BoxFuture, ServiceTransport, in_process};
use wireform_client::{Client, RetryPolicy};

use super::runtimes::{LIMIT, WATCHDOG};
use super::sample::{SAMPLE, get};

/// Body that always has a frame ready.
struct Frames;

impl http_body::Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(Some(Ok(Frame::data(Bytes::new()))))
    }
}

#[derive(Clone)]
struct Service;

impl<B> tower_service::Service<http::Request<B>> for Service {
    type Response = http::Response<Frames>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<B>) -> Self::Future {
        std::future::ready(Ok(http::Response::new(Frames)))
    }
}

fn client(transport: ServiceTransport<Service>) -> Client {
    let builder = Client::builder(&SAMPLE).transport(transport).retry(RetryPolicy::off());
    builder.timeout(LIMIT).build().unwrap()
}

type Outcome<T> = Result<T, String>;
type Pending<T> = BoxFuture<'static, Outcome<T>>;

/// Asserts that a call times out. It runs on a separate thread, because it may not return.
fn assert_times_out<T: Send + 'static>(
    call: impl Future<Output = Outcome<T>> + Send + 'static,
    executor: fn(Pending<T>) -> Outcome<T>,
) {
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(executor(Box::pin(call)).err()));
    let outcome = ended.recv_timeout(WATCHDOG).unwrap_or_else(|_| panic!("the call does not end"));
    assert_eq!(outcome.unwrap().rsplit(": ").next(), Some("no response within 0.3 s"));
}

#[test]
fn empty_frames() {
    for transport in [ServiceTransport::new(Service), in_process(Service)] {
        let client = client(transport);
        let send = |client: &Client| {
            let call = client.call(get("1")).send();
            async move { call.await.map_err(|error| error.to_string()) }
        };
        let download = |client: &Client| {
            let call = client.call(get("1")).download();
            async move {
                let download = call.send().await.map_err(|error| error.to_string())?;
                download.bytes(1).await.map_err(|error| error.to_string())
            }
        };
        assert_times_out(send(&client), |call| {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(call)
        });
        assert_times_out(send(&client), futures_executor);
        assert_times_out(send(&client), |call| wireform_client::blocking::block_on(call).unwrap());
        assert_times_out(download(&client), |call| {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(call)
        });
        assert_times_out(download(&client), futures_executor);
    }
}

/// Executor other than tokio's.
fn futures_executor<T>(mut call: BoxFuture<'static, T>) -> T {
    struct Thread(std::thread::Thread);
    impl std::task::Wake for Thread {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::sync::Arc::new(Thread(std::thread::current())).into();
    loop {
        if let Poll::Ready(outcome) = call.as_mut().poll(&mut Context::from_waker(&waker)) {
            return outcome;
        }
        std::thread::park_timeout(Duration::from_secs(1));
    }
}
