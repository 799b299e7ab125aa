//! Receiver of a notification channel.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::ensure;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use calendar_client::Client;
use calendar_client::requests::EventsWatch;
use calendar_client::runtime::notifications::{NotificationReceiver, receive};
use calendar_client::types::Channel;
use tokio::sync::Notify;

/// Receiver of the notifications of one channel.
#[derive(Clone)]
pub struct Hook {
    channel: Channel,
    receiver: NotificationReceiver<EventsWatch>,
    received: Arc<Mutex<Notifications>>,
    /// Permit for a notification that has not been handled.
    pub due: Arc<Notify>,
}

/// Received notifications.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notifications {
    /// Number of the last notification.
    pub last: u64,
    /// Number of repeated notifications.
    pub repeated: u64,
    /// Number that came out of order, and the one before it.
    pub disorder: Option<(u64, u64)>,
}

impl Hook {
    /// Listens on a free port of this machine.
    pub async fn open() -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}/hook", listener.local_addr()?);
        let channel = Channel::default().with_id("stress").with_token("known to both").with_address(address);
        let receiver = NotificationReceiver::new().with_channel(&channel);
        let hook = Self { channel, receiver, received: Arc::default(), due: Arc::default() };
        let router = Router::new().route("/hook", post(handle_notification)).with_state(hook.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(hook)
    }

    /// Opens the channel.
    pub async fn watch(&self, client: &Client) -> anyhow::Result<()> {
        let opened = client.events().watch("primary", self.channel.clone().with_type("web_hook")).send().await?;
        ensure!(opened.resource_id.is_some(), "a channel without a resource");
        Ok(())
    }

    /// Returns the notifications received so far.
    pub fn notifications(&self) -> Notifications {
        *self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn handle_notification(State(hook): State<Hook>, headers: HeaderMap) -> StatusCode {
    let notification = match receive(&hook.receiver, &headers) {
        Ok(notification) => notification,
        Err(error) => return StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST),
    };
    let mut received = hook.received.lock().unwrap_or_else(PoisonError::into_inner);
    match notification.number {
        number if number == received.last => received.repeated += 1,
        number if number == received.last + 1 => received.last = number,
        number => received.disorder = received.disorder.or(Some((number, received.last))),
    }
    drop(received);
    hook.due.notify_one();
    StatusCode::NO_CONTENT
}
