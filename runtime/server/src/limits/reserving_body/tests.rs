//! Bodies that reserve memory while they arrive.

use std::convert::Infallible;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::time::{Instant, sleep};
use wireform_runtime::Naming;

use super::super::{Limits, body_length, read_body};
use super::*;
use crate::memory::MemoryBudget;
use crate::sample;

fn settings(budget: &MemoryBudget) -> Settings {
    let mut settings = Arc::into_inner(sample::settings(Naming::Specification)).unwrap();
    (settings.memory, settings.streamed_field) = (Some(budget.clone()), Some(("raw", 1000)));
    settings
}

/// Returns a body in chunks with a delay before each.
fn slow_body(pieces: usize, length: usize, millis: u64) -> Body {
    let begin = stream::once(async { Ok(Bytes::from_static(b"{\"raw\":\"")) });
    let data = stream::unfold(0, move |number| async move {
        sleep(Duration::from_millis(millis)).await;
        (number < pieces).then(|| (Ok(Bytes::from("AQID".repeat(length / 4))), number + 1))
    });
    let end = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(b"\"}")) });
    Body::from_stream(begin.chain(data).chain(end))
}

async fn read(body: Body, budget: &MemoryBudget) -> Result<(usize, usize), u16> {
    read_of("ana", body, budget).await
}

async fn read_of(subject: &str, body: Body, budget: &MemoryBudget) -> Result<(usize, usize), u16> {
    let settings = settings(budget);
    let mut parts = http::Request::new(()).into_parts().0;
    let body = settings.limit_body(body, &Caller::Subject(subject.into()), &["raw"], &mut parts);
    let text = read_body(body, &Limits::DEFAULT).await.map_err(|error| error.status().as_u16())?;
    let data = parts.extensions.get::<DecodedData>().unwrap().take();
    assert_eq!(body_length(&parts, &text), data.iter().map(|data| data.len() as u64 / 3 * 4 + 10).sum::<u64>());
    Ok((text.len(), data.iter().map(|data| data.len()).sum()))
}

#[tokio::test(start_paused = true)]
async fn progressing_body_has_no_total_time_limit() {
    let budget = MemoryBudget::new(8 << 20);
    // A minute in all, but never ten seconds without progress.
    assert_eq!(read(slow_body(30, 32 << 10, 2_000), &budget).await, Ok((50, 30 * (24 << 10))));
    assert_eq!(budget.held(), 0);
    assert_eq!(budget.peak(), 768 << 10);
}

#[tokio::test(start_paused = true)]
async fn slow_body_times_out() {
    let budget = MemoryBudget::new(8 << 20);
    assert_eq!(read(slow_body(1000, 4 << 10, 2_000), &budget).await, Err(408));
    assert_eq!(budget.held(), 0);
    // A body that holds no memory has the ordinary time limit.
    assert_eq!(read(slow_body(3, 400, 9_000), &budget).await, Ok((50, 900)));
}

/// Body with an announced length.
struct Announced(Body, u64);

impl http_body::Body for Announced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.0).poll_frame(cx)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.1)
    }
}

#[tokio::test(start_paused = true)]
async fn bodies_that_grow_at_the_same_time_do_not_wait_for_each_other() {
    // Each needs less than two seconds, and there is memory for all of them, but not at once.
    for callers in [["ana", "ana", "ben"], ["ana", "ben", "cy"], ["ana", "ana", "ana"]] {
        let budget = MemoryBudget::new(8 << 20);
        let mut reading = tokio::task::JoinSet::new();
        for caller in callers {
            let budget = budget.clone();
            let body = slow_body(40, 112 << 10, 40);
            let body = Body::new(Announced(body, 40 * (112 << 10) + 10));
            reading.spawn(async move { read_of(caller, body, &budget).await });
        }
        while let Some(read) = reading.join_next().await {
            assert_eq!(read.unwrap(), Ok((50, 40 * (84 << 10))), "{callers:?}");
        }
        assert_eq!(budget.held(), 0);
        assert!(budget.peak() <= 8 << 20);
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_memory_does_not_count_as_stalling() {
    let budget = MemoryBudget::new(8 << 20).with_wait(Duration::from_secs(30));
    let other = budget.share("ana");
    other.reserve(4 << 20).await.unwrap();
    // Longer than the time limit for the next chunk of a body.
    assert_eq!(read(slow_body(2, 64 << 10, 0), &budget).await, Err(503));
    let (budget, begin) = (&budget, Instant::now());
    let read = read(slow_body(2, 64 << 10, 0), budget);
    let frees = async {
        sleep(Duration::from_secs(20)).await;
        drop(other);
    };
    let (read, ()) = tokio::join!(read, frees);
    assert_eq!((read, begin.elapsed().as_secs()), (Ok((50, 2 * (48 << 10))), 20));
}

#[tokio::test(start_paused = true)]
async fn stalled_body_times_out_without_a_share() {
    let budget = MemoryBudget::new(8 << 20);
    let begin = Instant::now();
    assert_eq!(read(slow_body(3, 400, 11_000), &budget).await, Err(408));
    assert_eq!(begin.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn text_beyond_the_limit_of_a_caller_is_rejected() {
    let budget = MemoryBudget::new(8 << 20);
    let mut settings = settings(&budget);
    settings.streamed_field = None;
    let read = async |text: String| {
        let mut parts = http::Request::new(()).into_parts().0;
        let body = settings.limit_body(Body::from(text), &Caller::Unknown, &["raw"], &mut parts);
        let text = read_body(body, &Limits::DEFAULT).await.map_err(|error| error.status().as_u16())?;
        Ok((text.len(), budget.held()))
    };
    // The same number of bytes of each.
    let objects = format!("[{}]", "{},".repeat(100_000));
    let string = format!("\"{}\"", "{},".repeat(100_000));
    assert_eq!(read(objects).await, Err(413));
    assert_eq!(read(string).await, Ok((300_002, 1 << 20)));
    assert_eq!(budget.held(), 0);
}
