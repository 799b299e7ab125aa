//! Schemas of an API by name.

use super::catalogue::{Catalogue, Entry, Side};
use super::json::Object;
use super::{resources, unions, wire};

impl Catalogue<'_> {
    /// Returns the schema with a name.
    pub fn schema(&self, name: &str) -> Option<Object> {
        Some(match self.entry(name)? {
            Entry::Resource(id, side) => resources::resource(self, id, side),
            Entry::Enum(id, Side::Response) => resources::response_enum(self.api.enumeration(id)),
            Entry::Enum(id, _) => resources::request_enum(self.api.enumeration(id)),
            Entry::Union(id, side) => unions::union(self, id, side),
            Entry::Variant(id, index, side) => unions::variant(self, id, index, side),
            Entry::Wire(index) => (wire::WIRE_SCHEMAS[index].1)(),
        })
    }
}
