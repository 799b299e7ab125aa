//! System labels, which every mailbox has, and labels created by users.

use mailbox_server::runtime::wireform_runtime::WriteRequest;
use mailbox_server::runtime::{ErrorLocation, WriteResult};
use mailbox_server::types::{self, LabelColor, LabelType, ListLabelsResponse};
use mailbox_server::{Context, Error, Reply, Result, requests, service};
use wireform_store::{Error as StoreError, Label, LabelCounts, LabelInfo, LabelSettings, Mailbox, Store};

use crate::number::count;
use crate::{MailboxService, caller, error};

/// System labels cannot be changed or deleted. Label names are unique in a mailbox without regard to case. Counts are
/// returned for a single label, and not in the list.
impl<S: Store> service::UsersLabels for MailboxService<S> {
    async fn list(&self, request: requests::UsersLabelsList, context: &Context) -> Result<ListLabelsResponse> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let labels = self.store.labels(mailbox).await.map_err(error::from_store)?;
        Ok(ListLabelsResponse::default().with_labels(labels.into_iter().map(to_api)).into())
    }

    async fn get(&self, request: requests::UsersLabelsGet, context: &Context) -> Result<types::Label> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let info = self.store.label(mailbox, parse_label(&request.id)?).await.map_err(error::from_store)?;
        self.with_counts(mailbox, info).await
    }

    async fn create(&self, request: requests::UsersLabelsCreate, context: &Context) -> Result<types::Label> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let added = self.store.add_label(mailbox, parse_settings(request.body)?).await;
        let info = added.map_err(name_error)?;
        self.with_counts(mailbox, info).await
    }

    async fn update(
        &self,
        request: requests::UsersLabelsUpdate,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsUpdate> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let label = parse_label(&request.id)?;
        self.change_label(mailbox, label, request, context).await
    }

    async fn patch(
        &self,
        request: requests::UsersLabelsPatch,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsPatch> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let label = parse_label(&request.id)?;
        self.change_label(mailbox, label, request, context).await
    }

    async fn delete(&self, request: requests::UsersLabelsDelete, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let now = self.clock.now();
        let removed = self.store.remove_label(mailbox, parse_label(&request.id)?, now).await;
        removed.map_err(|error| match error {
            StoreError::Refused(_) => error::from_store(error).with_location(ErrorLocation::Parameter("id".into())),
            other => error::from_store(other),
        })?;
        Ok(().into())
    }
}

impl<S: Store> MailboxService<S> {
    /// Changes a label. The preconditions of the request are checked in the transaction.
    async fn change_label<R>(&self, mailbox: Mailbox, label: Label, request: R, context: &Context) -> WriteResult<R>
    where
        R: WriteRequest<Resource = types::Label, Response = types::Label>,
    {
        let context = context.detached();
        let change = move |info: LabelInfo| {
            let (label, admission) = context.prepare(&request, Some(&to_api(info)))?;
            Ok::<_, Error>((parse_settings(label)?, admission))
        };
        let (info, admission) = self.store.update_label(mailbox, label, change).await.map_err(name_error)??;
        Ok(admission.reply(self.with_counts(mailbox, info).await?))
    }

    /// Converts a label, with the numbers of its messages and conversations.
    async fn with_counts(&self, mailbox: Mailbox, info: LabelInfo) -> Result<types::Label> {
        let LabelCounts { messages, messages_unread, threads, threads_unread } =
            self.store.label_counts(mailbox, info.label).await.map_err(error::from_store)?;
        let label = to_api(info)
            .with_messages_total(count(messages))
            .with_messages_unread(count(messages_unread))
            .with_threads_total(count(threads))
            .with_threads_unread(count(threads_unread));
        Ok(Reply::new(label))
    }
}

/// Parses the label of a path. An invalid identifier counts as a missing label.
fn parse_label(text: &str) -> std::result::Result<Label, Error> {
    text.parse().map_err(|_| error::from_store(StoreError::not_found("label", text)))
}

/// Converts an error of the store: what it refuses about a changeable label is the name.
fn name_error(error: StoreError) -> Error {
    let is_name = matches!(error, StoreError::AlreadyExists { .. } | StoreError::Refused(_));
    let error = error::from_store(error);
    if is_name { error.with_location(ErrorLocation::Field("name".into())) } else { error }
}

/// Converts a label without its counts.
fn to_api(info: LabelInfo) -> types::Label {
    let kind = match info.label {
        Label::System(_) => LabelType::System,
        Label::User(_) => LabelType::User,
    };
    let LabelSettings { name, message_list_visibility, label_list_visibility, color } = info.settings;
    let mut label = types::Label::default().with_id(info.label.to_string()).with_name(name).with_type(kind);
    label.message_list_visibility = message_list_visibility.map(Into::into);
    label.label_list_visibility = label_list_visibility.map(Into::into);
    label.color =
        color.map(|(text, background)| LabelColor::default().with_text_color(text).with_background_color(background));
    label
}

/// Converts the settings of a label.
fn parse_settings(label: types::Label) -> std::result::Result<LabelSettings, Error> {
    let Some(name) = label.name else {
        let message = "a label requires a name";
        return Err(Error::bad_request(message)
            .with_reason("required")
            .with_location(ErrorLocation::Field("name".into())));
    };
    let color =
        label.color.and_then(|color| Some((color.text_color?.to_string(), color.background_color?.to_string())));
    Ok(LabelSettings {
        name,
        message_list_visibility: label.message_list_visibility.map(|value| value.to_string()),
        label_list_visibility: label.label_list_visibility.map(|value| value.to_string()),
        color,
    })
}
