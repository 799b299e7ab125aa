//! Labels: those of the system, which every mailbox has, and those that its user makes.

use mailbox_server::runtime::wireform_runtime::Writes;
use mailbox_server::runtime::{At, WriteResult};
use mailbox_server::types::{self, LabelColor, LabelType, ListLabelsResponse};
use mailbox_server::{Context, Error, Reply, Result, requests, service};
use wireform_store::{Error as StoreError, Label, LabelCounts, LabelInfo, LabelSettings, Mailbox, Store};

use crate::service::count;
use crate::{MailboxService, caller, fault};

/// Labels of the system cannot be changed or deleted. Two labels of a mailbox never have the same name, whatever the
/// case of its letters. Numbers are told where one label is asked for, and not in the list.
impl<S: Store> service::UsersLabels for MailboxService<S> {
    async fn list(&self, request: requests::UsersLabelsList, context: &Context) -> Result<ListLabelsResponse> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let labels = self.store.labels(mailbox).await.map_err(fault::answer)?;
        Ok(ListLabelsResponse::default().with_labels(labels.into_iter().map(told)).into())
    }

    async fn get(&self, request: requests::UsersLabelsGet, context: &Context) -> Result<types::Label> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let info = self.store.label(mailbox, label(&request.id)?).await.map_err(fault::answer)?;
        self.counted(mailbox, info).await
    }

    async fn create(&self, request: requests::UsersLabelsCreate, context: &Context) -> Result<types::Label> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let added = self.store.add_label(mailbox, settings(request.body)?).await;
        let info = added.map_err(named)?;
        self.counted(mailbox, info).await
    }

    async fn update(
        &self,
        request: requests::UsersLabelsUpdate,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsUpdate> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let label = label(&request.id)?;
        self.change_label(mailbox, label, request, context).await
    }

    async fn patch(
        &self,
        request: requests::UsersLabelsPatch,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsPatch> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let label = label(&request.id)?;
        self.change_label(mailbox, label, request, context).await
    }

    async fn delete(&self, request: requests::UsersLabelsDelete, context: &Context) -> Result<()> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let now = self.clock.now();
        let removed = self.store.remove_label(mailbox, label(&request.id)?, now).await;
        removed.map_err(|error| match error {
            StoreError::Refused(_) => fault::answer(error).at(At::Parameter("id".into())),
            other => fault::answer(other),
        })?;
        Ok(().into())
    }
}

impl<S: Store> MailboxService<S> {
    /// Changes a label as the request says, which is held against the label in the transaction that changes it.
    async fn change_label<R>(&self, mailbox: Mailbox, label: Label, request: R, context: &Context) -> WriteResult<R>
    where
        R: Writes<Resource = types::Label, Response = types::Label>,
    {
        let context = context.detached();
        let change = move |info: LabelInfo| {
            let (label, admission) = context.prepare(&request, Some(&told(info)))?;
            Ok::<_, Error>((settings(label)?, admission))
        };
        let (info, admission) = self.store.update_label(mailbox, label, change).await.map_err(named)??;
        Ok(admission.reply(self.counted(mailbox, info).await?))
    }

    async fn counted(&self, mailbox: Mailbox, info: LabelInfo) -> Result<types::Label> {
        let LabelCounts { messages, messages_unread, threads, threads_unread } =
            self.store.label_counts(mailbox, info.label).await.map_err(fault::answer)?;
        let label = told(info)
            .with_messages_total(count(messages))
            .with_messages_unread(count(messages_unread))
            .with_threads_total(count(threads))
            .with_threads_unread(count(threads_unread));
        Ok(Reply::new(label))
    }
}

/// The label that a path names. What cannot be one is as one that is not there.
fn label(text: &str) -> std::result::Result<Label, Error> {
    text.parse().map_err(|_| fault::answer(StoreError::absent("label", text)))
}

/// What the store refuses about a label is its name, where the label itself may be changed.
fn named(error: StoreError) -> Error {
    let is_name = matches!(error, StoreError::Present { .. } | StoreError::Refused(_));
    let answer = fault::answer(error);
    if is_name { answer.at(At::Member("name".into())) } else { answer }
}

/// A label as it is answered, without numbers.
fn told(info: LabelInfo) -> types::Label {
    let kind = match info.label {
        Label::System(_) => LabelType::System,
        Label::User(_) => LabelType::User,
    };
    let LabelSettings { name, message_list_visibility, label_list_visibility, color } = info.settings;
    let mut label = types::Label::default().with_id(info.label.to_string()).with_name(name).with_type(kind);
    label.message_list_visibility = message_list_visibility.map(Into::into);
    label.label_list_visibility = label_list_visibility.map(Into::into);
    label.color = color.map(|(text, behind)| LabelColor::default().with_text_color(text).with_background_color(behind));
    label
}

/// What the user decides about a label.
fn settings(label: types::Label) -> std::result::Result<LabelSettings, Error> {
    let Some(name) = label.name else {
        let message = "a label has a name";
        return Err(Error::bad_request(message).with_reason("required").at(At::Member("name".into())));
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
