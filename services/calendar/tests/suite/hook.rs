//! Receiver of notifications, as a client has one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::post;
use calendar_client::requests::EventsWatch;
use calendar_client::runtime::notifications::{Notification, NotificationReceiver, receive};
use calendar_client::types::{Channel, ChannelState};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use wireform_calendar::CallbackClient;

use crate::desk::{TestResponse, TestService, hour, with};

/// Notification with the headers of its request.
type Received = (Notification<EventsWatch>, HeaderMap);

/// Receiver of notifications at a URL of this machine.
#[derive(Clone)]
pub struct Hook {
    /// URL of the receiver.
    pub address: String,
    receiver: NotificationReceiver<EventsWatch>,
    received: Arc<Mutex<Vec<Received>>>,
    /// Statuses of the next responses; 204 after them.
    statuses: Arc<Mutex<VecDeque<u16>>>,
    /// Permits to respond.
    pub gate: Arc<Semaphore>,
}

impl Hook {
    pub async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/hook?secret=in-the-query", listener.local_addr().unwrap());
        let gate = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        let (received, statuses) = (Arc::default(), Arc::default());
        let hook = Self { address, receiver: NotificationReceiver::new(), received, statuses, gate };
        let router = Router::new().route("/hook", post(handle_notification)).with_state(hook.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        hook
    }

    /// Sets the statuses of the next responses.
    pub fn set_statuses(&self, statuses: &[u16]) {
        self.statuses.lock().unwrap().extend(statuses);
    }

    /// Opens a channel on a list of a calendar, and accepts its notifications.
    pub async fn watch(&self, desk: &TestService, id: &str, query: &str) -> Value {
        let opened = self.open_channel(desk, id, query, json!({})).await.ok().clone();
        assert!(self.receiver.add(&Channel::default().with_id(id).with_token(format!("token of {id}"))));
        opened
    }

    /// Requests a channel with further fields.
    pub async fn open_channel(&self, desk: &TestService, id: &str, query: &str, members: Value) -> TestResponse {
        let token = format!("token of {id}");
        let body = json!({ "id": id, "type": "web_hook", "address": self.address, "token": token });
        desk.post(&format!("/watch{query}"), with(body, members)).await
    }

    /// Returns the notifications received on a channel: numbers and states.
    pub fn of(&self, id: &str) -> Vec<(u64, String)> {
        let received = self.received.lock().unwrap();
        let of = received.iter().filter(|(one, _)| one.channel_id == id);
        of.map(|(one, _)| (one.number, one.state.to_string())).collect()
    }

    pub fn numbers(&self, id: &str) -> Vec<u64> {
        self.of(id).into_iter().map(|(number, _)| number).collect()
    }

    /// Returns the headers of the last notification.
    pub fn last(&self) -> Received {
        self.received.lock().unwrap().last().unwrap().clone()
    }
}

/// A desk whose notifications may stay on this machine, and a receiver.
pub async fn open() -> (TestService, Hook) {
    let desk = TestService::open().await;
    (
        desk.with_service(|service| service.with_callback_client(CallbackClient::default().with_loopback(true))),
        Hook::open().await,
    )
}

/// Sends due notifications until none is due.
pub async fn notify(desk: &TestService) {
    while desk.service.send_notifications().await.unwrap() > 0 {}
}

/// Changes a calendar by creating an event with an identifier.
pub async fn change(desk: &TestService, id: &str) -> Value {
    desk.insert(with(hour(2, 9, id), json!({ "id": id }))).await
}

async fn handle_notification(State(hook): State<Hook>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    assert!(body.is_empty(), "a notification has no body");
    let notification = match receive(&hook.receiver, &headers) {
        Ok(notification) => notification,
        Err(error) => panic!("{error}: {headers:?}"),
    };
    assert!(matches!(notification.state, ChannelState::Sync | ChannelState::Exists), "{notification:?}");
    hook.received.lock().unwrap().push((notification, headers));
    let _permit = hook.gate.acquire().await.unwrap();
    let status = hook.statuses.lock().unwrap().pop_front().unwrap_or(204);
    // The body of a response is not read: this one never ends.
    let body = if status == 204 { Body::empty() } else { Body::from_stream(endless()) };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/hook?elsewhere"));
    response
}

fn endless() -> impl futures_util::Stream<Item = Result<Bytes, std::convert::Infallible>> {
    futures_util::stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 4096])))
}
