//! Removal of labels: hides them at once, then removes them from messages in steps.

use crate::domain::edit::apply;
use crate::domain::labels::reject_system_label;
use crate::domain::mailbox::MailboxState;
use crate::domain::record::message_id;
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Edit, Error, Label, LabelChange, Mailbox, Millis, Result};

/// Number of messages that a label is removed from per step.
const MESSAGES_PER_STEP: i64 = 500;

/// Hides a label from the list of labels.
pub(super) struct HideLabel(pub(super) Mailbox, pub(super) Label);

impl Operation for HideLabel {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        reject_system_label(self.1)?;
        MailboxState::lock(session, self.0).await?;
        match session.run(sql::LABEL_HIDE, &[self.0.0.into(), self.1.number().into()]).await? {
            0 => Err(Error::not_found("label", self.1)),
            _ => Ok(()),
        }
    }
}

/// Removes a hidden label from some messages; returns whether there may be more.
pub(super) struct ClearHiddenLabel {
    pub(super) of: Mailbox,
    pub(super) label: Label,
    pub(super) now: Millis,
}

impl Operation for ClearHiddenLabel {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let Self { of, label, now } = self;
        let mut head = MailboxState::lock(session, of).await?;
        let key = [of.0.into(), label.number().into()];
        let rows = session.rows(sql::LABELLED, &[of.0.into(), label.number().into(), MESSAGES_PER_STEP.into()]).await?;
        if rows.is_empty() {
            session.run(sql::COUNTS_DROP, &key).await?;
            session.run(sql::LABEL_DROP, &key).await?;
            return Ok(false);
        }
        let ids: Vec<_> = rows.iter().map(|row| message_id(row.int(0)?.cast_unsigned())).collect::<Result<_>>()?;
        let edit = Edit::Labels(LabelChange { add: Vec::new(), remove: vec![label] });
        apply(session, &mut head, &ids, &edit, now).await?;
        Ok(true)
    }
}

/// Finds a label whose removal was interrupted.
pub(super) struct FindHiddenLabel;

impl Operation for FindHiddenLabel {
    type Output = Option<(Mailbox, Label)>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let rows = session.rows(sql::LABELS_HIDDEN, &[]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let of = Mailbox(row.int(0)?);
        Ok(Label::from_number(row.int(1)?).map(|label| (of, label)))
    }
}
