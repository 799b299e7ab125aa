//! Storage of binary data.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::placeholders::Placeholder;

/// Storage of the bytes of a value.
#[derive(Clone)]
pub(super) enum Data {
    /// Owned by the value alone.
    Owned(Vec<u8>),
    /// Shared between clones, so that a text can be decoded several times around the same data.
    Shared(Arc<Vec<u8>>),
    /// Outside of the value: another component replaces this mark with the text.
    Placeholder(Placeholder),
}

impl Data {
    /// Returns the bytes; those of a placeholder are empty.
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Owned(data) => data,
            Self::Shared(data) => data,
            Self::Placeholder(_) => &[],
        }
    }

    /// Returns the bytes. They are copied only if other values share them.
    pub(super) fn into_vec(self) -> Vec<u8> {
        match self {
            Self::Owned(data) => data,
            Self::Shared(data) => Arc::unwrap_or_clone(data),
            Self::Placeholder(_) => Vec::new(),
        }
    }

    /// Makes owned bytes shareable, so that a clone does not copy them.
    pub(super) fn into_shared(self) -> Self {
        match self {
            Self::Owned(data) => Self::Shared(Arc::new(data)),
            other => other,
        }
    }

    /// Returns the mark, if the bytes are outside of the value.
    pub(super) const fn placeholder(&self) -> Option<Placeholder> {
        match self {
            Self::Placeholder(mark) => Some(*mark),
            Self::Owned(_) | Self::Shared(_) => None,
        }
    }
}

impl PartialEq for Data {
    fn eq(&self, other: &Self) -> bool {
        self.placeholder() == other.placeholder() && self.as_slice() == other.as_slice()
    }
}

impl Eq for Data {}

impl Hash for Data {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.placeholder().hash(state);
        self.as_slice().hash(state);
    }
}
