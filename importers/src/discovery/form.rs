//! Types as they are written.

use wireform_codegen::schema::field::{Encoding, Format};
use wireform_codegen::schema::types::TypeExpr;

use crate::inner::Inner;
use crate::prose::joined;

/// A type as it is written, and what is said of its values.
#[derive(Clone)]
pub struct Form {
    /// `[Event]`
    pub ty: TypeExpr,
    /// What `encoding:` says.
    pub encoding: Option<Encoding>,
    /// What `format:` says.
    pub format: Option<Format>,
    /// What it holds in the end.
    pub inner: Inner,
    /// Whether it is a list or a map.
    pub is_collection: bool,
    /// What is said about the value by a schema that has no name in the files.
    pub doc: Option<String>,
    /// What is said about the elements.
    pub element_doc: Option<String>,
}

impl Form {
    /// A type by its name, and what it holds.
    pub fn plain(name: &str, inner: Inner) -> Self {
        Self {
            ty: TypeExpr::named(name),
            encoding: None,
            format: None,
            inner,
            is_collection: false,
            doc: None,
            element_doc: None,
        }
    }

    /// What is said of the value, by itself and by a schema that has no other place, and of each element.
    pub fn said(&self, own: Option<String>) -> Option<String> {
        let whole = match (own, &self.doc) {
            (Some(own), Some(doc)) if !own.contains(doc.as_str()) => Some(joined(&own, doc)),
            (own, doc) => own.or_else(|| doc.clone()),
        };
        match (whole, &self.element_doc) {
            (Some(own), Some(elements)) if own != *elements => Some(joined(&own, &format!("Each element: {elements}"))),
            (own, elements) => own.or_else(|| elements.clone()),
        }
    }

    /// Any value.
    pub fn any() -> Self {
        Self::plain("any", Inner::Other)
    }

    /// A definition by its name.
    pub fn named(name: String) -> Self {
        Self { ty: TypeExpr::named(name), ..Self::any() }
    }
}
