//! Declared response headers, as typed values.

use std::borrow::Cow;
use std::fmt::Debug;

use super::parameter::{ContainsDelimiter, join_with_commas};
use super::{ParameterValues, ToParameter};
use crate::from_parameter::{FromParameters, ParameterError, ParameterTexts};

/// Declared headers of a response. Generated code implements it for one struct per operation with declared headers.
pub trait ResponseHeaders: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Names of the headers.
    const NAMES: &'static [&'static str];

    /// Parses the headers. One that is missing or invalid becomes absent, since the response is still usable.
    fn read(lines: &HeaderLookup<'_>) -> Self;

    /// Writes the headers that are present.
    fn write(&self, put: &mut HeaderSink<'_>);
}

/// Lookup of the values of a header by its name.
pub type HeaderLookup<'h> = dyn Fn(&str) -> Vec<String> + 'h;

/// Receiver of the name and the value of a header; `None` for a value that a header cannot hold.
pub type HeaderSink<'h> = dyn FnMut(&'static str, Option<String>) + 'h;

/// Returns whether each line of a header is an element of a list: `Set-Cookie` contains commas (RFC 9110, section 5.3).
fn has_element_per_line(name: &str) -> bool {
    name.eq_ignore_ascii_case("set-cookie")
}

/// Reads a header. The elements of a list are separated by commas, in one line or in several, or are the lines of
/// `Set-Cookie`; of a single value only the first line is read.
pub fn read_header<T: FromParameters>(name: &str, lines: &HeaderLookup<'_>) -> T {
    let lines = lines(name);
    let pieces = lines.iter().flat_map(|line| {
        let separator = if T::IS_LIST && !has_element_per_line(name) { ',' } else { '\n' };
        line.split(separator).map(str::trim_ascii).filter(|piece| !(T::IS_LIST && piece.is_empty()))
    });
    T::from_parameters(&mut SilentTexts(pieces))
}

/// Writes a header unless it is absent. The elements of a list are separated by commas, which they must not contain, or
/// are the lines of `Set-Cookie`.
pub fn write_header<T: ToParameter + FromParameters>(name: &'static str, value: &T, put: &mut HeaderSink<'_>) {
    if T::IS_LIST && !has_element_per_line(name) {
        return match join_with_commas(value) {
            Ok(Some(line)) => put(name, Some(line)),
            Ok(None) => {}
            Err(ContainsDelimiter) => put(name, None),
        };
    }
    let take = &mut |text: &str| put(name, Some(text.to_owned()));
    value.to_parameter(&mut ParameterValues { take });
}

/// Texts of a parameter whose errors are ignored.
struct SilentTexts<I>(I);

impl<'t, I: Iterator<Item = &'t str>> ParameterTexts<'t> for SilentTexts<I> {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        self.0.next().map(Cow::Borrowed)
    }

    fn reject(&mut self, _error: ParameterError) {}

    fn report_missing(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Date;

    fn read<T: FromParameters>(lines: &[&str]) -> T {
        read_header("X", &|_| lines.iter().map(|line| (*line).to_owned()).collect())
    }

    #[test]
    fn invalid_values_become_absent() {
        assert_eq!(read::<Option<i32>>(&["12"]), Some(12));
        assert_eq!(read::<Option<i32>>(&[" 12 "]), Some(12));
        assert_eq!(read::<Option<i32>>(&["twelve"]), None);
        assert_eq!(read::<Option<i32>>(&[]), None);
        assert_eq!(read::<Option<String>>(&["a, b"]).as_deref(), Some("a, b"));
        assert_eq!(read::<Vec<i32>>(&["1, 2,x,,3", "4"]), [1, 2, 3, 4]);
    }

    #[test]
    fn each_cookie_has_a_line() {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"].map(str::to_owned).to_vec();
        let mut lines = Vec::new();
        write_header("Set-Cookie", &cookies, &mut |_, text| lines.extend(text));
        assert_eq!(lines, cookies);
        assert_eq!(read_header::<Vec<String>>("set-cookie", &|_| lines.clone()), cookies);
    }

    #[test]
    fn absent_values_are_not_written() {
        let written = |write: &dyn Fn(&mut HeaderSink<'_>)| {
            let mut list = Vec::new();
            write(&mut |name, text| list.push(format!("{name}: {}", text.as_deref().unwrap_or("no header"))));
            list
        };
        assert_eq!(written(&|put| write_header("X", &Some(7), put)), ["X: 7"]);
        assert_eq!(written(&|put| write_header("X", &vec![Date::MIN, Date::MIN], put)), ["X: 0000-01-01,0000-01-01"]);
        let texts = |list: &[&str]| {
            let list: Vec<String> = list.iter().map(|text| (*text).to_owned()).collect();
            written(&|put| write_header("X", &list, put))
        };
        assert_eq!(texts(&["a b", "c"]), ["X: a b,c"]);
        for wrong in ["a,b", "", " a", "a "] {
            assert_eq!(texts(&["c", wrong]), ["X: no header"], "{wrong:?} would be read as something else");
        }
        assert_eq!(written(&|put| write_header("X", &Some("a, b".to_owned()), put)), ["X: a, b"]);
        assert!(written(&|put| write_header("X", &None::<i32>, put)).is_empty());
        assert!(written(&|put| write_header("X", &Vec::<i32>::new(), put)).is_empty());
    }
}
