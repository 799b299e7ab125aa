//! Removal of expired data.

use std::time::Duration;

use wireform_store::{Clock, Store};

/// Polling interval of the clock, which a test may have moved.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two rounds, by the clock of the services.
const ROUND_INTERVAL: Duration = Duration::from_secs(60);

/// Removes expired data every minute of the services' clock.
pub async fn run_cleanup<S: Store>(store: S, clock: Clock) {
    let mut last = None;
    loop {
        let now = clock.now();
        // A clock that was moved back starts over.
        if last.is_none_or(|last: wireform_store::Millis| last.saturating_add(ROUND_INTERVAL) <= now || now < last) {
            remove_expired(&store, &clock).await;
            last = Some(now);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        wireform_allocator::purge();
    }
}

/// Removes all expired data, in as many rounds as necessary; other tasks run between them.
pub async fn remove_expired<S: Store>(store: &S, clock: &Clock) {
    loop {
        match store.clean_up(clock.now()).await {
            Ok(forgotten) => {
                if forgotten.records > 0 || forgotten.tokens > 0 {
                    tracing::debug!(records = forgotten.records, tokens = forgotten.tokens, "forgotten");
                }
                if !forgotten.has_more {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(cause = %error, "expired data could not be removed; retrying");
                return;
            }
        }
        tokio::task::yield_now().await;
    }
}
