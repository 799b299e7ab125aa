//! Clocks and delays, natively and in browsers.

use std::time::{Duration, SystemTime};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{Instant, sleep, timeout, wall_clock};
#[cfg(target_arch = "wasm32")]
pub(crate) use web::{Instant, sleep, timeout, wall_clock};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::{Duration, SystemTime};

    /// Monotonic clock. Tests may pause it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Instant(tokio::time::Instant);

    impl Instant {
        pub(crate) fn now() -> Self {
            Self(tokio::time::Instant::now())
        }

        pub(crate) fn elapsed(self) -> Duration {
            self.0.elapsed()
        }
    }

    pub(crate) async fn sleep(time: Duration) {
        tokio::time::sleep(time).await;
    }

    /// Returns the output of the future, or `None` if it takes longer.
    pub(crate) async fn timeout<F: Future>(time: Duration, future: F) -> Option<F::Output> {
        tokio::time::timeout(time, future).await.ok()
    }

    /// Returns the wall-clock time.
    pub(crate) fn wall_clock() -> SystemTime {
        SystemTime::now()
    }
}

#[cfg(target_arch = "wasm32")]
mod web {
    use std::pin::pin;

    use futures_util::future::{Either, select};
    use gloo_timers::future::TimeoutFuture;

    use super::{Duration, SystemTime};

    /// Clock for durations. That of std panics in browsers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Instant(SystemTime);

    impl Instant {
        pub(crate) fn now() -> Self {
            Self(wall_clock())
        }

        pub(crate) fn elapsed(self) -> Duration {
            // The clock may have been set back.
            wall_clock().duration_since(self.0).unwrap_or_default()
        }
    }

    pub(crate) async fn sleep(time: Duration) {
        TimeoutFuture::new(milliseconds(time)).await;
    }

    /// Returns the output of the future, or `None` if it takes longer.
    pub(crate) async fn timeout<F: Future>(time: Duration, future: F) -> Option<F::Output> {
        match select(pin!(future), TimeoutFuture::new(milliseconds(time))).await {
            Either::Left((output, _)) => Some(output),
            Either::Right(_) => None,
        }
    }

    /// Converts a delay to milliseconds, limited to 2^31 - 1: browser timers fire at once beyond.
    fn milliseconds(time: Duration) -> u32 {
        u32::try_from(time.as_millis()).unwrap_or(u32::MAX).min(i32::MAX as u32)
    }

    /// Returns the wall-clock time.
    pub(crate) fn wall_clock() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(js_sys::Date::now().max(0.0) as u64)
    }
}
