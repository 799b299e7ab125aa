//! What is forgotten as time goes by.

use std::time::Duration;

use wireform_store::{Clock, Store};

/// How often the clock is looked at, which a test may have moved.
const LOOK: Duration = Duration::from_secs(1);

/// How much time of the services' clock lies between two rounds.
const BETWEEN: Duration = Duration::from_secs(60);

/// Forgets, every minute of the services' clock.
pub async fn keep<S: Store>(store: S, clock: Clock) {
    let mut last = None;
    loop {
        let now = clock.now();
        // A clock that was moved back begins anew.
        if last.is_none_or(|last: wireform_store::Millis| last.after(BETWEEN) <= now || now < last) {
            rounds(&store, &clock).await;
            last = Some(now);
        }
        tokio::time::sleep(LOOK).await;
        wireform_allocator::tidy();
    }
}

/// Forgets what is due, in as many rounds as it takes; others get their turn between them.
pub async fn rounds<S: Store>(store: &S, clock: &Clock) {
    loop {
        match store.forget(clock.now()).await {
            Ok(forgotten) => {
                if forgotten.records > 0 || forgotten.tokens > 0 {
                    tracing::debug!(records = forgotten.records, tokens = forgotten.tokens, "forgotten");
                }
                if !forgotten.more {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(cause = %error, "what is old could not be forgotten; it is tried again");
                return;
            }
        }
        tokio::task::yield_now().await;
    }
}
