//! Requests that are validated before they are sent.

use calendar_client::Client;
use calendar_client::runtime::transport::in_process;
use calendar_client::runtime::{ErrorKind, Tier};
use calendar_client::types::{Attendee, Event, EventDateTime};
use calendar_client::validation::Rules;

fn client(tier: Tier) -> Client {
    let app = axum::Router::new().fallback(|| async { axum::Json(serde_json::json!({ "id": "abcde" })) });
    let client = Client::builder().base_url("http://localhost").transport(in_process(app));
    client.validation(Rules, tier).build().expect("a client")
}

fn meeting() -> Event {
    let day = |day: &str| EventDateTime::default().with_date(day.parse().expect("a date"));
    Event::default().with_start(day("2026-05-02")).with_end(day("2026-05-01"))
}

#[tokio::test]
async fn an_invalid_request_is_not_sent() {
    let client = client(Tier::Deny);
    let invalid = meeting().with_attendees([Attendee::default().with_email("nobody")]);
    let error = client.events().insert("primary", invalid.clone()).send().await.expect_err("two violations");
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    let violations: Vec<String> =
        error.violations().into_iter().flatten().map(|violation| violation.path.to_string()).collect();
    assert_eq!(violations, ["end.date", "attendees[0].email"]);
    let sent = client.events().insert("primary", invalid).unchecked().send().await;
    assert_eq!(sent.expect("an unchecked request").id.as_deref(), Some("abcde"));
}

#[tokio::test]
async fn parameters_are_validated() {
    let error =
        client(Tier::Deny).events().list("primary").max_results(0).send().await.expect_err("a value below the minimum");
    let violations = error.violations().expect("violations");
    assert_eq!(violations.iter().next().map(|violation| violation.path.to_string()).as_deref(), Some("maxResults"));
    let list = client(Tier::Observe).events().list("primary").max_results(0).send().await;
    assert!(list.is_ok(), "the violation is only observed");
}

/// A change is validated against the resource that was read, as the server would do.
#[tokio::test]
async fn an_update_is_validated_against_the_read_resource() {
    let locked = serde_json::json!({ "etag": "\"1\"", "id": "abcde", "locked": true, "summary": "Lunch",
        "start": { "date": "2026-05-01" }, "end": { "date": "2026-05-02" } });
    let app = axum::Router::new().fallback(move |method: axum::http::Method| async move {
        assert_eq!(method, "GET", "no write is sent");
        axum::Json(locked)
    });
    let client = Client::builder().base_url("http://localhost").transport(in_process(app));
    let client: Client = client.validation(Rules, Tier::Deny).build().expect("a client");
    let rename = |event: &mut Event| event.summary = Some("Dinner".to_owned());
    let get = || client.events().get("primary", "abcde");
    let updated = get().update_with(rename).send().await.expect_err("a locked event keeps its title");
    let patched = get().patch_with(rename).send().await.expect_err("a locked event keeps its title");
    let violations: Vec<&str> = [&updated, &patched]
        .into_iter()
        .flat_map(|error| error.violations().into_iter().flatten())
        .map(|violation| violation.rule)
        .collect();
    assert_eq!(violations, ["update.locked_summary", "patch.locked_summary"]);
}
