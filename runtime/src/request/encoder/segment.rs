//! Encoding of the variables of a path.

use super::{RequestEncoder, RequestErrorKind};
use crate::operation::{LiteralEncoding, SegmentPart, SegmentPattern};
use crate::request::path;

impl RequestEncoder {
    /// Appends a variable: one segment, or, with `pieces`, as many as it has slashes. Other reserved characters are
    /// encoded: see [`path`].
    pub(super) fn expand(&mut self, name: &'static str, pieces: &'static [SegmentPattern], out: &mut String) {
        let slashes = !pieces.is_empty();
        if let Some((_, text)) = self.encoded_path.iter().find(|(own, _)| *own == name) {
            out.push_str(text);
            let is_lost = path::is_dot_or_empty(text);
            return if is_lost {
                self.set_error(name, RequestErrorKind::InvalidSegment)
            };
        }
        let mut texts = self.path.iter().filter(|(own, _)| *own == name).map(|(_, text)| text);
        let Some(text) = texts.next() else { return self.set_error(name, RequestErrorKind::Missing) };
        let further: Vec<&String> = texts.collect();
        let (mut is_lost, mismatch) = (false, slashes && !SegmentPattern::match_path(pieces, text));
        for (at, segment) in text.split(|c| slashes && c == '/').enumerate() {
            if at > 0 {
                out.push('/');
            }
            is_lost |= further.is_empty() && path::is_dot_or_empty(segment);
            path::encode(segment, out);
        }
        for text in further {
            // Elements of a list are joined with commas, which they do not contain once encoded (RFC 6570, section
            // 3.2.2).
            out.push(',');
            path::encode(text, out);
        }
        if is_lost {
            self.set_error(name, RequestErrorKind::InvalidSegment);
        } else if mismatch {
            self.set_error(name, RequestErrorKind::PatternMismatch(pieces));
        }
    }

    /// Appends a segment that mixes text and variables. Unreserved characters are not encoded, since an intermediary
    /// may decode them (RFC 3986, section 6.2.2.2); so a value whose end would be ambiguous is rejected.
    pub(super) fn expand_mixed(&mut self, parts: &'static [SegmentPart], out: &mut String) {
        let start = out.len();
        let mut written = Vec::with_capacity(2);
        for part in parts {
            match *part {
                SegmentPart::Text(text) => out.push_str(text),
                SegmentPart::Variable(name) => {
                    let start_of_value = out.len();
                    self.append_value(name, out);
                    written.push((name, start_of_value..out.len()));
                }
            }
        }
        let segment = out.get(start..).unwrap_or_default();
        let is_lost = path::is_dot_or_empty(segment);
        let mut read =
            SegmentPart::match_variables(parts, segment, LiteralEncoding::Plain).unwrap_or_default().into_iter();
        // The last value that would be parsed differently is the one that contains its delimiter.
        let mismatch = written.into_iter().fold(None, |mismatch, (name, range)| {
            let is_same = read.next().is_some_and(|(_, text)| out.get(range) == Some(text));
            if is_same { mismatch } else { Some(name) }
        });
        match (is_lost, mismatch) {
            (true, _) => self.set_error(first_parameter(parts), RequestErrorKind::InvalidSegment),
            (false, Some(name)) => self.set_error(name, RequestErrorKind::AmbiguousExtent),
            (false, None) => {}
        }
    }

    /// Appends a value within a segment; it must not be empty.
    fn append_value(&mut self, name: &'static str, out: &mut String) {
        let start_of_value = out.len();
        if let Some((_, text)) = self.encoded_path.iter().find(|(own, _)| *own == name) {
            return out.push_str(text);
        }
        let mut texts = self.path.iter().filter(|(own, _)| *own == name).map(|(_, text)| text);
        let Some(first) = texts.next() else { return self.set_error(name, RequestErrorKind::Missing) };
        path::encode(first, out);
        for text in texts {
            out.push(',');
            path::encode(text, out);
        }
        if out.len() == start_of_value {
            self.set_error(name, RequestErrorKind::InvalidSegment);
        }
    }
}

/// Returns the name of the first variable.
fn first_parameter(parts: &[SegmentPart]) -> &'static str {
    parts
        .iter()
        .find_map(|part| if let SegmentPart::Variable(name) = part { Some(*name) } else { None })
        .unwrap_or_default()
}
