//! Labels of imported mail.

use std::collections::HashMap;

use wireform_store::{Error as StoreError, Label, LabelSettings, Mailbox, Result, Store, SystemLabel};

/// Label that may not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LabelName {
    /// System label.
    System(SystemLabel),
    /// Label by name, which may turn out to be a system label.
    Named(String),
}

/// Maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 225;

/// Labels of a mailbox by name.
pub(super) struct Labels {
    by_name: HashMap<String, Label>,
    /// Number of created labels.
    pub(super) created: u64,
    /// Number of created labels whose name differs from that in the source.
    pub(super) renamed: u64,
}

impl Labels {
    /// Loads the labels of a mailbox.
    pub(super) async fn load<S: Store>(store: &S, mailbox: Mailbox) -> Result<Self> {
        let labels = store.labels(mailbox).await?;
        let by_name = labels.into_iter().map(|info| (lookup_key(&info.settings.name), info.label)).collect();
        Ok(Self { by_name, created: 0, renamed: 0 })
    }

    /// Reloads the labels, after they were changed concurrently.
    pub(super) async fn refresh<S: Store>(&mut self, store: &S, mailbox: Mailbox) -> Result<()> {
        self.by_name = Self::load(store, mailbox).await?.by_name;
        Ok(())
    }

    /// Returns the label with a name, which is created if it does not exist.
    pub(super) async fn find<S: Store>(&mut self, store: &S, mailbox: Mailbox, name: &LabelName) -> Result<Label> {
        let given = match name {
            LabelName::System(label) => return Ok(Label::System(*label)),
            LabelName::Named(name) => name,
        };
        let name = sanitize(given);
        if let Some(label) = SystemLabel::from_name(&name) {
            return Ok(Label::System(label));
        }
        let (key, is_renamed) = (lookup_key(&name), name != given.trim());
        if let Some(label) = self.by_name.get(&key) {
            return Ok(*label);
        }
        let label = match store.add_label(mailbox, LabelSettings { name, ..LabelSettings::default() }).await {
            Ok(info) => info.label,
            // It was created concurrently.
            Err(StoreError::AlreadyExists { what, name }) => {
                self.refresh(store, mailbox).await?;
                return self.by_name.get(&key).copied().ok_or(StoreError::AlreadyExists { what, name });
            }
            Err(error) => return Err(error),
        };
        self.created += 1;
        self.renamed += u64::from(is_renamed);
        self.by_name.insert(key, label);
        Ok(label)
    }
}

/// Returns the form of a name for lookups.
fn lookup_key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Converts a name to one that the API accepts.
fn sanitize(name: &str) -> String {
    let name: String = name.trim().chars().filter(|one| !one.is_control()).take(MAX_NAME_LENGTH).collect();
    if name.trim().is_empty() { "Imported".to_owned() } else { name }
}
