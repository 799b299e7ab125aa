//! Authorization: scopes and unauthenticated requests.

use axum::body::Body;
use futures_util::StreamExt as _;
use http::{Request, StatusCode};
use wireform_runtime::operation::{Api, AuthRequirement};

use crate::desk::{Desk, SCOPED, SERVED, Served};
use crate::valid;
use crate::wire::{TestResponse, send, with};

fn api(served: &Served) -> &'static Api {
    match served.api {
        "calendar" => &calendar_server::requests::API,
        "mailbox" => &mailbox_server::requests::API,
        _ => &script_server::requests::API,
    }
}

/// Sends a valid request of an operation with a token that has the given scopes.
async fn with_scopes(served: &Served, scopes: &[&str]) -> TestResponse {
    let token = format!("Bearer {SCOPED}{}", scopes.join("|"));
    let request = with(valid::of(served.api, served.operation), &[("authorization", &token)]);
    send(&Desk::samples().router(), request).await
}

#[tokio::test]
async fn nobody_gets_in_without_a_token_or_with_a_wrong_one() {
    let desk = Desk::samples();
    for served in SERVED {
        for headers in [&[][..], &[("authorization", "Bearer wrong")], &[("authorization", "Basic dTpw")]] {
            let got = send(&desk.router(), with(valid::of(served.api, served.operation), headers)).await;
            assert_eq!(got.status, StatusCode::UNAUTHORIZED, "{served:?} {headers:?}");
            let challenge = got.header("www-authenticate").unwrap_or_default();
            assert!(challenge.starts_with("Bearer"), "{challenge}");
        }
        assert_eq!(desk.take(), [], "{served:?}");
    }
}

/// Returns a batch whose body panics when it is read.
fn unreadable_batch(path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let unread = futures_util::stream::poll_fn(|_| panic!("the body of the batch was read"));
    let body = Body::from_stream(unread.map(|()| Ok::<_, std::io::Error>("")));
    let builder = Request::builder().method("POST").uri(path).header("host", "localhost");
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.header("content-type", "multipart/mixed; boundary=b").body(body).expect("a request")
}

#[tokio::test]
async fn nobody_gets_a_batch_read_without_a_token_or_with_a_wrong_one() {
    let desk = Desk::samples();
    for path in [calendar_server::requests::API.batch, mailbox_server::requests::API.batch]
        .map(|batch| batch.map_or("", |batch| batch.path.name))
    {
        for headers in [&[][..], &[("authorization", "Bearer wrong")], &[("authorization", "Basic dTpw")]] {
            let got = send(&desk.router(), unreadable_batch(path, headers)).await;
            assert_eq!(got.status, StatusCode::UNAUTHORIZED, "{path} {headers:?}");
        }
    }
    assert_eq!(desk.take(), []);
}

#[tokio::test]
async fn each_scope_of_an_operation_is_enough_and_no_other_is() {
    for served in SERVED {
        let api = api(served);
        let (enough, together) = match served.facts().scopes {
            AuthRequirement::None => continue,
            AuthRequirement::AnyOf(list) => (list, false),
            AuthRequirement::AllOf(list) => (list, true),
            AuthRequirement::Schemes(_) => panic!("{served:?} has security schemes"),
        };
        for scope in api.scopes {
            for name in [scope.url.name, scope.name].into_iter().chain(scope.url.aliases.iter().copied()) {
                let got = with_scopes(served, &[name]).await;
                let may = enough.iter().any(|one| one.name == scope.name) && (!together || enough.len() == 1);
                let expected = if may { served.status } else { 403 };
                assert_eq!(got.status.as_u16(), expected, "{served:?} {name}");
                if !may {
                    let challenge = got.header("www-authenticate").unwrap_or_default();
                    assert!(challenge.contains("insufficient_scope"), "{challenge}");
                }
            }
        }
        let all: Vec<&str> = enough.iter().map(|scope| scope.name).collect();
        assert_eq!(with_scopes(served, &all).await.status.as_u16(), served.status, "{served:?}");
    }
}

#[tokio::test]
async fn a_key_is_enough_where_the_schema_says_so() {
    for served in SERVED {
        let mut one = valid::of(served.api, served.operation);
        let separator = if one.target.contains('?') { '&' } else { '?' };
        let target = format!("{}{separator}key=a-key", one.target);
        one.target = Box::leak(target.into_boxed_str());
        let got = send(&Desk::samples().router(), with(one, &[])).await;
        let expected = if served.facts().api_key { served.status } else { 401 };
        assert_eq!(got.status.as_u16(), expected, "{served:?}");
    }
}

#[tokio::test]
async fn a_router_without_an_authenticator_lets_nobody_in() {
    let desk = Desk::samples();
    let router = mailbox_server::router(crate::desk::Mailbox(desk.clone()));
    let one = valid::of("mailbox", "users.history.list");
    let got = send(&router, with(one, &[("authorization", "Bearer anything")])).await;
    assert_eq!(got.status, StatusCode::UNAUTHORIZED);
    assert_eq!(desk.take(), []);
}
