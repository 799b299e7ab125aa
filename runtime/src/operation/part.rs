//! Segments with text and variables: `{name}.json`, `{base}...{head}`.

/// Part of a segment with text and variables; two variables always have text between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentPart {
    /// Fixed text.
    Text(&'static str),
    /// Path parameter with this name.
    Variable(&'static str),
}

/// Encoding of the fixed text of a segment in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralEncoding {
    /// Not encoded. An encoded character then belongs to a variable.
    Plain,
    /// Possibly with encoded characters, as some clients send it.
    MaybeEncoded,
}

impl SegmentPart {
    /// Returns the name and the text of each variable in a segment of a request; `None` if the segment does not match.
    ///
    /// No variable is empty. If the text between two variables occurs more than once in the segment, the last
    /// occurrence is used: the first variable is as long as possible, so that `{name}.{format}` matches `a.tar.gz` with
    /// `a.tar` and `gz`.
    #[must_use]
    pub fn match_variables<'s>(
        parts: &[Self],
        segment: &'s str,
        encoding: LiteralEncoding,
    ) -> Option<Vec<(&'static str, &'s str)>> {
        let (parts, mut rest) = match parts.split_first() {
            Some((Self::Text(text), parts)) => (parts, without_beginning(segment, text, encoding)?),
            _ => (parts, segment),
        };
        let mut found = Vec::with_capacity(2);
        let mut open = None;
        for part in parts.iter().rev() {
            match (*part, open.take()) {
                (Self::Variable(name), _) => open = Some(name),
                (Self::Text(text), None) => rest = without_end(rest, text, encoding)?,
                (Self::Text(text), Some(name)) => {
                    let (before, variable) = last(rest, text, encoding)?;
                    found.push((name, variable));
                    rest = before;
                }
            }
        }
        match open {
            Some(_) if rest.is_empty() => return None,
            Some(name) => found.push((name, rest)),
            None if !rest.is_empty() => return None,
            None => {}
        }
        found.reverse();
        Some(found)
    }

    /// Returns the number of bytes of fixed text.
    #[must_use]
    pub fn literal_len(parts: &[Self]) -> usize {
        parts.iter().map(|part| if let Self::Text(text) = part { text.len() } else { 0 }).sum()
    }
}

/// Splits off the first character of a text, encoded or not.
fn first(text: &str) -> Option<(Unit<'_>, &str)> {
    let encoded = text.get(..3).filter(|unit| byte(unit).is_some());
    let end = encoded.map_or_else(|| text.chars().next().map(char::len_utf8), |unit| Some(unit.len()))?;
    let (unit, rest) = text.split_at_checked(end)?;
    Some((Unit(unit), rest))
}

/// Splits off the last character of a text, encoded or not.
fn end(text: &str) -> Option<(&str, Unit<'_>)> {
    let before = text.len().checked_sub(3).filter(|at| text.get(*at..).is_some_and(|unit| byte(unit).is_some()));
    let at = before.or_else(|| text.char_indices().next_back().map(|(at, _)| at))?;
    let (before, unit) = text.split_at_checked(at)?;
    Some((before, Unit(unit)))
}

/// Returns the byte that three characters encode.
fn byte(unit: &str) -> Option<u8> {
    let digits = unit.strip_prefix('%').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Character of a request, encoded or not.
struct Unit<'s>(&'s str);

impl Unit<'_> {
    /// Returns whether the character is the fixed one, or encodes it if the encoding allows that.
    fn matches(&self, fixed: u8, encoding: LiteralEncoding) -> bool {
        match self.0.as_bytes() {
            [only] => *only == fixed,
            _ => encoding == LiteralEncoding::MaybeEncoded && byte(self.0) == Some(fixed),
        }
    }
}

/// Removes the fixed text from the start of a segment; `None` if it does not start with it.
fn without_beginning<'s>(segment: &'s str, text: &str, encoding: LiteralEncoding) -> Option<&'s str> {
    text.bytes().try_fold(segment, |rest, fixed| {
        let (unit, rest) = first(rest)?;
        unit.matches(fixed, encoding).then_some(rest)
    })
}

/// Removes the fixed text from the end of a segment; `None` if it does not end with it.
fn without_end<'s>(segment: &'s str, text: &str, encoding: LiteralEncoding) -> Option<&'s str> {
    text.bytes().rev().try_fold(segment, |rest, fixed| {
        let (rest, unit) = end(rest)?;
        unit.matches(fixed, encoding).then_some(rest)
    })
}

/// Returns the parts before and after the last occurrence of a text that does not end the segment.
fn last<'s>(segment: &'s str, text: &str, encoding: LiteralEncoding) -> Option<(&'s str, &'s str)> {
    let (mut at, _) = end(segment)?;
    loop {
        if let Some(before) = without_end(at, text, encoding) {
            return Some((before, segment.get(at.len()..)?));
        }
        (at, _) = end(at)?;
    }
}

#[cfg(test)]
mod tests {
    use super::SegmentPart::{Text, Variable};
    use super::*;

    fn plain<'s>(parts: &[SegmentPart], segment: &'s str) -> Option<Vec<&'s str>> {
        Some(
            SegmentPart::match_variables(parts, segment, LiteralEncoding::Plain)?
                .into_iter()
                .map(|(_, text)| text)
                .collect(),
        )
    }

    #[test]
    fn the_first_variable_is_greedy() {
        let file = [Variable("a"), Text("."), Variable("b")];
        assert_eq!(plain(&file, "a.b"), Some(vec!["a", "b"]));
        assert_eq!(plain(&file, "a.tar.gz"), Some(vec!["a.tar", "gz"]));
        assert_eq!(plain(&file, "a..gz"), Some(vec!["a.", "gz"]));
        assert_eq!(plain(&file, "..."), Some(vec![".", "."]));
        for other in ["", ".", "a", "a.", ".b", ".."] {
            assert_eq!(plain(&file, other), None, "{other}");
        }
        let page = [Variable("page"), Text("t."), Variable("format")];
        assert_eq!(
            SegmentPart::match_variables(&page, "12t.jpg", LiteralEncoding::Plain),
            Some(vec![("page", "12"), ("format", "jpg")])
        );
        assert_eq!(plain(&page, "t.t.t"), Some(vec!["t.", "t"]), "a variable is not empty");
    }

    #[test]
    fn literals_at_the_ends_are_anchored() {
        let cover = [Text("cover-"), Variable("a")];
        assert_eq!(plain(&cover, "cover-cover-a"), Some(vec!["cover-a"]));
        assert_eq!(plain(&cover, "a-cover-a"), None);
        let item = [Text("a"), Variable("a"), Text("a"), Variable("b"), Text("aa")];
        assert_eq!(plain(&item, "aaaaaaa"), Some(vec!["aa", "a"]));
        assert_eq!(plain(&item, "abacaa"), Some(vec!["b", "c"]));
        assert_eq!(plain(&item, "abaaa"), None);
    }

    #[test]
    fn encoded_characters_match_literals_only_as_a_fallback() {
        let pair = [Variable("a"), Text(","), Variable("b")];
        assert_eq!(plain(&pair, "x%2Cy,z"), Some(vec!["x%2Cy", "z"]));
        assert_eq!(plain(&pair, "x%2cy"), None);
        let found = SegmentPart::match_variables(&pair, "x%2cy", LiteralEncoding::MaybeEncoded);
        assert_eq!(found, Some(vec![("a", "x"), ("b", "y")]));
        // Digits of an encoded character are not text.
        let two = [Variable("a"), Text("2"), Variable("b")];
        assert_eq!(plain(&two, "%2C"), None);
        assert_eq!(plain(&two, "a2%2C"), Some(vec!["a", "%2C"]));
        // Arbitrary bytes.
        for odd in ["%", "%2", "%2C%", "é2é", "%C3%A92%", "2%2"] {
            let _ = (plain(&two, odd), SegmentPart::match_variables(&two, odd, LiteralEncoding::MaybeEncoded));
        }
        assert_eq!(plain(&two, "é2é"), Some(vec!["é", "é"]));
    }
}
