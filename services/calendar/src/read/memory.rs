//! Memory of a page under construction.

use std::sync::Arc;

use calendar_server::runtime::MemoryShare;
use calendar_server::{Context, Error};
use wireform_store::{Entry, SeriesSummary, Window};

/// Memory of what is read from the store at once.
const READ_BYTES: u64 = 1 << 20;
/// Size of the stored events after which a page ends.
const MAX_PAGE_BYTES: u64 = 2 << 20;
/// Size of the stored events whose content is kept for their instances.
const MAX_KEPT_BYTES: u64 = 512 << 10;
/// Maximum size of one stored event, with which the last one exceeds a limit.
const MAX_EVENT_BYTES: u64 = 1 << 20;
/// Copies of an event in memory, in multiples of its stored size: its value, and its text in the response.
const COPIES: u64 = 6;
/// Memory of an event without texts.
const EVENT_BYTES: u64 = 4 << 10;
/// Step by which the share grows, so that not every event reserves memory.
const STEP: u64 = 256 << 10;

/// Memory of a page under construction. Events are converted once there is memory for them.
pub(super) struct PageMemory {
    /// Share of the caller, if the server has a memory budget.
    share: Option<Arc<MemoryShare>>,
    reserved: u64,
    /// Memory of the events of the page.
    events: u64,
    /// Memory of the events that are kept for their instances.
    kept: u64,
    /// Memory of the series of a window.
    rules: u64,
    /// Memory of the rules that are searched.
    batch: u64,
    /// Stored sizes of both.
    stored: [u64; 2],
}

impl PageMemory {
    /// Reserves memory for what is read first, for a page of up to `size` events.
    pub(super) async fn reserve(context: &Context, size: usize) -> Result<Self, Error> {
        let share = context.response_share().map(Arc::new);
        let memory = Self { share, reserved: READ_BYTES, events: 0, kept: 0, rules: 0, batch: 0, stored: [0; 2] };
        if let Some(share) = &memory.share {
            let most = COPIES * (MAX_PAGE_BYTES + MAX_KEPT_BYTES + 2 * MAX_EVENT_BYTES);
            share.claim(READ_BYTES + most + size as u64 * EVENT_BYTES);
            share.reserve(READ_BYTES).await?;
        }
        Ok(memory)
    }

    /// Returns whether the page ends because of its size.
    pub(super) fn is_full(&self) -> bool {
        self.stored[0] >= MAX_PAGE_BYTES
    }

    /// Waits until there is memory for another event of the page.
    pub(super) async fn reserve_event(&mut self, entry: &Entry) -> Result<(), Error> {
        self.grow(memory(entry)).await
    }

    /// Counts an event of the page.
    pub(super) fn count_event(&mut self, entry: &Entry) {
        self.events += memory(entry);
        self.stored[0] += stored(entry);
    }

    /// Waits until there is memory for another event of the page that has no content, and counts it.
    pub(super) async fn add_removed(&mut self) -> Result<(), Error> {
        self.grow(EVENT_BYTES).await?;
        self.events += EVENT_BYTES;
        Ok(())
    }

    /// Waits until there is memory for another event that is kept, and counts it.
    pub(super) async fn keep(&mut self, entry: &Entry) -> Result<(), Error> {
        self.grow(memory(entry)).await?;
        self.kept += memory(entry);
        self.stored[1] += stored(entry);
        Ok(())
    }

    /// Counts the series of a window in place of those of the previous one, and waits until there is memory for them.
    pub(super) async fn count_series(&mut self, window: &Window) -> Result<(), Error> {
        let series =
            window.series.iter().map(|series| size_of::<SeriesSummary>() + series.id.len() + rule_bytes(series));
        let originals = window.originals.iter().map(|(series, _)| size_of::<(String, i64)>() + series.len());
        self.rules = series.chain(originals).sum::<usize>() as u64;
        self.grow(0).await
    }

    /// Counts the rules of series that are searched next in place of the previous ones, and waits until there is memory for
    /// them.
    pub(super) async fn count_rules(&mut self, series: &[SeriesSummary]) -> Result<(), Error> {
        self.batch = series.iter().map(rule_bytes).sum::<usize>() as u64;
        self.grow(0).await
    }

    /// Returns whether so much is kept that it must be dropped before more is read.
    pub(super) fn keeps_much(&self) -> bool {
        self.stored[1] >= MAX_KEPT_BYTES
    }

    /// Counts the kept events as dropped.
    pub(super) fn drop_kept(&mut self) {
        (self.kept, self.stored[1]) = (0, 0);
    }

    /// Returns the share, which becomes that of the response.
    pub(super) fn into_share(self) -> Option<Arc<MemoryShare>> {
        self.share
    }

    /// Waits until the share has room for more bytes.
    async fn grow(&mut self, more: u64) -> Result<(), Error> {
        let needed = READ_BYTES + self.events + self.kept + self.rules + self.batch + more;
        if needed > self.reserved
            && let Some(share) = &self.share
        {
            self.reserved = needed.next_multiple_of(STEP);
            share.reserve(self.reserved).await?;
        }
        Ok(())
    }
}

/// Returns the size of the rule of a series, if it was read.
fn rule_bytes(series: &SeriesSummary) -> usize {
    series.rule.as_ref().map_or(0, String::len)
}

/// Returns the stored size of an entry.
fn stored(entry: &Entry) -> u64 {
    (entry.shared.len() + entry.own.len()) as u64
}

/// Returns the memory of an event in a response.
fn memory(entry: &Entry) -> u64 {
    EVENT_BYTES + stored(entry) * COPIES
}
