//! Checks of text and bytes.

use super::Checker;
use crate::at::At;
use crate::constraint::{Bounds, Constraint};
use crate::formats::{self, Format};
use crate::pattern::Matches;

impl Checker<'_> {
    /// Returns the text has from `least` to `most` code points; `usize::MAX` if there is no bound above.
    #[inline]
    pub fn length(&mut self, at: At<'_>, text: &str, least: usize, most: usize) {
        // A code point has one to four bytes, so that the number of bytes decides nearly always.
        let bytes = text.len();
        if (bytes > most || bytes.div_ceil(4) < least) && !has_length(text, least, most) {
            self.length_broken(at, text, least, most);
        }
    }

    /// There are from `least` to `most` bytes.
    #[inline]
    pub fn bytes_length(&mut self, at: At<'_>, found: usize, least: usize, most: usize) {
        if found < least || found > most {
            self.bytes_broken(at, Bounds { least, most, found: Some(found) });
        }
    }

    /// Returns the text matches a pattern; `pattern` is the pattern as the schema has it.
    #[inline]
    pub fn pattern<M: Matches>(&mut self, at: At<'_>, text: &str, matcher: &M, pattern: &'static str) {
        if !matcher.is_match(text) {
            self.pattern_broken(at, pattern);
        }
    }

    /// Returns the text is what the format says.
    #[inline]
    pub fn format(&mut self, at: At<'_>, text: &str, format: Format) {
        if !format.is_valid(text) {
            self.format_broken(at, format);
        }
    }

    /// Returns the text is a URI with one of these schemes, which are in small letters.
    #[inline]
    pub fn uri(&mut self, at: At<'_>, text: &str, schemes: &'static [&'static str]) {
        if !formats::uri(text) {
            self.format_broken(at, Format::Uri);
        } else if !has_scheme(text, schemes) {
            self.schemes_broken(at, schemes);
        }
    }

    #[cold]
    #[inline(never)]
    fn length_broken(&mut self, at: At<'_>, text: &str, least: usize, most: usize) {
        let found = Some(text.chars().count());
        self.broken(at, Constraint::Length(Bounds { least, most, found }));
    }

    #[cold]
    #[inline(never)]
    fn bytes_broken(&mut self, at: At<'_>, bounds: Bounds) {
        self.broken(at, Constraint::Bytes(bounds));
    }

    #[cold]
    #[inline(never)]
    fn pattern_broken(&mut self, at: At<'_>, pattern: &'static str) {
        self.broken(at, Constraint::Pattern(pattern));
    }

    #[cold]
    #[inline(never)]
    fn format_broken(&mut self, at: At<'_>, format: Format) {
        self.broken(at, Constraint::Format(format));
    }

    #[cold]
    #[inline(never)]
    fn schemes_broken(&mut self, at: At<'_>, schemes: &'static [&'static str]) {
        self.broken(at, Constraint::Schemes(schemes));
    }
}

/// Counts, where the number of bytes does not decide.
#[inline(never)]
fn has_length(text: &str, least: usize, most: usize) -> bool {
    // With too few bytes, or with too many for four each, counting has nothing to add.
    text.len() >= least && text.len().div_ceil(4) <= most && {
        let found = text.chars().count();
        found >= least && found <= most
    }
}

fn has_scheme(text: &str, schemes: &[&str]) -> bool {
    formats::scheme(text).is_some_and(|found| schemes.iter().any(|scheme| found.eq_ignore_ascii_case(scheme)))
}
