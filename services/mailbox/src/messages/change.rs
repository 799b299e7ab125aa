//! Labels that messages are given and lose.

use mailbox_server::runtime::At;
use mailbox_server::{Context, Error, Result, types};
use wireform_store::{Edit, Label, LabelChange, Mailbox, MessageId, Store, SystemLabel};

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
        self.known_labels(mailbox, &change).await?;
        let edited = self.store.edit(mailbox, id, Edit::Labels(change), self.clock.now()).await;
        let message = edited.map_err(fault::answer_label_at(At::Member("addLabelIds".into())))?;
        Ok(told(message).into())
    }

    /// That the labels of the user are there. Those that are added are looked at once more by the store, which knows
    /// when it writes; those that are taken would be passed over.
    pub(super) async fn known_labels(&self, mailbox: Mailbox, change: &LabelChange) -> std::result::Result<(), Error> {
        for (labels, place) in [(&change.add, "addLabelIds"), (&change.remove, "removeLabelIds")] {
            for label in labels.iter().filter(|label| matches!(label, Label::User(_))) {
                let found = self.store.label(mailbox, *label).await;
                found.map_err(fault::answer_label_at(At::Member(place.into())))?;
            }
        }
        Ok(())
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
