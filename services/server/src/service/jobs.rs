//! Background jobs of calendars.

use std::time::Duration;

use wireform_calendar::CalendarService;
use wireform_store::Store;

/// Polling interval for due jobs.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Runs due jobs for the life of the program. Several processes on one store share the jobs.
pub async fn run<S: Store>(service: CalendarService<S>) {
    loop {
        match service.run_jobs().await {
            Ok(count) if count > 0 => tracing::debug!(count, "calendar jobs done"),
            Ok(_) => {}
            Err(error) => tracing::warn!(cause = %error, "calendar jobs failed; retrying"),
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
