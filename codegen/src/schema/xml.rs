//! XML mapping of values.

use super::read::{Located, Text};
use super::shape::shape;

shape! {
    /// The XML mapping, for XML bodies: those with the media type `application/xml`, `text/xml` or a suffix `+xml`,
    /// whose type is a resource, a list, a map, a union, `any` or `object`. Other types are not parsed. The root
    /// element has the name of the resource. Each field is an element with its name, a list is an element for each
    /// item, and a map is an element that contains an element for each entry. Null is `xsi:nil="true"`, and an empty
    /// value that is distinct from absence is an empty element. Therefore a list that distinguishes empty or null from
    /// absent must be `wrapped`, and the text of an empty element is empty rather than absent. The elements and
    /// attributes of a value select the variant of a union without a discriminator. XML does not carry JSON types, so
    /// in such a union a string that parses as a number or boolean is decoded as that type if the union has such a
    /// variant (`"12"` in a union of `string` and `int32` becomes 12); a list variant is chosen only if no variant is a
    /// resource or a map; and an empty element is a string if the union has one, otherwise a resource or a map,
    /// otherwise a list. In `any` and `object` all scalars are strings, and a list of one element becomes that element.
    Xml "XML element" {
        /// The name of the element or attribute; for a resource and for a body that is a list, the name of the root
        /// element.
        name "name": Option<Text> = "Item";
        /// The prefix of the namespace; without it the namespace is the default namespace. `xsi` is reserved for
        /// `http://www.w3.org/2001/XMLSchema-instance`.
        prefix "prefix": Option<Text> = "a";
        /// The namespace, a URI of at most 1024 bytes. Child elements have no namespace unless they declare one, but
        /// are also recognized in the namespace of their parent.
        namespace "namespace": Option<Text> = "https://example.com/items";
        /// Whether the field is an attribute: a string, a number, a boolean or an enum, and never null.
        attribute "attribute": Option<Located<bool>> = "true";
        /// Whether the field is the text of its parent element, and never null.
        text "text": Option<Located<bool>> = "true";
        /// Whether an element encloses the elements of the list.
        wrapped "wrapped": Option<Located<bool>> = "true";
        /// The name of the elements of a list that is wrapped or is a body; by default `name`, and for a body the name
        /// of the resource.
        items "items": Option<Text> = "Tag";
    }
}
