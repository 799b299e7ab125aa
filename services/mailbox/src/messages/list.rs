//! Listing messages.

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::runtime::tokens::expired_page;
use mailbox_server::types::{self, ListMessagesResponse};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{Error as StoreError, Label, LabelInfo, ListCursor, ListQuery, Mailbox, Store, SystemLabel, User};

use crate::query::{self, Search};
use crate::{MailboxService, caller, error};

/// Default page size.
const DEFAULT_PAGE_SIZE: u32 = 100;

const TRASH: Label = Label::System(SystemLabel::Trash);
const SPAM: Label = Label::System(SystemLabel::Spam);

/// Checks that the scopes of the caller permit a search, which may read the content of messages.
fn check_search_scope(text: &str, context: &Context) -> std::result::Result<(), Error> {
    if text.is_empty() || !caller::sees_metadata_only(context) {
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
        let mailbox = user.mailbox;
        let text = request.q.as_deref().unwrap_or_default();
        check_search_scope(text, context)?;
        let search = self.search(&user, text).await?;
        let from: Option<ListCursor> = self.sealer.open_page(context, &request)?;
        let labels = self.listed_labels(mailbox, &request.label_ids).await?;
        let Search::Messages(mut query) = search else {
            // The search is known to find nothing. In the epoch in which the list began it may have found something, so
            // a page token of another epoch is not the end of that list.
            if let Some(from) = from
                && self.store.epoch().await.map_err(error::from_store)? != from.epoch
            {
                return Err(expired_page(context, &request));
            }
            return Ok(ListMessagesResponse::default().with_result_size_estimate(0_u32).into());
        };
        query.labels.extend(labels);
        if !request.include_spam_trash.unwrap_or(false) {
            let shown = |place: &Label| query.shown.contains(place) || query.labels.contains(place);
            query.without.extend([TRASH, SPAM].into_iter().filter(|place| !shown(place)));
        }
        let query = ListQuery {
            labels: query.labels,
            excluded_labels: query.without,
            filters: query.filters,
            from,
            limit: request.max_results.unwrap_or(DEFAULT_PAGE_SIZE),
        };
        let page = self.store.messages(mailbox, query).await.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, &request),
            other => error::from_store(other),
        })?;
        let named = page
            .messages
            .iter()
            .map(|(id, thread)| types::Message::default().with_id(id.to_string()).with_thread_id(thread.to_string()));
        let estimate = u32::try_from(page.estimate).unwrap_or(u32::MAX);
        let mut response = ListMessagesResponse::default().with_messages(named).with_result_size_estimate(estimate);
        if let Some(next) = page.next {
            response.next_page_token = Some(self.sealer.seal_page(context, &request, &next)?);
        }
        Ok(response.into())
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
