//! How values stand in XML.

use super::read::{Located, Text};
use super::shape::shape;

shape! {
    /// How something stands in XML, in an API of which bodies or answers are that: those of `application/xml`, `text/xml` or
    /// a media type that ends in `+xml`, of which the type is a resource, a list, a map, a union, `any` or `object`; other
    /// types are taken as they are. The outermost element has the name of the resource, and each member is an element of
    /// its own name, a list one for each of its elements, a map one with an element for each entry. A union is told from the
    /// elements that there are. Null is `xsi:nil="true"`, and what is empty and stands for itself is an empty element.
    Xml "element in XML" {
        /// The name of the element or attribute; of a resource that of the outermost element, of a body that is a list the same.
        name "name": Option<Text> = "Item";
        /// The prefix that the namespace is written with; without one it is that of elements without a prefix.
        prefix "prefix": Option<Text> = "a";
        /// The namespace, a URI. Nothing is said of the elements within.
        namespace "namespace": Option<Text> = "https://example.com/items";
        /// Whether the member is an attribute: a text, a number, a boolean or an enum.
        attribute "attribute": Option<Located<bool>> = "true";
        /// Whether the member is the text of the element around it.
        text "text": Option<Located<bool>> = "true";
        /// Whether one element is around those of the list.
        wrapped "wrapped": Option<Located<bool>> = "true";
        /// The name of the elements of a list that is wrapped, or is a body; `name` unless said, and of a body that of the resource.
        items "items": Option<Text> = "Tag";
    }
}
