//! Changes of the labels of messages.

use mailbox_server::runtime::ErrorLocation;
use mailbox_server::{Context, Error, Result, types};
use wireform_store::{Edit, Error as StoreError, Label, LabelChange, MessageId, Store, SystemLabel};

use super::{parse_labels, parse_message_id, to_api};
use crate::{MailboxService, caller, error};

/// Locations of a message, which are mutually exclusive unless a request adds several.
const LOCATION_LABELS: [Label; 3] =
    [Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Spam), Label::System(SystemLabel::Trash)];

/// Labels that depend on how a message came into the mailbox, and cannot be changed.
const FIXED_LABELS: [Label; 3] =
    [Label::System(SystemLabel::Sent), Label::System(SystemLabel::Draft), Label::System(SystemLabel::Chat)];

impl<S: Store> MailboxService<S> {
    /// Changes the labels of one message, and returns it.
    pub(super) async fn change_labels(
        &self,
        user_id: &str,
        id: &str,
        change: LabelChange,
        context: &Context,
    ) -> Result<types::Message> {
        let mailbox = caller::mailbox(&self.store, context, user_id).await?;
        let id = parse_message_id(id)?;
        let to_error = list_error(&change);
        let edited = self.store.edit_message(mailbox, id, Edit::Labels(change), self.clock.now()).await;
        Ok(to_api(edited.map_err(to_error)?).into())
    }
}

/// Converts an error of the store, naming the list that contained a missing label.
pub(super) fn list_error(change: &LabelChange) -> impl FnOnce(StoreError) -> Error + use<> {
    let removed: Vec<String> = change.remove.iter().map(Label::to_string).collect();
    move |error| {
        let is_removed = matches!(&error, StoreError::NotFound { what: "label", name } if removed.contains(name));
        let place = if is_removed { "removeLabelIds" } else { "addLabelIds" };
        error::from_store_at(ErrorLocation::Field(place.into()))(error)
    }
}

/// Returns the change of a request. Locations are exclusive here as well: moving a message to the trash removes it from
/// the inbox.
///
/// # Errors
/// Returns 400 for invalid labels, for those that cannot be changed, and for too many.
pub(super) fn parse_change(add: &[String], remove: &[String]) -> std::result::Result<LabelChange, Error> {
    let mut change =
        LabelChange { add: parse_labels(add, "addLabelIds")?, remove: parse_labels(remove, "removeLabelIds")? };
    for (labels, place) in [(&change.add, "addLabelIds"), (&change.remove, "removeLabelIds")] {
        if let Some(fixed) = labels.iter().find(|label| FIXED_LABELS.contains(label)) {
            return Err(error::invalid_label(&fixed.to_string(), ErrorLocation::Field(place.into())));
        }
    }
    enforce_one_location(&mut change);
    Ok(change)
}

/// Removes the other locations of a message that is moved to one.
pub(super) fn enforce_one_location(change: &mut LabelChange) {
    if change.add.iter().any(|label| LOCATION_LABELS.contains(label)) {
        let left: Vec<Label> = LOCATION_LABELS.into_iter().filter(|place| !change.add.contains(place)).collect();
        change.remove.extend(left);
    }
}

/// Parses the message identifiers of a body.
///
/// # Errors
/// Returns 400 for the first invalid identifier.
pub(super) fn parse_ids(texts: &[String]) -> std::result::Result<Vec<MessageId>, Error> {
    let id = |(at, text): (usize, &String)| {
        parse_message_id(text).map_err(|error| error.with_location(ErrorLocation::Field(format!("ids[{at}]").into())))
    };
    texts.iter().enumerate().map(id).collect()
}
