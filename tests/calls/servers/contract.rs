//! Contract of every operation: its success, its errors, and 501 without an implementation.

use http::StatusCode;
use wireform_server::Error;

use crate::desk::{Desk, SERVED, Step};
use crate::valid;
use crate::wire::{request, send, with};

#[tokio::test]
async fn every_operation_returns_what_the_service_returns() {
    let desk = Desk::samples();
    let router = desk.router();
    for served in SERVED {
        let got = send(&router, request(valid::of(served.api, served.operation))).await;
        assert_eq!(got.status.as_u16(), served.status, "{served:?}: {got:?}");
        let received = desk.take();
        assert_eq!(received.iter().map(|one| one.operation).collect::<Vec<_>>(), [served.operation], "{served:?}");
        match served.response {
            None => assert_eq!((got.body.len(), got.header("content-type")), (0, None), "{served:?}"),
            Some(_) => {
                assert!(got.header("content-type").is_some_and(|it| it.starts_with("application/json")), "{got:?}")
            }
        }
    }
}

#[tokio::test]
async fn every_error_of_the_contract_has_its_status_and_its_reason() {
    for served in SERVED {
        for (status, reason) in served.errors {
            let desk = Desk::new(move |_, _| {
                let status = StatusCode::from_u16(*status).expect("a status");
                let error = Error::new(status, "what went wrong");
                Step::Fail(match reason {
                    Some(reason) => error.with_reason(*reason),
                    None => error,
                })
            });
            let got = send(&desk.router(), request(valid::of(served.api, served.operation))).await;
            assert_eq!(got.status.as_u16(), *status, "{served:?}");
            let body = got.json();
            assert_eq!(body["error"]["code"], *status, "{body}");
            assert_eq!(body["error"]["message"], "what went wrong", "{body}");
            if let Some(reason) = reason {
                assert_eq!(got.reason(), *reason, "{body}");
            }
        }
    }
}

/// Service that implements no operation.
struct Nothing;

impl calendar_server::service::CalendarList for Nothing {}
impl calendar_server::service::Calendars for Nothing {}
impl calendar_server::service::Channels for Nothing {}
impl calendar_server::service::Colors for Nothing {}
impl calendar_server::service::Freebusy for Nothing {}
impl calendar_server::service::Settings for Nothing {}
impl calendar_server::service::Events for Nothing {}

#[tokio::test]
async fn an_unimplemented_operation_returns_501() {
    let router = calendar_server::server(Nothing).authenticator(crate::desk::Tokens).router();
    let got = send(&router, request(valid::of("calendar", "events.get"))).await;
    assert_eq!(got.status, StatusCode::NOT_IMPLEMENTED);
    assert!(got.json()["error"]["message"].as_str().is_some_and(|text| text.contains("events.get")), "{got:?}");
}

#[tokio::test]
async fn a_panic_is_a_500_without_details() {
    let desk = Desk::new(|_, _| Step::Panic("a secret"));
    for served in SERVED {
        let got = send(&desk.router(), request(valid::of(served.api, served.operation))).await;
        assert_eq!(got.status, StatusCode::INTERNAL_SERVER_ERROR, "{served:?}");
        assert!(!String::from_utf8_lossy(&got.body).contains("secret"), "{got:?}");
        assert!(got.header("x-request-id").is_some(), "{got:?}");
    }
}

#[tokio::test]
async fn several_apis_share_a_router_below_a_prefix() {
    let desk = Desk::samples();
    let router = wireform_server::axum::Router::new().nest("/local", desk.router());
    let mut one = valid::of("mailbox", "users.history.list");
    one.target = "/local/mail/v1/users/me/history?startHistoryId=1";
    assert_eq!(send(&router, request(one)).await.status, StatusCode::OK);
    one.target = "/local/gmail/v1/users/me/history?startHistoryId=1";
    assert_eq!(send(&router, request(one)).await.status, StatusCode::OK, "the alias works too");
    one.target = "/mail/v1/users/me/history?startHistoryId=1";
    assert_eq!(send(&router, request(one)).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_literal_beats_a_variable_but_not_for_a_method_it_lacks() {
    let desk = Desk::samples();
    let mut one = valid::of("calendar", "events.get");
    one.target = "/calendar/v3/calendars/primary/events/import";
    assert_eq!(send(&desk.router(), request(one)).await.status, StatusCode::OK);
    assert_eq!(desk.take()[0].operation, "events.get");
    one.method = "DELETE";
    assert_eq!(send(&desk.router(), request(one)).await.status, StatusCode::NO_CONTENT);
    let got = send(
        &desk.router(),
        with(valid::Valid { method: "PUT", target: "/calendar/v3/calendars/primary/events", ..one }, &[]),
    )
    .await;
    assert_eq!(got.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(got.header("allow"), Some("GET, HEAD, OPTIONS, POST"));
}
