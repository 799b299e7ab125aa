//! Paginated lists.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::*;
use futures_core::Stream;
use serde_json::json;
use wireform_client::{Call, Error, ErrorKind, Items, Pages, Paginated};

/// Responds with three pages of two things, `a` to `f`; the tokens are `1` and `2`.
fn three_pages(seen: &Seen) -> Reply {
    ok(match seen.query("pageToken") {
        None => json!({ "items": [{ "id": "a" }, { "id": "b" }], "nextPageToken": "1" }),
        Some("1") => json!({ "items": [{ "id": "c" }, { "id": "d" }], "nextPageToken": "2" }),
        Some("2") => json!({ "items": [{ "id": "e" }, { "id": "f" }], "nextPageToken": "" }),
        Some(_) => return error(400, "invalid", Some("pageToken")),
    })
}

fn list(server: &Server) -> Call<List> {
    server.client().call(List::default())
}

fn protocol(error: &Error<Failed>) -> &str {
    match error.kind() {
        ErrorKind::Protocol(text) => text,
        kind => panic!("{kind:?}"),
    }
}

#[tokio::test]
async fn every_page_is_read_until_there_is_no_token() {
    let server = Server::new(three_pages);
    let items = ListCall { call: list(&server) }.items().collect().await.unwrap();
    assert_eq!(ids(&items), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(server.queries("pageToken"), [None, Some("1".into()), Some("2".into())]);

    let pages = ListCall { call: list(&server) }.pages().collect().await.unwrap();
    assert_eq!(pages.iter().map(|page| page.items.len()).collect::<Vec<_>>(), [2, 2, 2]);
}

#[tokio::test]
async fn pages_are_requested_lazily() {
    let server = Server::new(three_pages);
    let mut items = Items::new(list(&server));
    assert!(server.seen().is_empty());
    for wanted in [1, 1, 2, 2, 3, 3] {
        items.next().await.unwrap().unwrap();
        assert_eq!(server.seen().len(), wanted);
    }
    assert!(!items.is_complete(), "the last item may not have been processed");
    assert!(items.next().await.is_none() && items.next().await.is_none());
    assert!(items.page_token().is_none() && items.is_complete());
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn stream_resumes_at_a_page_token() {
    let server = Server::new(three_pages);
    let mut items = Items::new(list(&server));
    let mut tokens = Vec::new();
    while let Some(item) = items.next().await {
        tokens.push((item.unwrap().id.unwrap(), items.page_token().map(str::to_owned)));
    }
    let expected = [("a", None), ("b", None), ("c", Some("1")), ("d", Some("1")), ("e", Some("2")), ("f", Some("2"))];
    assert_eq!(tokens, expected.map(|(id, token)| (id.to_owned(), token.map(str::to_owned))));

    let rest = Items::new(list(&server)).from_token("2").collect().await.unwrap();
    assert_eq!(ids(&rest), ["e", "f"]);
    let named = List { page: Some("1".to_owned()), ..List::default() };
    let rest = Pages::new(server.client().call(named)).collect().await.unwrap();
    assert_eq!(rest.len(), 2, "the request itself names a page");
}

#[tokio::test]
async fn max_pages_ends_the_stream() {
    let server = Server::new(three_pages);
    let mut pages = Pages::new(list(&server)).max_pages(2);
    assert!(pages.next().await.unwrap().is_ok());
    assert!(pages.next().await.unwrap().is_ok());
    assert!(pages.next().await.is_none());
    assert_eq!((pages.page_token(), pages.is_complete()), (Some("2"), false));
    assert_eq!(server.seen().len(), 2);

    let items = Items::new(list(&server)).max_pages(1).collect().await.unwrap();
    assert_eq!(ids(&items), ["a", "b"]);
    assert!(Pages::new(list(&server)).max_pages(0).next().await.is_none());
}

#[tokio::test]
async fn after_an_error_the_stream_ends_and_the_page_can_be_read_again() {
    let broken = AtomicUsize::new(1);
    let server = Server::new(move |seen| match seen.query("pageToken") {
        Some("1") if broken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok() => {
            status(500)
        }
        _ => three_pages(seen),
    });
    let mut items = Items::new(list(&server));
    assert!(items.next().await.unwrap().is_ok() && items.next().await.unwrap().is_ok());
    assert_eq!(items.next().await.unwrap().unwrap_err().status(), Some(500));
    assert!(items.next().await.is_none());
    assert_eq!((items.page_token(), items.is_complete()), (Some("1"), false));
    assert_eq!(server.seen().len(), 2);

    let rest = Items::new(list(&server)).from_token("1").collect().await.unwrap();
    assert_eq!(ids(&rest), ["c", "d", "e", "f"]);
}

#[tokio::test]
async fn the_same_token_again_is_an_error() {
    let server = Server::new(|_| ok(json!({ "items": [{ "id": "a" }], "nextPageToken": "1" })));
    let mut items = Items::new(list(&server));
    assert!(items.next().await.unwrap().is_ok() && items.next().await.unwrap().is_ok());
    let error = items.next().await.unwrap().unwrap_err();
    assert!(protocol(&error).contains("`1`"), "{error}");
    assert!(items.next().await.is_none());
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_larger_loop_is_an_error() {
    let server = Server::new(|seen| {
        let next = match seen.query("pageToken") {
            None => "x",
            Some("x") => "y",
            Some("y") => "z",
            Some(_) => "x",
        };
        ok(json!({ "nextPageToken": next }))
    });
    let mut items = Items::new(list(&server));
    let error = items.next().await.unwrap().unwrap_err();
    assert!(protocol(&error).contains("`x`"), "{error}");
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn a_token_of_any_length_makes_one_bounded_line() {
    let token = "t\n".repeat(1000);
    let server = Server::new(move |_| ok(json!({ "nextPageToken": token })));
    let error = Items::new(list(&server)).collect().await.unwrap_err().to_string();
    assert!(error.len() < 300 && !error.contains('\n'), "{error}");
}

#[tokio::test]
async fn selection_includes_required_fields() {
    let server = Server::new(three_pages);
    let select = |fields: &str| {
        let mut call = list(&server);
        call.options_mut().fields = Some(fields.to_owned());
        call
    };
    Pages::new(select("items(id)")).max_pages(1).collect().await.unwrap();
    Pages::new(select("nextSyncToken")).max_pages(1).collect().await.unwrap();
    Pages::new(select("*")).max_pages(1).collect().await.unwrap();
    Pages::new(list(&server)).max_pages(1).collect().await.unwrap();
    let expected = [Some("items(id),nextPageToken"), Some("nextSyncToken,nextPageToken,items"), Some("*"), None];
    assert_eq!(server.queries("fields"), expected.map(|fields| fields.map(str::to_owned)));
}

#[tokio::test]
async fn conditions_do_not_hold_for_pages() {
    let server = Server::new(|seen| if seen.if_none_match.is_some() { status(304) } else { three_pages(seen) });
    let mut call = list(&server);
    call.options_mut().if_none_match = Some("\"1\"".to_owned());
    assert_eq!(Pages::new(call).collect().await.unwrap().len(), 3);
}

#[tokio::test]
async fn dropped_future_loses_no_page() {
    let server = Server::new(three_pages);
    let mut items = Items::new(list(&server));
    // Each response is pending once, so the future is dropped while the request is pending.
    poll_fn(|cx| {
        assert!(Pin::new(&mut Box::pin(items.next())).poll(cx).is_pending());
        std::task::Poll::Ready(())
    })
    .await;
    assert_eq!(ids(&items.collect().await.unwrap()), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(server.seen().len(), 3, "the first page was requested once");
}

#[test]
fn streams_can_be_sent_and_moved() {
    fn check<S: Stream + Send + Unpin + std::fmt::Debug>(_: &S) {}
    /// Compiles for any paginated request.
    fn check_all<R: Paginated>(call: Call<R>) {
        check(&Pages::new(call.clone()));
        check(&Items::new(call));
    }
    check_all(list(&Server::new(three_pages)));
}

#[cfg(feature = "blocking")]
#[test]
fn iterators_read_pages_too() {
    let server = Server::new(three_pages);
    let items: Vec<Thing> = Items::new(list(&server)).into_blocking().collect::<Result<_, _>>().unwrap();
    assert_eq!(ids(&items), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(Pages::new(list(&server)).max_pages(2).into_blocking().count(), 2);
}
