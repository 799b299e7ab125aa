//! Bodies of responses: chunks, limits, truncation.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http_body::{Body, Frame};
use wireform_client::transport::ResponseBody;
use wireform_client::{Client, Error, ErrorKind, RetryPolicy, TransportError, TransportErrorKind};

use super::sample::{Clear, ErrorBody, Thing, get};
use super::script::{Step, respond, respond_with_headers, scripted_client};

/// Body of delayed chunks, and its end.
struct Pieces {
    pieces: std::slice::Iter<'static, &'static str>,
    pause: Pin<Box<tokio::time::Sleep>>,
    between: Duration,
    breaks: bool,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        std::task::ready!(self.pause.as_mut().poll(context));
        let next = tokio::time::Instant::now() + self.between;
        self.pause.as_mut().reset(next);
        Poll::Ready(match self.pieces.next() {
            Some(piece) => Some(Ok(Frame::data(Bytes::from_static(piece.as_bytes())))),
            None if self.breaks => Some(Err(TransportError::new(TransportErrorKind::Broken, "cut off"))),
            None => None,
        })
    }
}

fn pieces(status: u16, pieces: &'static [&'static str], between: Duration, breaks: bool) -> Step {
    let body = Pieces { pieces: pieces.iter(), pause: Box::pin(tokio::time::sleep(between)), between, breaks };
    Step::Response(Response::builder().status(status).body(ResponseBody::new(body)).unwrap())
}

const MS: Duration = Duration::from_millis(1);

async fn read_body(limit: usize, step: impl Fn() -> Step + Send + Sync + 'static) -> Result<Thing, Error<ErrorBody>> {
    let (client, _) = scripted_client(move |_| step());
    let client = client.max_body_bytes(limit).retry(RetryPolicy::off()).build().unwrap();
    client.call(get("1")).send().await
}

#[tokio::test(start_paused = true)]
async fn chunks_are_concatenated() {
    let thing = read_body(100, || pieces(200, &["{\"te", "", "xt\": \"a", "b\"", "}"], MS, false)).await.unwrap();
    assert_eq!(thing.text.as_deref(), Some("ab"));
}

#[tokio::test(start_paused = true)]
async fn a_body_may_be_as_long_as_the_limit() {
    let text = r#"{"text": "abc"}"#;
    for pieced in [false, true] {
        let step =
            move || if pieced { pieces(200, &["{\"text\": ", "\"abc\"}"], MS, false) } else { respond(200, text) };
        assert!(read_body(text.len(), step).await.is_ok());
        let error = read_body(text.len() - 1, step).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BodyTooLong { limit: 14 }), "{error:?}");
        assert_eq!(error.to_string(), "things.get: the response is longer than 14 bytes");
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn declared_length_is_checked_first() {
    // The body is not awaited.
    let step = || {
        let mut response = Response::new(ResponseBody::new(Silent));
        response.headers_mut().insert("content-length", http::HeaderValue::from_static("101"));
        Step::Response(response)
    };
    assert!(matches!(read_body(100, step).await.unwrap_err().kind(), ErrorKind::BodyTooLong { limit: 100 }));
}

/// Body that never has a frame.
struct Silent;

impl Body for Silent {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        Poll::Pending
    }
}

#[tokio::test]
async fn endless_body_is_limited() {
    struct Endless;
    impl Body for Endless {
        type Data = Bytes;
        type Error = TransportError;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 4096])))))
        }
    }
    let endless =
        |status| move || Step::Response(Response::builder().status(status).body(ResponseBody::new(Endless)).unwrap());
    assert!(matches!(read_body(1 << 20, endless(200)).await.unwrap_err().kind(), ErrorKind::BodyTooLong { .. }));
    let error = read_body(1 << 20, endless(500)).await.unwrap_err();
    assert_eq!((error.status(), error.response().unwrap().raw.len()), (Some(500), 64 * 1024));
    let (client, _) = scripted_client(move |_| endless(200)());
    client.build().unwrap().call(Clear).send().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_body_that_breaks_off_is_a_broken_connection() {
    let error = read_body(100, || pieces(200, &["{\"text\": \"a"], MS, true)).await.unwrap_err();
    let ErrorKind::Connection(cause) = error.kind() else { panic!("{error:?}") };
    assert_eq!((cause.kind(), error.is_retryable()), (TransportErrorKind::Broken, true));
    assert_eq!(error.to_string(), "things.get: cut off");
    // The status of an error is returned, however long its body is.
    let error = read_body(100, || pieces(404, &["{\"error"], MS, true)).await.unwrap_err();
    assert!(error.is_not_found());
}

#[tokio::test(start_paused = true)]
async fn slow_body_times_out() {
    let slow = |_| pieces(200, &["{", "}"], Duration::from_secs(25), false);
    let (client, log) = scripted_client(slow);
    let client = client.retry(RetryPolicy::off()).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert_eq!(error.to_string(), "things.get: no response within 60 s");
    assert_eq!(log.count(), 1);
    let mut call = client.call(get("1"));
    call.options_mut().timeout = Some(Duration::from_secs(76));
    call.send().await.unwrap();
}

#[tokio::test]
async fn empty_body_is_accepted_where_none_is_expected() {
    for (status, headers) in
        [(204, vec![]), (200, vec![("content-length", "0")]), (200, vec![("content-length", "9x")])]
    {
        let (client, _) = scripted_client(move |_| respond_with_headers(status, &headers, ""));
        client.build().unwrap().call(Clear).send().await.unwrap();
    }
    let client: Client = scripted_client(|_| respond(200, "{}")).0.max_body_bytes(0).build().unwrap();
    assert!(client.call(Clear).send().await.is_ok());
    assert!(client.call(get("1")).send().await.is_err());
}
