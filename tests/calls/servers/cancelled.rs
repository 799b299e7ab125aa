//! A disconnected caller cancels the handler of its request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

use crate::desk::{Desk, SERVED, Step};
use crate::valid;
use crate::wire::{request, send};

/// Counts how many of its values are dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_dropped() {
    for served in SERVED {
        let (started, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let desk = {
            let (started, dropped) = (Arc::clone(&started), Arc::clone(&dropped));
            Desk::new(move |_, _| {
                let (started, held) = (Arc::clone(&started), Dropped(Arc::clone(&dropped)));
                Step::Then(Box::pin(async move {
                    started.notify_one();
                    let _held = held;
                    std::future::pending().await
                }))
            })
        };
        let router = desk.router();
        let pending =
            tokio::spawn(async move { send(&router, request(valid::of(served.api, served.operation))).await });
        started.notified().await;
        assert_eq!(dropped.load(Ordering::SeqCst), 0, "{served:?}");
        pending.abort();
        assert!(pending.await.is_err(), "{served:?}");
        assert_eq!(dropped.load(Ordering::SeqCst), 1, "{served:?}");
    }
}
