//! JSON Patch documents (RFC 6902): lists of operations on a JSON value.

mod apply;
mod pointer;
mod wire;

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::Value;

use crate::json;
use crate::wire::FromWire;

pub use apply::{JsonPatchError, JsonPatchErrorKind};
pub use pointer::{JsonPointer, JsonPointerError};

/// JSON Patch document (RFC 6902), `application/json-patch+json`.
///
/// It is built from operations, and applied atomically:
///
/// ```
/// use wireform_runtime::{JsonPatch, Value, json};
///
/// let patch = JsonPatch::new().test("/version", 3).replace("/title", "Tea").remove("/draft");
/// let stored: Value = json::from_str(r#"{"version":3,"title":"Coffee","draft":true}"#)?;
/// let patched = patch.apply(&stored).expect("the version is 3");
/// assert_eq!(patched.to_string(), r#"{"title":"Tea","version":3}"#);
/// # Ok::<(), json::DecodeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonPatch {
    operations: Vec<JsonPatchOperation>,
}

/// Operation of a [`JsonPatch`] (RFC 6902, section 4).
#[derive(Clone, Debug, PartialEq)]
pub enum JsonPatchOperation {
    /// Adds a member, or inserts an element before the one at the index; `-` is the end of an array. An existing member
    /// is replaced.
    Add {
        /// Location of the new value.
        path: JsonPointer,
        /// New value.
        value: Value,
    },
    /// Removes a value, which must exist.
    Remove {
        /// Location of the value.
        path: JsonPointer,
    },
    /// Replaces a value, which must exist.
    Replace {
        /// Location of the value.
        path: JsonPointer,
        /// New value.
        value: Value,
    },
    /// Removes a value and adds it elsewhere. A value cannot be moved into itself.
    Move {
        /// Location of the value.
        from: JsonPointer,
        /// New location.
        path: JsonPointer,
    },
    /// Adds a copy of a value elsewhere.
    Copy {
        /// Location of the value.
        from: JsonPointer,
        /// Location of the copy.
        path: JsonPointer,
    },
    /// Compares a value, and fails unless it is equal. Numbers are compared numerically: `1` equals `1.0`.
    Test {
        /// Location of the value.
        path: JsonPointer,
        /// Expected value.
        value: Value,
    },
}

impl JsonPatchOperation {
    /// Returns the location that the operation changes or compares.
    #[must_use]
    pub const fn path(&self) -> &JsonPointer {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. }
            | Self::Copy { path, .. }
            | Self::Test { path, .. } => path,
        }
    }

    /// Returns the location that a value is taken from, if the operation is a move or a copy.
    #[must_use]
    pub const fn from(&self) -> Option<&JsonPointer> {
        match self {
            Self::Move { from, .. } | Self::Copy { from, .. } => Some(from),
            Self::Add { .. } | Self::Remove { .. } | Self::Replace { .. } | Self::Test { .. } => None,
        }
    }

    /// Returns the value that is added, set or compared, if the operation has one.
    #[must_use]
    pub const fn value(&self) -> Option<&Value> {
        match self {
            Self::Add { value, .. } | Self::Replace { value, .. } | Self::Test { value, .. } => Some(value),
            Self::Remove { .. } | Self::Move { .. } | Self::Copy { .. } => None,
        }
    }

    /// Returns the name of the operation on the wire, such as `add`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
            Self::Copy { .. } => "copy",
            Self::Test { .. } => "test",
        }
    }
}

/// The methods that append an operation take a path such as `/members/0/name`; a missing leading slash is added. Paths
/// that contain names from elsewhere are built with [`JsonPointer::from_tokens`].
impl JsonPatch {
    /// Creates a patch without operations.
    #[must_use]
    pub const fn new() -> Self {
        Self { operations: Vec::new() }
    }

    /// Returns the operations, in their order.
    #[must_use]
    pub fn operations(&self) -> &[JsonPatchOperation] {
        &self.operations
    }

    /// Returns whether there are no operations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Appends an operation to the patch.
    #[must_use]
    pub fn with_operation(mut self, operation: JsonPatchOperation) -> Self {
        self.operations.push(operation);
        self
    }

    /// Appends an operation that adds a value.
    #[must_use]
    pub fn add(self, path: impl Into<JsonPointer>, value: impl Into<Value>) -> Self {
        self.with_operation(JsonPatchOperation::Add { path: path.into(), value: value.into() })
    }

    /// Appends an operation that removes a value.
    #[must_use]
    pub fn remove(self, path: impl Into<JsonPointer>) -> Self {
        self.with_operation(JsonPatchOperation::Remove { path: path.into() })
    }

    /// Appends an operation that replaces a value.
    #[must_use]
    pub fn replace(self, path: impl Into<JsonPointer>, value: impl Into<Value>) -> Self {
        self.with_operation(JsonPatchOperation::Replace { path: path.into(), value: value.into() })
    }

    /// Appends an operation that moves a value.
    #[must_use]
    pub fn move_to(self, from: impl Into<JsonPointer>, path: impl Into<JsonPointer>) -> Self {
        self.with_operation(JsonPatchOperation::Move { from: from.into(), path: path.into() })
    }

    /// Appends an operation that copies a value.
    #[must_use]
    pub fn copy_to(self, from: impl Into<JsonPointer>, path: impl Into<JsonPointer>) -> Self {
        self.with_operation(JsonPatchOperation::Copy { from: from.into(), path: path.into() })
    }

    /// Appends an operation that fails unless a value is equal.
    #[must_use]
    pub fn test(self, path: impl Into<JsonPointer>, value: impl Into<Value>) -> Self {
        self.with_operation(JsonPatchOperation::Test { path: path.into(), value: value.into() })
    }

    /// Applies all operations in their order to a copy of a value, and returns the result.
    ///
    /// The work is bounded: copies that would multiply a value, and a result that is nested too deeply to be parsed
    /// again, fail.
    ///
    /// # Errors
    /// Returns an error if an operation fails.
    pub fn apply(&self, value: &Value) -> Result<Value, JsonPatchError> {
        apply::apply(&self.operations, value.clone())
    }

    /// Applies the patch to the JSON of a value of a type, and returns the new value.
    ///
    /// # Errors
    /// Returns an error if the value cannot be encoded, an operation fails, or the result is not a value of the type.
    pub fn apply_to<T: Serialize + for<'de> FromWire<'de>>(&self, value: &T) -> Result<T, JsonPatchError> {
        let stored = serde_json::to_value(value).map_err(|error| apply::invalid_result(&error))?;
        let patched = apply::apply(&self.operations, stored)?;
        let text = json::to_vec(&patched).map_err(|error| apply::invalid_result(&error))?;
        json::from_slice(&text).map_err(|error| apply::invalid_result(&error))
    }
}

impl From<Vec<JsonPatchOperation>> for JsonPatch {
    fn from(operations: Vec<JsonPatchOperation>) -> Self {
        Self { operations }
    }
}

impl FromIterator<JsonPatchOperation> for JsonPatch {
    fn from_iter<I: IntoIterator<Item = JsonPatchOperation>>(operations: I) -> Self {
        Self { operations: operations.into_iter().collect() }
    }
}

impl IntoIterator for JsonPatch {
    type Item = JsonPatchOperation;
    type IntoIter = std::vec::IntoIter<JsonPatchOperation>;

    fn into_iter(self) -> Self::IntoIter {
        self.operations.into_iter()
    }
}
