//! How values stand in XML.

use super::read::{Located, Text};
use super::shape::shape;

shape! {
    /// How something stands in XML, in an API of which bodies or answers are that: those of `application/xml`, `text/xml` or
    /// a media type that ends in `+xml`, of which the type is a resource, a list, a map, a union, `any` or `object`; other
    /// types are taken as they are. The outermost element has the name of the resource, and each member is an element of
    /// its own name, a list one for each of its elements, a map one with an element for each entry. Null is
    /// `xsi:nil="true"`, and what is empty and stands for itself is an empty element; so a list that tells empty or null apart
    /// from absent is `wrapped`, and the text of an element that has nothing in it is empty rather than absent. A union
    /// without a discriminator is told from the elements and attributes that there are. What XML says nothing of cannot be
    /// told apart there: a text that reads as a number or a boolean is that where the union has such a variant (`"12"` in a
    /// union of `string` and `int32` comes back as 12); a list is one only where no resource or map is a variant, and an
    /// element with nothing in it is a text where the union has one, then a resource or a map, then a list. In `any` and
    /// `object` everything is text, objects and lists, and a list of one element is that element.
    Xml "element in XML" {
        /// The name of the element or attribute; of a resource that of the outermost element, of a body that is a list the same.
        name "name": Option<Text> = "Item";
        /// The prefix that the namespace is written with; without one it is that of elements without a prefix. `xsi` is that of `http://www.w3.org/2001/XMLSchema-instance`.
        prefix "prefix": Option<Text> = "a";
        /// The namespace, a URI of up to 1024 bytes. Elements within are in none, unless they say so, and are also found in that of the element around them.
        namespace "namespace": Option<Text> = "https://example.com/items";
        /// Whether the member is an attribute: a text, a number, a boolean or an enum, and never null.
        attribute "attribute": Option<Located<bool>> = "true";
        /// Whether the member is the text of the element around it, and never null.
        text "text": Option<Located<bool>> = "true";
        /// Whether one element is around those of the list.
        wrapped "wrapped": Option<Located<bool>> = "true";
        /// The name of the elements of a list that is wrapped, or is a body; `name` unless said, and of a body that of the resource.
        items "items": Option<Text> = "Tag";
    }
}
