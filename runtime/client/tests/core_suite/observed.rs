//! Metrics, spans and events of calls.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use wireform_client::{CallRecord, Credentials, ErrorClass, Metrics, RetryPolicy, TransportErrorKind};

use super::sample::{Clear, Get, get, insert};
use super::script::{Step, error_response, respond, scripted_client, thing};

#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<CallRecord>>>);

impl Metrics for Records {
    fn record(&self, record: &CallRecord) {
        self.0.lock().unwrap().push(record.clone());
    }
}

impl Records {
    fn take(&self) -> CallRecord {
        let mut all = self.0.lock().unwrap();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_recorded() {
    let records = Records::default();
    let (client, _) = scripted_client(|number| match number {
        1 => error_response(503, "backendError", "no"),
        2 => Step::After(Duration::from_secs(2), Box::new(thing())),
        _ => respond(204, ""),
    });
    let policy = RetryPolicy::default().with_jitter(false).with_min_delay(Duration::from_secs(1));
    let client = client.metrics(records.clone()).retry(policy).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    let record = records.take();
    assert_eq!((record.operation, record.method, record.status, record.error), ("things.get", "GET", Some(200), None));
    assert_eq!((record.attempts, record.latency, record.sent), (2, Duration::from_secs(3), 0));
    assert!(record.received > 100, "{record:?}");
    client.call(Clear).send().await.unwrap();
    assert_eq!(records.take().status, Some(204));
}

#[tokio::test(start_paused = true)]
async fn failures_have_classes() {
    type Case = (fn() -> Step, Option<u16>, ErrorClass);
    let steps: [Case; 7] = [
        (|| respond(404, ""), Some(404), ErrorClass::Status),
        (|| respond(200, "x"), Some(200), ErrorClass::Decode),
        (|| Step::Fail(TransportErrorKind::Connect), None, ErrorClass::Connection),
        (|| Step::Fail(TransportErrorKind::Timeout), None, ErrorClass::Timeout),
        (|| Step::Never, None, ErrorClass::Timeout),
        (|| respond(200, "{          }"), Some(200), ErrorClass::BodyTooLong),
        (|| thing(), None, ErrorClass::Credentials),
    ];
    for (step, status, class) in steps {
        let records = Records::default();
        let (client, _) = scripted_client(move |_| step());
        let client = client.metrics(records.clone()).retry(RetryPolicy::off()).max_body_bytes(10);
        let key = class == ErrorClass::Credentials;
        let client = if key { client.credentials(Credentials::api_key("k\ny")) } else { client }.build().unwrap();
        client.call(get("1")).send().await.unwrap_err();
        let record = records.take();
        assert_eq!((record.status, record.error), (status, Some(class)));
        assert_eq!(record.attempts, u32::from(!key));
    }
    // The status is that of the last attempt, not of an earlier one.
    let records = Records::default();
    let (client, _) =
        scripted_client(|number| if number == 1 { respond(503, "") } else { Step::Fail(TransportErrorKind::Refused) });
    let client = client.metrics(records.clone()).build().unwrap();
    client.call(get("1")).send().await.unwrap_err();
    let record = records.take();
    assert_eq!((record.attempts, record.status), (2, None));
    let records = Records::default();
    let (client, _) = scripted_client(|_| thing());
    let client = client.metrics(records.clone()).build().unwrap();
    client.call(get("")).send().await.unwrap_err();
    assert_eq!(records.take().error, Some(ErrorClass::Request));
}

#[tokio::test(start_paused = true)]
async fn dropped_call_is_recorded_as_cancelled() {
    struct Held(Arc<()>);
    let records = Records::default();
    let alive = Arc::new(());
    let (client, log) = scripted_client(|_| Step::Never);
    let client = client.metrics(records.clone()).build().unwrap();
    let mut request = Box::pin({
        let held = Held(Arc::clone(&alive));
        let sending = client.call(insert("x")).send();
        async move {
            let response = sending.await;
            drop(held.0);
            response
        }
    });
    assert!(tokio::time::timeout(Duration::from_secs(1), &mut request).await.is_err());
    assert_eq!((log.count(), Arc::strong_count(&alive), records.0.lock().unwrap().len()), (1, 2, 0));
    drop(request);
    assert_eq!(Arc::strong_count(&alive), 1);
    assert_eq!(records.take().error, Some(ErrorClass::Cancelled));
    // A future that was never polled has sent nothing.
    drop(client.call(insert("x")).send());
    assert_eq!((log.count(), records.0.lock().unwrap().len()), (1, 0));
}

thread_local! {
    /// Log of this thread, if it is recorded.
    static LINES: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn write(line: impl FnOnce(&mut String)) {
    LINES.with_borrow_mut(|lines| lines.as_mut().map(line));
}

/// Records spans and events. All threads share one subscriber, because a callsite that one thread disables could be
/// cached as disabled for the others.
struct Lines;

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("wireform_client")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        write(|text| {
            write!(text, "\nspan {}", span.metadata().name()).unwrap();
            span.record(&mut Line(text));
        });
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        write(|text| {
            text.push_str("\nrecord");
            values.record(&mut Line(text));
        });
    }

    fn event(&self, event: &Event<'_>) {
        write(|text| {
            write!(text, "\nevent {}", event.metadata().level()).unwrap();
            event.record(&mut Line(text));
        });
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn spans_and_events_are_recorded() {
    tracing::subscriber::set_global_default(Lines).unwrap();
    tracing::callsite::rebuild_interest_cache();
    LINES.set(Some(String::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let (client, _) =
            scripted_client(|number| if number == 1 { error_response(503, "backendError", "no") } else { thing() });
        let policy = RetryPolicy::default().with_jitter(false);
        let client = client.credentials(Credentials::token("secret-token")).retry(policy).build().unwrap();
        let request = Get { query: Some("secret-query".into()), ..get("secret-id") };
        client.call(request).send().await.unwrap();
    });
    let text = LINES.take().unwrap();
    assert_eq!(
        text,
        "\nspan call operation=\"things.get\" method=\"GET\"\
         \nrecord attempt=1\
         \nrecord status=503\
         \nevent WARN message=retry operation=\"things.get\" attempt=1 delay_ms=500 cause=503 backendError: no\
         \nrecord attempt=2\
         \nrecord status=200\
         \nrecord latency_ms=500"
    );
    assert!(!text.contains("secret"));
}
