//! Checks of text and bytes.

use super::Checker;
use crate::constraint::{Bounds, Constraint};
use crate::formats::{self, Format};
use crate::location::Location;
use wireform_runtime::__private::pattern::Matcher;

impl Checker<'_> {
    /// Checks that the text has from `min` to `max` code points; `usize::MAX` means no maximum.
    #[inline]
    pub fn length(&mut self, at: Location<'_>, text: &str, min: usize, max: usize) {
        // A code point has one to four bytes, so the number of bytes is nearly always sufficient.
        let bytes = text.len();
        if (bytes > max || bytes.div_ceil(4) < min) && !has_length(text, min, max) {
            self.length_violation(at, text, min, max);
        }
    }

    /// Checks that there are from `min` to `max` bytes.
    #[inline]
    pub fn bytes_length(&mut self, at: Location<'_>, found: usize, min: usize, max: usize) {
        if found < min || found > max {
            self.bytes_violation(at, Bounds { min, max, actual: Some(found) });
        }
    }

    /// Checks that the text matches a pattern; `pattern` is its text in the schema.
    #[inline]
    pub fn pattern<M: Matcher>(&mut self, at: Location<'_>, text: &str, matcher: &M, pattern: &'static str) {
        if !matcher.is_match(text) {
            self.pattern_violation(at, pattern);
        }
    }

    /// Checks that the text has the format.
    #[inline]
    pub fn format(&mut self, at: Location<'_>, text: &str, format: Format) {
        if !format.is_valid(text) {
            self.format_violation(at, format);
        }
    }

    /// Checks that the text is a URI with one of these schemes, which are in lower case.
    #[inline]
    pub fn uri(&mut self, at: Location<'_>, text: &str, schemes: &'static [&'static str]) {
        if !formats::is_uri(text) {
            self.format_violation(at, Format::Uri);
        } else if !has_scheme(text, schemes) {
            self.schemes_violation(at, schemes);
        }
    }

    /// Records that a text has too few or too many characters, which are counted for the message only.
    #[cold]
    #[inline(never)]
    fn length_violation(&mut self, at: Location<'_>, text: &str, min: usize, max: usize) {
        let found = Some(text.chars().count());
        self.error(at, Constraint::Length(Bounds { min, max, actual: found }));
    }

    /// Records that data have too few or too many bytes.
    #[cold]
    #[inline(never)]
    fn bytes_violation(&mut self, at: Location<'_>, bounds: Bounds) {
        self.error(at, Constraint::Bytes(bounds));
    }

    /// Records that a text does not match its pattern.
    #[cold]
    #[inline(never)]
    fn pattern_violation(&mut self, at: Location<'_>, pattern: &'static str) {
        self.error(at, Constraint::Pattern(pattern));
    }

    /// Records that a text does not have its format.
    #[cold]
    #[inline(never)]
    fn format_violation(&mut self, at: Location<'_>, format: Format) {
        self.error(at, Constraint::Format(format));
    }

    /// Records that a URI has none of the permitted schemes.
    #[cold]
    #[inline(never)]
    fn schemes_violation(&mut self, at: Location<'_>, schemes: &'static [&'static str]) {
        self.error(at, Constraint::Schemes(schemes));
    }
}

/// Returns whether the text has from `min` to `max` code points, which are counted only if the number of bytes does not
/// determine that.
#[inline(never)]
fn has_length(text: &str, min: usize, max: usize) -> bool {
    // With too few bytes, or too many for four bytes each, counting is not necessary.
    text.len() >= min && text.len().div_ceil(4) <= max && {
        let found = text.chars().count();
        found >= min && found <= max
    }
}

/// Returns whether a URI has one of the schemes, in any case.
fn has_scheme(text: &str, schemes: &[&str]) -> bool {
    formats::scheme(text).is_some_and(|found| schemes.iter().any(|scheme| found.eq_ignore_ascii_case(scheme)))
}
