//! Pagination by token, last item, number, offset, `Link` header and URL.

use pages_client::Client;
use pages_client::requests::{
    NotesAfter, NotesCounted, NotesFollowed, NotesLinked, NotesNumbered, NotesSince, NotesToken, NotesZero,
};
use pages_client::runtime::fake::{Fake, FakeReply};
use pages_client::runtime::ErrorKind;
use pages_client::types::{Note, Notes};

/// Returns a note for each letter.
fn notes(letters: &str) -> Vec<Note> {
    letters.chars().map(|letter| Note::default().with_id(letter).with_at(i64::from(u32::from(letter)))).collect()
}

fn ids(notes: &[Note]) -> String {
    notes.iter().filter_map(|note| note.id.as_deref()).collect()
}

fn client(fake: &Fake) -> Client {
    fake.client().unwrap()
}

#[test]
fn pages_follow_a_token_until_there_are_no_more() {
    let fake = pages_client::fake().on(|request: &NotesToken| {
        let page = if request.after.is_none() { ("ab", true) } else { ("cd", false) };
        let last = page.0.chars().last().map(String::from).unwrap();
        Ok(Notes::default().with_notes(notes(page.0)).with_more(page.1).with_last(last))
    });
    let found = client(&fake).notes().token().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&found), "abcd");
    assert_eq!(fake.requests::<NotesToken>()[1].after.as_deref(), Some("b"));
    assert_eq!(fake.calls().len(), 2, "the last page has a token but is not followed");
}

#[test]
fn pages_follow_the_last_item() {
    let fake = pages_client::fake()
        .on(|request: &NotesAfter| {
            let (page, more) = if request.after.is_none() { ("ab", Some(true)) } else { ("c", Some(false)) };
            Ok(Notes { more, ..Notes::default().with_notes(notes(page)) })
        })
        .on(|request: &NotesSince| Ok(Notes::default().with_plain(notes(if request.since < 98 { "ab" } else { "" }))));
    let after = client(&fake).notes().after().limit(2_u32).items();
    assert_eq!(ids(&after.into_blocking().collect::<Result<Vec<_>, _>>().unwrap()), "abc");
    assert_eq!(fake.requests::<NotesAfter>().len(), 2);
    let since = client(&fake).notes().since(7).items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&since), "ab");
    assert_eq!(fake.requests::<NotesSince>().iter().map(|request| request.since).collect::<Vec<_>>(), [7, 98]);
}

#[test]
fn pages_are_numbered_and_counted() {
    let fake = pages_client::fake()
        .on(|request: &NotesNumbered| {
            let page = ["ab", "c", ""][request.page.unwrap_or(1) as usize - 1];
            Ok(Notes::default().with_plain(notes(page)))
        })
        .on(|request: &NotesZero| Ok(notes(["ab", "cd", ""][request.page as usize])))
        .on(|request: &NotesCounted| {
            let rest = &"abcde"[request.offset.unwrap_or(0) as usize..];
            let page = notes(&rest[..rest.len().min(2)]).into_iter().map(|note| (note.id.clone().unwrap(), note));
            Ok(Notes::default().with_by_name(page))
        });
    let client = client(&fake);
    let numbered = client.notes().numbered().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&numbered), "abc");
    let pages: Vec<_> = fake.requests::<NotesNumbered>().iter().map(|request| request.page).collect();
    assert_eq!(pages, [None, Some(2), Some(3)]);
    // Pagination can start at a later page.
    let mut rest = client.notes().numbered().page(2_u32).pages().into_blocking();
    assert_eq!(ids(&rest.next().unwrap().unwrap().plain), "c");
    let zero = client.notes().zero(0).items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&zero), "abcd");
    let counted = client.notes().counted().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(counted.into_iter().map(|(name, _)| name).collect::<String>(), "abcde");
    let offsets: Vec<_> = fake.requests::<NotesCounted>().iter().map(|request| request.offset).collect();
    assert_eq!(offsets, [None, Some(2), Some(4), Some(5)]);
}

#[test]
fn pages_follow_the_header_link() {
    let fake = pages_client::fake().on_call(|_: &NotesLinked, call| {
        Ok(match call.uri().query() {
            None => FakeReply::new(notes("ab"))
                .header("link".parse().unwrap(), "<?page=2>; rel=\"next\", <?page=9>; rel=\"last\"".parse().unwrap()),
            _ => FakeReply::new(notes("c")).header("link".parse().unwrap(), "<?page=1>; rel=\"prev\"".parse().unwrap()),
        })
    });
    let client = client(&fake);
    let found = client.notes().linked().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&found), "abc");
    let rest = client.notes().linked().items().from_token("https://fake.invalid/v1/linked?page=2");
    assert_eq!(ids(&rest.into_blocking().collect::<Result<Vec<_>, _>>().unwrap()), "c");
}

#[test]
fn pages_follow_a_url_within_the_origin_only() {
    let other_origins = [
        "https://other.invalid/v1/followed?page=2",
        "http://fake.invalid/v1/followed?page=2",
        "https://fake.invalid:444/v1/followed?page=2",
        "//other.invalid/v1/followed?page=2",
        "https://fake.invalid@other.invalid/",
        "https:\\\\other.invalid/",
    ];
    for next in other_origins {
        let fake = pages_client::fake()
            .on(move |_: &NotesFollowed| Ok(Notes::default().with_notes(notes("ab")).with_next(next)));
        let mut pages = client(&fake).notes().followed().pages().into_blocking();
        assert!(pages.next().unwrap().is_ok());
        let error = pages.next().unwrap().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{next}: {error}");
        assert_eq!(fake.calls().len(), 1, "{next}: no request is sent");
        assert!(pages.next().is_none());
    }
    let fake = pages_client::fake().on_call(|_: &NotesFollowed, call| {
        let next = (call.uri().path() != "/v1/other").then_some("https://fake.invalid/v1/other?cursor=x%20y");
        let page = if next.is_some() { "ab" } else { "c" };
        assert!(next.is_some() || call.uri().query() == Some("cursor=x%20y"));
        Ok(FakeReply::new(Notes { next: next.map(str::to_owned).into(), ..Notes::default().with_notes(notes(page)) }))
    });
    let found = client(&fake).notes().followed().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&found), "abc");
}
