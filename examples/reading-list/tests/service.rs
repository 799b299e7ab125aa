//! Tests of the service by requests of the generated client to its router, without a socket.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use reading_list::{ReadingList, Tokens, unread_pages};
use reading_list_client::Client;
use reading_list_client::runtime::{Credentials, ETag, RetryPolicy, Tier, transport};
use reading_list_client::types::runtime::Patch;
use reading_list_client::types::{Book, BookPatch, Progress};
use reading_list_client::validation::Rules;

fn client(token: &str) -> Client {
    let list = ReadingList::new().expect("random bytes");
    let router = reading_list_server::server(list).authenticator(Tokens).router();
    let client = Client::builder().base_url("http://localhost").credentials(Credentials::token(token));
    client.retry(RetryPolicy::off()).transport(transport::in_process(router)).build().expect("a client")
}

#[tokio::test]
async fn books_are_added_read_changed_and_removed() {
    let client = client("writer");
    let books = client.books();
    for pages in [300, 50, 7] {
        books.create(Book::default().with_title("A book").with_pages(pages)).await.expect("a book");
    }
    let first = books.get("1").await.expect("the first");
    assert_eq!((first.etag.as_deref(), first.progress_or_default()), (Some("\"1\""), &Progress::Planned));
    assert_eq!(unread_pages(&client).await.expect("all pages"), 357);
    let small = books.list().page_size(2).items().collect().await.expect("two pages");
    assert_eq!(small.len(), 3);

    let changed = books.get("1").patch_with(|book| book.progress = Some(Progress::Reading)).await.expect("a change");
    assert_eq!(changed.etag.as_deref(), Some("\"2\""));
    books.delete("2").await.expect("it is gone");
    assert!(books.get("2").await.expect_err("it is gone").is_not_found());
    assert_eq!(unread_pages(&client).await.expect("what is left"), 7);
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused_with_its_place() {
    let client = client("writer");
    let finished = Book::default().with_title("A book").with_progress(Progress::Finished);
    let error = client.books().create(finished.clone()).await.expect_err("a day is missing");
    assert_eq!(error.status(), Some(400));
    assert!(error.to_string().contains("a finished book requires `finishedOn`"), "{error}");
    // With the rules at hand the request is not even sent.
    let fake = reading_list_client::fake();
    let careful: Client = fake.builder().validation(Rules, Tier::Deny).build().expect("a client");
    careful.books().create(finished).await.expect_err("a day is missing");
    assert!(fake.calls().is_empty());
}

#[tokio::test]
async fn a_client_reads_every_violation() {
    let client = client("writer");
    // violations
    let wrong = Book::default().with_pages(0).with_authors(vec![String::from("Ana"); 11]);
    let error = client.books().create(wrong).await.expect_err("it breaks three rules");
    let response = error.response().expect("a response");
    let details = response.details.iter().map(|detail| (detail.location.as_deref(), detail.message.as_deref()));
    let found: Vec<(&str, &str)> = details.map(|(at, message)| (at.unwrap_or("-"), message.unwrap_or("-"))).collect();
    assert_eq!(
        found,
        [
            ("title", "is required"),
            ("authors", "must have at most 10 elements, found 11"),
            ("pages", "must be at least 1"),
        ]
    );
    // violations
}

#[tokio::test]
async fn a_patch_removes_nothing_that_is_required() {
    let client = client("writer");
    client.books().create(Book::default().with_title("A book")).await.expect("a book");
    let patch = BookPatch { title: Patch::Clear, ..BookPatch::default() };
    // tag
    let book = client.books().get("1").await.expect("the first");
    let etag = ETag::parse(book.etag.as_deref().unwrap_or_default()).expect("a tag");
    let error = client.books().patch("1", patch).if_match(&etag).await.expect_err("a title is required");
    // tag
    let response = error.response().expect("a response");
    assert_eq!(response.status, 400);
    let messages: Vec<&str> = response.details.iter().filter_map(|detail| detail.message.as_deref()).collect();
    assert_eq!(messages, ["cannot be null: it is required, and null removes it"]);
}

#[tokio::test]
async fn a_reader_changes_nothing() {
    let client = client("reader");
    assert_eq!(unread_pages(&client).await.expect("an empty list"), 0);
    let error = client.books().create(Book::default().with_title("A book")).await.expect_err("no scope");
    assert_eq!(error.status(), Some(403));
}
