//! A type as a schema writes it.

use wireform_codegen::schema::types::TypeExpr;

use crate::inner::Inner;
use crate::lowering::Constraints;
use crate::node::Node;
use crate::openapi::view::Said;

/// What a collection holds its elements in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    List,
    Map,
}

/// A type as it is written, and what is said beside it.
#[derive(Clone)]
pub struct Form<'d> {
    /// `[Event]`
    pub ty: TypeExpr,
    /// What it holds in the end.
    pub inner: Inner,
    /// Whether it is a list or a map.
    pub collection: Option<Collection>,
    /// Constraints and the like, which stand beside the type.
    pub keys: Constraints,
    /// Whether null is a value.
    pub nullable: bool,
    /// What is said of the value.
    pub doc: Option<Said<'d>>,
    /// What is said of each element.
    pub element_doc: Option<Said<'d>>,
    /// Where its default, its example and the like stand.
    pub nodes: Vec<Node<'d>>,
    /// What says the default of the type itself.
    pub default: Option<Node<'d>>,
}

impl<'d> Form<'d> {
    /// A type without anything beside it.
    pub fn plain(name: &str, inner: Inner) -> Self {
        Self {
            ty: TypeExpr::named(name),
            inner,
            collection: None,
            keys: Constraints::default(),
            nullable: false,
            doc: None,
            element_doc: None,
            nodes: Vec::new(),
            default: None,
        }
    }

    /// Any value.
    pub fn any() -> Self {
        Self::plain("any", Inner::Json)
    }

    /// A union by its name.
    pub fn union(name: &str) -> Self {
        Self::plain(name, Inner::Union)
    }

    /// A definition by its name.
    pub fn named(name: &str) -> Self {
        Self::plain(name, Inner::Other)
    }

    /// Returns whether values of it stand in XML as elements, and not as texts.
    pub fn is_element(&self) -> bool {
        self.collection.is_some() || matches!(self.inner, Inner::Other | Inner::Union | Inner::Json)
    }

    /// Returns whether the type is this one.
    pub fn is(&self, name: &str) -> bool {
        self.ty.name() == Some(name)
    }

    /// The first node that has a key.
    pub fn first(&self, key: &str) -> Option<&Node<'d>> {
        self.nodes.iter().find(|node| node.has(key))
    }

    /// Whether one of the nodes says so.
    pub fn flag(&self, key: &str) -> bool {
        self.nodes.iter().any(|node| node.flag(key))
    }
}
