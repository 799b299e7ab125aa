//! The mail of a request: in the field `raw` of its body, or uploaded as it is.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use mailbox_server::runtime::axum::http::StatusCode;
use mailbox_server::runtime::{ErrorLocation, MediaStream, MemoryBudget, MemoryShare};
use mailbox_server::{Context, Error};
use tokio::time::{Instant, timeout_at};

/// Number of bytes up to which an upload takes no memory of the budget, and that one which does receives in a time.
const STEP_BYTES: usize = 16 << 10;
/// Time in which an upload that holds memory receives [`STEP_BYTES`].
const STEP_TIME: Duration = Duration::from_secs(3);

/// Mail with the memory that it holds.
pub(crate) struct ReceivedMail {
    pub(crate) raw: Vec<u8>,
    pub(crate) share: Option<Arc<MemoryShare>>,
}

/// Takes the mail of a request: that which was uploaded, or else that of the field `raw`. An upload takes memory for the data
/// that have arrived, of at most `max` bytes; `copies` times as much will be held in the end.
///
/// # Errors
/// Returns 413 for an upload that is too long, 408 for one that stands still, 503 if there is no memory, or the error that
/// ends the upload early.
pub(crate) async fn take_mail(
    (media, field): (Option<MediaStream>, Option<Vec<u8>>),
    budget: &MemoryBudget,
    (max, copies): (usize, u64),
    context: &Context,
) -> Result<ReceivedMail, Error> {
    let Some(mut media) = media else {
        return Ok(ReceivedMail { raw: field.unwrap_or_default(), share: context.memory_share() });
    };
    let length = media.length().map_or(max, |length| usize::try_from(length).unwrap_or(usize::MAX));
    check_size(length, max)?;
    let share = context.share(budget);
    share.claim(length as u64 * copies);
    let mut raw = Vec::with_capacity(length);
    let (mut step, mut deadline) = (STEP_BYTES, Instant::now() + STEP_TIME);
    loop {
        let piece = match raw.len() {
            0..=STEP_BYTES => media.next().await,
            _ => timeout_at(deadline, media.next()).await.map_err(|_| stalled())?,
        };
        let Some(piece) = piece else { break };
        let piece = piece?;
        let received = raw.len() + piece.len();
        check_size(received, max)?;
        if received > STEP_BYTES {
            share.reserve(received as u64).await?;
        }
        raw.extend_from_slice(&piece);
        if received > step {
            (step, deadline) = (received + STEP_BYTES, Instant::now() + STEP_TIME);
        }
    }
    Ok(ReceivedMail { raw, share: Some(Arc::new(share)) })
}

/// Checks the size of a mail.
///
/// # Errors
/// Returns 400 for an empty mail, 413 for one that is too long.
pub(crate) fn check_size(length: usize, max: usize) -> std::result::Result<(), Error> {
    let place = ErrorLocation::Field("raw".into());
    if length == 0 {
        return Err(Error::bad_request("a message requires `raw`").with_reason("required").with_location(place));
    }
    if length > max {
        let message = format!("a message can have at most {max} bytes here, found {length}");
        return Err(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
            .with_reason("uploadTooLarge")
            .with_location(place));
    }
    Ok(())
}

/// Creates the error of an upload that holds memory and does not progress.
fn stalled() -> Error {
    let message = "the upload takes too long; help: upload it in chunks (`uploadType=resumable`)";
    Error::new(StatusCode::REQUEST_TIMEOUT, message)
}
