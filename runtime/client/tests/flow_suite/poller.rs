//! Long-running operations, and the delays between polls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::*;
use bytes::Bytes;
use tokio::time::Instant;
use wireform_client::fake::{Failure, Fake, FakeReply};
use wireform_client::transport::{BoxFuture, ResponseBody};
use wireform_client::wire::json::{DecodeError, EncodeError};
use wireform_client::{
    Client, ErrorKind, LongRunning, OperationState, PollError, PollPolicy, Poller, RetryPolicy, Transport,
    TransportError,
};

/// Deletion as a long-running operation: it has succeeded if the thing is gone, and failed if it has a note.
impl LongRunning for Patch {
    type Poll = Get;
    type Outcome = Thing;
    type Metadata = String;
    type Failure = String;

    fn poll(&self, response: &Thing) -> Option<Get> {
        Some(Get { id: response.id.clone()? })
    }

    fn operation_name(response: &Thing) -> Option<&str> {
        response.id.as_deref()
    }

    fn state(response: &Thing) -> Result<OperationState<Thing, String, String>, DecodeError> {
        if response.gone != Some(true) {
            return Ok(OperationState::Running(response.name.clone()));
        }
        Ok(response.note.clone().map_or_else(|| OperationState::Succeeded(response.clone()), OperationState::Failed))
    }

    fn build_response(name: String, stage: OperationState<Thing, String, String>) -> Result<Thing, EncodeError> {
        let work = Thing { id: Some(name), ..Thing::default() };
        Ok(match stage {
            OperationState::Running(name) => Thing { name, ..work },
            OperationState::Succeeded(thing) => Thing { gone: Some(true), ..thing },
            OperationState::Failed(note) => Thing { gone: Some(true), note: Some(note), ..work },
        })
    }

    fn failure_message(failure: &String) -> Option<&str> {
        Some(failure)
    }
}

fn work(stage: OperationState<Thing, String, String>) -> Thing {
    Patch::build_response("a".to_owned(), stage).unwrap()
}

fn running() -> Thing {
    work(OperationState::Running(Some("half".to_owned())))
}

/// Creates a fake of an operation that is done at the n-th poll, and returns the times of the polls.
fn fake_of_running_operation(questions: usize) -> (Fake, Arc<Mutex<Vec<Duration>>>) {
    let (began, polls) = (Instant::now(), Arc::new(Mutex::new(Vec::new())));
    let seen = polls.clone();
    let fake = Fake::new(&API).on(|_: &Patch| Ok(running())).on(move |_: &Get| {
        let mut seen = seen.lock().unwrap();
        seen.push(began.elapsed());
        Ok(if seen.len() < questions { running() } else { work(OperationState::Succeeded(thing("a"))) })
    });
    (fake, polls)
}

fn poller(fake: &Fake) -> Poller<Patch> {
    let client: Client = fake.client().unwrap();
    Poller::new(client.call(start()))
}

#[tokio::test(start_paused = true)]
async fn delays_grow_up_to_the_maximum() {
    let (fake, polls) = fake_of_running_operation(5);
    let policy = PollPolicy::default().with_factor(2.0).with_max_delay(Duration::from_secs(5));
    let mut reported = Vec::new();
    let done =
        poller(&fake).policy(policy).wait_with_progress(|metadata| reported.push(metadata.clone())).await.unwrap();
    assert_eq!(done.gone, Some(true));
    let seconds: Vec<u64> = polls.lock().unwrap().iter().map(Duration::as_secs).collect();
    assert_eq!(seconds, [1, 3, 7, 12, 17]);
    assert_eq!(reported.len(), 5, "each response with progress is reported: {reported:?}");
}

#[tokio::test(start_paused = true)]
async fn retry_after_extends_the_delay() {
    let (began, polls) = (Instant::now(), Arc::new(Mutex::new(Vec::new())));
    let seen = polls.clone();
    let later = |seconds: &'static str| {
        FakeReply::new(running()).header(http::header::RETRY_AFTER, http::HeaderValue::from_static(seconds))
    };
    let fake = Fake::new(&API).on_call(move |_: &Patch, _| Ok(later("7"))).on_call(move |_: &Get, _| {
        let mut seen = seen.lock().unwrap();
        seen.push(began.elapsed().as_secs());
        Ok(match seen.len() {
            1 => later("0"),
            2 => later("60"),
            3 => FakeReply::new(running()),
            _ => FakeReply::new(work(OperationState::Succeeded(thing("a")))),
        })
    });
    poller(&fake).policy(PollPolicy::default().with_factor(1.0)).wait().await.unwrap();
    assert_eq!(*polls.lock().unwrap(), [7, 8, 68, 69]);
}

#[tokio::test(start_paused = true)]
async fn default_policy_ends_after_a_day() {
    let began = Instant::now();
    let (fake, _) = fake_of_running_operation(usize::MAX);
    assert!(matches!(poller(&fake).wait().await, Err(PollError::TimedOut { .. })));
    assert!(began.elapsed() <= Duration::from_secs(24 * 60 * 60));
    let (fake, polls) = fake_of_running_operation(2900);
    poller(&fake).policy(PollPolicy::default().without_max_elapsed()).wait().await.unwrap();
    assert!(*polls.lock().unwrap().last().unwrap() > Duration::from_secs(24 * 60 * 60));
}

#[tokio::test(start_paused = true)]
async fn invalid_factor_keeps_delays_constant() {
    for factor in [0.5, -1.0, f64::NAN] {
        let (fake, polls) = fake_of_running_operation(3);
        poller(&fake).policy(PollPolicy::default().with_factor(factor)).wait().await.unwrap();
        let seconds: Vec<u64> = polls.lock().unwrap().iter().map(Duration::as_secs).collect();
        assert_eq!(seconds, [1, 2, 3], "{factor}");
    }
    let (fake, _) = fake_of_running_operation(3);
    let endless = PollPolicy::default()
        .with_initial_delay(Duration::MAX)
        .with_max_delay(Duration::MAX)
        .with_factor(f64::INFINITY);
    assert!(poller(&fake).policy(endless.with_max_elapsed(Duration::from_secs(9))).wait().await.is_err());
}

#[tokio::test(start_paused = true)]
async fn timeout_does_not_cancel_the_operation() {
    let (fake, polls) = fake_of_running_operation(5);
    let mut poller =
        poller(&fake).policy(PollPolicy::default().with_factor(1.0).with_max_elapsed(Duration::from_secs(3)));
    let began = Instant::now();
    let error = poller.wait().await.unwrap_err();
    assert!(matches!(error, PollError::TimedOut { waited } if waited == Duration::from_secs(3)), "{error}");
    // The last delay would exceed the maximum time.
    assert_eq!((began.elapsed().as_secs(), polls.lock().unwrap().len()), (3, 3));
    let mut poller = poller.policy(PollPolicy::default());
    assert!(poller.wait().await.is_ok(), "the poller can be used again");
}

#[tokio::test(start_paused = true)]
async fn dropped_wait_can_be_resumed() {
    let (fake, _) = fake_of_running_operation(3);
    let mut poller = poller(&fake);
    assert!(tokio::time::timeout(Duration::from_millis(1500), poller.wait()).await.is_err());
    assert_eq!(fake.calls(), ["things.patch", "things.get"]);
    let client: Client = fake.client().unwrap();
    let id = poller.name().unwrap().to_owned();
    let mut other = Poller::<Patch>::resume(client.call(Get { id }));
    assert!(other.wait().await.is_ok());
    assert_eq!(fake.calls().iter().filter(|name| **name == "things.patch").count(), 1, "the operation is started once");
}

/// Transport that accepts requests and never responds.
struct Silent(Arc<AtomicUsize>);

impl Transport for Silent {
    fn send(
        &self,
        _request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<ResponseBody>, TransportError>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn dropped_start_is_not_sent_again() {
    let sent = Arc::new(AtomicUsize::new(0));
    let client = Client::builder(&API).base_url("https://example.com").transport(Silent(sent.clone())).build().unwrap();
    let mut poller = Poller::new(client.call(start()));
    assert!(tokio::time::timeout(Duration::from_secs(1), poller.poll()).await.is_err());
    assert!(matches!(poller.poll().await, Err(PollError::Abandoned)));
    assert_eq!(sent.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn poll_is_retried_and_start_follows_its_policy() {
    let failures = AtomicUsize::new(0);
    let fake = Fake::new(&API).on(|_: &Patch| Ok(running())).on(move |_: &Get| {
        match failures.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => Err(Failure::status(503)),
            _ => Ok(work(OperationState::Succeeded(thing("a")))),
        }
    });
    let client: Client = fake.builder().retry(RetryPolicy::default()).build().unwrap();
    assert!(Poller::new(client.call(start())).wait().await.is_ok());
    let fake = Fake::new(&API).on(|_: &Patch| Ok(running())).on(|_: &Get| Err(Failure::status(404)));
    let mut poller = poller(&fake);
    let error = poller.wait().await.unwrap_err();
    assert!(error.call().unwrap().is_not_found(), "{error}");
    // A failed poll does not end polling: the next one may succeed.
    let _ = fake.clone().on(|_: &Get| Ok(work(OperationState::Failed("no room".to_owned()))));
    let error = poller.wait().await.unwrap_err();
    assert_eq!(
        (error.failure().unwrap().as_str(), error.to_string()),
        ("no room", "the operation failed: no room".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn unnamed_operation_must_be_done() {
    let unnamed = |gone| move |_: &Patch| Ok(Thing { gone: Some(gone), ..Thing::default() });
    let mut poller = self::poller(&Fake::new(&API).on(unnamed(true)));
    assert!(poller.wait().await.is_ok());
    let mut poller = self::poller(&Fake::new(&API).on(unnamed(false)));
    assert!(matches!(poller.wait().await, Err(PollError::Unnamed)));
    assert!(matches!(poller.poll().await, Err(PollError::Unnamed)));
}

#[test]
fn poller_works_on_other_executors() {
    let (fake, polls) = fake_of_running_operation(2);
    let mut poller = poller(&fake).policy(PollPolicy::default().with_initial_delay(Duration::from_millis(1)));
    driven(poller.wait()).unwrap();
    assert_eq!(polls.lock().unwrap().len(), 2);
}

/// Polls on this thread, outside of a runtime.
fn driven<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);

    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut context = std::task::Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(output) => return output,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}

#[tokio::test]
async fn failed_poll_is_an_error() {
    let mut poller = self::poller(&Fake::new(&API));
    let error = poller.wait().await.unwrap_err();
    assert!(matches!(error.call().unwrap().kind(), ErrorKind::Connection(_)), "{error}");
}

fn start() -> Patch {
    Patch { id: "a".to_owned(), ..Patch::default() }
}
