//! Incremental synchronization: changes since an earlier response, and the loop that keeps a copy up to date.

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
mod blocking;
mod changes;
mod error;
mod run;
mod store;

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub use blocking::ChangesIter;
pub use changes::{Changes, SyncEvent};
pub use error::{SyncError, SyncRunError};
pub use run::{SyncReport, synchronize};
pub use store::{SyncMode, SyncStore};

/// Adds `since(cursor)` and `synchronize(&mut store)` to a builder: `synced!(List, requests::HistoryList)`. If the
/// request without a sync token lists everything, `synced!(List, requests::EventsList, lists_all)` adds `from_start()`
/// as well.
#[doc(hidden)]
#[macro_export]
macro_rules! synced {
    ($name:ident, $request:ty, lists_all) => {
        $crate::synced!($name, $request);

        impl $name {
            /// Returns all items, and finally the sync token for later changes.
            pub fn from_start(self) -> $crate::Changes<$request> {
                $crate::Changes::new(self.call, ::core::option::Option::None)
            }
        }
    };
    ($name:ident, $request:ty) => {
        impl $name {
            /// Returns the changes since the response with this sync token, and finally the next sync token.
            ///
            /// Filters cannot be combined with a sync token, so there are no methods for them. A selection of fields
            /// must include the field that marks deleted items.
            pub fn since(self, cursor: <$request as $crate::wire::Syncable>::SyncToken) -> $crate::Changes<$request> {
                $crate::Changes::new(self.call, ::core::option::Option::Some(cursor))
            }

            /// Brings a copy up to date: by the changes since its sync token, or by a full read if it has no sync token
            /// or the sync token has expired.
            ///
            /// # Errors
            /// Returns the errors of the calls and of the store. Changes that were not committed are read again by the
            /// next run.
            pub async fn synchronize<S: $crate::SyncStore<$request>>(
                self,
                store: &mut S,
            ) -> ::core::result::Result<
                $crate::SyncReport,
                $crate::SyncRunError<S::Error, <$request as $crate::wire::Request>::ErrorBody>,
            > {
                $crate::synchronize(self.call, store).await
            }
        }
    };
}
