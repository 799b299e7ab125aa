//! Data that is kept beside the JSON text it belongs to.
//!
//! Megabytes of data would be in memory several times if they became text as a whole: as data, as text, and as copies
//! of both. A server reads base64 while a body arrives, and writes it while a response is sent; in the JSON text a short
//! mark holds its place.

use std::cell::RefCell;
use std::fmt;

use crate::Bytes;

thread_local! {
    /// The data that was read before the JSON text around it, while that text is decoded.
    static DECODED: RefCell<Vec<Option<Bytes>>> = const { RefCell::new(Vec::new()) };
}

/// The place of data that is written later. Its key is random, so that no text of others looks like it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    key: u128,
    place: usize,
}

impl Mark {
    /// Creates the mark of the data with that number; `key` is one that nobody guesses.
    #[must_use]
    pub const fn new(key: u128, place: usize) -> Self {
        Self { key, place }
    }

    /// Returns the mark as JSON text.
    #[must_use]
    pub fn json(self) -> String {
        format!("\"\\u0000{:032x}.{}\"", self.key, self.place)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\0{:032x}.{}", self.key, self.place)
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mark").field("place", &self.place).finish_non_exhaustive()
    }
}

/// Returns the JSON text that stands for decoded data in [`with_decoded`].
#[must_use]
pub fn decoded_mark(place: usize) -> String {
    format!("\"\\u0000{place}\"")
}

/// Calls `read`, during which [`Bytes`] find this data where its marks stand.
pub fn with_decoded<T>(data: Vec<Bytes>, read: impl FnOnce() -> T) -> T {
    let before = DECODED.replace(data.into_iter().map(Some).collect());
    let value = read();
    DECODED.replace(before);
    value
}

/// Returns the data that a mark stands for. What was taken before is empty: a body that is wrong elsewhere is read once
/// more, to find all that is wrong with it.
pub(crate) fn take(text: &str) -> Option<Bytes> {
    let place: usize = text.strip_prefix('\0')?.parse().ok()?;
    DECODED.with_borrow_mut(|decoded| decoded.get_mut(place).map(|bytes| bytes.take().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn marks_stand_for_data() {
        let data = Bytes::from(vec![1, 2, 3]);
        let text = format!("[{},\"AQI=\",{}]", decoded_mark(0), decoded_mark(0));
        let read = || json::from_str::<Vec<Bytes>>(&text);
        let found = with_decoded(vec![data.clone()], read).unwrap();
        assert_eq!(found, [data, Bytes::from(vec![1, 2]), Bytes::default()]);
        // Elsewhere the text is none.
        assert!(read().is_err());
        assert!(with_decoded(Vec::new(), read).is_err());
    }

    #[test]
    fn what_is_written_later_has_a_mark() {
        let mark = Mark::new(7, 2);
        assert_eq!(json::to_string(&Bytes::detached(mark)).unwrap(), mark.json());
        assert!(Bytes::detached(mark).is_empty());
    }
}
