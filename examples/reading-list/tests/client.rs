//! The code that uses the client, against functions in place of a service.

#![allow(clippy::expect_used)] // a test that fails says so by panicking

use reading_list::unread_pages;
use reading_list_client::requests::BooksList;
use reading_list_client::runtime::fake::Failure;
use reading_list_client::types::{Book, BookList, Progress};

#[tokio::test]
async fn pages_of_all_books_that_were_not_begun_are_counted() {
    let fake = reading_list_client::fake().on(|request: &BooksList| {
        let page = BookList::default().with_books([Book::default().with_pages(100)]);
        Ok(if request.page_token.is_none() { page.with_next_page_token("second") } else { page })
    });
    let client = fake.client().expect("a client");
    assert_eq!(unread_pages(&client).await.expect("both pages"), 200);
    let requests = fake.requests::<BooksList>();
    assert!(requests.iter().all(|request| request.progress == Some(Progress::Planned)));
    assert_eq!(requests[1].page_token.as_deref(), Some("second"));
}

#[tokio::test]
async fn an_error_of_the_service_is_the_error_of_the_count() {
    let fake = reading_list_client::fake()
        .on(|_: &BooksList| Err(Failure::status(403).reason("forbidden").message("This is not your list.")));
    let client = fake.client().expect("a client");
    let error = unread_pages(&client).await.expect_err("it is refused");
    assert_eq!((error.status(), error.reason()), (Some(403), Some("forbidden")));
}
