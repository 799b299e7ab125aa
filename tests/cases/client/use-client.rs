//! Calls of the generated client against a fake.

use client_client::Client;
use client_client::requests::{NotesColored, NotesGet, NotesLogRead, NotesLogReadChange, NotesSend, NotesUpdate, Ping};
use client_client::runtime::wire::{Naming, Request as _};
use client_client::runtime::{SyncEvent, fake::Failure};
use client_client::types::{Color, Line, Log, Note, Record, Work};

fn note(id: &str) -> Note {
    Note { etag: Some("\"1\"".into()), ..Note::default() }.with_id(id)
}

#[test]
fn every_kind_of_parameter_is_encoded() {
    let day = client_client::types::runtime::Date::parse("2026-01-31").unwrap();
    let request = NotesColored::new("ROT", day, ["a,b", "c"]);
    let sent = NotesColored {
        ratio: Some(0.5),
        others: vec![Color::Red, Color::Blue],
        x_trace: Some("t 1".into()),
        session: Some("s".into()),
        ..request
    };
    let wire = sent.to_wire(Naming::Specification).unwrap();
    assert_eq!(wire.target, "/colors/red/2026-01-31/notes:of?tags=a%2Cb,c&ratio=0.5&others=red&others=blue");
    assert_eq!(wire.headers, [("X-Trace", "t 1".to_owned()), ("cookie", "session=s".to_owned())]);
    let wire = sent.to_wire(Naming::Public).unwrap();
    assert_eq!(wire.target, "/colors/ROT/2026-01-31/notes:of?tags=a%2Cb,c&ratio=0.5&others=ROT&others=blue");
}

#[test]
fn generated_values_are_filled_in_and_output_only_fields_are_stripped() {
    let fake = client_client::fake()
        .on(|_: &NotesSend| Ok(Work::Running))
        .on(|_: &NotesGet| Ok(note("n")))
        .on(|request: &NotesUpdate| Ok(request.body.clone()))
        .on(|_: &Ping| Ok(()));
    let client: Client = fake.client().unwrap();
    client.ping().send_blocking().unwrap();
    client.notes().send().send_blocking().unwrap();
    client.notes().send().body(Note::default()).send_blocking().unwrap();
    let sent = fake.requests::<NotesSend>();
    assert_eq!(sent[0].body, None);
    assert!(sent[1].body.as_ref().unwrap().token.as_ref().is_some_and(|token| token.len() == 36));
    // The read and the write use different names for the path variable.
    client.notes().get("n").update_with(|note| note.lines = vec![Line::default().with_text("x")]).send_blocking().unwrap();
    let written = &fake.requests::<NotesUpdate>()[0];
    assert_eq!((written.name.as_str(), &written.body.etag), ("n", &None));
}

#[test]
fn changes_are_recognized_by_the_preferred_fields() {
    let fake = client_client::fake().on(|request: &NotesLogRead| {
        let both = Record::default().with_made([note("a")]).with_gone(note("b")).with_all([note("a"), note("b")]);
        let rest = Record::default().with_all([note("c")]);
        assert_eq!(request.from.0, 7);
        Ok(Log::default().with_records([both, rest]).with_at(9))
    });
    let client: Client = fake.client().unwrap();
    let changes = client.notes().log().read_changes("").since(7.into()).into_blocking();
    let events: Vec<String> = changes
        .map(|change| match change.unwrap() {
            SyncEvent::Change(NotesLogReadChange::Made(note)) => format!("made {}", note.id.unwrap()),
            SyncEvent::Change(NotesLogReadChange::Gone(note)) => format!("gone {}", note.id.unwrap()),
            SyncEvent::Change(NotesLogReadChange::All(note)) => format!("all {}", note.id.unwrap()),
            SyncEvent::Done(cursor) => format!("done {cursor}"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(events, ["made a", "gone b", "all c", "done 9"]);
}

#[test]
fn a_fake_reports_an_operation_without_a_handler() {
    struct NotFound;
    impl client_client::notes::NotesFake for NotFound {
        fn get(&self, _: &NotesGet) -> Result<Note, Failure> {
            Err(Failure::status(404).reason("none").message("no such note"))
        }
    }
    let fake = client_client::notes::Notes::fake(client_client::fake(), NotFound);
    let client: Client = fake.client().unwrap();
    let error = client.notes().get("n").send_blocking().unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.reason(), Some("none"));
    let error = client.notes().raw("a/b").send_blocking().unwrap_err().to_string();
    assert!(error.contains("notes.raw"), "{error}");
}
