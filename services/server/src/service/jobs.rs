//! Work that events wait for.

use std::time::Duration;

use wireform_calendar::CalendarService;
use wireform_store::Store;

/// How often is looked whether work is due.
const LOOK: Duration = Duration::from_millis(500);

/// Does what is due, as long as the program runs. Of several processes on a store each does some.
pub async fn keep<S: Store>(service: CalendarService<S>) {
    loop {
        match service.run_jobs().await {
            Ok(count) if count > 0 => tracing::debug!(count, "jobs of calendars were done"),
            Ok(_) => {}
            Err(error) => tracing::warn!(cause = %error, "jobs of calendars could not be done; they are tried again"),
        }
        tokio::time::sleep(LOOK).await;
    }
}
