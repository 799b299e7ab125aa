//! Types as they are written in a schema.

use wireform_codegen::schema::field::{Encoding, Format};
use wireform_codegen::schema::types::TypeExpr;

use crate::prose::join_descriptions;
use crate::value_kind::ValueKind;

/// Type expression, and the keys that accompany it.
#[derive(Clone)]
pub struct Form {
    /// `[Event]`
    pub ty: TypeExpr,
    /// Value of `encoding:`.
    pub encoding: Option<Encoding>,
    /// Value of `format:`.
    pub format: Option<Format>,
    /// Innermost value type.
    pub inner: ValueKind,
    /// True if it is a list or a map.
    pub is_collection: bool,
    /// Description by a schema that has no name in the files.
    pub doc: Option<String>,
    /// Description of the elements.
    pub element_doc: Option<String>,
}

impl Form {
    /// Creates a type from its name and value type.
    pub fn plain(name: &str, inner: ValueKind) -> Self {
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

    /// Returns the combined description of the value, of an inlined schema and of the elements.
    pub fn combined_doc(&self, own: Option<String>) -> Option<String> {
        let whole = match (own, &self.doc) {
            (Some(own), Some(doc)) if !own.contains(doc.as_str()) => Some(join_descriptions(&own, doc)),
            (own, doc) => own.or_else(|| doc.clone()),
        };
        match (whole, &self.element_doc) {
            (Some(own), Some(elements)) if own != *elements => {
                Some(join_descriptions(&own, &format!("Each element: {elements}")))
            }
            (own, elements) => own.or_else(|| elements.clone()),
        }
    }

    /// Creates the type of any value.
    pub fn any() -> Self {
        Self::plain("any", ValueKind::Other)
    }

    /// Creates a reference to a definition.
    pub fn named(name: String) -> Self {
        Self { ty: TypeExpr::named(name), ..Self::any() }
    }
}
