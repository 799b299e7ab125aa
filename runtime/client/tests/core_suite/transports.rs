//! Services as transports, and transports as services.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, Uri};
use axum::routing::{get as on_get, post as on_post};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use tower_service::Service;
use wireform_client::transport::{ResponseBody, ServiceTransport, TransportService, in_process};
use wireform_client::{Client, RetryPolicy, SendFuture, Transport, TransportError, TransportErrorKind};

use super::sample::{Clear, Get, SAMPLE, get, insert};
use super::script::{script, thing};

fn router() -> Router {
    Router::new()
        .route(
            "/sample/v1/things/{id}",
            on_get(|Path(id): Path<String>, uri: Uri, headers: HeaderMap| async move {
                let note = headers.get("x-note").map(|note| note.to_str().unwrap().to_owned());
                format!(r#"{{"id": "{id}", "text": "{} {note:?}"}}"#, uri.host().unwrap())
                    .replace("Some(\"", "")
                    .replace("\")", "")
            }),
        )
        .route("/sample/v1/things", on_post(|body: Bytes| async move { body }))
}

#[tokio::test]
async fn in_process_router_responds() {
    let client = Client::builder(&SAMPLE).transport(in_process(router())).build().unwrap();
    let thing = client.call(Get { note: Some("hi".into()), ..get("a/b") }).send().await.unwrap();
    assert_eq!((thing.id.as_deref(), thing.text.as_deref()), (Some("a/b"), Some("sample.example hi")));
    let thing = client.call(insert("what was sent")).send().await.unwrap();
    assert_eq!(thing.text.as_deref(), Some("what was sent"));
    client.call(Clear).send().await.unwrap();
    assert!(client.call(Get { id: "1/2".into(), ..get("") }).send().await.is_ok());
}

/// Tower layer: a service that wraps a service.
#[derive(Clone)]
struct Layered<S> {
    inner: S,
    calls: Arc<AtomicUsize>,
    refuse: bool,
}

#[derive(Debug)]
struct Overload;

impl std::fmt::Display for Overload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too much to do")
    }
}

impl std::error::Error for Overload {}

impl<S> Service<Request<Full<Bytes>>> for Layered<S>
where
    S: Service<Request<Full<Bytes>>, Response = Response<ResponseBody>, Error = TransportError>,
    S::Future: Send + 'static,
{
    type Response = Response<ResponseBody>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        if self.refuse { Poll::Ready(Err(Overload.into())) } else { self.inner.poll_ready(context).map_err(Into::into) }
    }

    fn call(&mut self, mut request: Request<Full<Bytes>>) -> Self::Future {
        self.calls.fetch_add(1, Ordering::SeqCst);
        request.headers_mut().insert("x-layer", http::HeaderValue::from_static("1"));
        let response = self.inner.call(request);
        Box::pin(async move { Ok(response.await?) })
    }
}

#[tokio::test]
async fn transport_can_be_layered() {
    let (script, log) = script(|_| thing());
    let calls = Arc::new(AtomicUsize::new(0));
    let layered = Layered { inner: TransportService::new(script), calls: Arc::clone(&calls), refuse: false };
    let client = Client::builder(&SAMPLE).transport(ServiceTransport::new(layered)).build().unwrap();
    client.call(insert("x")).send().await.unwrap();
    assert_eq!((calls.load(Ordering::SeqCst), log.only().header("x-layer")), (1, Some("1")));
    assert!(log.only().body.contains(r#""text":"x""#));
}

#[tokio::test]
async fn the_errors_of_layers_are_errors_of_the_connection() {
    let (script, log) = script(|_| super::script::Step::Fail(TransportErrorKind::Connect));
    let layered = Layered { inner: TransportService::new(script), calls: Arc::default(), refuse: true };
    let client = Client::builder(&SAMPLE).transport(ServiceTransport::new(layered.clone())).retry(RetryPolicy::off());
    let error = client.build().unwrap().call(get("1")).send().await.unwrap_err();
    assert_eq!((error.to_string().as_str(), log.count()), ("things.get: too much to do", 0));
    assert!(error.is_retryable() && !error.is_connect());
    // An error of the inner transport is not wrapped again.
    let layered = Layered { refuse: false, ..layered };
    let client = Client::builder(&SAMPLE).transport(ServiceTransport::new(layered)).retry(RetryPolicy::off());
    assert!(client.build().unwrap().call(get("1")).send().await.unwrap_err().is_connect());
}

#[test]
fn types_are_send_and_sync() {
    fn check<T: Send + Sync + 'static>() {}
    fn send<T: Send + 'static>() {}
    check::<Client>();
    check::<TransportService>();
    check::<ServiceTransport<Router>>();
    check::<Arc<dyn Transport>>();
    send::<SendFuture<Get>>();
}

/// Runs a future on an executor other than tokio's.
fn without_tokio<F: Future + Unpin>(mut future: F) -> F::Output {
    struct Thread(std::thread::Thread);
    impl Wake for Thread {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Thread(std::thread::current())));
    loop {
        match Pin::new(&mut future).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn calls_work_on_other_executors() {
    let (script, log) = script(|number| if number == 1 { super::script::respond(503, "") } else { thing() });
    let policy =
        RetryPolicy::default().with_min_delay(Duration::from_millis(1)).with_max_delay(Duration::from_millis(1));
    let client = Client::builder(&SAMPLE).transport(script).retry(policy).build().unwrap();
    without_tokio(client.call(get("1")).send()).unwrap();
    assert_eq!(log.count(), 2);
    let mut call = client.call(get("1"));
    call.options_mut().timeout = Some(Duration::from_millis(1));
    assert!(without_tokio(call.send()).is_ok());
}
