//! JSON of which some is made while it is sent.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use futures_util::Stream;
use http_body::{Frame, SizeHint};
use wireform_runtime::detached::Mark;

use crate::error::Error;
use crate::turn::Turn;

/// How many bytes become text at once: a multiple of three, so that only the last text is padded.
const AT_ONCE: usize = 48 << 10;

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// What members of a response are made of while it is sent. Clones are of the same response.
#[derive(Clone, Default)]
pub struct ResponseStreams(Arc<Mutex<Vec<Source>>>);

/// The data of a member.
struct Source {
    length: u64,
    pieces: Pieces,
}

impl ResponseStreams {
    /// Returns a value for a member of the response, whose data is read and written as base64 while the response is sent:
    /// `length` bytes, in pieces of any size. What is not selected with `fields` is not read. An entity tag is not made
    /// of such a response: [`Reply::with_etag`](crate::Reply::with_etag) gives it one.
    ///
    /// An error, or another number of bytes, breaks the response off in its middle, as its head has gone out by then.
    #[must_use]
    pub fn add<S>(&self, length: u64, pieces: S) -> wireform_runtime::Bytes
    where
        S: Stream<Item = Result<Bytes, Error>> + Send + 'static,
    {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Source { length, pieces: Box::pin(pieces) });
        wireform_runtime::Bytes::detached(Mark::new(all.len() - 1))
    }

    /// Whether there is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Returns the body of a JSON text in which data is to be written at its marks.
    pub(crate) fn body(&self, text: Vec<u8>) -> JsonStream {
        let text = Bytes::from(text);
        let mut sources: Vec<Option<Source>> = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *all).into_iter().map(Some).collect()
        };
        let (mut segments, mut at, mut read) = (VecDeque::new(), 0, 0);
        let begin = begin_of_marks();
        while let Some((start, place, end)) = next_mark(&text, read, &begin) {
            if let Some(source) = sources.get_mut(place).and_then(Option::take) {
                segments.push_back(Segment::Text(text.slice(at..start)));
                segments.push_back(Segment::Data(Encoder::new(source)));
                at = end;
            }
            read = end;
        }
        segments.push_back(Segment::Text(text.slice(at..)));
        JsonStream { segments, turn: Turn::default() }
    }
}

/// What all marks begin with: the quote, and the key.
fn begin_of_marks() -> String {
    let mark = Mark::new(0).json();
    mark.trim_end_matches("0\"").to_owned()
}

/// The next mark from `at` on: where it begins behind its quote, its number, and where it ends before its quote.
fn next_mark(text: &[u8], at: usize, begin: &str) -> Option<(usize, usize, usize)> {
    let mut from = at;
    loop {
        let rest = text.get(from..)?;
        let quote = from + rest.iter().position(|byte| *byte == b'"')?;
        if let Some(behind) = text.get(quote..)?.strip_prefix(begin.as_bytes()) {
            let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = behind.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            return Some((quote + 1, number?, quote + begin.len() + digits));
        }
        from = quote + 1;
    }
}

/// A part of a text.
enum Segment {
    Text(Bytes),
    Data(Encoder),
}

/// A JSON text that is made while it is sent.
pub(crate) struct JsonStream {
    segments: VecDeque<Segment>,
    turn: Turn,
}

impl JsonStream {
    /// How long it is.
    pub(crate) fn length(&self) -> u64 {
        let length = |segment: &Segment| match segment {
            Segment::Text(text) => text.len() as u64,
            Segment::Data(encoder) => encoder.left,
        };
        self.segments.iter().map(length).sum()
    }
}

impl http_body::Body for JsonStream {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        loop {
            ready!(self.turn.poll(cx));
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
            // A text is a segment of its own, and data has more until it says otherwise.
            if !matches!((self.segments.front(), &text), (Some(Segment::Data(_)), Some(_))) {
                self.segments.pop_front();
            }
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.turn.spend_lightly(text.len());
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

/// Data that becomes text.
struct Encoder {
    pieces: Pieces,
    /// What is not text yet.
    piece: Bytes,
    /// The bytes of a group of three that is not complete.
    carry: Vec<u8>,
    /// How many bytes are still to come.
    bytes: u64,
    /// How many characters are still to be written.
    left: u64,
    ended: bool,
}

impl Encoder {
    fn new(Source { length, pieces }: Source) -> Self {
        let left = length.div_ceil(3) * 4;
        Self { pieces, piece: Bytes::new(), carry: Vec::new(), bytes: length, left, ended: false }
    }

    /// The next characters; none at the end.
    fn poll_text(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, Error>> {
        while self.piece.is_empty() && !self.ended {
            match ready!(self.pieces.as_mut().poll_next(cx)) {
                Some(Ok(piece)) => {
                    let Some(bytes) = self.bytes.checked_sub(piece.len() as u64) else {
                        return Poll::Ready(Err(Error::internal("a member has more data than was said")));
                    };
                    (self.bytes, self.piece) = (bytes, piece);
                }
                Some(Err(error)) => return Poll::Ready(Err(error)),
                None if self.bytes > 0 => {
                    return Poll::Ready(Err(Error::internal("a member has less data than was said")));
                }
                None => self.ended = true,
            }
        }
        if self.ended && self.carry.is_empty() {
            return Poll::Ready(Ok(None));
        }
        let text = self.text();
        self.left = self.left.saturating_sub(text.len() as u64);
        Poll::Ready(Ok(Some(text)))
    }

    /// Encodes some of what there is, which may be too little for a group.
    fn text(&mut self) -> Bytes {
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
        let groups = self.piece.split_to((self.piece.len() / 3 * 3).min(AT_ONCE));
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

    fn made(data: &[u8], said: u64, pieces: usize) -> Result<String, String> {
        let streams = ResponseStreams::default();
        let pieces: Vec<_> = data.chunks(pieces).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let value = streams.add(said, stream::iter(pieces));
        let body = streams.body(wireform_runtime::json::to_vec(&(value, 1)).unwrap());
        let length = body.length();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let text = runtime.block_on(body.collect()).map_err(|error| error.to_string())?.to_bytes();
        assert_eq!(text.len() as u64, length);
        Ok(String::from_utf8(text.to_vec()).unwrap())
    }

    #[test]
    fn data_of_another_length_breaks_off() {
        assert_eq!(made(b"abc", 3, 2).as_deref(), Ok("[\"YWJj\",1]"));
        assert!(made(b"abc", 4, 2).is_err());
        assert!(made(b"abc", 2, 2).is_err());
    }

    proptest! {
        #[test]
        fn it_is_what_the_whole_would_be(data: Vec<u8>, pieces in 1..9_usize) {
            let whole = wireform_runtime::Bytes::from(data.clone());
            prop_assert_eq!(made(&data, data.len() as u64, pieces), Ok(format!("[\"{whole}\",1]")));
        }
    }
}
