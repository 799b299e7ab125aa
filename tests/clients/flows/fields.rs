//! Partial answers: which members a request asks for.

use calendar_client::fields::{Attendee, Event, Events};
use calendar_client::types;
use wireform_client::Selection;

use crate::clients::{Setup, Way};
use crate::server::json;

#[tokio::test]
async fn a_selection_of_constants_and_one_that_is_read_ask_for_the_same() {
    let running = Setup::new(Way::Sockets).start(|_| json(200, "{}")).await;
    let list = || running.clients.calendar.events().list("primary");
    let by_constants = Events::ITEMS.select([Event::ID, Event::ATTENDEES.select([Attendee::EMAIL])]);
    list().fields([by_constants, Events::NEXT_PAGE_TOKEN]).send().await.expect("an answer");
    let read: Selection<types::Events> = "items(id,attendees/email),nextPageToken".parse().expect("a selection");
    list().fields(read).send().await.expect("an answer");
    let asked: Vec<_> = running.log.take().iter().map(|request| request.parameter("fields")).collect();
    assert_eq!(asked[0], asked[1]);
    assert_eq!(asked[0].as_deref(), Some("items(attendees/email,id),nextPageToken"));
}

/// What is wrong, and what the error says of it.
#[test]
fn a_selection_of_what_there_is_not_is_an_error_that_helps() {
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
    for (text, said) in table {
        let failed = text.parse::<Selection<types::Events>>().expect_err(text).to_string();
        assert!(failed.contains(said), "{text}: {failed}");
    }
}

#[tokio::test]
async fn selections_of_the_other_apis() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let clients = &running.clients;
    let history = clients.mailbox.users().history().list("me", 1);
    let selection =
        "history/messagesAdded/message(id,labelIds),historyId".parse::<Selection<_>>().expect("a selection");
    history.fields(selection).send().await.expect("an answer");
    let content = clients.script.projects().get_content("id");
    // Whatever the order in which members are named, the same selection is the same text.
    let selection = "files(name,functionSet/values/name)".parse::<Selection<_>>().expect("a selection");
    content.fields(selection).send().await.expect("an answer");
    let asked: Vec<_> = running.log.take().iter().filter_map(|request| request.parameter("fields")).collect();
    assert_eq!(asked, ["history/messagesAdded/message(id,labelIds),historyId", "files(functionSet/values/name,name)"]);
}

/// The calls of writes select too: it is their answer that is a part.
#[tokio::test]
async fn a_write_selects_fields_of_its_response() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, r#"{"id":"abcde"}"#)).await;
    let call = running.clients.calendar.events().insert("primary", types::Event::default().with_summary("Lunch"));
    let event = call.fields([Event::ID, Event::ETAG]).send().await.expect("an answer");
    let request = running.log.only();
    assert_eq!((event.id.as_deref(), request.parameter("fields").as_deref()), (Some("abcde"), Some("etag,id")));
    assert_eq!(request.json(), serde_json::json!({ "summary": "Lunch" }));
}
