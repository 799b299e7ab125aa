//! Bodies of answers piece by piece: those that end too early, and those that do not end.

use std::io::Error;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};

/// A server writes what it has before it waits; so what comes before this wait is on the wire.
const MOMENT: Duration = Duration::from_millis(20);

fn once(bytes: impl Into<Bytes>) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    let bytes = bytes.into();
    stream::once(async { Ok(bytes) })
}

/// What comes after a moment.
fn later(what: fn() -> Result<Bytes, Error>) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream::once(async move {
        tokio::time::sleep(MOMENT).await;
        what()
    })
}

/// These bytes, and nothing more although more was declared.
pub fn short(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(later(|| Ok(Bytes::new()))))
}

/// These bytes, and then the connection breaks.
pub fn cut_off(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(later(|| Err(Error::other("the server has a fault")))))
}

/// These bytes, and then nothing for ever.
pub fn stuck(bytes: impl Into<Bytes>) -> Body {
    Body::from_stream(once(bytes).chain(stream::pending()))
}

/// Nothing for ever.
pub fn never() -> Body {
    Body::from_stream(stream::pending::<Result<Bytes, Error>>())
}

/// Each byte by itself.
pub fn in_pieces(text: String) -> Body {
    let pieces = text.into_bytes().into_iter().map(|byte| Ok::<_, Error>(Bytes::from(vec![byte])));
    Body::from_stream(stream::iter(pieces))
}

/// So much space, of no declared length.
pub fn spaces(length: usize) -> Body {
    let piece = Bytes::from(vec![b' '; 4096]);
    let pieces = length.div_ceil(piece.len());
    Body::from_stream(stream::iter((0..pieces).map(move |_| Ok::<_, Error>(piece.clone()))))
}

/// Space without an end.
pub fn endless() -> Body {
    Body::from_stream(stream::repeat_with(|| Ok::<_, Error>(Bytes::from_static(&[b' '; 4096]))))
}
