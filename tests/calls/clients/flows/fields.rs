//! Partial responses: field masks of requests.

use calendar_client::fields::{Attendee, Event, Events};
use calendar_client::types;
use wireform_client::Selection;

use crate::clients::{Setup, TransportKind};
use crate::server::json;

#[tokio::test]
async fn constants_and_a_parsed_mask_select_the_same() {
    let harness = Setup::new(TransportKind::Sockets).start(|_| json(200, "{}")).await;
    let list = || harness.clients.calendar.events().list("primary");
    let by_constants = Events::ITEMS.select([Event::ID, Event::ATTENDEES.select([Attendee::EMAIL])]);
    list().fields([by_constants, Events::NEXT_PAGE_TOKEN]).send().await.expect("a response");
    let read: Selection<types::Events> = "items(id,attendees/email),nextPageToken".parse().expect("a selection");
    list().fields(read).send().await.expect("a response");
    let masks: Vec<_> = harness.log.take().iter().map(|request| request.parameter("fields")).collect();
    assert_eq!(masks[0], masks[1]);
    assert_eq!(masks[0].as_deref(), Some("items(attendees/email,id),nextPageToken"));
}

/// Invalid masks and the error messages for them.
#[test]
fn an_unknown_field_is_reported_with_a_suggestion() {
    let table = [
        ("items(id,sumary)", "`Event` has no field `sumary` at byte 9: did you mean `summary`?"),
        ("item", "`Events` has no field `item` at byte 0: did you mean `items`?"),
        ("items/attendees/emails", "did you mean `email`?"),
        ("items/id/x", "`id` has no fields"),
        ("items(id", "unbalanced parenthesis"),
        ("items,,id", "expected a field name"),
        ("", "expected a field name"),
        ("items id", "unexpected ' '"),
    ];
    for (text, expected) in table {
        let failed = text.parse::<Selection<types::Events>>().expect_err(text).to_string();
        assert!(failed.contains(expected), "{text}: {failed}");
    }
}

#[tokio::test]
async fn selections_of_the_other_apis() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let clients = &harness.clients;
    let history = clients.mailbox.users().history().list("me", 1);
    let selection =
        "history/messagesAdded/message(id,labelIds),historyId".parse::<Selection<_>>().expect("a selection");
    history.fields(selection).send().await.expect("a response");
    let content = clients.script.projects().get_content("id");
    // The order of fields in a mask does not matter: it is normalized.
    let selection = "files(name,functionSet/values/name)".parse::<Selection<_>>().expect("a selection");
    content.fields(selection).send().await.expect("a response");
    let masks: Vec<_> = harness.log.take().iter().filter_map(|request| request.parameter("fields")).collect();
    assert_eq!(masks, ["history/messagesAdded/message(id,labelIds),historyId", "files(functionSet/values/name,name)"]);
}

/// A mask of a write selects fields of the response, not of the body.
#[tokio::test]
async fn a_write_selects_fields_of_its_response() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, r#"{"id":"abcde"}"#)).await;
    let call = harness.clients.calendar.events().insert("primary", types::Event::default().with_summary("Lunch"));
    let event = call.fields([Event::ID, Event::ETAG]).send().await.expect("a response");
    let request = harness.log.only();
    assert_eq!((event.id.as_deref(), request.parameter("fields").as_deref()), (Some("abcde"), Some("etag,id")));
    assert_eq!(request.json(), serde_json::json!({ "summary": "Lunch" }));
}
