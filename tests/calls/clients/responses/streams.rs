//! Response bodies that arrive in chunks, end too early, or never end.

use std::io::Error;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};

/// Delay after which previously written bytes are on the wire: a server flushes before it waits.
const FLUSH_DELAY: Duration = Duration::from_millis(20);

fn once(bytes: impl Into<Bytes>) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    let bytes = bytes.into();
    stream::once(async { Ok(bytes) })
}

/// Returns a stream of one item after a delay.
fn later(item: fn() -> Result<Bytes, Error>) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream::once(async move {
        tokio::time::sleep(FLUSH_DELAY).await;
        item()
    })
}

/// Returns a body with fewer bytes than declared.
pub fn short(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(later(|| Ok(Bytes::new()))))
}

/// Returns a body after which the connection breaks.
pub fn cut_off(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(later(|| Err(Error::other("connection reset")))))
}

/// Returns a body that stops without an end.
pub fn stuck(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(stream::pending()))
}

/// Returns a body of which no byte arrives.
pub fn never() -> Body {
    Body::from_stream(stream::pending::<Result<Bytes, Error>>())
}

/// Returns a body with one byte per chunk.
pub fn byte_by_byte(text: String) -> Body {
    let chunks = text.into_bytes().into_iter().map(|byte| Ok::<_, Error>(Bytes::from(vec![byte])));
    Body::from_stream(stream::iter(chunks))
}

/// Returns a body of spaces without a declared length.
pub fn spaces(length: usize) -> Body {
    let chunk = Bytes::from(vec![b' '; 4096]);
    let chunks = length.div_ceil(chunk.len());
    Body::from_stream(stream::iter((0..chunks).map(move |_| Ok::<_, Error>(chunk.clone()))))
}

/// Returns an endless body of spaces.
pub fn endless() -> Body {
    Body::from_stream(stream::repeat_with(|| Ok::<_, Error>(Bytes::from_static(&[b' '; 4096]))))
}
