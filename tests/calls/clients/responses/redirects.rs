//! Redirects: followed where that is safe, and reported where it is not.

use axum::response::Response;

use super::assert_presentable;
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::{RecordedRequest, json, with};

/// Redirect statuses.
const STATUSES: &[u16] = &[301, 302, 303, 307, 308];

fn to(status: u16, location: &str) -> Response {
    with(status, &[("location", location)], "")
}

/// Calls every operation and checks the result and the recorded requests.
async fn run(
    transport: TransportKind,
    respond: impl Fn(&RecordedRequest) -> Response + Send + Sync + 'static,
    check: impl Fn(&'static Entry, Result<String, Failure>, Vec<RecordedRequest>),
) {
    let harness = Setup::new(transport).start(respond).await;
    for entry in ALL {
        let result = (entry.full)(&harness.clients, PLAIN).await;
        if let Err(failure) = &result {
            assert_presentable(entry, failure);
        }
        check(entry, result, harness.log.take());
    }
}

fn is_followed(entry: &Entry) -> bool {
    entry.facts().method == "GET"
}

/// The second request goes to the `Location` with the credentials of the first.
#[tokio::test]
async fn a_read_follows_a_redirect_within_its_origin_and_nothing_else_does() {
    for transport in TRANSPORTS {
        for &status in STATUSES {
            let respond = move |request: &RecordedRequest| match request.parameter("moved") {
                Some(_) => json(200, "{}"),
                None => to(status, &format!("{}?moved=1", request.path())),
            };
            run(transport, respond, |entry, result, requests| {
                let context = format!("{}: {status}: {result:?}", entry.name());
                if !is_followed(entry) {
                    let failure = result.expect_err(&context);
                    assert_eq!(
                        (failure.kind, failure.status, requests.len()),
                        (Kind::Status, Some(status), 1),
                        "{context}"
                    );
                    return;
                }
                assert!(result.is_ok(), "{context}");
                assert_eq!(requests.len(), 2, "{context}");
                assert_eq!(requests[1].target, format!("{}?moved=1", requests[0].path()), "{context}");
                assert_eq!(requests[0].header("authorization"), requests[1].header("authorization"), "{context}");
                assert!(requests[1].header("authorization").is_some(), "{context}");
            })
            .await;
        }
    }
}

/// Another origin (host, port or scheme) gets no request, and therefore no token.
#[tokio::test]
async fn no_redirect_to_another_origin_is_followed() {
    let locations = [
        ("https://elsewhere.example/a?key=secret#f", "https://elsewhere.example"),
        ("//elsewhere.example/a", "elsewhere.example"),
        ("http://127.0.0.1:1/a", "http://127.0.0.1:1"),
        ("https://user:password@elsewhere.example/", "https://elsewhere.example"),
    ];
    for transport in TRANSPORTS {
        for (location, origin_suffix) in locations {
            run(
                transport,
                move |_| to(302, location),
                |entry, result, requests| {
                    let failure = result.expect_err("a redirect that is not followed");
                    let context = format!("{}: {failure:?}", entry.name());
                    assert_eq!(
                        (failure.kind, failure.status, requests.len()),
                        (Kind::Status, Some(302), 1),
                        "{context}"
                    );
                    assert!(
                        failure.redirect.as_deref().is_some_and(|origin| origin.ends_with(origin_suffix)),
                        "{context}"
                    );
                    for text in [&failure.display, &failure.debug] {
                        assert!(!text.contains("secret") && !text.contains("password"), "{text}");
                    }
                },
            )
            .await;
        }
    }
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    for transport in TRANSPORTS {
        let respond = |request: &RecordedRequest| to(302, &request.target);
        run(transport, respond, |entry, result, requests| {
            let failure = result.expect_err("a redirect loop");
            assert!([Kind::Status, Kind::Protocol].contains(&failure.kind), "{failure:?}");
            let max = if is_followed(entry) { 11 } else { 1 };
            assert!((1..=max).contains(&requests.len()), "{}: {}", entry.name(), requests.len());
        })
        .await;
    }
}

/// Without a valid `Location` the redirect cannot be followed.
#[tokio::test]
async fn a_redirect_without_a_valid_location_is_an_error() {
    let invalid =
        ["", " ", "http://", "http://[::1", "https://a:b:c", "\\\\", "mailto:a@example.com", "javascript:0", "%", "?#"];
    for transport in TRANSPORTS {
        let harness = Setup::new(transport).start(|_| with(302, &[], "")).await;
        for entry in ALL {
            let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("a missing location");
            assert_eq!((failure.kind, failure.status), (Kind::Status, Some(302)), "{failure:?}");
        }
        for location in invalid {
            run(
                transport,
                move |_| to(302, location),
                |entry, result, requests| {
                    let failure = result.expect_err("an invalid location");
                    assert!(requests.len() <= 11, "{}: {location:?}", entry.name());
                    assert!([Kind::Status, Kind::Protocol].contains(&failure.kind), "{location:?}: {failure:?}");
                },
            )
            .await;
        }
    }
}

/// A redirect that is not followed never changes the method: there is exactly one request.
#[tokio::test]
async fn a_redirect_never_changes_the_method() {
    let respond = |_: &RecordedRequest| to(303, "/");
    run(TransportKind::Sockets, respond, |entry, _, requests| {
        let other_methods = requests.iter().filter(|request| request.method.as_str() != entry.facts().method);
        assert_eq!(other_methods.count(), 0, "{}", entry.name());
    })
    .await;
}
