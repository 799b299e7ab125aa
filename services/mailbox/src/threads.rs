//! Threads: conversations of messages.

use std::collections::HashSet;
use std::sync::Arc;

use mailbox_server::runtime::{ErrorLocation, Reply};
use mailbox_server::types::{self, ListThreadsResponse, MessageFormat, Thread};
use mailbox_server::{Context, Error, Result, requests, service};
use wireform_store::{
    Error as StoreError, ListQuery, Mailbox, Message, MessageId, Store, ThreadId, ThreadSummary, User,
};

use crate::messages::get::{TEXT_COPIES_PER_RESPONSE, check_format, streamed_payload, with_whole_message};
use crate::messages::list::{FoundMessages, MessageSearch, check_search_scope};
use crate::messages::reader::{MessageReader, STREAM_MEMORY};
use crate::messages::to_api;
use crate::{MailboxService, caller, error, mail};

/// Maximum number of messages of a thread in a response: the newest.
const MAX_MESSAGES: u32 = 500;
/// Maximum size of the headers and small parts of the messages of a thread in a response, in bytes.
const MAX_TEXT_BYTES: u64 = 8 << 20;

impl<S: Store> service::UsersThreads for MailboxService<S> {
    /// Lists threads by their newest message that matches.
    async fn list(&self, request: requests::UsersThreadsList, context: &Context) -> Result<ListThreadsResponse> {
        let user = caller::user(&self.store, context, &request.user_id).await?;
        check_search_scope(request.q.as_deref(), context)?;
        let search = MessageSearch {
            text: request.q.as_deref(),
            label_ids: &request.label_ids,
            label: None,
            with_spam_trash: request.include_spam_trash.unwrap_or(false),
            limit: request.max_results,
        };
        let page = self.find_messages(&user, &request, search, context).await?;
        let ids = self.first_occurrences(&user, &page).await?;
        let summaries = self.store.threads(user.mailbox, ids.clone()).await.map_err(error::from_store)?;
        // A thread whose messages were deleted meanwhile is left out.
        let found = ids.into_iter().zip(summaries).filter_map(|(id, summary)| Some((id, summary?)));
        let threads = found.map(|(id, summary)| thread(id, summary, context));
        let response = ListThreadsResponse::default().with_threads(threads).with_result_size_estimate(page.estimate);
        Ok(ListThreadsResponse { next_page_token: page.next, ..response }.into())
    }

    async fn get(&self, request: requests::UsersThreadsGet, context: &Context) -> Result<Thread> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = parse_id(&request.id)?;
        let format = request.format.unwrap_or(MessageFormat::Full);
        check_format(&format, context)?;
        let summary = self.store.threads(mailbox, vec![id]).await.map_err(error::from_store)?;
        let not_found = || error::from_store(StoreError::not_found("thread", id));
        let summary = summary.into_iter().next().flatten().ok_or_else(not_found)?;
        let messages = self.messages_of(mailbox, id).await?;
        let mut found = thread(id, summary, context);
        let needs_text = format != MessageFormat::Minimal && context.selects("messages/payload");
        if !needs_text {
            found.messages = messages.into_iter().map(to_api).collect();
            hide_snippets(&mut found, context);
            return Ok(found.into());
        }
        let share = Arc::new(context.share(&self.budget));
        let largest = messages.iter().map(|message| message.size).max().unwrap_or_default();
        share.claim(STREAM_MEMORY + largest + (MAX_TEXT_BYTES + largest) * TEXT_COPIES_PER_RESPONSE);
        let mut text = 0;
        for message in messages {
            if text > MAX_TEXT_BYTES {
                return Err(too_large());
            }
            let (reader, size) = (MessageReader::new(&self.store, mailbox, message.id), message.size);
            let message = to_api(message);
            let made = match format {
                MessageFormat::Metadata => {
                    let headers = request.metadata_headers.clone();
                    let payload = move |raw: &[u8]| mail::headers_of(raw, &headers);
                    with_whole_message(&reader, size, (&share, text), payload).await
                }
                _ => with_whole_message(&reader, size, (&share, text), streamed_payload(&reader, context)).await,
            };
            let (payload, length) = made?;
            text += length;
            found.messages.push(message.with_payload(payload));
        }
        hide_snippets(&mut found, context);
        Ok(Reply::new(found).with_share(share))
    }
}

impl<S: Store> MailboxService<S> {
    /// Returns the threads of a page that are not on an earlier one: those whose newest matching message is on this page.
    async fn first_occurrences(&self, user: &User, page: &FoundMessages) -> std::result::Result<Vec<ThreadId>, Error> {
        let (mut seen, mut first) = (HashSet::new(), Vec::new());
        for (message, thread) in &page.messages {
            if seen.insert(*thread) && self.is_newest(user, *message, *thread, &page.query).await? {
                first.push(*thread);
            }
        }
        Ok(first)
    }

    /// Returns whether a message is the newest one of its thread that matches a query. On the first page it is.
    async fn is_newest(
        &self,
        user: &User,
        message: MessageId,
        thread: ThreadId,
        query: &ListQuery,
    ) -> std::result::Result<bool, Error> {
        if query.from.is_none() {
            return Ok(true);
        }
        let query = ListQuery { thread: Some(thread), from: None, limit: 1, ..query.clone() };
        let newest = self.store.messages(user.mailbox, query).await.map_err(error::from_store)?;
        Ok(newest.messages.first().is_none_or(|(newest, _)| *newest == message))
    }

    /// Returns the messages of a thread, the oldest first.
    async fn messages_of(&self, of: Mailbox, thread: ThreadId) -> std::result::Result<Vec<Message>, Error> {
        let query = ListQuery { thread: Some(thread), limit: MAX_MESSAGES, ..ListQuery::default() };
        let page = self.store.messages(of, query).await.map_err(error::from_store)?;
        let mut messages = Vec::with_capacity(page.messages.len());
        for (id, _) in page.messages.into_iter().rev() {
            match self.store.message(of, id).await {
                // It was deleted meanwhile.
                Err(StoreError::NotFound { what: "message", .. }) => {}
                message => messages.push(message.map_err(error::from_store)?),
            }
        }
        Ok(messages)
    }
}

/// Returns a thread without its messages.
fn thread(id: ThreadId, summary: ThreadSummary, context: &Context) -> Thread {
    let mut thread =
        Thread::default().with_id(id.to_string()).with_snippet(summary.snippet).with_history_id(summary.history.0);
    hide_snippets(&mut thread, context);
    thread
}

/// Removes the texts that a token for metadata gives no access to.
fn hide_snippets(thread: &mut Thread, context: &Context) {
    if caller::sees_metadata_only(context) {
        thread.snippet = None;
        let snippets = thread.messages.iter_mut().map(|message: &mut types::Message| &mut message.snippet);
        snippets.for_each(|snippet| *snippet = None);
    }
}

/// Parses the identifier of a thread.
fn parse_id(text: &str) -> std::result::Result<ThreadId, Error> {
    text.parse().map_err(|error| {
        Error::bad_request(format!("Invalid id value: `{text}` {error}"))
            .with_reason(error::INVALID_ARGUMENT)
            .with_location(ErrorLocation::Parameter("id".into()))
    })
}

/// Creates the error of a thread with more text than a response can have.
fn too_large() -> Error {
    let message = "the headers and texts of the thread are too large for one response; request the format `minimal`, and \
                   the messages one by one";
    Error::bad_request(message)
        .with_reason(error::INVALID_ARGUMENT)
        .with_location(ErrorLocation::Parameter("format".into()))
}
