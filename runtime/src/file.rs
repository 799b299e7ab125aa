//! Files in multipart forms.
//!
//! In a form, a file is a part with its own bytes. While the rest of the form is encoded as or decoded from JSON, the
//! files are kept outside of it, and a short mark is a placeholder for each, so that their bytes are never converted to
//! text and back.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::wire::FromWire;

/// Name of the only field of a mark.
const PLACEHOLDER_KEY: &str = "\0file";

thread_local! {
    /// Files that are kept outside of the JSON while a form is encoded or decoded.
    static FILES: RefCell<Option<Vec<FilePart>>> = const { RefCell::new(None) };
}

/// File in a form: its bytes, name and media type. Clones share the bytes.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct FilePart {
    name: Option<String>,
    content_type: Option<String>,
    data: Arc<Vec<u8>>,
}

impl FilePart {
    /// Creates a file with these bytes, without a name and a media type.
    #[must_use]
    pub fn new(data: impl Into<Vec<u8>>) -> Self {
        Self { name: None, content_type: None, data: Arc::new(data.into()) }
    }

    /// Sets the file name, which may contain anything: a receiver must not use it as a path. A file without a name is
    /// sent as `file`.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the media type. A file without one, or with characters that a header cannot hold, is sent as
    /// `application/octet-stream`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Returns the file name that the sender gave.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the media type that the sender gave.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns the bytes of the file.
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

/// Formats the number of bytes, not the bytes.
impl fmt::Debug for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilePart")
            .field("name", &self.name)
            .field("content_type", &self.content_type)
            .field("data", &format_args!("{} bytes", self.data.len()))
            .finish()
    }
}

/// Calls `write` and returns its result with the files that it serialized.
pub(crate) fn collect_files<T>(write: impl FnOnce() -> T) -> (T, Vec<FilePart>) {
    let restore = Files::enter(Vec::new());
    let written = write();
    let files = FILES.take().unwrap_or_default();
    drop(restore);
    (written, files)
}

/// Calls `read`, during which marks resolve to these files.
pub fn with_files<T>(files: Vec<FilePart>, read: impl FnOnce() -> T) -> T {
    let _files = Files::enter(files);
    read()
}

/// Files to which marks resolve on this thread until it is dropped. Then the previous files are restored, also after a
/// panic.
#[doc(hidden)]
#[must_use = "the files are available until this is dropped"]
pub struct Files(Option<Vec<FilePart>>);

impl Files {
    /// Makes files available to the decoders of this thread.
    pub fn enter(files: Vec<FilePart>) -> Self {
        Self(FILES.replace(Some(files)))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        FILES.set(self.0.take());
    }
}

/// Returns the mark of the file with this index.
#[must_use]
pub fn file_placeholder(index: usize) -> String {
    serde_json::json!({ PLACEHOLDER_KEY: index }).to_string()
}

/// Returns the index of the file that a mark refers to.
pub(crate) fn placeholder_index(value: &Value) -> Option<usize> {
    let Value::Object(members) = value else { return None };
    let index = members.get(PLACEHOLDER_KEY)?.as_u64()?;
    usize::try_from(index).ok().filter(|_| members.len() == 1)
}

impl Serialize for FilePart {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let index = FILES.with_borrow_mut(|files| {
            let files = files.as_mut()?;
            files.push(self.clone());
            Some(files.len() - 1)
        });
        // Outside of a form, the file is represented by its size.
        let Some(index) = index else { return s.collect_str(&format_args!("a file of {} bytes", self.data.len())) };
        let mut map = s.serialize_map(Some(1))?;
        map.serialize_entry(PLACEHOLDER_KEY, &index)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for FilePart {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(d)?;
        let find = |index| FILES.with_borrow(|files| files.as_ref()?.get::<usize>(index).cloned());
        placeholder_index(&value).and_then(find).ok_or_else(|| D::Error::custom("must be a file"))
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
    fn files_are_removed_after_a_panic() {
        let panics = || with_files(vec![FilePart::new(*b"x")], || std::panic::resume_unwind(Box::new(())));
        let result: Result<(), _> = std::panic::catch_unwind(panics);
        assert!(result.is_err());
        assert!(json::from_str::<FilePart>(&file_placeholder(0)).is_err());
        let result: Result<((), _), _> =
            std::panic::catch_unwind(|| collect_files(|| std::panic::resume_unwind(Box::new(()))));
        assert!(result.is_err());
        assert!(json::to_string(&FilePart::new(*b"x")).is_ok_and(|text| text == "\"a file of 1 bytes\""));
    }
}
