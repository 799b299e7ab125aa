//! Data that is kept outside of the JSON text it belongs to.
//!
//! If megabytes of data became text as a whole, they would be in memory several times: as data, as text, and as copies
//! of both. A server decodes base64 while a body arrives, and encodes it while a response is sent; a short mark is the
//! placeholder of the data in the JSON text.

use std::cell::RefCell;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::LazyLock;

use crate::Bytes;

thread_local! {
    /// Decoded data that the marks of a JSON text refer to, set while that text is decoded.
    static DECODED: RefCell<Vec<Bytes>> = const { RefCell::new(Vec::new()) };
}

/// Secret key in the text of marks. With a known key, a short text could refer to its data any number of times.
static KEY: LazyLock<u128> = LazyLock::new(|| {
    let random = || u128::from(RandomState::new().build_hasher().finish());
    random() << 64 | random()
});

/// Placeholder of data that was decoded before the text around it, or is written later. Its text contains a random key,
/// so that a client cannot forge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placeholder(usize);

impl Placeholder {
    /// Creates the mark of the data with this index.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// Returns the mark as JSON text.
    #[must_use]
    pub fn to_json(self) -> String {
        format!("\"\\u0000{:032x}.{}\"", *KEY, self.0)
    }

    /// Parses the text of a mark.
    fn parse(text: &str) -> Option<Self> {
        let (key, index) = text.strip_prefix('\0')?.split_once('.')?;
        let is_ours = u128::from_str_radix(key, 16).is_ok_and(|key| key == *KEY);
        index.parse().ok().filter(|_| is_ours).map(Self)
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\0{:032x}.{}", *KEY, self.0)
    }
}

/// Returns the JSON text of the mark of decoded data in [`with_decoded_data`].
#[must_use]
pub fn placeholder_json(index: usize) -> String {
    Placeholder::new(index).to_json()
}

/// Calls `read`, during which marks resolve to this data. A mark can be resolved repeatedly: a body with an error
/// elsewhere is decoded again, and a union may inspect its value more than once. The resolved values share the data.
pub fn with_decoded_data<T>(data: Vec<Bytes>, read: impl FnOnce() -> T) -> T {
    let _data = DecodedBytes::enter(data);
    read()
}

/// Decoded data to which marks resolve on this thread until it is dropped. Then the previous data is restored, also after
/// a panic, since the thread goes on to decode other bodies.
#[must_use = "the data is available until this is dropped"]
pub struct DecodedBytes(Vec<Bytes>);

impl DecodedBytes {
    /// Makes data available to the decoders of this thread.
    pub fn enter(data: Vec<Bytes>) -> Self {
        let data = data.into_iter().map(Bytes::into_shared).collect();
        Self(DECODED.replace(data))
    }
}

impl Drop for DecodedBytes {
    fn drop(&mut self) {
        DECODED.set(std::mem::take(&mut self.0));
    }
}

/// Returns the data that a mark refers to.
pub(crate) fn resolve(text: &str) -> Option<Bytes> {
    let Placeholder(index) = Placeholder::parse(text)?;
    DECODED.with_borrow(|decoded| decoded.get(index).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn placeholders_resolve_to_data() {
        let data = Bytes::from(vec![1, 2, 3]);
        let text = format!("[{},\"AQI=\",{}]", placeholder_json(0), placeholder_json(0));
        let read = || json::from_str::<Vec<Bytes>>(&text);
        let found = with_decoded_data(vec![data.clone()], read).unwrap();
        assert_eq!(found, [data.clone(), Bytes::from(vec![1, 2]), data]);
        // Outside of `with_decoded_data` the text is not a mark.
        assert!(read().is_err());
        assert!(with_decoded_data(Vec::new(), read).is_err());
    }

    #[test]
    fn data_can_be_resolved_repeatedly() {
        let data = Bytes::from(vec![1, 2, 3]);
        let read = || json::from_str::<Bytes>(&placeholder_json(0)).unwrap();
        let (first, second) = with_decoded_data(vec![data.clone()], || (read(), read()));
        assert_eq!((&first, &second), (&data, &data));
        let fails = format!("[{},1]", placeholder_json(0));
        let found = with_decoded_data(vec![data.clone()], || (json::from_str::<Vec<Bytes>>(&fails).is_err(), read()));
        assert_eq!(found, (true, data));
    }

    #[test]
    fn inner_data_hides_outer_data_until_it_is_dropped() {
        let read = || json::from_str::<Bytes>(&placeholder_json(0)).is_ok();
        let found =
            with_decoded_data(vec![Bytes::from(vec![1])], || (read(), with_decoded_data(Vec::new(), read), read()));
        assert_eq!(found, (true, false, true));
    }

    #[test]
    fn data_is_not_copied() {
        let data = Bytes::from(vec![7; 1 << 16]);
        let before = data.as_ptr();
        let read = || json::from_str::<Bytes>(&placeholder_json(0)).unwrap();
        let data = with_decoded_data(vec![data], || (read(), read()).1).into_vec();
        assert_eq!(data.as_ptr(), before);
    }

    #[test]
    fn placeholders_cannot_be_forged() {
        for guess in ["\0", "\x000", "\x0000000000000000000000000000000000.0"] {
            let read = || Bytes::parse(guess);
            assert!(with_decoded_data(vec![Bytes::from(vec![1])], read).is_err(), "{guess:?}");
        }
    }

    #[test]
    fn data_is_removed_after_a_panic() {
        let panics = || with_decoded_data(vec![Bytes::from(vec![1])], || std::panic::resume_unwind(Box::new(())));
        let result: Result<(), _> = std::panic::catch_unwind(panics);
        assert!(result.is_err());
        assert!(json::from_str::<Bytes>(&placeholder_json(0)).is_err());
    }

    #[test]
    fn detached_data_serializes_as_a_placeholder() {
        let mark = Placeholder::new(2);
        assert_eq!(json::to_string(&Bytes::from_placeholder(mark)).unwrap(), mark.to_json());
        assert!(Bytes::from_placeholder(mark).is_empty());
        // Logs do not contain the key.
        assert_eq!(format!("{:?}", Bytes::from_placeholder(mark)), "Bytes(Placeholder(2))");
    }
}
