//! Data that is kept beside the JSON text it belongs to.
//!
//! Megabytes of data would be in memory several times if they became text as a whole: as data, as text, and as copies
//! of both. A server reads base64 while a body arrives, and writes it while a response is sent; in the JSON text a short
//! mark holds its place.

use std::cell::RefCell;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::LazyLock;

use crate::Bytes;

thread_local! {
    /// The data that was read before the JSON text around it, while that text is decoded.
    static DECODED: RefCell<Vec<Bytes>> = const { RefCell::new(Vec::new()) };
}

/// The key in the text of marks. With a known one, a short text could ask for its data any number of times.
static KEY: LazyLock<u128> = LazyLock::new(|| {
    let random = || u128::from(RandomState::new().build_hasher().finish());
    random() << 64 | random()
});

/// The place of data that was read before the text around it, or is written later. Its text has a random key, so that no
/// text of others looks like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark(usize);

impl Mark {
    /// Creates the mark of the data with that number.
    #[must_use]
    pub const fn new(place: usize) -> Self {
        Self(place)
    }

    /// Returns the mark as JSON text.
    #[must_use]
    pub fn json(self) -> String {
        format!("\"\\u0000{:032x}.{}\"", *KEY, self.0)
    }

    /// Reads the text of a mark.
    fn parse(text: &str) -> Option<Self> {
        let (key, place) = text.strip_prefix('\0')?.split_once('.')?;
        let is_ours = u128::from_str_radix(key, 16).is_ok_and(|key| key == *KEY);
        place.parse().ok().filter(|_| is_ours).map(Self)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\0{:032x}.{}", *KEY, self.0)
    }
}

/// Returns the JSON text that stands for decoded data in [`with_decoded`].
#[must_use]
pub fn decoded_mark(place: usize) -> String {
    Mark::new(place).json()
}

/// Calls `read`, during which [`Bytes`] find this data where its marks stand. They find it each time: a body that is
/// wrong elsewhere is decoded again, and a union may look at its value more than once. What they find shares the data.
pub fn with_decoded<T>(data: Vec<Bytes>, read: impl FnOnce() -> T) -> T {
    let data = data.into_iter().map(Bytes::into_shared).collect();
    let _restore = Restore(DECODED.replace(data));
    read()
}

/// What [`with_decoded`] restores, also when a panic ends it: the thread goes on to decode the bodies of others.
struct Restore(Vec<Bytes>);

impl Drop for Restore {
    fn drop(&mut self) {
        DECODED.set(std::mem::take(&mut self.0));
    }
}

/// Returns the data that a mark stands for.
pub(crate) fn find(text: &str) -> Option<Bytes> {
    let Mark(place) = Mark::parse(text)?;
    DECODED.with_borrow(|decoded| decoded.get(place).cloned())
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
        assert_eq!(found, [data.clone(), Bytes::from(vec![1, 2]), data]);
        // Elsewhere the text is none.
        assert!(read().is_err());
        assert!(with_decoded(Vec::new(), read).is_err());
    }

    #[test]
    fn each_decode_finds_the_data() {
        let data = Bytes::from(vec![1, 2, 3]);
        let read = || json::from_str::<Bytes>(&decoded_mark(0)).unwrap();
        let (first, second) = with_decoded(vec![data.clone()], || (read(), read()));
        assert_eq!((&first, &second), (&data, &data));
        let fails = format!("[{},1]", decoded_mark(0));
        let found = with_decoded(vec![data.clone()], || (json::from_str::<Vec<Bytes>>(&fails).is_err(), read()));
        assert_eq!(found, (true, data));
    }

    #[test]
    fn data_is_not_copied() {
        let data = Bytes::from(vec![7; 1 << 16]);
        let before = data.as_ptr();
        let read = || json::from_str::<Bytes>(&decoded_mark(0)).unwrap();
        let data = with_decoded(vec![data], || (read(), read()).1).into_vec();
        assert_eq!(data.as_ptr(), before);
    }

    #[test]
    fn others_cannot_guess_a_mark() {
        for guess in ["\0", "\x000", "\x0000000000000000000000000000000000.0"] {
            let read = || Bytes::parse(guess);
            assert!(with_decoded(vec![Bytes::from(vec![1])], read).is_err(), "{guess:?}");
        }
    }

    #[test]
    fn data_is_gone_after_a_panic() {
        let panics = || with_decoded(vec![Bytes::from(vec![1])], || std::panic::resume_unwind(Box::new(())));
        let caught: Result<(), _> = std::panic::catch_unwind(panics);
        assert!(caught.is_err());
        assert!(json::from_str::<Bytes>(&decoded_mark(0)).is_err());
    }

    #[test]
    fn what_is_written_later_has_a_mark() {
        let mark = Mark::new(2);
        assert_eq!(json::to_string(&Bytes::detached(mark)).unwrap(), mark.json());
        assert!(Bytes::detached(mark).is_empty());
        // Logs do not have the key.
        assert_eq!(format!("{:?}", Bytes::detached(mark)), "Bytes(Mark(2))");
    }
}
