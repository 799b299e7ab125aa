//! Loop that brings a copy up to date.

use wireform_runtime::Syncable;

use super::changes::Changes;
use super::error::SyncRunError;
use super::store::{SyncMode, SyncStore};
use crate::call::Call;

/// Result of [`synchronize`]: whether it was a full sync, and the numbers of changes and pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// True if it was a full sync: everything was read.
    pub full: bool,
    /// Number of changes that were applied, without those that [`SyncStore::read_all`] applies.
    pub changes: usize,
    /// Number of pages that were read.
    pub pages: usize,
}

/// Result with the error of the calls or of the store.
type Outcome<R, S, T> =
    Result<T, SyncRunError<<S as SyncStore<R>>::Error, <R as wireform_runtime::Request>::ErrorBody>>;

/// Brings a copy up to date: by the changes since its sync token, or by a full read if it has no sync token or the sync
/// token has expired. There is at most one full read; if its sync token has already expired, that error is returned.
///
/// # Errors
/// Returns the errors of the calls and of the store. Changes that were not committed are read again by the next run.
pub async fn synchronize<R: Syncable, S: SyncStore<R>>(call: Call<R>, store: &mut S) -> Outcome<R, S, SyncReport> {
    let mut expired = None;
    if let Some(cursor) = store.cursor().await.map_err(SyncRunError::Store)? {
        match apply_changes(call.clone(), cursor, store).await {
            Err(SyncRunError::FullSyncRequired(error)) => expired = error,
            done => return done,
        }
    }
    store.begin(SyncMode::Full).await.map_err(SyncRunError::Store)?;
    if R::SUPPORTS_FULL_SYNC {
        let report = apply_pages(Changes::new(call, None), store).await?;
        return Ok(SyncReport { full: true, ..report });
    }
    let Some(cursor) = store.read_all().await.map_err(SyncRunError::Store)? else {
        return Err(SyncRunError::FullSyncRequired(expired));
    };
    store.commit(cursor.clone()).await.map_err(SyncRunError::Store)?;
    // A full read takes time, during which more may have changed.
    let report = apply_changes(call, cursor, store).await?;
    Ok(SyncReport { full: true, ..report })
}

/// Applies the changes since the sync token.
async fn apply_changes<R: Syncable, S: SyncStore<R>>(
    call: Call<R>,
    cursor: R::SyncToken,
    store: &mut S,
) -> Outcome<R, S, SyncReport> {
    store.begin(SyncMode::Changes).await.map_err(SyncRunError::Store)?;
    apply_pages(Changes::new(call, Some(cursor)), store).await
}

/// Applies page after page and commits the sync token.
async fn apply_pages<R: Syncable, S: SyncStore<R>>(
    mut changes: Changes<R>,
    store: &mut S,
) -> Outcome<R, S, SyncReport> {
    let mut report = SyncReport::default();
    while let Some(batch) = changes.next_batch().await {
        let batch = batch?;
        report.pages += 1;
        report.changes += batch.changes.len();
        store.apply(batch.changes).await.map_err(SyncRunError::Store)?;
        if let Some(cursor) = batch.cursor {
            store.commit(cursor).await.map_err(SyncRunError::Store)?;
        }
    }
    Ok(report)
}
