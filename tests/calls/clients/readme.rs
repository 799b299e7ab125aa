//! The client code in `docs/client.md` and `docs/first-api.md`. The comments `client`, `calls` and `fake` delimit the
//! excerpts.

use std::error::Error;

// client
use calendar_client::runtime::{Conditional, Credentials, SyncError, SyncEvent};
use calendar_client::types::Event;
use calendar_client::{Client, fields};
// client

use calendar_client::requests::{EventsGet, EventsInsert, EventsList, EventsUpdate};
use calendar_client::types::Events;

fn client(url: &str, token: &str) -> Result<Client, Box<dyn Error>> {
    // client
    let client = Client::builder().base_url(url).credentials(Credentials::token(token)).build()?;
    // client
    Ok(client)
}

fn stored() -> Event {
    Event { id: Some("ab12c".into()), etag: Some("\"1\"".into()), ..Event::default() }.with_summary("Lunch")
}

fn service() -> calendar_client::runtime::fake::Fake {
    calendar_client::fake()
        .on(|request: &EventsInsert| Ok(Event { id: Some("ab12c".into()), ..request.body.clone() }))
        .on(|_: &EventsGet| Ok(stored()))
        .on(|request: &EventsUpdate| Ok(request.body.clone()))
        .on(|_: &EventsList| {
            let response = Events::default().with_items([stored()]).with_next_sync_token("next");
            Ok(response)
        })
}

#[tokio::test]
async fn the_fake_in_the_first_api_guide_works() -> Result<(), Box<dyn Error>> {
    // fake
    use calendar_client::Client;
    use calendar_client::requests::{EventsGet, EventsInsert};
    use calendar_client::runtime::fake::Failure;

    let fake = calendar_client::fake()
        .on(|request: &EventsInsert| Ok(request.body.clone()))
        .on(|_: &EventsGet| Err(Failure::status(404).reason("notFound").message("there is no such event")));
    let client: Client = fake.client()?;
    // fake
    client.events().insert("primary", Event::default().with_summary("Lunch")).await?;
    assert!(client.events().get("primary", "abc").await.is_err_and(|error| error.is_not_found()));
    // fake
    // … the code under test uses the client …
    assert_eq!(fake.requests::<EventsInsert>()[0].body.summary.as_deref(), Some("Lunch"));
    // fake
    Ok(())
}

#[tokio::test]
async fn the_example_in_the_client_guide_works() -> Result<(), Box<dyn Error>> {
    assert!(client("http://127.0.0.1:1", "token").is_ok());
    let fake = service();
    let client: Client = fake.client()?;
    let events = client.events();
    let cursor = "cursor".to_owned();
    // calls
    // Required arguments are positional, optional ones are setters.
    let lunch = Event::default().with_summary("Lunch");
    let lunch = events.insert("primary", lunch).conference_data_version(1).send().await?;
    let id = lunch.id.as_deref().unwrap_or_default();

    // A list is a stream of items over all pages. The compiler checks the field mask.
    let wanted = [fields::Events::ITEMS.select([fields::Event::ID, fields::Event::SUMMARY])];
    let mut items = events.list("primary").single_events(true).fields(wanted).items();
    while let Some(event) = items.next().await {
        println!("{:?}", event?.summary);
    }

    // Reads, changes and writes with `If-Match`, and starts again if another client was faster.
    events.get("primary", id).update_with(|event| event.summary = Some("Late lunch".into())).send().await?;

    // A conditional read returns `NotModified`, or the value with its entity tag.
    let known = events.get("primary", id).send_versioned().await?;
    match events.get("primary", id).if_none_match(known.etag()).send().await? {
        Conditional::NotModified => println!("still {:?}", known.value().summary),
        Conditional::Modified(newer) => println!("now {:?}", newer.value().summary),
    }

    // The changes since a sync token: the stream ends with the next token, or signals that a full sync is required.
    let mut changes = events.list_changes("primary").since(cursor);
    while let Some(change) = changes.next().await {
        match change {
            Ok(SyncEvent::Change(event)) => println!("{:?} is now {:?}", event.id, event.status),
            Ok(SyncEvent::Done(cursor)) => println!("next sync token: {cursor}"),
            Err(SyncError::FullSyncRequired(_)) => println!("full sync required: `from_start()`"),
            Err(SyncError::Call(error)) => return Err(error.into()),
        }
    }
    // calls
    let calls = fake.calls();
    assert_eq!(
        calls,
        ["events.insert", "events.list", "events.get", "events.update", "events.get", "events.get", "events.list"]
    );
    assert_eq!(fake.requests::<EventsUpdate>()[0].body.summary.as_deref(), Some("Late lunch"));
    assert_eq!(fake.requests::<EventsList>()[1].sync_token.as_deref(), Some("cursor"));
    Ok(())
}
