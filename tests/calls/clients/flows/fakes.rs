//! Fake clients for unit tests.

use std::sync::atomic::{AtomicUsize, Ordering};

use calendar_client::events::{Events, EventsFake};
use calendar_client::requests::{EventsDelete, EventsGet, EventsInsert, EventsList};
use calendar_client::types::Event;
use mailbox_client::requests::UsersHistoryList;
use mailbox_client::types::ListHistoryResponse;
use script_client::projects::deployments::{Deployments, DeploymentsFake};
use script_client::requests::ProjectsDeploymentsGet;
use script_client::types::Deployment;
use wireform_client::fake::Failure;
use wireform_client::{Conditional, ETag};

use crate::calls::{ALL, Kind, PLAIN, failure};
use crate::clients::Clients;

#[tokio::test]
async fn a_function_handles_one_operation() {
    let fake = calendar_client::fake()
        .on(|request: &EventsGet| Ok(Event::default().with_id(request.event_id.clone()).with_etag("\"1\"")))
        .on(|_: &EventsDelete| Err(Failure::status(410).reason("deleted").message("It is gone.")));
    let client: calendar_client::Client = fake.client().expect("a client");
    let event = client.events().get("primary", "a/b").time_zone("Europe/Zurich").send().await.expect("an event");
    assert_eq!(event.id.as_deref(), Some("a/b"));
    let failed = client.events().delete("primary", "abc").send().await.expect_err("a gone error");
    assert!(failed.is_gone() && failed.reason() == Some("deleted") && failed.to_string().contains("It is gone."));
    assert!(failed.response().is_some_and(|response| response.body.is_some()), "the body is decoded");
    let known = client.events().get("primary", "abc").if_none_match(&ETag::parse("\"1\"").expect("an entity tag"));
    assert!(matches!(known.send().await, Ok(Conditional::NotModified)));
    assert_eq!(fake.calls(), ["events.get", "events.delete", "events.get"]);
    assert_eq!(fake.requests::<EventsGet>()[0].time_zone.as_deref(), Some("Europe/Zurich"));
}

/// A fake of some operations of a group.
struct MyEvents(AtomicUsize);

impl EventsFake for MyEvents {
    fn get(&self, _request: &EventsGet) -> Result<Event, Failure> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Event::default().with_etag(format!("\"{number}\"")))
    }

    fn insert(&self, request: &EventsInsert) -> Result<Event, Failure> {
        Ok(request.body.clone())
    }

    fn list(&self, request: &EventsList) -> Result<calendar_client::types::Events, Failure> {
        let page = calendar_client::types::Events::default().with_items([Event::default()]);
        Ok(if request.page_token.is_none() { page.with_next_page_token("2") } else { page })
    }
}

#[tokio::test]
async fn a_value_implements_a_group() {
    let fake = Events::fake(calendar_client::fake(), MyEvents(AtomicUsize::new(0)));
    let client: calendar_client::Client = fake.client().expect("a client");
    let events = client.events();
    assert_eq!(events.list("primary").items().collect().await.expect("two pages").len(), 2);
    let event = Event::default().with_summary("Lunch");
    assert_eq!(events.insert("primary", event.clone()).send().await.expect("an event"), event);
    events.get("primary", "abc").send().await.expect("an event");
    assert_eq!(events.get("primary", "abc").send().await.expect("an event").etag.as_deref(), Some("\"1\""));
    let failed = failure(&events.delete("primary", "abc").send().await.expect_err("an operation without a handler"));
    assert_eq!(failed.kind, Kind::Connection);
    assert!(failed.display.contains("`events.delete`"), "{}", failed.display);
}

/// A nested group, and a handler for an operation of another group.
#[tokio::test]
async fn groups_and_handlers_can_be_combined() {
    struct MyDeployments;
    impl DeploymentsFake for MyDeployments {
        fn get(&self, request: &ProjectsDeploymentsGet) -> Result<Deployment, Failure> {
            Ok(Deployment::default().with_deployment_id(request.deployment_id.clone()))
        }
    }
    let fake = Deployments::fake(script_client::fake(), MyDeployments)
        .on(|_: &script_client::requests::ProjectsGet| Err(Failure::timeout()));
    let client: script_client::Client = fake.client().expect("a client");
    let deployment = client.projects().deployments().get("id", "mine").send().await.expect("a deployment");
    assert_eq!(deployment.deployment_id.as_deref(), Some("mine"));
    assert!(client.projects().get("id").send().await.is_err_and(|error| error.is_timeout()));
}

/// A fake runs the real client code: paging, error mapping and recording of requests.
#[tokio::test]
async fn a_fake_runs_the_real_client() {
    let fake = mailbox_client::fake().on(|request: &UsersHistoryList| match request.page_token.as_deref() {
        None => Ok(ListHistoryResponse::default().with_next_page_token("2")),
        Some(_) => Err(Failure::status(404).reason("notFound").location("startHistoryId")),
    });
    let client: mailbox_client::Client = fake.client().expect("a client");
    let changes = client.users().history().list_changes("me").since(7.into());
    assert!(matches!(changes.collect().await, Err(wireform_client::SyncError::FullSyncRequired(_))));
    assert_eq!(fake.requests::<UsersHistoryList>().len(), 2);
}

#[tokio::test]
async fn an_operation_without_a_handler_fails_with_its_name() {
    let clients = Clients {
        calendar: calendar_client::fake().client().expect("a client"),
        mailbox: mailbox_client::fake().client().expect("a client"),
        script: script_client::fake().client().expect("a client"),
    };
    for entry in ALL {
        let failed = (entry.full)(&clients, PLAIN).await.expect_err("an operation without a handler");
        assert_eq!((failed.kind, failed.operation), (Kind::Connection, entry.operation));
        assert!(failed.display.contains("fake.on("), "{}", failed.display);
    }
}
