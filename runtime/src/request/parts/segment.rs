//! Encoding of the variables of a path.

use super::{Parts, RequestErrorKind};
use crate::operation::{Part, Piece, Spelled};
use crate::request::path;

impl Parts {
    /// Appends a variable: one segment, or, with `pieces`, as many as it has slashes. Other reserved characters are
    /// encoded: see [`path`].
    pub(super) fn expand(&mut self, name: &'static str, pieces: &'static [Piece], out: &mut String) {
        let slashes = !pieces.is_empty();
        if let Some((_, text)) = self.expanded.iter().find(|(own, _)| *own == name) {
            out.push_str(text);
            let is_lost = path::is_lost(text);
            return if is_lost {
                self.refuse(name, RequestErrorKind::InvalidSegment)
            };
        }
        let mut texts = self.path.iter().filter(|(own, _)| *own == name).map(|(_, text)| text);
        let Some(text) = texts.next() else { return self.refuse(name, RequestErrorKind::Missing) };
        let further: Vec<&String> = texts.collect();
        let (mut is_lost, mismatch) = (false, slashes && !Piece::are(pieces, text));
        for (at, segment) in text.split(|c| slashes && c == '/').enumerate() {
            if at > 0 {
                out.push('/');
            }
            is_lost |= further.is_empty() && path::is_lost(segment);
            path::encode(segment, out);
        }
        for text in further {
            // Elements of a list are joined with commas, which they do not contain once encoded (RFC 6570, section
            // 3.2.2).
            out.push(',');
            path::encode(text, out);
        }
        if is_lost {
            self.refuse(name, RequestErrorKind::InvalidSegment);
        } else if mismatch {
            self.refuse(name, RequestErrorKind::PatternMismatch(pieces));
        }
    }

    /// Appends a segment that mixes text and variables. Unreserved characters are not encoded, since an intermediary
    /// may decode them (RFC 3986, section 6.2.2.2); so a value whose end would be ambiguous is rejected.
    pub(super) fn expand_mixed(&mut self, parts: &'static [Part], out: &mut String) {
        let start = out.len();
        let mut written = Vec::with_capacity(2);
        for part in parts {
            match *part {
                Part::Text(text) => out.push_str(text),
                Part::Variable(name) => {
                    let start_of_value = out.len();
                    self.value(name, out);
                    written.push((name, start_of_value..out.len()));
                }
            }
        }
        let segment = out.get(start..).unwrap_or_default();
        let is_lost = path::is_lost(segment);
        let mut read = Part::variables(parts, segment, Spelled::Plain).unwrap_or_default().into_iter();
        // The last value that would be parsed differently is the one that contains its delimiter.
        let mismatch = written.into_iter().fold(None, |mismatch, (name, range)| {
            let is_same = read.next().is_some_and(|(_, text)| out.get(range) == Some(text));
            if is_same { mismatch } else { Some(name) }
        });
        match (is_lost, mismatch) {
            (true, _) => self.refuse(first(parts), RequestErrorKind::InvalidSegment),
            (false, Some(name)) => self.refuse(name, RequestErrorKind::AmbiguousExtent),
            (false, None) => {}
        }
    }

    /// Appends a value within a segment; it must not be empty.
    fn value(&mut self, name: &'static str, out: &mut String) {
        let start_of_value = out.len();
        if let Some((_, text)) = self.expanded.iter().find(|(own, _)| *own == name) {
            return out.push_str(text);
        }
        let mut texts = self.path.iter().filter(|(own, _)| *own == name).map(|(_, text)| text);
        let Some(first) = texts.next() else { return self.refuse(name, RequestErrorKind::Missing) };
        path::encode(first, out);
        for text in texts {
            out.push(',');
            path::encode(text, out);
        }
        if out.len() == start_of_value {
            self.refuse(name, RequestErrorKind::InvalidSegment);
        }
    }
}

/// Returns the name of the first variable.
fn first(parts: &[Part]) -> &'static str {
    parts.iter().find_map(|part| if let Part::Variable(name) = part { Some(*name) } else { None }).unwrap_or_default()
}
