//! Tests of notifications when the program is stopped or killed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use calendar_server::requests::EventsWatch;
use calendar_server::runtime::notifications::{NotificationReceiver, receive};
use calendar_server::types::Channel;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::postgres::{address, execute};
use crate::program::{Home, Server};

const LOOPBACK: &[&str] = &["--allow-loopback-callbacks"];

/// Receiver of the notifications of one channel.
#[derive(Clone)]
struct Hook {
    address: String,
    receiver: NotificationReceiver<EventsWatch>,
    numbers: Arc<Mutex<Vec<u64>>>,
    /// Status of the responses.
    status: Arc<Mutex<StatusCode>>,
    /// Permits to respond.
    gate: Arc<Semaphore>,
}

impl Hook {
    async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/hook?key=in-the-query", listener.local_addr().expect("an address"));
        let receiver = NotificationReceiver::new().with_channel(&Channel::default().with_id("c").with_token("s3cret"));
        let (gate, status) = (Arc::new(Semaphore::new(1_000)), Arc::new(Mutex::new(StatusCode::NO_CONTENT)));
        let hook = Self { address, receiver, numbers: Arc::default(), status, gate };
        let router = Router::new().route("/hook", post(take)).with_state(hook.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        hook
    }

    async fn watch(&self, server: &Server) -> StatusCode {
        let body = json!({ "id": "c", "type": "web_hook", "address": self.address, "token": "s3cret" });
        server.post("/calendar/v3/calendars/primary/events/watch", &body).await.0
    }

    fn numbers(&self) -> Vec<u64> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn respond_with(&self, status: StatusCode) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
    }

    /// Waits until a number was received.
    async fn wait(&self, number: u64) {
        for _ in 0..3_000 {
            if self.numbers().contains(&number) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        unreachable!("{number} did not come: {:?}", self.numbers());
    }
}

async fn take(State(hook): State<Hook>, headers: HeaderMap) -> StatusCode {
    match receive(&hook.receiver, &headers) {
        Ok(notification) => {
            hook.numbers.lock().unwrap_or_else(PoisonError::into_inner).push(notification.number);
            let _permit = hook.gate.acquire().await;
            *hook.status.lock().unwrap_or_else(PoisonError::into_inner)
        }
        Err(error) => StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST),
    }
}

async fn change(server: &Server) {
    let event = json!({
        "summary": "Lunch",
        "start": { "dateTime": "2026-03-02T09:00:00Z" },
        "end": { "dateTime": "2026-03-02T10:00:00Z" },
    });
    let (status, body) = server.post("/calendar/v3/calendars/primary/events", &event).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

/// Asserts that numbers rise, and that only a number that was tried before is repeated.
fn assert_in_order(numbers: &[u64], tried_again: &[u64]) {
    for pair in numbers.windows(2) {
        let again = pair[0] == pair[1] && tried_again.contains(&pair[0]);
        assert!(pair[1] == pair[0] + 1 || again, "{numbers:?}");
    }
}

// Waiting for the program blocks a thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_survive_a_kill_and_a_restart() {
    let (home, hook) = (Home::new(), Hook::open().await);
    let mut server = home.serve(LOOPBACK);
    assert_eq!(hook.watch(&server).await, StatusCode::OK);
    hook.wait(1).await;
    hook.respond_with(StatusCode::SERVICE_UNAVAILABLE);
    change(&server).await;
    hook.wait(2).await;
    server.signal("KILL");
    assert!(!server.wait().success());
    let log = server.log();
    assert!(!log.contains("s3cret") && !log.contains("in-the-query"), "{log}");

    let tried = hook.numbers().len();
    hook.respond_with(StatusCode::NO_CONTENT);
    let mut server = home.serve(LOOPBACK);
    change(&server).await;
    hook.wait(3).await;
    assert!(hook.numbers().len() > tried);

    // A notification in flight when the program is stopped arrives, and its outcome is recorded.
    hook.gate.forget_permits(1_000);
    change(&server).await;
    hook.wait(4).await;
    server.signal("TERM");
    hook.gate.add_permits(1_000);
    assert!(server.wait().success());
    let log = server.log();
    assert!(!log.contains("s3cret") && !log.contains("in-the-query"), "{log}");
    let listed = &home.list(&["channels", "list"])[0];
    assert_eq!((&listed["id"], &listed["message"], &listed["outcome"]), (&json!("c"), &json!(4), &json!("204")));
    assert_eq!((&listed["host"], &listed["user"]), (&json!("127.0.0.1"), &json!("me@localhost")));
    let shown = format!("{listed} {}", home.run(&["channels", "list", "--user", "me@localhost"]));
    assert!(!shown.contains("s3cret") && !shown.contains("in-the-query"), "{shown}");
    assert_in_order(&hook.numbers(), &[2]);
}

#[tokio::test]
async fn this_machine_is_no_receiver_unless_it_is_allowed() {
    let (home, hook) = (Home::new(), Hook::open().await);
    let server = home.serve(&[]);
    assert_eq!(hook.watch(&server).await, StatusCode::BAD_REQUEST);
    assert_eq!(home.list(&["channels", "list"]), json!([]));
}

/// Two processes on one database, of which one is killed while it sends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_postgres_send_each_message_once() {
    let Ok(lent) = std::env::var("WIREFORM_TEST_POSTGRES") else {
        eprintln!("skipped: WIREFORM_TEST_POSTGRES does not name a server");
        return;
    };
    let database = format!("wireform_channels_{}", std::process::id());
    execute(&lent, &format!("CREATE DATABASE {database}")).await;
    let url = address(&lent, &database);
    let (homes, hook) = ([Home::new(), Home::new()], Hook::open().await);
    let [first, mut second] = homes.each_ref().map(|home| home.serve_with(LOOPBACK, &[("WIREFORM_STORE", &url)]));
    assert_eq!(hook.watch(&first).await, StatusCode::OK);
    hook.wait(1).await;
    for number in 2..6 {
        change(&first).await;
        change(&second).await;
        hook.wait(number).await;
    }
    let before = hook.numbers();
    assert_in_order(&before, &[]);
    second.signal("KILL");
    second.wait();
    change(&first).await;
    let last = before.last().copied().unwrap_or_default() + 1;
    hook.wait(last).await;
    assert_in_order(&hook.numbers(), &[last - 1, last]);
    first.stop();
    execute(&lent, &format!("DROP DATABASE {database} WITH (FORCE)")).await;
}
