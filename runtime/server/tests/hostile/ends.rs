//! Records of requests that fail.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use wireform_server::axum::body::Body;
use wireform_server::{Limits, ObserveRequests, RequestRecord};

use super::sample::{Sample, request, send, server};

/// Operation, status and violations of a request.
type End = (Option<&'static str>, Option<u16>, usize);

#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<End>>>);

impl ObserveRequests for Records {
    fn record(&self, record: &RequestRecord) {
        let status = record.status.map(|status| status.as_u16());
        self.0.lock().expect("no panic").push((record.operation, status, record.violations));
    }
}

#[tokio::test(start_paused = true)]
async fn every_request_is_recorded_once() {
    let records = Records::default();
    let mut limits = Limits::DEFAULT;
    (limits.request_time, limits.concurrent_requests) = (Duration::from_secs(60), 1);
    let router = server(&Sample::default()).limits(limits).observe(records.clone()).router();
    let ask = |target: &str| {
        let request = request("GET", target, "").header("host", "x").header("x-request-id", "name-1");
        send(&router, request.body(Body::empty()).expect("a request"))
    };

    let panicked = ask("/sample/v1/things/panic").await;
    assert_eq!((panicked.status.as_u16(), panicked.header("x-request-id")), (500, "name-1"));
    assert!(!format!("{panicked:?}{}", String::from_utf8_lossy(&panicked.body)).contains("secret"));
    assert_eq!(ask("/sample/v1/things/slow").await.status.as_u16(), 503, "it takes an hour");
    assert!(tokio::time::timeout(Duration::from_secs(1), ask("/sample/v1/things/slow")).await.is_err());
    let (slow, busy) = tokio::join!(ask("/sample/v1/things/slow"), ask("/sample/v1/things/a"));
    assert_eq!((slow.status.as_u16(), busy.status.as_u16(), busy.header("retry-after")), (503, 503, "1"));
    assert_eq!(ask("/sample/v1/things?maxResults=x&unknown=1").await.status.as_u16(), 400);
    assert_eq!(ask("/sample/v1/things/a").await.status.as_u16(), 200, "all slots are free again");
    assert_eq!(ask("/sample/v1/nothing").await.status.as_u16(), 404);

    let (get, list) = (Some("things.get"), Some("things.list"));
    let reported = std::mem::take(&mut *records.0.lock().expect("no panic"));
    let expected = [
        (get, Some(500), 0),
        (get, Some(503), 0),
        (get, None, 0),
        (get, Some(503), 0),
        (get, Some(503), 0),
        (list, Some(400), 2),
        (get, Some(200), 0),
        (None, Some(404), 0),
    ];
    let busy_first = reported.get(3..5).map(|pair| pair.iter().all(|(_, status, _)| *status == Some(503)));
    assert_eq!(busy_first, Some(true), "{reported:?}");
    let known = |list: &[(Option<&'static str>, Option<u16>, usize)]| -> Vec<_> {
        list.iter().map(|(_, status, violations)| (*status, *violations)).collect()
    };
    assert_eq!(known(&reported), known(&expected));
    assert_eq!((reported[0].0, reported[5].0, reported[7].0), (get, list, None));
}
