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
}

impl Labels {
    /// Those that there are.
    pub(super) async fn of<S: Store>(store: &S, mailbox: Mailbox) -> Result<Self> {
        let labels = store.labels(mailbox).await?;
        let by_name = labels.into_iter().map(|info| (info.settings.name.to_lowercase(), info.label)).collect();
        Ok(Self { by_name, made: 0 })
    }

    /// The label with a name, which is made if it is not there.
    pub(super) async fn find<S: Store>(&mut self, store: &S, mailbox: Mailbox, name: &LabelName) -> Result<Label> {
        let name = match name {
            LabelName::System(label) => return Ok(Label::System(*label)),
            LabelName::Named(name) => usable(name),
        };
        let key = name.to_lowercase();
        if let Some(label) = self.by_name.get(&key) {
            return Ok(*label);
        }
        let label = match store.add_label(mailbox, LabelSettings { name, ..LabelSettings::default() }).await {
            Ok(info) => info.label,
            // Somebody else has made it meanwhile.
            Err(StoreError::Present { what, name }) => {
                let made = self.made;
                *self = Self::of(store, mailbox).await?;
                self.made = made;
                return self.by_name.get(&key).copied().ok_or(StoreError::Present { what, name });
            }
            Err(error) => return Err(error),
        };
        self.made += 1;
        self.by_name.insert(key, label);
        Ok(label)
    }
}

/// A name as the API would take it.
fn usable(name: &str) -> String {
    let name: String = name.trim().chars().filter(|one| !one.is_control()).take(LONGEST).collect();
    if name.trim().is_empty() { "Imported".to_owned() } else { name }
}
