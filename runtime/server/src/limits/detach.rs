//! Decoding of base64 in a JSON body while it arrives.

use axum::body::Bytes;
use wireform_runtime::__private::detached::decoded_mark;
use wireform_runtime::Base64Decoder;

use super::intake::Decoded;

/// Decodes the binary data of one field of a body, and replaces it in the text by a placeholder. Text that is not
/// base64 is left unchanged.
pub(super) struct Detach {
    member: &'static str,
    /// Length of the body, or its maximum.
    length: u64,
    decoded: Decoded,
    /// Size of the decoded data in bytes.
    taken: u64,
    depth: usize,
    state: State,
    /// Name of the top-level field that was read last.
    name: Vec<u8>,
}

/// State of the parser.
enum State {
    /// Inside a value, or between values. `name` is whether a string is the name of a top-level field.
    Between { name: bool },
    /// Inside a string, which is the name of a top-level field if `name` is true.
    Text { name: bool, escaped: bool },
    /// Inside the data.
    Data(Box<Base64Decoder>),
}

impl Detach {
    pub(super) fn new(member: &'static str, length: u64, decoded: Decoded) -> Self {
        let state = State::Between { name: false };
        Self { member, length, decoded, taken: 0, depth: 0, state, name: Vec::new() }
    }

    /// Returns the memory of the data in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match &self.state {
            State::Data(decoder) => self.taken + decoder.size().0 as u64,
            _ => self.taken,
        }
    }

    /// Parses a chunk, and returns its remaining text.
    pub(super) fn push(&mut self, piece: &Bytes) -> Bytes {
        if !matches!(self.state, State::Data(_)) && self.is_ordinary(piece) {
            return piece.clone();
        }
        let mut left = Vec::new();
        let mut rest: &[u8] = piece;
        while let Some((&byte, after)) = rest.split_first() {
            match &mut self.state {
                State::Data(_) => rest = self.data(rest, &mut left),
                _ => {
                    rest = after;
                    self.byte(byte, &mut left);
                }
            }
        }
        left.into()
    }

    /// Returns the remaining text of a body that ended within the data.
    pub(super) fn finish(&mut self) -> Bytes {
        match std::mem::replace(&mut self.state, State::Between { name: false }) {
            State::Data(decoder) => [b"\"".as_slice(), &decoder.into_text()].concat().into(),
            _ => Bytes::new(),
        }
    }

    /// Returns whether a chunk can be skipped: none of its bytes starts or ends anything.
    fn is_ordinary(&self, piece: &[u8]) -> bool {
        let in_text = matches!(self.state, State::Text { name: false, escaped: false });
        in_text && !piece.iter().any(|byte| matches!(byte, b'"' | b'\\'))
    }

    fn byte(&mut self, byte: u8, left: &mut Vec<u8>) {
        let next = match (&self.state, byte) {
            (State::Text { name, escaped: true }, _) => State::Text { name: *name, escaped: false },
            (State::Text { name, .. }, b'\\') => {
                // A name with escapes does not match: no usual client writes it so.
                self.name.push(byte);
                State::Text { name: *name, escaped: true }
            }
            (State::Text { .. }, b'"') => State::Between { name: false },
            (State::Text { name, .. }, _) => {
                if *name && self.name.len() <= self.member.len() {
                    self.name.push(byte);
                }
                State::Text { name: *name, escaped: false }
            }
            (State::Between { name: true }, b'"') => {
                self.name.clear();
                State::Text { name: true, escaped: false }
            }
            (State::Between { name: false }, b'"') if self.depth == 1 && self.name == self.member.as_bytes() => {
                self.state = State::Data(Box::default());
                return;
            }
            (State::Between { .. }, b'"') => State::Text { name: false, escaped: false },
            (State::Between { .. }, b'{') => self.nest(true),
            (State::Between { .. }, b'[') => self.nest(false),
            (State::Between { .. }, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                State::Between { name: false }
            }
            (State::Between { .. }, b',') => {
                if self.depth == 1 {
                    self.name.clear();
                }
                State::Between { name: self.depth == 1 }
            }
            (State::Between { name }, _) => State::Between { name: *name },
            (State::Data(_), _) => return,
        };
        self.state = next;
        left.push(byte);
    }

    fn nest(&mut self, object: bool) -> State {
        self.depth += 1;
        State::Between { name: object && self.depth == 1 }
    }

    /// Decodes up to the end of the string, and returns the rest.
    fn data<'p>(&mut self, rest: &'p [u8], left: &mut Vec<u8>) -> &'p [u8] {
        let State::Data(mut decoder) = std::mem::replace(&mut self.state, State::Between { name: false }) else {
            return rest;
        };
        let end = rest.iter().position(|byte| *byte == b'"');
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        self.grow(&mut decoder, text.len());
        if !decoder.push(text) {
            return self.put_back(*decoder, rest, left);
        }
        if end.is_none() {
            self.state = State::Data(decoder);
            return after;
        }
        match decoder.finish() {
            Ok(bytes) => {
                self.taken += bytes.len() as u64;
                left.extend_from_slice(decoded_mark(self.decoded.push(bytes)).as_bytes());
                after.get(1..).unwrap_or_default()
            }
            Err(decoder) => self.put_back(decoder, after, left),
        }
    }

    /// Restores text that turned out not to be data.
    fn put_back<'p>(&mut self, decoder: Base64Decoder, rest: &'p [u8], left: &mut Vec<u8>) -> &'p [u8] {
        left.push(b'"');
        left.extend_from_slice(&decoder.into_text());
        self.state = State::Text { name: false, escaped: false };
        rest
    }

    /// Reserves capacity for the data that arrives, and for as much again, up to the announced length. Reserving all of
    /// the announced length could occupy memory that was freed before, and keep it from being returned to the system.
    fn grow(&self, decoder: &mut Base64Decoder, characters: usize) {
        let (length, room) = decoder.size();
        let needed = length + characters / 4 * 3 + 6;
        if needed > room {
            let most = usize::try_from(self.length).unwrap_or(usize::MAX) / 4 * 3 + 6;
            let wanted = needed.max(most.min(needed * 2));
            decoder.reserve_exact(wanted - length);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wireform_runtime::__private::detached::with_decoded;
    use wireform_runtime::{Value, json};

    use super::*;

    /// Returns the remaining text of a body in chunks of a length, and the data.
    fn read(body: &[u8], pieces: usize) -> (String, Vec<wireform_runtime::Bytes>) {
        let decoded = Decoded::default();
        let mut detach = Detach::new("raw", body.len() as u64, decoded.clone());
        let mut left = Vec::new();
        for piece in body.chunks(pieces.max(1)) {
            left.extend_from_slice(&detach.push(&Bytes::copy_from_slice(piece)));
        }
        left.extend_from_slice(&detach.finish());
        (String::from_utf8_lossy(&left).into_owned(), decoded.take())
    }

    #[test]
    fn one_member_of_the_outermost_object_is_taken_out() {
        for pieces in [1, 2, 3, 5, 100] {
            let (text, data) =
                read(br#"{"a":"raw", "raw" : "AQID_w==","b":["raw",{"raw":"AQID"}],"raw":"AQ"}"#, pieces);
            let [first, second] = [0, 1].map(decoded_mark);
            let left = r#"{"a":"raw", "raw" : FIRST,"b":["raw",{"raw":"AQID"}],"raw":SECOND}"#;
            assert_eq!(text, left.replace("FIRST", &first).replace("SECOND", &second));
            assert_eq!(data.iter().map(ToString::to_string).collect::<Vec<_>>(), ["AQID_w==", "AQ"]);
        }
    }

    #[test]
    fn what_is_no_data_stays() {
        for body in [
            r#"{"raw":"AQID\u002d"}"#,
            r#"{"raw":"not base64"}"#,
            r#"{"raw":"+AAA-AAA"}"#,
            r#"{"raw":"AQIDA"}"#,
            r#"{"raw":"AQ==AQ=="}"#,
            r#"{"raw":"AQIDAQID"#,
            r#"{"raw":["AQID"]}"#,
            r#"{"raw":{"raw":"AQID"}}"#,
            r#"{"r\u0061w":"AQID"}"#,
            r#"{"raw\"":"AQID"}"#,
            r#"["raw","AQID"]"#,
            r#""raw""#,
            r#"{"rawraw":"AQID","x":"raw"}"#,
        ] {
            for pieces in [1, 2, 3, 7, 100] {
                assert_eq!(read(body.as_bytes(), pieces), (body.to_owned(), Vec::new()), "{body}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_body_means_what_it_meant(
            body in prop_oneof!["[{}\\[\\]\",:a\\\\=A-F rw+-]{0,40}", "\\{(\"(raw|b)\":(\"[A-Z+/=_-]{0,12}\"|1|\\[\"raw\"\\]),?){0,4}\\}"],
            pieces in 1..20_usize,
        ) {
            let (text, data) = read(body.as_bytes(), pieces);
            let plain = json::from_str::<Value>(&body);
            // Placeholders are strings that stand for strings.
            let mut back = text;
            for (place, bytes) in data.into_iter().enumerate() {
                let found = with_decoded(vec![bytes], || json::from_str::<wireform_runtime::Bytes>(&decoded_mark(0)));
                back = back.replacen(&decoded_mark(place), &format!("\"{}\"", found.unwrap()), 1);
            }
            prop_assert_eq!(&back, &body);
            prop_assert_eq!(json::from_str::<Value>(&back).is_ok(), plain.is_ok());
        }
    }
}
