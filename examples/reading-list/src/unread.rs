//! A use of the client.

use reading_list_client::types::Progress;
use reading_list_client::{Client, Error, fields};

/// Counts the pages of the books that were not begun, on all pages of the list.
///
/// # Errors
/// The error of the call that failed.
pub async fn unread_pages(client: &Client) -> Result<u64, Error> {
    // client
    let wanted = [fields::BookList::NEXT_PAGE_TOKEN, fields::BookList::BOOKS.select([fields::Book::PAGES])];
    let mut books = client.books().list().progress(Progress::Planned).fields(wanted).items();
    let mut pages = 0;
    while let Some(book) = books.next().await {
        pages += u64::from(book?.pages.unwrap_or(0));
    }
    // client
    Ok(pages)
}
