//! Labels.

use std::collections::BTreeSet;

use crate::domain::mailbox::MailboxState;
use crate::domain::{counts, sql, texts};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{Error, Label, LabelCounts, LabelInfo, LabelSettings, Mailbox, Result, SystemLabel};

/// Maximum length of a label name, in bytes.
const MAX_NAME_LENGTH: usize = 1_000;
/// Maximum number of labels of a message: every history record of the message contains them all.
const MAX_LABELS_PER_MESSAGE: usize = 100;
/// Maximum number of user labels of a mailbox, because lists and searches read them all.
const MAX_LABELS_PER_MAILBOX: i64 = 10_000;

/// Checks that labels exist.
pub(super) async fn require_existing<S: Session>(session: &mut S, of: Mailbox, labels: BTreeSet<Label>) -> Result<()> {
    let own: Vec<Label> = labels.into_iter().filter(|label| matches!(label, Label::User(_))).collect();
    let keys: Vec<Vec<Value>> = own.iter().map(|label| vec![of.0.into(), label.number().into()]).collect();
    for (label, rows) in own.iter().zip(session.rows_of_each(sql::LABEL, &keys).await?) {
        if rows.is_empty() {
            return Err(Error::not_found("label", label));
        }
    }
    Ok(())
}

/// Checks the number of labels of a message.
pub(super) fn check_count(count: usize) -> Result<()> {
    if count > MAX_LABELS_PER_MESSAGE {
        return Err(Error::Refused(format!(
            "a message can have at most {MAX_LABELS_PER_MESSAGE} labels, found {count}"
        )));
    }
    Ok(())
}

fn system_label_info(label: SystemLabel) -> LabelInfo {
    let settings = LabelSettings { name: label.as_str().to_owned(), ..LabelSettings::default() };
    LabelInfo { label: Label::System(label), settings }
}

fn label_from_row(row: &mut Row) -> Result<LabelInfo> {
    let number = row.int(0)?;
    let fault = || Error::Internal(format!("unknown label number {number}"));
    let settings = LabelSettings {
        name: row.text(1)?,
        message_list_visibility: row.optional_text(2)?,
        label_list_visibility: row.optional_text(3)?,
        color: row.optional_text(4)?.zip(row.optional_text(5)?),
    };
    Ok(LabelInfo { label: Label::from_number(number).ok_or_else(fault)?, settings })
}

/// Returns a label with its settings; fails if the mailbox has no such label.
async fn find<S: Session>(session: &mut S, of: Mailbox, label: Label) -> Result<LabelInfo> {
    if let Label::System(label) = label {
        return Ok(system_label_info(label));
    }
    let mut rows = session.rows(sql::LABEL, &[of.0.into(), label.number().into()]).await?;
    label_from_row(rows.first_mut().ok_or_else(|| Error::not_found("label", label))?)
}

/// Checks that a name is not that of a system label or of another user label.
async fn require_unused_name<S: Session>(
    session: &mut S,
    of: Mailbox,
    name: &str,
    itself: Option<Label>,
) -> Result<()> {
    let system = SystemLabel::from_name(name).is_some();
    let rows = session.rows(sql::LABEL_NAMED, &[of.0.into(), lookup_key(name).into()]).await?;
    let other = match rows.first() {
        Some(row) => Some(row.int(0)?) != itself.map(Label::number),
        None => false,
    };
    if system || other { Err(Error::already_exists("label", name)) } else { Ok(()) }
}

/// Returns the form of a name for lookups, without regard to case and surrounding spaces.
fn lookup_key(name: &str) -> String {
    texts::lookup_key(name.trim())
}

/// Refuses control characters, which would be displayed wrongly or not at all. A stored label that has some keeps its
/// name until it is renamed.
fn reject_control_characters(name: &str) -> Result<()> {
    match name.chars().find(|character| character.is_control()) {
        Some(found) => Err(Error::Refused(format!(
            "a label name must not contain control characters, found U+{:04X}",
            u32::from(found)
        ))),
        None => Ok(()),
    }
}

/// Checks that the mailbox can have one more label. Numbers are never reused, so a small next number means few labels.
async fn require_below_limit<S: Session>(session: &mut S, head: &MailboxState) -> Result<()> {
    if head.next_label > MAX_LABELS_PER_MAILBOX {
        let last = [head.mailbox.0.into(), (MAX_LABELS_PER_MAILBOX - 1).into()];
        if !session.rows(sql::LABEL_AT, &last).await?.is_empty() {
            return Err(Error::Refused(format!("a mailbox can have at most {MAX_LABELS_PER_MAILBOX} labels")));
        }
    }
    Ok(())
}

/// Validates settings and returns their stored form.
fn validate(settings: LabelSettings) -> Result<LabelSettings> {
    let LabelSettings { name, message_list_visibility, label_list_visibility, color } = settings;
    Ok(LabelSettings {
        name: texts::check_name("name of a label", &name, MAX_NAME_LENGTH)?,
        message_list_visibility: message_list_visibility.map(texts::replace_nul),
        label_list_visibility: label_list_visibility.map(texts::replace_nul),
        color: color.map(|(text, background)| (texts::replace_nul(text), texts::replace_nul(background))),
    })
}

fn label_values(of: Mailbox, label: Label, settings: &LabelSettings) -> Vec<Value> {
    let (text, background) = settings.color.clone().unzip();
    vec![
        of.0.into(),
        label.number().into(),
        settings.name.clone().into(),
        lookup_key(&settings.name).into(),
        settings.message_list_visibility.clone().into(),
        settings.label_list_visibility.clone().into(),
        text.into(),
        background.into(),
    ]
}

/// Lists the labels of a mailbox: those of the system, followed by its own.
pub(super) struct ListLabels(pub(super) Mailbox);

impl Operation for ListLabels {
    type Output = Vec<LabelInfo>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<LabelInfo>> {
        MailboxState::read(session, self.0).await?;
        let mut own = session.rows(sql::LABELS, &[self.0.0.into()]).await?;
        SystemLabel::ALL
            .iter()
            .map(|label| Ok(system_label_info(*label)))
            .chain(own.iter_mut().map(label_from_row))
            .collect()
    }
}

/// Reads a label of a mailbox; fails if there is none.
pub(super) struct GetLabel(pub(super) Mailbox, pub(super) Label);

impl Operation for GetLabel {
    type Output = LabelInfo;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<LabelInfo> {
        find(session, self.0, self.1).await
    }
}

/// Counts the messages and conversations with a label.
pub(super) struct CountLabel(pub(super) Mailbox, pub(super) Label);

impl Operation for CountLabel {
    type Output = LabelCounts;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<LabelCounts> {
        find(session, self.0, self.1).await?;
        counts::read(session, self.0, self.1.number()).await
    }
}

/// Adds a label with an unused name.
pub(super) struct AddLabel(pub(super) Mailbox, pub(super) LabelSettings);

impl Operation for AddLabel {
    type Output = LabelInfo;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<LabelInfo> {
        let Self(of, settings) = self;
        let head = MailboxState::lock(session, of).await?;
        reject_control_characters(&settings.name)?;
        let settings = validate(settings)?;
        require_unused_name(session, of, &settings.name, None).await?;
        require_below_limit(session, &head).await?;
        let many = |_| Error::Refused("no label number is left in this mailbox".to_owned());
        let label = Label::User(u32::try_from(head.next_label).map_err(many)?);
        session.run(sql::MAILBOX_NEXT_LABEL, &[of.0.into(), (head.next_label + 1).into()]).await?;
        session.run(sql::LABEL_ADD, &label_values(of, label, &settings)).await?;
        Ok(LabelInfo { label, settings })
    }
}

/// Changes the settings of a label with a function, whose error leaves the label unchanged.
pub(super) struct UpdateLabel<F> {
    pub(super) of: Mailbox,
    pub(super) label: Label,
    pub(super) change: F,
}

impl<T, E, F> Operation for UpdateLabel<F>
where
    T: Send + 'static,
    E: Send + 'static,
    F: FnOnce(LabelInfo) -> std::result::Result<(LabelSettings, T), E> + Send + 'static,
{
    type Output = std::result::Result<(LabelInfo, T), E>;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let Self { of, label, change } = self;
        MailboxState::lock(session, of).await?;
        let before = find(session, of, label).await?;
        let (settings, more) = match change(before.clone()) {
            Ok((settings, more)) => {
                if settings.name != before.settings.name {
                    reject_control_characters(&settings.name)?;
                }
                (validate(settings)?, more)
            }
            Err(error) => return Ok(Err(error)),
        };
        if settings != before.settings {
            reject_system_label(label)?;
            require_unused_name(session, of, &settings.name, Some(label)).await?;
            session.run(sql::LABEL_CHANGE, &label_values(of, label, &settings)).await?;
        }
        Ok(Ok((LabelInfo { label, settings }, more)))
    }
}

pub(super) fn reject_system_label(label: Label) -> Result<()> {
    match label {
        Label::System(label) => {
            Err(Error::Refused(format!("`{}` is a system label and cannot be modified", label.as_str())))
        }
        Label::User(_) => Ok(()),
    }
}
