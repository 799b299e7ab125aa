//! Decoding of base64 in a JSON body while it arrives.

use axum::body::Bytes;
use wireform_runtime::__private::placeholders::placeholder_json;
use wireform_runtime::Base64Decoder;

use super::reservation::DecodedData;

/// Decodes the binary data of one field of a body, and replaces it in the text by a placeholder. Text that is not
/// base64 is left unchanged.
pub(super) struct StreamingBase64 {
    member: &'static str,
    /// Length of the body, or its maximum.
    length: u64,
    decoded: DecodedData,
    /// Size of the decoded data in bytes.
    decoded_bytes: u64,
    depth: usize,
    state: State,
    /// Name of the top-level field that was read last.
    name: Vec<u8>,
}

/// State of the parser.
enum State {
    /// Inside a value, or between values. `name` is whether a string is the name of a top-level field.
    Outside { name: bool },
    /// Inside a string, which is the name of a top-level field if `name` is true.
    InString { name: bool, escaped: bool },
    /// Inside the data.
    Data(Box<Base64Decoder>),
}

impl StreamingBase64 {
    pub(super) fn new(member: &'static str, length: u64, decoded: DecodedData) -> Self {
        let state = State::Outside { name: false };
        Self { member, length, decoded, decoded_bytes: 0, depth: 0, state, name: Vec::new() }
    }

    /// Returns the memory of the data in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match &self.state {
            State::Data(decoder) => self.decoded_bytes + decoder.size().0 as u64,
            _ => self.decoded_bytes,
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
                State::Data(_) => rest = self.push_data(rest, &mut left),
                _ => {
                    rest = after;
                    self.push_byte(byte, &mut left);
                }
            }
        }
        left.into()
    }

    /// Returns the remaining text of a body that ended within the data.
    pub(super) fn finish(&mut self) -> Bytes {
        match std::mem::replace(&mut self.state, State::Outside { name: false }) {
            State::Data(decoder) => [b"\"".as_slice(), &decoder.into_text()].concat().into(),
            _ => Bytes::new(),
        }
    }

    /// Returns whether a chunk can be skipped: none of its bytes starts or ends anything.
    fn is_ordinary(&self, piece: &[u8]) -> bool {
        let in_text = matches!(self.state, State::InString { name: false, escaped: false });
        in_text && !piece.iter().any(|byte| matches!(byte, b'"' | b'\\'))
    }

    /// Processes a byte of the JSON outside of the data; it is appended to `left` unless it starts the data.
    fn push_byte(&mut self, byte: u8, left: &mut Vec<u8>) {
        let next = match (&self.state, byte) {
            (State::InString { name, escaped: true }, _) => State::InString { name: *name, escaped: false },
            (State::InString { name, .. }, b'\\') => {
                // A name with escapes does not match: no usual client writes it so.
                self.name.push(byte);
                State::InString { name: *name, escaped: true }
            }
            (State::InString { .. }, b'"') => State::Outside { name: false },
            (State::InString { name, .. }, _) => {
                if *name && self.name.len() <= self.member.len() {
                    self.name.push(byte);
                }
                State::InString { name: *name, escaped: false }
            }
            (State::Outside { name: true }, b'"') => {
                self.name.clear();
                State::InString { name: true, escaped: false }
            }
            (State::Outside { name: false }, b'"') if self.depth == 1 && self.name == self.member.as_bytes() => {
                self.state = State::Data(Box::default());
                return;
            }
            (State::Outside { .. }, b'"') => State::InString { name: false, escaped: false },
            (State::Outside { .. }, b'{') => self.enter_container(true),
            (State::Outside { .. }, b'[') => self.enter_container(false),
            (State::Outside { .. }, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                State::Outside { name: false }
            }
            (State::Outside { .. }, b',') => {
                if self.depth == 1 {
                    self.name.clear();
                }
                State::Outside { name: self.depth == 1 }
            }
            (State::Outside { name }, _) => State::Outside { name: *name },
            (State::Data(_), _) => return,
        };
        self.state = next;
        left.push(byte);
    }

    /// Enters an object or a list. Returns the state in which a name is expected if it is the outermost object.
    fn enter_container(&mut self, object: bool) -> State {
        self.depth += 1;
        State::Outside { name: object && self.depth == 1 }
    }

    /// Decodes up to the end of the string, and returns the rest.
    fn push_data<'p>(&mut self, rest: &'p [u8], left: &mut Vec<u8>) -> &'p [u8] {
        let State::Data(mut decoder) = std::mem::replace(&mut self.state, State::Outside { name: false }) else {
            return rest;
        };
        let end = rest.iter().position(|byte| *byte == b'"');
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        self.reserve(&mut decoder, text.len());
        if !decoder.push(text) {
            return self.restore_text(*decoder, rest, left);
        }
        if end.is_none() {
            self.state = State::Data(decoder);
            return after;
        }
        match decoder.finish() {
            Ok(bytes) => {
                self.decoded_bytes += bytes.len() as u64;
                left.extend_from_slice(placeholder_json(self.decoded.push(bytes)).as_bytes());
                after.get(1..).unwrap_or_default()
            }
            Err(decoder) => self.restore_text(decoder, after, left),
        }
    }

    /// Restores text that turned out not to be data.
    fn restore_text<'p>(&mut self, decoder: Base64Decoder, rest: &'p [u8], left: &mut Vec<u8>) -> &'p [u8] {
        left.push(b'"');
        left.extend_from_slice(&decoder.into_text());
        self.state = State::InString { name: false, escaped: false };
        rest
    }

    /// Reserves capacity for the data that arrives, and for as much again, up to the announced length. Reserving all of
    /// the announced length could occupy memory that was freed before, and keep it from being returned to the system.
    fn reserve(&self, decoder: &mut Base64Decoder, characters: usize) {
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
    use wireform_runtime::__private::placeholders::with_decoded_data;
    use wireform_runtime::{Value, json};

    use super::*;

    /// Returns the remaining text of a body in chunks of a length, and the data.
    fn read(body: &[u8], pieces: usize) -> (String, Vec<wireform_runtime::Bytes>) {
        let decoded = DecodedData::default();
        let mut detach = StreamingBase64::new("raw", body.len() as u64, decoded.clone());
        let mut left = Vec::new();
        for piece in body.chunks(pieces.max(1)) {
            left.extend_from_slice(&detach.push(&Bytes::copy_from_slice(piece)));
        }
        left.extend_from_slice(&detach.finish());
        (String::from_utf8_lossy(&left).into_owned(), decoded.take())
    }

    #[test]
    fn top_level_field_is_decoded() {
        for pieces in [1, 2, 3, 5, 100] {
            let (text, data) =
                read(br#"{"a":"raw", "raw" : "AQID_w==","b":["raw",{"raw":"AQID"}],"raw":"AQ"}"#, pieces);
            let [first, second] = [0, 1].map(placeholder_json);
            let left = r#"{"a":"raw", "raw" : FIRST,"b":["raw",{"raw":"AQID"}],"raw":SECOND}"#;
            assert_eq!(text, left.replace("FIRST", &first).replace("SECOND", &second));
            assert_eq!(data.iter().map(ToString::to_string).collect::<Vec<_>>(), ["AQID_w==", "AQ"]);
        }
    }

    #[test]
    fn other_text_is_unchanged() {
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
        fn placeholders_stand_for_the_original_strings(
            body in prop_oneof!["[{}\\[\\]\",:a\\\\=A-F rw+-]{0,40}", "\\{(\"(raw|b)\":(\"[A-Z+/=_-]{0,12}\"|1|\\[\"raw\"\\]),?){0,4}\\}"],
            pieces in 1..20_usize,
        ) {
            let (text, data) = read(body.as_bytes(), pieces);
            let plain = json::from_str::<Value>(&body);
            // Placeholders are strings that stand for strings.
            let mut back = text;
            for (place, bytes) in data.into_iter().enumerate() {
                let found = with_decoded_data(vec![bytes], || json::from_str::<wireform_runtime::Bytes>(&placeholder_json(0)));
                back = back.replacen(&placeholder_json(place), &format!("\"{}\"", found.unwrap()), 1);
            }
            prop_assert_eq!(&back, &body);
            prop_assert_eq!(json::from_str::<Value>(&back).is_ok(), plain.is_ok());
        }
    }
}
