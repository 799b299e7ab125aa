//! Service with books in memory, for the generated router.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reading_list_server::runtime::tokens::TokenSealer;
use reading_list_server::runtime::{AuthError, AuthRequest, Credential};
use reading_list_server::types::{Book, BookList};
use reading_list_server::{Authenticator, Context, Error, Principal, Result, WriteResult, requests, service};

/// The books by their names.
#[derive(Debug)]
pub struct ReadingList {
    books: Mutex<BTreeMap<u64, Book>>,
    sealer: TokenSealer,
}

impl ReadingList {
    /// Creates an empty list, whose page tokens end with the process.
    ///
    /// # Errors
    /// When the system has no random bytes for the key of the tokens.
    pub fn new() -> io::Result<Self> {
        let sealer = TokenSealer::random()?.with_free_parameters(&["pageSize"]);
        Ok(Self { books: Mutex::default(), sealer })
    }

    fn books(&self) -> MutexGuard<'_, BTreeMap<u64, Book>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(id: &str) -> std::result::Result<u64, Error> {
    id.parse().map_err(|_| Error::not_found("there is no such book"))
}

/// Gives a book the tag of its next version.
fn renew(book: &mut Book) {
    let version = book.etag.as_deref().and_then(|tag| tag.trim_matches('"').parse::<u64>().ok());
    book.etag = Some(format!("\"{}\"", version.map_or(1, |version| version + 1)));
}

impl service::Books for ReadingList {
    async fn list(&self, request: requests::BooksList, context: &Context) -> Result<BookList> {
        // The page starts after the book in the token.
        let after: u64 = self.sealer.open_page(context, &request)?.unwrap_or(0);
        let size = usize::try_from(request.page_size_or_default()).unwrap_or(usize::MAX);
        let books = self.books();
        let wanted = |book: &Book| request.progress.as_ref().is_none_or(|wanted| book.progress_or_default() == wanted);
        let mut rest = books.range(after + 1..).filter(|(_, book)| wanted(book));
        let page: Vec<(u64, Book)> = rest.by_ref().take(size).map(|(key, book)| (*key, book.clone())).collect();
        let next = page.last().map(|(key, _)| *key).filter(|_| rest.next().is_some());
        let mut list = BookList::default().with_books(page.into_iter().map(|(_, book)| book));
        list.next_page_token = next.map(|next| self.sealer.seal_page(context, &request, &next)).transpose()?;
        Ok(list.into())
    }

    async fn get(&self, request: requests::BooksGet, _: &Context) -> Result<Book> {
        let book = self.books().get(&key(&request.book_id)?).cloned();
        Ok(book.ok_or_else(|| Error::not_found("there is no such book"))?.into())
    }

    // create
    async fn create(&self, request: requests::BooksCreate, context: &Context) -> Result<Book> {
        let mut books = self.books();
        let key = books.last_key_value().map_or(1, |(last, _)| last + 1);
        // The body without `id` and `etag`, which only the server writes.
        let (book, _) = context.prepare(&request, None)?;
        let mut book = book.with_id(key.to_string());
        renew(&mut book);
        books.insert(key, book.clone());
        Ok(book.into())
    }
    // create

    async fn patch(&self, request: requests::BooksPatch, context: &Context) -> WriteResult<requests::BooksPatch> {
        let mut books = self.books();
        let missing = || Error::not_found("there is no such book");
        let book = books.get_mut(&key(&request.book_id)?).ok_or_else(missing)?;
        // 412 if `If-Match` names another version, 400 if the patched book violates a rule. Only an admission creates a
        // reply.
        let (mut changed, admission) = context.prepare(&request, Some(book))?;
        renew(&mut changed);
        *book = changed;
        Ok(admission.reply(book.clone()))
    }

    async fn delete(&self, request: requests::BooksDelete, _: &Context) -> Result<()> {
        let book = self.books().remove(&key(&request.book_id)?);
        book.map(|_| ().into()).ok_or_else(|| Error::not_found("there is no such book"))
    }
}

/// Knows two tokens: `reader` may read the list, `writer` may change it.
#[derive(Debug)]
pub struct Tokens;

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        match credential {
            Credential::Bearer("writer") => Ok(Principal::new("ana").with_scopes(["books"])),
            Credential::Bearer("reader") => Ok(Principal::new("ben").with_scopes(["books.readonly"])),
            _ => Err(AuthError::Invalid),
        }
    }
}
