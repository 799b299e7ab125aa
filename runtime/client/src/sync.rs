//! Synchronisation: what has changed since an earlier answer, and the loop that keeps a copy up to date.

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
pub use store::{Run, Store};

/// Gives a builder `since(cursor)` and `synchronize(&mut store)`: `synced!(List, requests::HistoryList)`. Where the
/// request without a cursor lists everything, `synced!(List, requests::EventsList, lists_all)` gives `from_start()`
/// as well.
#[macro_export]
macro_rules! synced {
    ($name:ident, $request:ty, lists_all) => {
        $crate::synced!($name, $request);

        impl $name {
            /// Everything there is, and in the end the cursor to ask for later changes with.
            pub fn from_start(self) -> $crate::Changes<$request> {
                $crate::Changes::new(self.call, ::core::option::Option::None)
            }
        }
    };
    ($name:ident, $request:ty) => {
        impl $name {
            /// What has changed since the answer that gave this cursor, and in the end the next cursor.
            ///
            /// What filters a listing cannot be asked for beside a cursor, so there are no methods for it. Whoever
            /// selects members must select the one that says that something is gone.
            pub fn since(self, cursor: <$request as $crate::wire::Synced>::Cursor) -> $crate::Changes<$request> {
                $crate::Changes::new(self.call, ::core::option::Option::Some(cursor))
            }

            /// Brings a copy up to date: by what has changed since its cursor, or by everything where it has none or
            /// the cursor is not valid any more.
            ///
            /// # Errors
            /// Those of the calls and of the store. What was not committed is read again by the next run.
            pub async fn synchronize<S: $crate::Store<$request>>(
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
