//! Files in forms of several parts.
//!
//! In a form a file is a part with bytes of its own. While the rest of the form is written as JSON, or read from it, the
//! files stand aside, and a short mark holds the place of each: so their bytes are never turned into text and back.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::wire::FromWire;

/// The name of the one member of a mark.
const MARK: &str = "\0file";

thread_local! {
    /// The files that stand aside, while that is so.
    static ASIDE: RefCell<Option<Vec<FilePart>>> = const { RefCell::new(None) };
}

/// A file in a form: its bytes, and what is said of them. Clones share the bytes.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct FilePart {
    name: Option<String>,
    content_type: Option<String>,
    data: Arc<Vec<u8>>,
}

impl FilePart {
    /// Creates a file with these bytes, of which nothing is said.
    #[must_use]
    pub fn new(data: impl Into<Vec<u8>>) -> Self {
        Self { name: None, content_type: None, data: Arc::new(data.into()) }
    }

    /// With that name, which may hold anything: whoever receives it makes no path of it.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// With that media type; `application/octet-stream` is said of a file without one.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Returns the name that its sender has for it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the media type that its sender says it has.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns the bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }
}

impl Deref for FilePart {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.data
    }
}

impl AsRef<[u8]> for FilePart {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl From<Vec<u8>> for FilePart {
    fn from(data: Vec<u8>) -> Self {
        Self::new(data)
    }
}

impl From<&[u8]> for FilePart {
    fn from(data: &[u8]) -> Self {
        Self::new(data)
    }
}

/// How many bytes there are, and nothing of them.
impl fmt::Debug for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilePart")
            .field("name", &self.name)
            .field("content_type", &self.content_type)
            .field("data", &format_args!("{} bytes", self.data.len()))
            .finish()
    }
}

/// Puts the files that `write` writes aside.
pub(crate) fn put_aside<T>(write: impl FnOnce() -> T) -> (T, Vec<FilePart>) {
    let restore = Restore(ASIDE.replace(Some(Vec::new())));
    let written = write();
    let files = ASIDE.take().unwrap_or_default();
    drop(restore);
    (written, files)
}

/// Has `read` find these files where their marks stand.
pub fn with_files<T>(files: Vec<FilePart>, read: impl FnOnce() -> T) -> T {
    let _restore = Restore(ASIDE.replace(Some(files)));
    read()
}

/// What stood aside before, which is restored when this is dropped: after a panic, too.
struct Restore(Option<Vec<FilePart>>);

impl Drop for Restore {
    fn drop(&mut self) {
        ASIDE.set(self.0.take());
    }
}

/// What stands for the file of that place.
#[must_use]
pub fn mark(place: usize) -> String {
    serde_json::json!({ MARK: place }).to_string()
}

/// Returns the place of the file that a value stands for.
pub(crate) fn place(value: &Value) -> Option<usize> {
    let Value::Object(members) = value else { return None };
    let place = members.get(MARK)?.as_u64()?;
    usize::try_from(place).ok().filter(|_| members.len() == 1)
}

impl Serialize for FilePart {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let place = ASIDE.with_borrow_mut(|aside| {
            let files = aside.as_mut()?;
            files.push(self.clone());
            Some(files.len() - 1)
        });
        // A file is sent in a form alone; elsewhere it is shown.
        let Some(place) = place else { return s.collect_str(&format_args!("a file of {} bytes", self.data.len())) };
        let mut map = s.serialize_map(Some(1))?;
        map.serialize_entry(MARK, &place)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for FilePart {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(d)?;
        let find = |place| ASIDE.with_borrow(|aside| aside.as_ref()?.get::<usize>(place).cloned());
        place(&value).and_then(find).ok_or_else(|| D::Error::custom("must be a file"))
    }
}

impl<'de> FromWire<'de> for FilePart {
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::deserialize(d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn files_are_gone_after_a_panic() {
        let panics = || with_files(vec![FilePart::new(*b"x")], || std::panic::resume_unwind(Box::new(())));
        let caught: Result<(), _> = std::panic::catch_unwind(panics);
        assert!(caught.is_err());
        assert!(json::from_str::<FilePart>(&mark(0)).is_err());
        let caught: Result<((), _), _> =
            std::panic::catch_unwind(|| put_aside(|| std::panic::resume_unwind(Box::new(()))));
        assert!(caught.is_err());
        assert!(json::to_string(&FilePart::new(*b"x")).is_ok_and(|text| text == "\"a file of 1 bytes\""));
    }
}
