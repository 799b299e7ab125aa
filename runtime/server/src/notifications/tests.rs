//! Delivery of notifications.

use axum::Router;
use axum::routing::post;
use http_body_util::BodyExt as _;
use tower_service::Service as _;
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{__private::RequestEncoder as RequestParts, Value};

use super::*;
use crate::sample::{API, Get};

#[derive(Clone, Debug)]
struct Watch;

impl wireform_runtime::Request for Watch {
    const API: &'static Api = &API;
    const OPERATION: &'static Operation = Get::OPERATION;
    type Response = ();
    type ErrorBody = Value;

    fn write(&self, _parts: &mut RequestParts) {}
}

impl WatchRequest for Watch {
    type Channel = (&'static str, &'static str);
    type State = ResourceState;
    const HEADERS: NotificationHeaders = NotificationHeaders::DEFAULT;

    fn channel_info(channel: &Self::Channel) -> ChannelInfo<'_> {
        ChannelInfo { address: Some(channel.0), id: Some("c"), token: Some(channel.1), ..ChannelInfo::default() }
    }
}

fn notification_request(channel: &(&'static str, &'static str)) -> Result<Request<Body>, SendError> {
    let notification = Notification::<Watch>::new(channel, 3, ResourceState::Exists).unwrap();
    request(channel, &notification, Naming::Specification)
}

#[test]
fn a_request_has_headers_and_no_body() {
    let request = notification_request(&("https://example.com/hook?a=1", "t")).unwrap();
    assert_eq!(
        (request.method().as_str(), request.uri().to_string().as_str()),
        ("POST", "https://example.com/hook?a=1")
    );
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    assert_eq!((header("x-channel-id"), header("x-channel-token")), (Some("c"), Some("t")));
    assert_eq!((header("x-message-number"), header("content-length")), (Some("3"), Some("0")));
    for address in ["", "/hook", "ftp://example.com", "https://user:secret@example.com/", "mailto:a@b", "https:///x"] {
        assert_eq!(notification_request(&(address, "t")).unwrap_err(), SendError::InvalidUrl, "{address}");
    }
    assert_eq!(
        notification_request(&("https://example.com", "a\nb")).unwrap_err(),
        SendError::InvalidHeader("X-Channel-Token")
    );
}

#[tokio::test]
async fn status_determines_the_delivery() {
    let channel = ("https://example.com", "t");
    let notification = Notification::<Watch>::new(&channel, 1, ResourceState::Sync).unwrap();
    for (status, expected) in [
        (Ok(204), Delivery::Delivered),
        (Ok(503), Delivery::Retry),
        (Ok(429), Delivery::Retry),
        (Ok(404), Delivery::Stop),
        (Ok(410), Delivery::Stop),
        (Ok(403), Delivery::Failed),
        (Ok(302), Delivery::Failed),
        (Ok(501), Delivery::Failed),
        (Err("refused"), Delivery::Retry),
    ] {
        let outcome = send(&channel, &notification, Naming::Specification, async |_| status).await;
        assert_eq!(outcome, expected, "{status:?}");
    }
    let nowhere = send(&("none", "t"), &notification, Naming::Specification, async |_| Ok::<_, ()>(200)).await;
    assert_eq!(nowhere, Delivery::Stop);
}

#[tokio::test]
async fn handler_receives_only_verified_notifications() {
    let receiver = NotificationReceiver::<Watch>::new().with_channel(&("", "t"));
    let handler = |VerifiedNotification(notification): VerifiedNotification<Watch>| async move {
        notification.number.to_string()
    };
    let mut router = Router::new().route("/hook", post(handler)).with_state(receiver.clone());
    let mut ask = async |token: &'static str, twice: bool| {
        let mut request = notification_request(&("http://localhost/hook", token)).unwrap();
        if twice {
            request.headers_mut().append("x-channel-token", HeaderValue::from_static("t"));
        }
        let response = router.call(request).await.unwrap();
        let status = response.status().as_u16();
        (status, String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap())
    };
    assert_eq!(ask("t", false).await, (200, "3".into()));
    assert_eq!(ask("x", false).await.0, 403);
    assert_eq!(ask("t", true).await.0, 403);
    receiver.remove("c");
    assert_eq!(ask("t", false).await.0, 404);
}
