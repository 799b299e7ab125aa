//! Positions in lists, which page and sync tokens hold.

use serde_derive::{Deserialize, Serialize};
use wireform_store::{Epoch, HistoryId};

/// Start of a page.
pub(super) enum ListPosition {
    Walk(ListState<WalkPosition>),
    Window(ListState<WindowPosition>),
    Sync(ListState<SyncPosition>),
}

/// State of a list: the state when its first page was read, and the start of the next page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ListState<P> {
    pub(super) epoch: Epoch,
    /// History number of the calendar.
    pub(super) change: u64,
    /// Time in milliseconds.
    pub(super) time: i64,
    /// Time up to which instances are listed.
    pub(super) horizon: i64,
    pub(super) at: P,
}

/// Position in entries in an order: after an entry, and within the next one after the instance at a second.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WalkPosition {
    pub(super) after: Option<(i64, String)>,
    pub(super) within: Option<(String, i64)>,
}

/// Position in a time range: after the event with a start and an identifier.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WindowPosition {
    pub(super) after: Option<(i64, String)>,
    /// Length of the next window in seconds, if the page has ended for the work of its windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<i64>,
}

/// Position in changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SyncPosition {
    /// State that the client has read.
    pub(super) since: SyncToken,
    pub(super) walk: WalkPosition,
    /// Position in the instances between the horizon of the client and the current one, once all changes are listed.
    pub(super) grown: Option<WindowPosition>,
}

/// State that a client has read, from a sync token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SyncToken {
    pub(super) epoch: Epoch,
    pub(super) change: u64,
    pub(super) time: i64,
    pub(super) horizon: i64,
}

/// Continuation of a list.
pub(super) enum Continuation {
    /// Another page.
    Page(ListPosition),
    /// End: the client has read everything up to the state in which the list began.
    End(SyncToken),
}

impl<P> ListState<P> {
    pub(super) fn with_position<Q>(&self, at: Q) -> ListState<Q> {
        ListState { epoch: self.epoch, change: self.change, time: self.time, horizon: self.horizon, at }
    }

    /// Returns the end of the list, with a sync token for the state when its first page was read.
    pub(super) fn end(&self) -> Continuation {
        let Self { epoch, change, time, horizon, .. } = *self;
        Continuation::End(SyncToken { epoch, change, time, horizon })
    }

    /// Returns the history number of the calendar when the list began.
    pub(super) fn history(&self) -> HistoryId {
        HistoryId(self.change)
    }
}
