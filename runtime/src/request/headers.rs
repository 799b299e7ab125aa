//! The headers of an answer that a schema declares, as values of their types.

use std::borrow::Cow;
use std::fmt::Debug;

use super::parameter::{NotListed, listed};
use super::{FromParameters, ParameterError, ParameterTexts, ParameterValues, ToParameter};

/// The headers that an operation answers. Generated code implements it for a struct an operation that has some.
pub trait AnswerHeaders: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Their names.
    const NAMES: &'static [&'static str];

    /// Reads them. One that is not there, or is no value of its type, is absent: an answer is not worth less for it.
    fn read(lines: &HeaderLines<'_>) -> Self;

    /// Writes those that are there.
    fn write(&self, put: &mut HeaderPut<'_>);
}

/// The values of a header, by its name.
pub type HeaderLines<'h> = dyn Fn(&str) -> Vec<String> + 'h;

/// Takes the name and the value of a header; nothing for a value that no header can hold.
pub type HeaderPut<'h> = dyn FnMut(&'static str, Option<String>) + 'h;

/// Reads a header. The elements of a list stand behind commas, in one line or in several.
pub fn read_header<T: FromParameters>(name: &str, lines: &HeaderLines<'_>) -> T {
    let lines = lines(name);
    let pieces = lines.iter().flat_map(|line| {
        let separator = if T::LIST { ',' } else { '\n' };
        line.split(separator).map(str::trim_ascii).filter(|piece| !(T::LIST && piece.is_empty()))
    });
    T::from_parameters(&mut Texts(pieces))
}

/// Writes a header, unless it is absent: the elements of a list behind commas, which none of them can have.
pub fn write_header<T: ToParameter + FromParameters>(name: &'static str, value: &T, put: &mut HeaderPut<'_>) {
    if T::LIST {
        return match listed(value) {
            Ok(Some(line)) => put(name, Some(line)),
            Ok(None) => {}
            Err(NotListed) => put(name, None),
        };
    }
    let take = &mut |text: &str| put(name, Some(text.to_owned()));
    value.to_parameter(&mut ParameterValues { take });
}

/// Texts of which nobody is told what is wrong.
struct Texts<I>(I);

impl<'t, I: Iterator<Item = &'t str>> ParameterTexts<'t> for Texts<I> {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        self.0.next().map(Cow::Borrowed)
    }

    fn refuse(&mut self, _error: ParameterError) {}

    fn missing(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Date;

    fn read<T: FromParameters>(lines: &[&str]) -> T {
        read_header("X", &|_| lines.iter().map(|line| (*line).to_owned()).collect())
    }

    #[test]
    fn what_is_no_value_is_absent() {
        assert_eq!(read::<Option<i32>>(&["12"]), Some(12));
        assert_eq!(read::<Option<i32>>(&[" 12 "]), Some(12));
        assert_eq!(read::<Option<i32>>(&["twelve"]), None);
        assert_eq!(read::<Option<i32>>(&[]), None);
        assert_eq!(read::<Option<String>>(&["a, b"]).as_deref(), Some("a, b"));
        assert_eq!(read::<Vec<i32>>(&["1, 2,x,,3", "4"]), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_absent_is_not_written() {
        let written = |write: &dyn Fn(&mut HeaderPut<'_>)| {
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
