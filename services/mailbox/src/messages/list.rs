//! Listing messages.

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::runtime::tokens::expired_page;
use mailbox_server::runtime::wireform_runtime::Paginated;
use mailbox_server::types::{self, ListMessagesResponse};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{
    Error as StoreError, Label, LabelInfo, ListCursor, ListQuery, Mailbox, MessageId, Store, SystemLabel, ThreadId,
    User,
};

use crate::query::{self, Search};
use crate::{MailboxService, caller, error};

/// Default page size.
const DEFAULT_PAGE_SIZE: u32 = 100;

/// Search for messages, as requests describe it.
#[derive(Clone, Copy)]
pub(crate) struct MessageSearch<'r> {
    /// Query in the syntax of the search box.
    pub(crate) text: Option<&'r str>,
    /// Identifiers of the labels that the messages must have.
    pub(crate) label_ids: &'r [String],
    /// Another label that they must have.
    pub(crate) label: Option<Label>,
    /// True if messages in spam and trash are found too.
    pub(crate) with_spam_trash: bool,
    /// Maximum number of messages.
    pub(crate) limit: Option<u32>,
}

/// Page of messages that match a search.
#[derive(Default)]
pub(crate) struct FoundMessages {
    pub(crate) messages: Vec<(MessageId, ThreadId)>,
    /// Estimate of the total number.
    pub(crate) estimate: u32,
    /// Token of the next page.
    pub(crate) next: Option<String>,
    /// Query that found them.
    pub(crate) query: ListQuery,
}

const TRASH: Label = Label::System(SystemLabel::Trash);
const SPAM: Label = Label::System(SystemLabel::Spam);

/// Checks that the scopes of the caller permit a search, which may read the content of messages.
pub(crate) fn check_search_scope(text: Option<&str>, context: &Context) -> std::result::Result<(), Error> {
    if text.unwrap_or_default().is_empty() || !caller::sees_metadata_only(context) {
        return Ok(());
    }
    let error = Error::forbidden("the metadata scope does not support the parameter `q`");
    Err(error.with_location(ErrorLocation::Parameter("q".into())))
}

impl<S: Store> MailboxService<S> {
    /// Lists messages. Those in trash and spam are included only if requested: by `includeSpamTrash`, by label, or in
    /// the search.
    pub(super) async fn list_messages(
        &self,
        request: requests::UsersMessagesList,
        context: &Context,
    ) -> Result<ListMessagesResponse> {
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
        let named = page
            .messages
            .iter()
            .map(|(id, thread)| types::Message::default().with_id(id.to_string()).with_thread_id(thread.to_string()));
        let response = ListMessagesResponse::default().with_messages(named).with_result_size_estimate(page.estimate);
        Ok(ListMessagesResponse { next_page_token: page.next, ..response }.into())
    }

    /// Finds the messages on the requested page.
    pub(crate) async fn find_messages<R: Paginated>(
        &self,
        user: &User,
        request: &R,
        search: MessageSearch<'_>,
        context: &Context,
    ) -> std::result::Result<FoundMessages, Error> {
        let mailbox = user.mailbox;
        let parsed = self.search(user, search.text.unwrap_or_default()).await?;
        let from: Option<ListCursor> = self.sealer.open_page(context, request)?;
        let labels = self.listed_labels(mailbox, search.label_ids).await?;
        let Search::Messages(mut query) = parsed else {
            // The search is known to find nothing. In the epoch in which the list began it may have found something, so
            // a page token of another epoch is not the end of that list.
            if let Some(from) = from
                && self.store.epoch().await.map_err(error::from_store)? != from.epoch
            {
                return Err(expired_page(context, request));
            }
            return Ok(FoundMessages::default());
        };
        query.labels.extend(labels.into_iter().chain(search.label));
        if !search.with_spam_trash {
            let shown = |place: &Label| query.shown.contains(place) || query.labels.contains(place);
            query.without.extend([TRASH, SPAM].into_iter().filter(|place| !shown(place)));
        }
        let query = ListQuery {
            thread: None,
            labels: query.labels,
            excluded_labels: query.without,
            filters: query.filters,
            from,
            limit: search.limit.unwrap_or(DEFAULT_PAGE_SIZE),
        };
        let page = self.store.messages(mailbox, query.clone()).await.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, request),
            other => error::from_store(other),
        })?;
        let next = page.next.map(|next| self.sealer.seal_page(context, request, &next)).transpose()?;
        let estimate = u32::try_from(page.estimate).unwrap_or(u32::MAX);
        Ok(FoundMessages { messages: page.messages, estimate, next, query })
    }

    /// Parses the search; loads the labels if it names any.
    async fn search(&self, user: &User, text: &str) -> std::result::Result<Search, Error> {
        let parsed = query::parse(text).map_err(|error| {
            Error::bad_request(error.to_string())
                .with_reason(error::INVALID_ARGUMENT)
                .with_location(ErrorLocation::Parameter("q".into()))
        })?;
        let labels: Vec<LabelInfo> = if parsed.names_labels() {
            self.store.labels(user.mailbox).await.map_err(error::from_store)?
        } else {
            Vec::new()
        };
        Ok(parsed.search(&labels, &user.address, self.clock.now()))
    }

    /// # Errors
    /// Returns 400 at the parameter for a label that does not exist.
    async fn listed_labels(&self, mailbox: Mailbox, texts: &[String]) -> std::result::Result<Vec<Label>, Error> {
        let place = || ErrorLocation::Parameter("labelIds".into());
        let mut labels = Vec::new();
        for text in texts {
            let label: Label = text.parse().map_err(|_| error::invalid_label(text, place()))?;
            if labels.contains(&label) {
                continue;
            }
            if matches!(label, Label::User(_)) {
                self.store.label(mailbox, label).await.map_err(error::from_store_at(place()))?;
            }
            labels.push(label);
        }
        Ok(labels)
    }
}
