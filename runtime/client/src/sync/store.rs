//! Where a copy is kept.

use std::future::Future;

use wireform_runtime::Synced;

/// Which way a copy is brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Run {
    /// By what has changed since the cursor.
    Changes,
    /// By everything there is. What does not come is gone.
    Full,
}

/// A copy of what a service holds, with the cursor up to which it goes: what
/// [`synchronize`](crate::synchronize) writes to.
///
/// A run calls [`begin`](Self::begin), [`apply`](Self::apply) for every page, and [`commit`](Self::commit) when all
/// was read. It may end anywhere, by an error or because the program does, and then no `commit` follows; the next run
/// starts from the same cursor and gives the same changes again. So a store is safe when
///
/// * it keeps the new cursor in `commit` and nowhere else, together with what the run has applied: in one
///   transaction, or after it;
/// * applying a change that was applied before does nothing: changes are put by identifier, and deleting what is not
///   there is no error;
/// * in a [full](Run::Full) run nothing is deleted before `commit`, which then deletes what the run did not apply. A
///   store may number its full runs, put the number beside what is applied, and delete lower numbers in `commit`.
///
/// Where the request lists everything ([`LISTS_ALL`](Synced::LISTS_ALL)), a full run reads by it. Elsewhere, as with
/// a history, [`read_all`](Self::read_all) reads by other requests.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use wireform_client::{Run, Store, wire::Synced};
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
/// impl<R: Synced<Change = (String, Option<String>)>> Store<R> for Memory<R::Cursor> {
///     type Error = Infallible;
///
///     async fn cursor(&mut self) -> Result<Option<R::Cursor>, Infallible> {
///         Ok(self.cursor.clone())
///     }
///
///     async fn begin(&mut self, run: Run) -> Result<(), Infallible> {
///         self.pending.clear();
///         self.full = run == Run::Full;
///         Ok(())
///     }
///
///     async fn apply(&mut self, changes: Vec<R::Change>) -> Result<(), Infallible> {
///         self.pending.extend(changes);
///         Ok(())
///     }
///
///     async fn commit(&mut self, cursor: R::Cursor) -> Result<(), Infallible> {
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
pub trait Store<R: Synced>: Send {
    /// Why the store fails.
    type Error: Send;

    /// The cursor that was committed last; `None` before the first run.
    fn cursor(&mut self) -> impl Future<Output = Result<Option<R::Cursor>, Self::Error>> + Send;

    /// A run begins. One that began before and was not committed has come to no end: what it applied may stay or go.
    fn begin(&mut self, run: Run) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Takes the changes of a page, in their order. There may be none.
    fn apply(&mut self, changes: Vec<R::Change>) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// The run is complete: the copy is what the service held at the time of the cursor, which is to be kept.
    fn commit(&mut self, cursor: R::Cursor) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Reads everything by other requests, and gives the cursor from which the changes follow. That must be known
    /// before the reading starts, or what changes meanwhile is lost. It is called between `begin` with
    /// [`Run::Full`] and `commit`, and only where the request itself does not list everything.
    ///
    /// The default gives `None`: there is no way, and the run fails with
    /// [`FullSyncRequired`](crate::SyncRunError::FullSyncRequired).
    fn read_all(&mut self) -> impl Future<Output = Result<Option<R::Cursor>, Self::Error>> + Send {
        async { Ok(None) }
    }
}
