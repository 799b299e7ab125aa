//! JSON responses whose data is streamed.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use futures_util::Stream;
use http_body::{Frame, SizeHint};
use wireform_runtime::__private::placeholders::Placeholder;

use crate::error::Error;
use crate::work_budget::WorkBudget;

/// Number of bytes that are encoded at once: a multiple of three, so that only the last chunk is padded.
const MAX_ENCODED_BYTES: usize = 48 << 10;

/// Stream of the chunks of a body.
type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// Streamed fields of a response. Clones belong to the same response.
#[derive(Clone, Default)]
pub struct ResponseStreams(Arc<Mutex<Vec<Source>>>);

/// Data of a field.
struct Source {
    length: u64,
    pieces: ByteStream,
}

impl ResponseStreams {
    /// Returns a value for a field of the response, whose data is read and written as base64 while the response is
    /// sent: `length` bytes, in chunks of any size. Data that `fields` does not select is not read. The response has no
    /// computed entity tag; [`Reply::with_etag`](crate::Reply::with_etag) sets one.
    ///
    /// An error, or another number of bytes, aborts the response, because its head has been sent by then.
    #[must_use]
    pub fn add<S>(&self, length: u64, pieces: S) -> wireform_runtime::Bytes
    where
        S: Stream<Item = Result<Bytes, Error>> + Send + 'static,
    {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Source { length, pieces: Box::pin(pieces) });
        wireform_runtime::Bytes::from_placeholder(Placeholder::new(all.len() - 1))
    }

    /// Returns whether there are no streamed fields.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Returns the body of a JSON text whose placeholders are replaced by the data.
    pub(crate) fn body(&self, text: Vec<u8>) -> JsonStream {
        let text = Bytes::from(text);
        let mut sources: Vec<Option<Source>> = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *all).into_iter().map(Some).collect()
        };
        let (mut segments, mut at, mut read) = (VecDeque::new(), 0, 0);
        let begin = mark_prefix();
        while let Some((start, place, end)) = next_mark(&text, read, &begin) {
            if let Some(source) = sources.get_mut(place).and_then(Option::take) {
                segments.push_back(Segment::Text(text.slice(at..start)));
                segments.push_back(Segment::Data(Base64Encoder::new(source)));
                at = end;
            }
            read = end;
        }
        segments.push_back(Segment::Text(text.slice(at..)));
        JsonStream { segments, work_budget: WorkBudget::default() }
    }
}

/// Returns the start of all placeholders: the quote and the key.
fn mark_prefix() -> String {
    let mark = Placeholder::new(0).to_json();
    mark.trim_end_matches("0\"").to_owned()
}

/// Returns the next placeholder from `at` on: its start after the quote, its number, and its end before the quote.
fn next_mark(text: &[u8], at: usize, begin: &str) -> Option<(usize, usize, usize)> {
    let mut from = at;
    loop {
        let rest = text.get(from..)?;
        let quote = from + rest.iter().position(|byte| *byte == b'"')?;
        if let Some(after) = text.get(quote..)?.strip_prefix(begin.as_bytes()) {
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = after.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            return Some((quote + 1, number?, quote + begin.len() + digits));
        }
        from = quote + 1;
    }
}

/// Part of a text.
enum Segment {
    Text(Bytes),
    Data(Base64Encoder),
}

/// Streamed JSON text.
pub(crate) struct JsonStream {
    segments: VecDeque<Segment>,
    work_budget: WorkBudget,
}

impl JsonStream {
    /// Returns the length in bytes.
    pub(crate) fn length(&self) -> u64 {
        let length = |segment: &Segment| match segment {
            Segment::Text(text) => text.len() as u64,
            Segment::Data(encoder) => encoder.remaining_characters,
        };
        self.segments.iter().map(length).sum()
    }
}

impl http_body::Body for JsonStream {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        loop {
            ready!(self.work_budget.poll_yield(cx));
            let text = match self.segments.front_mut() {
                None => return Poll::Ready(None),
                Some(Segment::Text(text)) => Some(std::mem::take(text)),
                Some(Segment::Data(encoder)) => match ready!(encoder.poll_text(cx)) {
                    Ok(text) => text,
                    Err(error) => {
                        self.segments.clear();
                        return Poll::Ready(Some(Err(error)));
                    }
                },
            };
            // A text is a segment of its own; the segment of data remains until it has ended.
            if !matches!((self.segments.front(), &text), (Some(Segment::Data(_)), Some(_))) {
                self.segments.pop_front();
            }
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.work_budget.spend_lightly(text.len());
                return Poll::Ready(Some(Ok(Frame::data(text))));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.segments.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length())
    }
}

/// Base64 encoder of a stream of data.
struct Base64Encoder {
    pieces: ByteStream,
    /// Data to be encoded.
    piece: Bytes,
    /// Bytes of an incomplete group of three.
    carry: Vec<u8>,
    /// Number of bytes that are still expected.
    remaining_bytes: u64,
    /// Number of characters that are still to be written.
    remaining_characters: u64,
    ended: bool,
}

impl Base64Encoder {
    fn new(Source { length, pieces }: Source) -> Self {
        let left = length.div_ceil(3) * 4;
        Self {
            pieces,
            piece: Bytes::new(),
            carry: Vec::new(),
            remaining_bytes: length,
            remaining_characters: left,
            ended: false,
        }
    }

    /// Returns the next characters, or `None` at the end.
    fn poll_text(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Error>> {
        while self.piece.is_empty() && !self.ended {
            match ready!(self.pieces.as_mut().poll_next(cx)) {
                Some(Ok(piece)) => {
                    let Some(bytes) = self.remaining_bytes.checked_sub(piece.len() as u64) else {
                        return Poll::Ready(Err(Error::internal("a field has more data than declared")));
                    };
                    (self.remaining_bytes, self.piece) = (bytes, piece);
                }
                Some(Err(error)) => return Poll::Ready(Err(error)),
                None if self.remaining_bytes > 0 => {
                    return Poll::Ready(Err(Error::internal("a field has less data than declared")));
                }
                None => self.ended = true,
            }
        }
        if self.ended && self.carry.is_empty() {
            return Poll::Ready(Ok(None));
        }
        let text = self.encode_chunk();
        self.remaining_characters = self.remaining_characters.saturating_sub(text.len() as u64);
        Poll::Ready(Ok(Some(text)))
    }

    /// Encodes a chunk. The result is empty if there are fewer than three bytes.
    fn encode_chunk(&mut self) -> Bytes {
        let mut text = String::new();
        if self.ended {
            URL_SAFE.encode_string(std::mem::take(&mut self.carry), &mut text);
            return text.into();
        }
        if !self.carry.is_empty() || self.piece.len() < 3 {
            let few = self.piece.split_to(self.piece.len().min(3 - self.carry.len()));
            self.carry.extend_from_slice(&few);
            if self.carry.len() == 3 {
                URL_SAFE.encode_string(std::mem::take(&mut self.carry), &mut text);
            }
        }
        let groups = self.piece.split_to((self.piece.len() / 3 * 3).min(MAX_ENCODED_BYTES));
        URL_SAFE.encode_string(&groups, &mut text);
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http_body_util::BodyExt as _;
    use proptest::prelude::*;

    use super::*;

    fn stream_json(data: &[u8], declared: u64, pieces: usize) -> Result<String, String> {
        let streams = ResponseStreams::default();
        let pieces: Vec<_> = data.chunks(pieces).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let value = streams.add(declared, stream::iter(pieces));
        let body = streams.body(wireform_runtime::json::to_vec(&(value, 1)).unwrap());
        let length = body.length();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let text = runtime.block_on(body.collect()).map_err(|error| error.to_string())?.to_bytes();
        assert_eq!(text.len() as u64, length);
        Ok(String::from_utf8(text.to_vec()).unwrap())
    }

    #[test]
    fn length_mismatch_aborts_the_stream() {
        assert_eq!(stream_json(b"abc", 3, 2).as_deref(), Ok("[\"YWJj\",1]"));
        assert!(stream_json(b"abc", 4, 2).is_err());
        assert!(stream_json(b"abc", 2, 2).is_err());
    }

    proptest! {
        #[test]
        fn streamed_text_equals_the_encoded_value(data: Vec<u8>, pieces in 1..9_usize) {
            let whole = wireform_runtime::Bytes::from(data.clone());
            prop_assert_eq!(stream_json(&data, data.len() as u64, pieces), Ok(format!("[\"{whole}\",1]")));
        }
    }
}
