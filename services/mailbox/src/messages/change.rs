//! Labels that messages are given and lose.

use mailbox_server::runtime::At;
use mailbox_server::{Context, Error, Result, types};
use wireform_store::{Edit, Error as StoreError, Label, LabelChange, MessageId, Store, SystemLabel};

use super::{labels, message_id, told};
use crate::{MailboxService, caller, fault};

/// Where a message lies: at one of these places at the most, unless somebody says otherwise.
const PLACES: [Label; 3] =
    [Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Spam), Label::System(SystemLabel::Trash)];

/// What a message is because of how it came into the mailbox; nobody changes that.
const FIXED: [Label; 3] =
    [Label::System(SystemLabel::Sent), Label::System(SystemLabel::Draft), Label::System(SystemLabel::Chat)];

impl<S: Store> MailboxService<S> {
    pub(super) async fn change(
        &self,
        user_id: &str,
        id: &str,
        change: LabelChange,
        context: &Context,
    ) -> Result<types::Message> {
        let mailbox = caller::mailbox(&self.store, context, user_id).await?;
        let id = message_id(id)?;
        let place = place(&change);
        let edited = self.store.edit(mailbox, id, Edit::Labels(change), self.clock.now()).await;
        Ok(told(edited.map_err(place)?).into())
    }
}

/// The answer for an error of the store, which names the list that a label stood in if that is not there.
pub(super) fn place(change: &LabelChange) -> impl FnOnce(StoreError) -> Error + use<> {
    let removed: Vec<String> = change.remove.iter().map(Label::to_string).collect();
    move |error| {
        let is_removed = matches!(&error, StoreError::Absent { what: "label", name } if removed.contains(name));
        let place = if is_removed { "removeLabelIds" } else { "addLabelIds" };
        fault::answer_label_at(At::Member(place.into()))(error)
    }
}

/// The change that a request asks for. What is said of places holds here as well: a message that comes into the trash
/// leaves the inbox.
///
/// # Errors
/// 400 for what is no label, and for those that are fixed.
pub(super) fn of(add: &[String], remove: &[String]) -> std::result::Result<LabelChange, Error> {
    let mut change = LabelChange { add: labels(add, "addLabelIds")?, remove: labels(remove, "removeLabelIds")? };
    for (labels, place) in [(&change.add, "addLabelIds"), (&change.remove, "removeLabelIds")] {
        if let Some(fixed) = labels.iter().find(|label| FIXED.contains(label)) {
            return Err(fault::invalid_label(&fixed.to_string(), At::Member(place.into())));
        }
    }
    move_between_places(&mut change);
    Ok(change)
}

/// A message that is put at a place leaves the others.
pub(super) fn move_between_places(change: &mut LabelChange) {
    if change.add.iter().any(|label| PLACES.contains(label)) {
        let left: Vec<Label> = PLACES.into_iter().filter(|place| !change.add.contains(place)).collect();
        change.remove.extend(left);
    }
}

/// The messages that a body names.
///
/// # Errors
/// 400 at the first that cannot be the name of any.
pub(super) fn ids(texts: &[String]) -> std::result::Result<Vec<MessageId>, Error> {
    let id = |(at, text): (usize, &String)| {
        message_id(text).map_err(|error| error.at(At::Member(format!("ids[{at}]").into())))
    };
    texts.iter().enumerate().map(id).collect()
}
