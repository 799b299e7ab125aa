//! Memory cost of bodies.

/// Copies of a text in memory while it is decoded: as received, with the spare capacity of its buffer, and as a value.
const TEXT_COPIES: u64 = 3;

/// Copies of the text of a batch in memory: as received, and with the spare capacity of its buffer.
const BATCH_COPIES: u64 = 2;

/// Bytes of an object or a list: the fields of a resource, in a list that grows by doubling.
const CONTAINER_BYTES: u64 = 512;

/// Bytes of a further field or element, in addition to its text.
const ELEMENT_BYTES: u64 = 96;

/// Estimates the memory of a decoded text, chunk by chunk. The size of the text says little about it: `{}` takes a
/// hundred times its length as a resource, and the characters of a string take theirs.
#[derive(Debug)]
pub(super) struct TextCost {
    format: Format,
    bytes: u64,
    /// Bytes for objects, lists, and further fields and elements, in addition to the text.
    value_bytes: u64,
    in_string: bool,
    is_escaped: bool,
}

/// Returns whether the values of a JSON text may take more memory than `max` bytes, in addition to the text.
pub(crate) fn exceeds(json: &[u8], max: usize) -> bool {
    // Most bodies are so short that nothing has to be counted.
    if json.len() as u64 <= max as u64 / CONTAINER_BYTES {
        return false;
    }
    let mut cost = TextCost::new(Format::Json);
    cost.push_json(json);
    cost.value_bytes > max as u64
}

/// Returns the memory in bytes that a JSON text takes while it is decoded, together with its values, as it counts for the
/// body of a request.
#[must_use]
pub fn json_memory(text: &[u8]) -> u64 {
    let mut cost = TextCost::new(Format::Json);
    cost.push(text);
    cost.bytes()
}

/// Format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    /// Form or text, perhaps with JSON in it.
    Other,
    /// Requests, each of which is counted by itself.
    Batch,
}

impl TextCost {
    pub(super) const fn new(format: Format) -> Self {
        Self { format, bytes: 0, value_bytes: 0, in_string: false, is_escaped: false }
    }

    /// Returns the memory in bytes for the text so far.
    pub(super) const fn bytes(&self) -> u64 {
        let of_text = if matches!(self.format, Format::Batch) { BATCH_COPIES } else { TEXT_COPIES };
        self.bytes.saturating_mul(of_text).saturating_add(self.value_bytes)
    }

    /// Returns the expected memory for a number of bytes that have not arrived yet.
    pub(super) const fn estimate(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(if matches!(self.format, Format::Batch) { BATCH_COPIES } else { TEXT_COPIES })
    }

    /// Counts a chunk of the text.
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        match self.format {
            Format::Json => self.push_json(piece),
            Format::Other => {
                let ends = piece.iter().filter(|byte| matches!(byte, b'{' | b'[' | b',' | b'&')).count();
                self.value_bytes += ends as u64 * ELEMENT_BYTES;
            }
            Format::Batch => {}
        }
    }

    /// Counts the memory of the values that a chunk of JSON decodes to, by its containers and elements.
    fn push_json(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {
                    let end = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    rest = rest.get(end..).unwrap_or_default();
                }
                b'{' | b'[' => self.value_bytes += CONTAINER_BYTES,
                b',' => self.value_bytes += ELEMENT_BYTES,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(format: Format, text: &str, pieces: usize) -> u64 {
        let mut cost = TextCost::new(format);
        text.as_bytes().chunks(pieces).for_each(|piece| cost.push(piece));
        cost.bytes()
    }

    #[test]
    fn string_contents_cost_only_their_text() {
        let text = r#"{"a":"[{,\",\\","b":[1,2,{}],"c":"\"{"}"#;
        let values = 3 * CONTAINER_BYTES + 4 * ELEMENT_BYTES;
        for pieces in 1..text.len() {
            assert_eq!(cost(Format::Json, text, pieces), text.len() as u64 * TEXT_COPIES + values, "{pieces}");
        }
        assert_eq!(cost(Format::Batch, text, 7), text.len() as u64 * BATCH_COPIES);
        assert!(cost(Format::Other, text, 7) > text.len() as u64 * TEXT_COPIES + 6 * ELEMENT_BYTES);
    }

    #[test]
    fn values_beyond_a_maximum_are_counted() {
        let objects = "{}".repeat(100);
        assert!(!exceeds(objects.as_bytes(), 100 * 512) && exceeds(objects.as_bytes(), 100 * 512 - 1));
        let string = format!("\"{objects}\"");
        assert!(!exceeds(string.as_bytes(), 0));
    }

    #[test]
    fn small_objects_take_more_than_their_text() {
        let text = "{},".repeat(1000);
        assert!(cost(Format::Json, &text, 100) > 50 * text.len() as u64);
        let text = format!("\"{}\"", "{},".repeat(1000));
        assert_eq!(cost(Format::Json, &text, 100), TEXT_COPIES * text.len() as u64);
    }
}
