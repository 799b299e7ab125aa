//! Pagination by token, last item, number, offset, `Link` header and URL.

mod nested;

use pages_client::Client;
use pages_client::requests::{
    NotesAfter, NotesCounted, NotesFollowed, NotesLinked, NotesMisnumbered, NotesNumbered, NotesScrolled,
    NotesSearched, NotesSince, NotesSkimmed, NotesSkipped, NotesSliced, NotesTallied, NotesToken, NotesTotaled,
    NotesZero,
};
use pages_client::runtime::fake::{Fake, FakeReply};
use pages_client::runtime::wire::Decimal;
use pages_client::runtime::{Error, ErrorKind, blocking};
use pages_client::types::{Note, Notes, Search, Slice, Tally};

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

/// Returns the page of a server that counts from zero, of two notes out of four.
fn slice(page: i32) -> Slice {
    let found = ["ab", "cd"].get(usize::try_from(page).unwrap()).copied().unwrap_or_default();
    Slice::default()
        .with_content(notes(found))
        .with_number(page)
        .with_last(page >= 1)
        .with_total_pages(2)
        .with_total_elements(4_u64)
}

#[test]
fn no_page_is_requested_after_the_last_one() {
    let ends: [fn(Slice) -> Slice; 4] = [
        |page| page,
        |page| Slice { last: None, ..page },
        |page| Slice { total_pages: None.into(), ..page },
        |page| Slice { number: None, total_elements: None.into(), ..page },
    ];
    for end in ends {
        let fake = pages_client::fake().on(move |request: &NotesSliced| Ok(end(slice(request.page.unwrap_or(0)))));
        let found = client(&fake).notes().sliced().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(ids(&found), "abcd");
        let pages: Vec<_> = fake.requests::<NotesSliced>().iter().map(|request| request.page).collect();
        assert_eq!(pages, [None, Some(1)]);
    }
    let fake = pages_client::fake().on(|request: &NotesTotaled| {
        let skipped = request.start_index.unwrap_or(1) as usize - 1;
        let rest = &"abcde"[skipped..];
        Ok(Slice::default().with_content(notes(&rest[..rest.len().min(2)])).with_total_elements(5_u64))
    });
    let found = client(&fake).notes().totaled().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&found), "abcde");
    let starts: Vec<_> = fake.requests::<NotesTotaled>().iter().map(|request| request.start_index).collect();
    assert_eq!(starts, [None, Some(3), Some(5)]);
}

/// Returns the page of two notes out of four, after as many.
fn tally(before: u64) -> Tally {
    let found = ["ab", "cd"].get(usize::try_from(before / 2).unwrap()).copied().unwrap_or_default();
    Tally::default().with_content(notes(found)).with_total(4_i64)
}

#[test]
fn numbers_can_be_decimal_strings() {
    let fake = pages_client::fake()
        .on(|request: &NotesTallied| {
            let page = request.page.map_or(1, |page| page.0);
            Ok(tally(u64::try_from(page - 1).unwrap() * 2).with_page(page).with_pages(2_u64))
        })
        .on(|request: &NotesSkipped| Ok(tally(request.skip.0)))
        .on(|request: &NotesSkimmed| {
            let skip = request.body.skip.map_or(0, |skip| skip.0);
            Ok(Notes::default().with_plain(tally(skip).content))
        });
    let client = client(&fake);
    let tallied = client.notes().tallied().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&tallied), "abcd");
    let pages: Vec<_> = fake.requests::<NotesTallied>().iter().map(|request| request.page).collect();
    assert_eq!(pages, [None, Some(Decimal(2))]);
    let skipped = client.notes().skipped(0_u64).items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&skipped), "abcd");
    let skips: Vec<_> = fake.requests::<NotesSkipped>().iter().map(|request| request.skip.0).collect();
    assert_eq!(skips, [0, 2]);
    let skimmed = client.notes().skimmed(Search::default()).items();
    assert_eq!(ids(&skimmed.into_blocking().collect::<Result<Vec<_>, _>>().unwrap()), "abcd");
    assert_eq!(fake.requests::<NotesSkimmed>().len(), 3);
}

#[test]
fn a_list_that_lacks_items_is_not_complete() {
    let fake = pages_client::fake()
        .on(|request: &NotesMisnumbered| Ok(slice(request.page.unwrap_or(0))))
        .on(|request: &NotesSliced| Ok(slice(request.page.unwrap_or(0))));
    let (short, whole) = (client(&fake).notes().misnumbered().pages(), client(&fake).notes().sliced().pages());
    let test = async move {
        let (mut short, mut whole) = (short, whole);
        while let Some(Ok(_)) = short.next().await {
            assert!(!short.is_complete(), "the error follows");
        }
        assert!(short.next().await.is_none() && !short.is_complete() && short.page_token().is_none());
        assert!(whole.next().await.unwrap().is_ok() && !whole.is_complete());
        assert!(whole.next().await.unwrap().is_ok() && whole.is_complete());
    };
    blocking::block_on(test).unwrap();
}

/// Reads a list that ends with a protocol error, and returns the notes before it with the message.
fn failing<B>(items: impl Iterator<Item = Result<Note, Error<B>>>) -> (String, String)
where
    Error<B>: std::fmt::Display,
{
    let (mut found, mut message) = (Vec::new(), String::new());
    for item in items {
        match item {
            Ok(note) => found.push(note),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
                message = error.to_string();
            }
        }
    }
    (ids(&found), message)
}

#[test]
fn skipped_pages_are_an_error() {
    // The schema counts from one, the server from zero: the second page is never requested.
    let fake = pages_client::fake().on(|request: &NotesMisnumbered| Ok(slice(request.page.unwrap_or(0))));
    let (found, message) = failing(client(&fake).notes().misnumbered().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the list ended after 2 of 4 items"), "{message}");
    // A server whose page numbers have gaps.
    let fake = pages_client::fake().on(|request: &NotesSliced| {
        Ok(Slice { last: None, total_pages: None.into(), ..slice(request.page.unwrap_or(0)) }
            .with_number(request.page.unwrap_or(0) * 2))
    });
    let (found, message) = failing(client(&fake).notes().sliced().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the page `2` after the page `0`"), "{message}");
}

#[test]
fn repeated_pages_are_an_error() {
    // A server that ignores the number of the page.
    let fake = pages_client::fake().on(|_: &NotesNumbered| Ok(Notes::default().with_plain(notes("ab"))));
    let (found, message) = failing(client(&fake).notes().numbered().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the items of the first page again"), "{message}");
    let fake = pages_client::fake().on(|_: &NotesSliced| Ok(slice(0)));
    let (found, message) = failing(client(&fake).notes().sliced().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the page `0` again"), "{message}");
    // A list that starts at a later page has no total to compare.
    let fake = pages_client::fake().on(|request: &NotesMisnumbered| Ok(slice(request.page.unwrap_or(0))));
    let (found, message) = failing(client(&fake).notes().misnumbered().page(3).items().into_blocking());
    assert_eq!((found.as_str(), message.as_str()), ("", ""));
}

#[test]
fn pages_are_requested_in_the_body() {
    let fake = pages_client::fake()
        .on(|request: &NotesSearched| {
            assert_eq!(request.body.text.as_deref(), Some("x"));
            let (page, next) = if request.body.cursor.is_absent() { ("ab", Some("2")) } else { ("c", None) };
            Ok(Notes { next: next.map(str::to_owned).into(), ..Notes::default().with_notes(notes(page)) })
        })
        .on(|request: &NotesScrolled| {
            let page = request.body.as_ref().and_then(|body| body.page).unwrap_or(1);
            Ok(Notes::default().with_plain(notes(["ab", "c", ""][page as usize - 1])))
        });
    let client = client(&fake);
    let search = client.notes().searched(Search::default().with_text("x")).items();
    assert_eq!(ids(&search.into_blocking().collect::<Result<Vec<_>, _>>().unwrap()), "abc");
    assert_eq!(fake.requests::<NotesSearched>()[1].body.cursor.as_deref(), Some("2"));
    let scroll = client.notes().scrolled().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(ids(&scroll), "abc");
    assert_eq!(fake.requests::<NotesScrolled>().len(), 3);
}
