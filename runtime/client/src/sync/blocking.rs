//! Blocking iteration over changes.

use std::fmt;

use wireform_runtime::Syncable;

use super::changes::{Changes, SyncEvent};
use super::error::SyncError;
use crate::blocking::block_on;
use crate::error::{Error, ErrorKind};

/// Blocking iterator over the changes, and finally the sync token. Each page is fetched when it is needed.
pub struct ChangesIter<R: Syncable> {
    changes: Option<Changes<R>>,
}

impl<R: Syncable> Changes<R> {
    /// Returns a blocking iterator over the changes.
    pub fn into_blocking(self) -> ChangesIter<R> {
        ChangesIter { changes: Some(self) }
    }
}

impl<R: Syncable> ChangesIter<R> {
    /// Returns the same as [`Changes::page_token`].
    #[must_use]
    pub fn page_token(&self) -> Option<&str> {
        self.changes.as_ref()?.page_token()
    }
}

impl<R: Syncable> Iterator for ChangesIter<R> {
    type Item = Result<SyncEvent<R::Change, R::SyncToken>, SyncError<R::ErrorBody>>;

    fn next(&mut self) -> Option<Self::Item> {
        // An event of the current page needs no other thread.
        if let Some(event) = self.changes.as_mut()?.ready_event() {
            return Some(Ok(event));
        }
        let mut changes = self.changes.take()?;
        let next = block_on(async move {
            let event = changes.next().await;
            (event, changes)
        });
        match next {
            Ok((event, changes)) => {
                self.changes = Some(changes);
                event
            }
            Err(error) => Some(Err(SyncError::Call(Error::new(R::OPERATION, ErrorKind::Connection(error))))),
        }
    }
}

impl<R: Syncable> fmt::Debug for ChangesIter<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangesIter").field("changes", &self.changes).finish()
    }
}
