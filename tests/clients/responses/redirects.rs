//! Redirects: followed where that is harmless, and told of where it is not.

use axum::response::Response;

use super::assert_presentable;
use crate::calls::{ALL, Entry, Failure, Kind, PLAIN};
use crate::clients::{Setup, WAYS, Way};
use crate::server::{Recorded, json, with};

/// The statuses that redirect.
const STATUSES: &[u16] = &[301, 302, 303, 307, 308];

fn to(status: u16, location: &str) -> Response {
    with(status, &[("location", location)], "")
}

/// Every operation, answered so; the requests that came are checked as well.
async fn run(
    way: Way,
    respond: impl Fn(&Recorded) -> Response + Send + Sync + 'static,
    check: impl Fn(&'static Entry, Result<String, Failure>, Vec<Recorded>),
) {
    let running = Setup::new(way).start(respond).await;
    for entry in ALL {
        let result = (entry.full)(&running.clients, PLAIN).await;
        if let Err(failure) = &result {
            assert_presentable(entry, failure);
        }
        check(entry, result, running.log.take());
    }
}

fn is_followed(entry: &Entry) -> bool {
    entry.facts().method == "GET"
}

/// The second request goes to where the server says, with what the first one had.
#[tokio::test]
async fn a_read_follows_a_redirect_within_its_origin_and_nothing_else_does() {
    for way in WAYS {
        for &status in STATUSES {
            let respond = move |request: &Recorded| match request.parameter("moved") {
                Some(_) => json(200, "{}"),
                None => to(status, &format!("{}?moved=1", request.path())),
            };
            run(way, respond, |entry, result, requests| {
                let about = format!("{}: {status}: {result:?}", entry.name());
                if !is_followed(entry) {
                    let failure = result.expect_err(&about);
                    assert_eq!(
                        (failure.kind, failure.status, requests.len()),
                        (Kind::Status, Some(status), 1),
                        "{about}"
                    );
                    return;
                }
                assert!(result.is_ok(), "{about}");
                assert_eq!(requests.len(), 2, "{about}");
                assert_eq!(requests[1].target, format!("{}?moved=1", requests[0].path()), "{about}");
                assert_eq!(requests[0].header("authorization"), requests[1].header("authorization"), "{about}");
                assert!(requests[1].header("authorization").is_some(), "{about}");
            })
            .await;
        }
    }
}

/// Another origin gets no request, and so no token: other host, other port, other scheme.
#[tokio::test]
async fn no_redirect_to_another_origin_is_followed() {
    let places = [
        ("https://elsewhere.example/a?key=secret#f", "https://elsewhere.example"),
        ("//elsewhere.example/a", "elsewhere.example"),
        ("http://127.0.0.1:1/a", "http://127.0.0.1:1"),
        ("https://user:password@elsewhere.example/", "https://elsewhere.example"),
    ];
    for way in WAYS {
        for (location, shown) in places {
            run(
                way,
                move |_| to(302, location),
                |entry, result, requests| {
                    let failure = result.expect_err("it is not followed");
                    let about = format!("{}: {failure:?}", entry.name());
                    assert_eq!((failure.kind, failure.status, requests.len()), (Kind::Status, Some(302), 1), "{about}");
                    assert!(failure.redirect.as_deref().is_some_and(|origin| origin.ends_with(shown)), "{about}");
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
async fn a_loop_ends() {
    for way in WAYS {
        let respond = |request: &Recorded| to(302, &request.target);
        run(way, respond, |entry, result, requests| {
            let failure = result.expect_err("nothing comes of it");
            assert!([Kind::Status, Kind::Protocol].contains(&failure.kind), "{failure:?}");
            let most = if is_followed(entry) { 11 } else { 1 };
            assert!((1..=most).contains(&requests.len()), "{}: {}", entry.name(), requests.len());
        })
        .await;
    }
}

/// Without an address that can be read there is nowhere to go.
#[tokio::test]
async fn a_redirect_to_nowhere_is_an_error() {
    let nowhere =
        ["", " ", "http://", "http://[::1", "https://a:b:c", "\\\\", "mailto:a@example.com", "javascript:0", "%", "?#"];
    for way in WAYS {
        let running = Setup::new(way).start(|_| with(302, &[], "")).await;
        for entry in ALL {
            let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("there is no address");
            assert_eq!((failure.kind, failure.status), (Kind::Status, Some(302)), "{failure:?}");
        }
        for location in nowhere {
            run(
                way,
                move |_| to(302, location),
                |entry, result, requests| {
                    let failure = result.expect_err("there is nowhere to go");
                    assert!(requests.len() <= 11, "{}: {location:?}", entry.name());
                    assert!([Kind::Status, Kind::Protocol].contains(&failure.kind), "{location:?}: {failure:?}");
                },
            )
            .await;
        }
    }
}

/// The method and the body of what is not followed never change: there is one request, and it is the right one.
#[tokio::test]
async fn a_write_is_never_made_a_read() {
    let respond = |_: &Recorded| to(303, "/");
    run(Way::Sockets, respond, |entry, _, requests| {
        let others = requests.iter().filter(|request| request.method.as_str() != entry.facts().method);
        assert_eq!(others.count(), 0, "{}", entry.name());
    })
    .await;
}
