//! Chains of two servers: the service of the first server forwards each request with a generated client to the second
//! one. The second service must receive the same request, and its response must come back unchanged.

use std::sync::Arc;

use http::StatusCode;
use serde_json::Value;
use wireform_client::transport::{Http, in_process};
use wireform_client::{Client, Credentials, Naming, RetryPolicy};
use wireform_runtime::operation::Api;
use wireform_server::Error;
use wireform_server::axum::Router;

use crate::desk::{Desk, SERVED, Step, TOKEN};
use crate::valid;
use crate::wire::{request, send};

/// Transport from the first server to the second one.
#[derive(Clone, Copy, Debug)]
enum Link {
    Sockets,
    InProcess,
}

/// Returns the router of the first server, which forwards to a server with the given service.
async fn chain(second: &Desk, link: Link, names: Naming) -> Router {
    let router = second.router();
    let build = move |api: &'static Api, base_url: &str| {
        Client::builder(api)
            .base_url(base_url)
            .credentials(Credentials::token(TOKEN))
            .retry(RetryPolicy::off())
            .naming(names)
            .keep_output_only(true)
    };
    let client: Arc<dyn Fn(&'static Api) -> Client + Send + Sync> = match link {
        Link::InProcess => Arc::new(move |api| {
            build(api, "http://localhost").transport(in_process(router.clone())).build().expect("a client")
        }),
        Link::Sockets => {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            let address = format!("http://{}", listener.local_addr().expect("it is bound"));
            tokio::spawn(async move { wireform_server::serve(listener, router).await });
            let sockets = Http::without_proxy().expect("TLS can be set up");
            Arc::new(move |api| build(api, &address).transport(sockets.clone()).build().expect("a client"))
        }
    };
    Desk::new(move |_, _| Step::Forward(Arc::clone(&client))).router()
}

async fn assert_forwards(link: Link, names: Naming) {
    let second = Desk::samples();
    let first = chain(&second, link, names).await;
    for served in SERVED {
        let valid = valid::of(served.api, served.operation);
        let got = send(&first, request(valid)).await;
        assert_eq!(got.status.as_u16(), served.status, "{link:?} {names:?} {served:?}: {got:?}");
        let alone = Desk::samples();
        let straight = send(&alone.router(), request(valid)).await;
        assert_eq!(second.take(), alone.take(), "{link:?} {names:?} {served:?}");
        assert_eq!(
            String::from_utf8_lossy(&got.body),
            String::from_utf8_lossy(&straight.body),
            "{link:?} {names:?} {served:?}"
        );
        if let Some(sample) = served.response {
            let sample: Value = serde_json::from_str(sample).expect("a sample is JSON");
            assert_eq!(got.json(), sample, "{link:?} {names:?} {served:?}");
        }
    }
}

#[tokio::test]
async fn requests_and_responses_survive_in_process() {
    assert_forwards(Link::InProcess, Naming::Specification).await;
    assert_forwards(Link::InProcess, Naming::Public).await;
}

#[tokio::test]
async fn requests_and_responses_survive_sockets() {
    assert_forwards(Link::Sockets, Naming::Specification).await;
    assert_forwards(Link::Sockets, Naming::Public).await;
}

#[tokio::test]
async fn errors_survive_with_status_reason_and_message() {
    for served in SERVED {
        for (status, reason) in served.errors {
            let second = Desk::new(move |_, _| {
                let error = Error::new(StatusCode::from_u16(*status).expect("a status"), "what \"went\" wrong é");
                Step::Fail(match reason {
                    Some(reason) => error.with_reason(*reason),
                    None => error,
                })
            });
            let got = send(
                &chain(&second, Link::InProcess, Naming::Specification).await,
                request(valid::of(served.api, served.operation)),
            )
            .await;
            assert_eq!(got.status.as_u16(), *status, "{served:?}");
            assert_eq!(got.json()["error"]["message"], "what \"went\" wrong é");
            if let Some(reason) = reason {
                assert_eq!(got.reason(), *reason, "{served:?}");
            }
        }
    }
}
