//! Schemas of an API by name.

use super::catalogue::{Catalogue, Entry, SchemaUse};
use super::json::Object;
use super::{resources, unions, wire};

impl Catalogue<'_> {
    /// Returns the schema with a name.
    pub fn schema(&self, name: &str) -> Option<Object> {
        Some(match self.entry(name)? {
            Entry::Resource(id, usage) => resources::resource(self, id, usage),
            Entry::Enum(id, SchemaUse::Response) => resources::response_enum(self.api.enumeration(id)),
            Entry::Enum(id, _) => resources::request_enum(self.api.enumeration(id)),
            Entry::Union(id, usage) => unions::union(self, id, usage),
            Entry::Variant(id, index, usage) => unions::variant(self, id, index, usage),
            Entry::Wire(index) => (wire::WIRE_SCHEMAS[index].1)(),
        })
    }
}
