//! Pagination whose fields are within resources of the response.

use pages_client::requests::{NestedAfter, NestedCounted, NestedLinked, NestedNumbered, NestedToken};
use pages_client::runtime::fake::FakeReply;
use pages_client::types::{Envelope, Inner, Link, Links, Meta};

use super::{client, failing, ids, notes};

/// Returns a page with these notes.
fn page(letters: &str) -> Envelope {
    Envelope::default().with_data(Inner::default().with_notes(notes(letters)).with_plain(notes(letters)))
}

/// Returns the page with this number, of two notes out of four.
fn numbered(number: i32) -> (Envelope, Meta) {
    let letters = ["ab", "cd"].get(usize::try_from(number - 1).unwrap()).copied().unwrap_or_default();
    (page(letters), Meta::default().with_page(number).with_last(number == 2).with_pages(2).with_total(4_u64))
}

#[test]
fn nested_fields_state_the_position_and_the_end() {
    let ends: [fn(Meta) -> Meta; 3] =
        [|meta| meta, |meta| Meta { last: None, ..meta }, |meta| Meta { pages: None, page: None, ..meta }];
    for end in ends {
        let fake = pages_client::fake().on(move |request: &NestedNumbered| {
            let (page, meta) = numbered(request.page.unwrap_or(1));
            Ok(page.with_meta(end(meta)))
        });
        let found = client(&fake).nested().numbered().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(ids(&found), "abcd");
        assert_eq!(fake.calls().len(), 2);
    }
    // Without a position, the first empty page ends the list, also one without the resource around the items.
    let fake = pages_client::fake().on(|request: &NestedNumbered| match request.page.unwrap_or(1) {
        3 => Ok(Envelope::default()),
        number => Ok(numbered(number).0),
    });
    let found = client(&fake).nested().numbered().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!((ids(&found).as_str(), fake.calls().len()), ("abcd", 3));
}

#[test]
fn pages_that_contradict_nested_fields_are_errors() {
    let fake = pages_client::fake().on(|request: &NestedNumbered| {
        let (page, meta) = numbered(request.page.unwrap_or(1));
        Ok(page.with_meta(meta.with_total(9_u64)))
    });
    let (found, message) = failing(client(&fake).nested().numbered().items().into_blocking());
    assert_eq!(found, "abcd");
    assert!(message.contains("the list ended after 4 of 9 items"), "{message}");
    let fake = pages_client::fake().on(|request: &NestedNumbered| {
        let number = request.page.unwrap_or(1);
        Ok(page("ab").with_meta(Meta::default().with_page(number * 3)))
    });
    let (found, message) = failing(client(&fake).nested().numbered().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the page `6` after the page `3`"), "{message}");
    let fake = pages_client::fake().on(|_: &NestedCounted| Ok(page("ab").with_meta(Meta::default().with_total(4_u64))));
    let (found, message) = failing(client(&fake).nested().counted().items().into_blocking());
    assert_eq!(found, "ab");
    assert!(message.contains("the items of the first page again"), "{message}");
}

#[test]
fn next_pages_are_named_within_the_response() {
    let fake = pages_client::fake()
        .on(|request: &NestedToken| match request.cursor.as_deref() {
            None => Ok(page("ab").with_meta(Meta::default().with_cursor("b"))),
            Some(_) => Ok(page("c")),
        })
        .on(|request: &NestedAfter| Ok(page(if request.after.is_none() { "ab" } else { "" })))
        .on(|request: &NestedCounted| {
            let letters = if request.skip.unwrap_or(0) == 0 { "ab" } else { "cd" };
            Ok(page(letters).with_meta(Meta::default().with_total(4_u64)))
        })
        .on_call(|_: &NestedLinked, call| {
            let link = Link::default().with_href("https://fake.invalid/v1/other");
            let links = Links::default().with_next(link);
            Ok(FakeReply::new(if call.uri().path() == "/v1/other" { page("c") } else { page("ab").with_links(links) }))
        });
    let client = client(&fake);
    let nested = client.nested();
    let token = nested.token().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    let after = nested.after().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    let counted = nested.counted().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    let linked = nested.linked().items().into_blocking().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!([token, after, counted, linked].map(|found| ids(&found)), ["abc", "ab", "abcd", "abc"]);
    assert_eq!(fake.requests::<NestedAfter>()[1].after.as_deref(), Some("b"));
}
