//! Validation of requests and responses.

use std::any::Any;
use std::sync::{Arc, Mutex};

use wireform_client::wire::operation::Operation;
use wireform_client::{ErrorKind, ObserveViolations, Tier};
use wireform_validation::{
    __private::{Checker, Location, Rule, check_downcast},
    CheckRequests, DriftReport, Validates, ValidationContext, Violations, Warnings, detect_drift,
};

use super::sample::{Insert, Thing, get, insert};
use super::script::{respond, scripted_client, thing};

/// Rules: a text has at most three characters, and should begin with `a`.
struct Rules;

static BEGINS: Rule = Rule::new("thing.begins", "the text should begin with `a`").warning().at(&["text"]);

impl Validates<Thing> for Rules {
    fn check(&self, this: &Thing, at: Location<'_>, checker: &mut Checker<'_>) {
        if let Some(text) = &this.text {
            checker.length(at.field("text"), text, 0, 3);
            checker.rule(at, &BEGINS, Ok(text.starts_with('a')));
        }
    }
}

impl Validates<Insert> for Rules {
    fn check(&self, this: &Insert, at: Location<'_>, checker: &mut Checker<'_>) {
        self.check(&this.body, at, checker);
    }
}

impl CheckRequests for Rules {
    fn check_request(
        &self,
        operation: &'static Operation,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        check_downcast::<Insert, _>(self, request, ValidationContext::request(operation, 0).with_any_stored(stored))
    }

    fn check_response(&self, operation: &'static Operation, response: &[u8]) -> Option<DriftReport> {
        Some(detect_drift::<Thing, _>(self, response, ValidationContext::response(operation, 0)))
    }
}

#[derive(Clone, Default)]
struct ObservedEvents(Arc<Mutex<Vec<String>>>);

impl ObservedEvents {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn record(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
}

impl ObserveViolations for ObservedEvents {
    fn violations(&self, operation: &'static Operation, violations: &Violations) {
        self.record(format!("{} {}", operation.name, violations.iter().next().unwrap().path));
    }

    fn warnings(&self, _: &'static Operation, warnings: &Warnings) {
        self.record(warnings.iter().next().unwrap().rule.to_owned());
    }

    fn drift(&self, _: &'static Operation, report: &DriftReport) {
        self.record(format!("drift {}", report.iter().count()));
    }

    fn observes_responses(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn invalid_request_is_not_sent() {
    let (client, log) = scripted_client(|_| thing());
    let received = ObservedEvents::default();
    let client = client.validation(Rules, Tier::Deny).observe_violations(received.clone()).build().unwrap();
    let error = client.call(insert("abcd")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    let violations = error.violations().unwrap();
    assert_eq!((violations.count(), violations.as_slice()[0].rule), (1, "length"));
    assert!(error.to_string().starts_with("things.insert: the request was not sent: "), "{error}");
    assert!(!error.is_retryable() && error.attempts() == 0);
    assert_eq!((log.count(), received.take()), (0, vec!["things.insert text".to_owned()]));
    // A warning is reported, and the request is sent; requests without rules are sent without a report.
    client.call(insert("b")).send().await.unwrap();
    assert_eq!(received.take()[0], "thing.begins");
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.count(), 2);
}

#[tokio::test]
async fn call_can_override_the_tier() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.validation(Rules, Tier::Deny).build().unwrap();
    let mut call = client.call(insert("abcd"));
    call.options_mut().tier = Some(Tier::Off);
    call.send().await.unwrap();
    let (client, observed) = scripted_client(|_| thing());
    let received = ObservedEvents::default();
    let client = client.validation(Rules, Tier::Observe).observe_violations(received.clone()).build().unwrap();
    client.call(insert("abcd")).send().await.unwrap();
    assert_eq!((log.count(), observed.count(), received.take()[0].as_str()), (1, 1, "things.insert text"));
    let mut call = client.call(insert("abcd"));
    call.options_mut().tier = Some(Tier::Deny);
    call.send().await.unwrap_err();
    assert_eq!(observed.count(), 1);
}

#[tokio::test]
async fn schema_drift_of_responses_is_reported() {
    let (client, _) =
        scripted_client(|number| respond(200, if number == 1 { r#"{"text":"abcd"}"# } else { r#"{"text":"a"}"# }));
    let received = ObservedEvents::default();
    let client = client.validation(Rules, Tier::Deny).observe_violations(received.clone()).build().unwrap();
    let got = client.call(get("1")).send().await.unwrap();
    let again = client.call(get("1")).send().await.unwrap();
    // The caller receives the response as usual.
    assert!(got.text.is_some() && again.text.is_some());
    assert_eq!(received.take(), ["drift 1"]);
}
