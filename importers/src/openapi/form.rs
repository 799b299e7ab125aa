//! Type expressions with their keys.

use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node as Yaml;

use crate::lowering::Constraints;
use crate::node::Node;
use crate::openapi::view::Description;
use crate::value_kind::ValueKind;

/// Kind of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    List,
    Map,
}

/// Type expression and the keys that accompany it.
#[derive(Clone)]
pub struct Form<'d> {
    /// `[Event]`
    pub ty: TypeExpr,
    /// Innermost value type.
    pub inner: ValueKind,
    /// Kind of collection, if it is one.
    pub collection: Option<Collection>,
    /// Constraints and other keys.
    pub keys: Constraints,
    /// True if null is allowed.
    pub nullable: bool,
    /// Description of the value.
    pub doc: Option<Description<'d>>,
    /// Description of the elements.
    pub element_doc: Option<Description<'d>>,
    /// Nodes with its default, its example and other annotations.
    pub nodes: Vec<Node<'d>>,
    /// Node with the default of the type itself.
    pub default: Option<Node<'d>>,
}

impl<'d> Form<'d> {
    /// Creates a type without other keys.
    pub fn plain(name: &str, inner: ValueKind) -> Self {
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

    /// Creates the type of any value.
    pub fn any() -> Self {
        Self::plain("any", ValueKind::Json)
    }

    /// Creates the type of null.
    pub fn null() -> Self {
        let keys = Constraints { constant: Some(Raw(Yaml::plain("null"))), ..Constraints::default() };
        Self { nullable: true, keys, ..Self::any() }
    }

    /// Creates a reference to a union.
    pub fn union(name: &str) -> Self {
        Self::plain(name, ValueKind::Union)
    }

    /// Creates a reference to a definition.
    pub fn named(name: &str) -> Self {
        Self::plain(name, ValueKind::Other)
    }

    /// Returns whether its values are elements in XML, and not text.
    pub fn is_element(&self) -> bool {
        self.collection.is_some() || matches!(self.inner, ValueKind::Other | ValueKind::Union | ValueKind::Json)
    }

    /// Returns whether the type is this one.
    pub fn is(&self, name: &str) -> bool {
        self.ty.name() == Some(name)
    }

    /// Returns the first node that has a key.
    pub fn first(&self, key: &str) -> Option<&Node<'d>> {
        self.nodes.iter().find(|node| node.has(key))
    }

    /// Returns whether one of the nodes sets the flag.
    pub fn flag(&self, key: &str) -> bool {
        self.nodes.iter().any(|node| node.flag(key))
    }
}
