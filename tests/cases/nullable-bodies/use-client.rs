//! Null is sent as a body, and decoded.

use nullable_bodies_client::Client;
use nullable_bodies_client::requests::{ColorsSet, NotesFind, NotesPut, NumbersSet, SizesSet};
use nullable_bodies_client::types::{Color, Note, Size};

fn client() -> Client {
    let fake = nullable_bodies_client::fake()
        .on(|request: &NotesPut| Ok(request.body.clone()))
        .on(|_: &NotesFind| Ok(None))
        .on(|request: &NumbersSet| Ok(request.body))
        .on(|request: &ColorsSet| Ok(request.body.clone().flatten()))
        .on(|request: &SizesSet| Ok(request.body.clone()));
    fake.client::<Client>().unwrap()
}

#[test]
fn null_is_sent_and_decoded() {
    let client = client();
    assert_eq!(client.notes().put(None).send_blocking().unwrap(), None);
    assert_eq!(client.notes().find().send_blocking().unwrap(), None);
    assert_eq!(client.numbers().set(None).send_blocking().unwrap(), None);
    assert_eq!(client.sizes().set(None).send_blocking().unwrap(), None);
    let note = Note::default().with_text("a");
    assert_eq!(client.notes().put(Some(note.clone())).send_blocking().unwrap(), Some(note));
    assert_eq!(client.numbers().set(Some(1.5)).send_blocking().unwrap(), Some(1.5));
    assert_eq!(client.sizes().set(Some(Size::Number(5))).send_blocking().unwrap(), Some(Size::Number(5)));
    assert_eq!(client.colors().set().body(Some(Color::Blue)).send_blocking().unwrap(), Some(Color::Blue));
}
