//! Limits of the responses of a batch.

use bytes::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use wireform_client::transport::ResponseBody;
use wireform_client::{Batch, Client, ErrorKind, TransportError, TransportErrorKind};

use super::batches::{THING, build_with_batches, parts};
use super::sample::*;
use super::script::*;

/// Creates a batch response whose second part has a number of bytes.
fn long(bytes: usize) -> Step {
    let text = format!(r#"{{"text": "{}"}}"#, "a".repeat(bytes));
    parts(&[("<response-0>", 200, "", THING), ("<response-1>", 200, "", &text), ("<response-2>", 200, "", THING)])
}

fn is_too_long<B>(error: &wireform_client::Error<B>, expected: usize, was_sent: bool) -> bool {
    matches!(error.kind(), ErrorKind::BatchTooLong { limit, sent } if (*limit, *sent) == (expected, was_sent))
}

#[tokio::test]
async fn responses_beyond_the_limit_of_a_batch_fail_alone() {
    let (client, log) = scripted_client(|_| long(2000));
    let client = build_with_batches(client.max_batch_bytes(1000));
    let mut batch = Batch::new(&client);
    let tickets: Vec<_> = (0..5).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
    let mut responses = batch.send().await;
    let mut outcomes = tickets.into_iter().map(|ticket| responses.take(ticket));
    assert_eq!(outcomes.next().unwrap().unwrap().text.as_deref(), Some("hello"));
    for was_sent in [true, true, false, false] {
        let error = outcomes.next().unwrap().unwrap_err();
        assert!(is_too_long(&error, 1000, was_sent), "{error}");
        assert!(error.to_string().contains("`max_batch_bytes`") && !error.is_retryable(), "{error}");
    }
    assert_eq!(log.count(), 1, "a batch beyond the limit is not sent");
}

#[tokio::test]
async fn the_limit_of_a_batch_holds_for_all_its_requests() {
    let (client, log) = scripted_client(|_| long(600));
    let client = build_with_batches(client.max_batch_bytes(1500));
    let mut batch = Batch::new(&client);
    let tickets: Vec<_> = (0..7).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
    let mut responses = batch.send().await;
    let outcomes: Vec<_> = tickets.into_iter().map(|ticket| responses.take(ticket)).collect();
    assert_eq!(outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, true, true, false, false, false]);
    let errors: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
    assert!(is_too_long(&errors[1], 1500, true) && is_too_long(&errors[2], 1500, false), "{errors:?}");
    assert_eq!(log.count(), 2);
}

#[tokio::test]
async fn truncated_part_is_an_error() {
    // At any limit, a call has its complete response or an error.
    let Step::Response(whole) = long(100) else { panic!() };
    let whole = http_body_util::BodyExt::collect(whole.into_body()).await.unwrap().to_bytes().len();
    for limit in 1..=whole {
        let (client, _) = scripted_client(|_| long(100));
        let client = build_with_batches(client.max_batch_bytes(limit));
        let mut batch = Batch::new(&client);
        let tickets: Vec<_> = (0..3).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
        let mut responses = batch.send().await;
        for (ticket, length) in tickets.into_iter().zip([5, 100, 5]) {
            match responses.take(ticket) {
                Ok(thing) => assert_eq!(thing.text.unwrap().len(), length, "{limit}"),
                Err(error) => assert!(limit < whole && is_too_long(&error, limit, true), "{limit}: {error}"),
            }
        }
    }
}

/// Creates a response that breaks off after a number of bytes of its body.
fn broken(bytes: usize) -> Step {
    let broken = || TransportError::new(TransportErrorKind::Broken, "the script says so");
    let frames = [Ok(Frame::data(Bytes::from(vec![b'a'; bytes]))), Err(broken())];
    let body = ResponseBody::new(StreamBody::new(stream::iter(frames)));
    respond_with_headers(200, &[("content-type", "multipart/mixed; boundary=x")], body)
}

#[tokio::test(start_paused = true)]
async fn responses_that_break_off_count_towards_the_limit() {
    for (bytes, requests) in [(600, 2), (1000, 1), (300, 4), (1, 4)] {
        let (client, log) = scripted_client(move |_| broken(bytes));
        let client = build_with_batches(client.max_batch_bytes(1000));
        let mut batch = Batch::new(&client);
        let ticket = batch.add(client.call(get("1")));
        let error = batch.send().await.take(ticket).unwrap_err();
        assert_eq!(log.count(), requests, "{bytes}: {error}");
        assert_eq!(is_too_long(&error, 1000, true), bytes >= 300, "{bytes}: {error}");
        assert_eq!(error.to_string().ends_with("(attempt 4 of 4)"), requests == 4, "{bytes}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_break_off_one_by_one_count_towards_the_limit() {
    let (script, log) = script(|_| broken(150));
    let client = build_with_batches(Client::builder(&SAMPLE).transport(script.typed()).max_batch_bytes(1000));
    let mut batch = Batch::new(&client);
    let tickets: Vec<_> = (0..4).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
    let mut responses = batch.send().await;
    let errors: Vec<_> = tickets.into_iter().map(|ticket| responses.take(ticket).unwrap_err()).collect();
    assert_eq!(log.count(), 8, "four attempts of 150 bytes for each of two calls");
    assert!(is_too_long(&errors[2], 1000, false) && is_too_long(&errors[3], 1000, false), "{errors:?}");
}

#[tokio::test]
async fn calls_that_are_sent_one_by_one_have_the_same_limit() {
    let (script, log) = script(|_| respond(200, format!(r#"{{"text": "{}"}}"#, "a".repeat(400))));
    let client = build_with_batches(Client::builder(&SAMPLE).transport(script.typed()).max_batch_bytes(1000));
    let mut batch = Batch::new(&client);
    let tickets: Vec<_> = (0..4).map(|index| batch.add(client.call(get(&index.to_string())))).collect();
    let mut responses = batch.send().await;
    let mut outcomes = tickets.into_iter().map(|ticket| responses.take(ticket));
    assert!(outcomes.next().unwrap().is_ok() && outcomes.next().unwrap().is_ok());
    assert!(is_too_long(&outcomes.next().unwrap().unwrap_err(), 1000, true));
    assert!(is_too_long(&outcomes.next().unwrap().unwrap_err(), 1000, false));
    assert_eq!(log.count(), 3);
}
