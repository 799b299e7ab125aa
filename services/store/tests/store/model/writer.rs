//! Writers of the model test.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use proptest::prelude::{Just, any};
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Strategy as _};
use wireform_store::{
    AnyStore, Edit, Error, Label, Mailbox, Mailboxes as _, Maintenance as _, Message, MessageId, Millis, NewMessage,
    Result, ThreadId, Threading,
};

use crate::support::{INBOX, STARRED, TRASH, UNREAD, labels, mail, minute, named};

/// Action of a writer. Numbers select among the existing messages, bits among the labels.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Insert { labels: u8, thread: Option<usize> },
    InsertAll { labels: Vec<u8> },
    Edit { message: usize, add: u8, remove: u8 },
    EditAll { messages: Vec<usize>, add: u8, remove: u8 },
    Delete { message: usize },
    DeleteAll { messages: Vec<usize> },
    AddLabel,
    RemoveLabel { label: usize },
    Forget,
}

pub(super) fn acts(forgets: bool) -> BoxedStrategy<Act> {
    let several = || proptest::collection::vec(any::<usize>(), 0..8);
    let pair = || (any::<u8>(), any::<u8>());
    let acts = prop_oneof![
        4 => (any::<u8>(), any::<Option<usize>>()).prop_map(|(labels, thread)| Act::Insert { labels, thread }),
        2 => proptest::collection::vec(any::<u8>(), 0..6).prop_map(|labels| Act::InsertAll { labels }),
        4 => (any::<usize>(), pair()).prop_map(|(message, (add, remove))| Act::Edit { message, add, remove }),
        3 => (several(), pair()).prop_map(|(messages, (add, remove))| Act::EditAll { messages, add, remove }),
        2 => any::<usize>().prop_map(|message| Act::Delete { message }),
        1 => several().prop_map(|messages| Act::DeleteAll { messages }),
        1 => Just(Act::AddLabel),
        1 => any::<usize>().prop_map(|label| Act::RemoveLabel { label }),
    ];
    if forgets { prop_oneof![9 => acts, 1 => Just(Act::Forget)].boxed() } else { acts.boxed() }
}

/// State that the writers share.
#[derive(Default)]
pub(super) struct Shared {
    messages: Mutex<Vec<(MessageId, ThreadId)>>,
    labels: Mutex<Vec<Label>>,
    minutes: AtomicU64,
}

impl Shared {
    fn now(&self) -> Millis {
        minute(self.minutes.fetch_add(1, Ordering::SeqCst))
    }

    fn message(&self, number: usize) -> Option<(MessageId, ThreadId)> {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        (!messages.is_empty()).then(|| messages[number % messages.len()])
    }

    fn some(&self, numbers: &[usize]) -> Vec<MessageId> {
        numbers.iter().filter_map(|number| self.message(*number)).map(|(id, _)| id).collect()
    }

    fn add(&self, messages: &[Message]) {
        let mut all = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(messages.iter().map(|message| (message.id, message.thread)));
    }

    /// Returns labels: the lower bits stand for system labels, the upper ones for the first labels of the user.
    fn labels(&self, bits: u8) -> Vec<Label> {
        let mut all = vec![INBOX, UNREAD, STARRED, TRASH];
        all.extend(self.labels.lock().unwrap_or_else(PoisonError::into_inner).iter().take(4));
        all.into_iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1).map(|(_, label)| label).collect()
    }
}

/// Performs an action. Other writers may have removed its objects in the meantime: that is the only error accepted.
pub(super) async fn act(store: &AnyStore, of: Mailbox, shared: &Shared, act: Act) {
    match perform(store, of, shared, act).await {
        Ok(()) | Err(Error::NotFound { what: "message" | "thread" | "label", .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
}

async fn perform(store: &AnyStore, of: Mailbox, shared: &Shared, act: Act) -> Result<()> {
    let now = shared.now();
    match act {
        Act::Insert { labels, thread } => {
            let thread = thread.and_then(|number| shared.message(number)).map(|(_, thread)| thread);
            let threading = Threading { thread, ..Threading::default() };
            let new = NewMessage { threading, ..mail("one", &shared.labels(labels), now) };
            shared.add(&[store.insert_message(of, new, now).await?]);
        }
        Act::InsertAll { labels } => {
            let batch = labels.iter().map(|labels| mail("of a batch", &shared.labels(*labels), now)).collect();
            shared.add(&store.insert_messages(of, batch, now).await?);
        }
        Act::Edit { message, add, remove } => {
            let Some((id, _)) = shared.message(message) else { return Ok(()) };
            store.edit_message(of, id, labels(&shared.labels(add), &shared.labels(remove)), now).await?;
        }
        Act::EditAll { messages, add, remove } => {
            let edit = labels(&shared.labels(add), &shared.labels(remove));
            store.edit_messages(of, shared.some(&messages), edit, now).await?;
        }
        Act::Delete { message } => {
            let Some((id, _)) = shared.message(message) else { return Ok(()) };
            store.edit_message(of, id, Edit::Delete, now).await?;
        }
        Act::DeleteAll { messages } => store.edit_messages(of, shared.some(&messages), Edit::Delete, now).await?,
        Act::AddLabel => {
            let label = store.add_label(of, named(&format!("Label {}", now.0))).await?.label;
            shared.labels.lock().unwrap_or_else(PoisonError::into_inner).push(label);
        }
        Act::RemoveLabel { label } => {
            let label = {
                let mut labels = shared.labels.lock().unwrap_or_else(PoisonError::into_inner);
                if labels.is_empty() {
                    return Ok(());
                }
                let place = label % labels.len();
                labels.remove(place)
            };
            store.remove_label(of, label, now).await?;
        }
        Act::Forget => drop(store.clean_up(now).await?),
    }
    Ok(())
}
