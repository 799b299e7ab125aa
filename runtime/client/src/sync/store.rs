//! Store of a synchronized copy.

use std::future::Future;

use wireform_runtime::Syncable;

/// Whether a synchronization run reads everything or only changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncMode {
    /// Reads the changes since the sync token.
    Changes,
    /// Reads everything. Items that are not part of it are deleted.
    Full,
}

/// Copy of a service's data, with the sync token of its version: the target of [`synchronize`](crate::synchronize).
///
/// A run calls [`begin`](Self::begin), [`apply`](Self::apply) for every page, and [`commit`](Self::commit) when
/// everything was read. It may end anywhere, by an error or with the program, without a `commit`; the next run then
/// starts from the same sync token and applies the same changes again. So a store is safe if
///
/// * it saves the new sync token in `commit` and nowhere else, together with the changes of the run: in one
///   transaction, or after them;
/// * applying a change is idempotent: changes are put by identifier, and deleting a missing item is no error;
/// * in a [full](SyncMode::Full) run, nothing is deleted before `commit`, which then deletes the items that the run did
///   not
///   apply. A store may number its full runs, save the number with the items it applies, and delete lower numbers in
///   `commit`.
///
/// If the request lists everything ([`SUPPORTS_FULL_SYNC`](Syncable::SUPPORTS_FULL_SYNC)), a full run uses it.
/// Otherwise, as with a history, [`read_all`](Self::read_all) reads by other requests.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use wireform_client::{SyncMode, SyncStore, wire::Syncable};
///
/// /// Changes that carry their identifier, deleted things without a value.
/// #[derive(Default)]
/// struct Memory<C> {
///     things: BTreeMap<String, String>,
///     cursor: Option<C>,
///     /// What the run has applied: a run that comes to no end leaves no trace.
///     pending: BTreeMap<String, Option<String>>,
///     full: bool,
/// }
///
/// impl<R: Syncable<Change = (String, Option<String>)>> SyncStore<R> for Memory<R::SyncToken> {
///     type Error = Infallible;
///
///     async fn cursor(&mut self) -> Result<Option<R::SyncToken>, Infallible> {
///         Ok(self.cursor.clone())
///     }
///
///     async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
///         self.pending.clear();
///         self.full = run == SyncMode::Full;
///         Ok(())
///     }
///
///     async fn apply(&mut self, changes: Vec<R::Change>) -> Result<(), Infallible> {
///         self.pending.extend(changes);
///         Ok(())
///     }
///
///     async fn commit(&mut self, cursor: R::SyncToken) -> Result<(), Infallible> {
///         if self.full {
///             self.things.clear();
///         }
///         for (id, thing) in std::mem::take(&mut self.pending) {
///             match thing {
///                 Some(thing) => self.things.insert(id, thing),
///                 None => self.things.remove(&id),
///             };
///         }
///         self.cursor = Some(cursor);
///         Ok(())
///     }
/// }
/// ```
pub trait SyncStore<R: Syncable>: Send {
    /// Error of the store.
    type Error: Send;

    /// Returns the sync token that was committed last; `None` before the first run.
    fn cursor(&mut self) -> impl Future<Output = Result<Option<R::SyncToken>, Self::Error>> + Send;

    /// Begins a run. An earlier run that was not committed has been aborted: its changes may be kept or discarded.
    fn begin(&mut self, run: SyncMode) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Applies the changes of a page, in their order. There may be none.
    fn apply(&mut self, changes: Vec<R::Change>) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Completes the run: the copy matches the service as of the sync token, which must be saved.
    fn commit(&mut self, cursor: R::SyncToken) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Reads everything by other requests, and returns the sync token for later changes; `None` if the store cannot.
    ///
    /// The sync token must be obtained before the read starts, so that concurrent changes are not lost. Called between
    /// `begin` with [`SyncMode::Full`] and `commit`, only if the request itself does not list everything.
    ///
    /// The default returns `None`: a full read is not supported, and the run fails with
    /// [`FullSyncRequired`](crate::SyncRunError::FullSyncRequired).
    fn read_all(&mut self) -> impl Future<Output = Result<Option<R::SyncToken>, Self::Error>> + Send {
        async { Ok(None) }
    }
}
