//! The labels that mail is stored with.

use std::collections::HashMap;

use wireform_store::{Error as StoreError, Label, LabelSettings, Mailbox, Result, Store, SystemLabel};

/// A label before it is known whether there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LabelName {
    /// One of the system.
    System(SystemLabel),
    /// One with that name, which may turn out to be one of the system.
    Named(String),
}

/// The most characters of a name.
const LONGEST: usize = 225;

/// The labels of a mailbox by their names.
pub(super) struct Labels {
    by_name: HashMap<String, Label>,
    /// How many were made.
    pub(super) made: u64,
    /// How many of those could not have the name that the source has for them.
    pub(super) renamed: u64,
}

impl Labels {
    /// Those that there are.
    pub(super) async fn of<S: Store>(store: &S, mailbox: Mailbox) -> Result<Self> {
        let labels = store.labels(mailbox).await?;
        let by_name = labels.into_iter().map(|info| (key(&info.settings.name), info.label)).collect();
        Ok(Self { by_name, made: 0, renamed: 0 })
    }

    /// Reads anew which labels there are, because somebody else has changed them.
    pub(super) async fn refresh<S: Store>(&mut self, store: &S, mailbox: Mailbox) -> Result<()> {
        self.by_name = Self::of(store, mailbox).await?.by_name;
        Ok(())
    }

    /// The label with a name, which is made if it is not there.
    pub(super) async fn find<S: Store>(&mut self, store: &S, mailbox: Mailbox, name: &LabelName) -> Result<Label> {
        let given = match name {
            LabelName::System(label) => return Ok(Label::System(*label)),
            LabelName::Named(name) => name,
        };
        let name = usable(given);
        if let Some(label) = SystemLabel::of_name(&name) {
            return Ok(Label::System(label));
        }
        let (key, is_renamed) = (key(&name), name != given.trim());
        if let Some(label) = self.by_name.get(&key) {
            return Ok(*label);
        }
        let label = match store.add_label(mailbox, LabelSettings { name, ..LabelSettings::default() }).await {
            Ok(info) => info.label,
            // Somebody else has made it meanwhile.
            Err(StoreError::Present { what, name }) => {
                self.refresh(store, mailbox).await?;
                return self.by_name.get(&key).copied().ok_or(StoreError::Present { what, name });
            }
            Err(error) => return Err(error),
        };
        self.made += 1;
        self.renamed += u64::from(is_renamed);
        self.by_name.insert(key, label);
        Ok(label)
    }
}

/// The form of a name by which a label is found.
fn key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// A name as the API would take it.
fn usable(name: &str) -> String {
    let name: String = name.trim().chars().filter(|one| !one.is_control()).take(LONGEST).collect();
    if name.trim().is_empty() { "Imported".to_owned() } else { name }
}
