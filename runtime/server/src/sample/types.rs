//! Resources of the small API, in the shape of generated code.

use wireform_runtime::fields::{FieldContent, Shape};
use wireform_runtime::serde::ser::SerializeMap;
use wireform_runtime::{
    __private::{AliasedText, FieldWriter, MapAccess, Object, read_aliased_text, read_value, skip_value, write_field},
    Value, object,
};

#[derive(Clone, Default, PartialEq)]
pub struct Thing {
    pub id: Option<String>,
    pub etag: Option<String>,
    /// `plain`, or `simple` in the public naming.
    pub kind: Option<String>,
    /// Input-only.
    pub secret: Option<String>,
    pub any: Option<Value>,
}

impl Object for Thing {
    const NAME: &'static str = "Thing";
    const FIELDS: &'static [&'static str] = &["id", "etag", "kind", "secret", "any"];

    fn index(name: &str) -> Option<usize> {
        Self::FIELDS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.id),
            1 => read_value(map, &mut self.etag),
            2 => read_aliased_text(map, &mut self.kind, &[("plain", "simple")]),
            3 => read_value(map, &mut self.secret),
            4 => read_value(map, &mut self.any),
            _ => skip_value(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if self.id.as_deref() == Some("unwritable") {
            return Err(wireform_runtime::serde::ser::Error::custom("unwritable"));
        }
        write_field(map, "id", &self.id)?;
        write_field(map, "etag", &self.etag)?;
        let mut members = FieldWriter::new(map);
        members.write("kind", &AliasedText(&self.kind, &[("plain", "simple")]));
        members.finish()?;
        write_field(map, "secret", &self.secret)?;
        write_field(map, "any", &self.any)
    }
}

object!(Thing);

pub static THING: Shape = Shape::new("Thing", Thing::FIELDS).with_contents(&[("any", FieldContent::Any)]);

#[derive(Clone, Default, PartialEq)]
pub struct Things {
    pub items: Vec<Thing>,
    pub next: Option<String>,
    pub cursor: Option<String>,
}

impl Object for Things {
    const NAME: &'static str = "Things";
    const FIELDS: &'static [&'static str] = &["items", "nextPageToken", "nextSyncToken"];

    fn index(name: &str) -> Option<usize> {
        Self::FIELDS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.items),
            1 => read_value(map, &mut self.next),
            2 => read_value(map, &mut self.cursor),
            _ => skip_value(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_field(map, "items", &self.items)?;
        write_field(map, "nextPageToken", &self.next)?;
        write_field(map, "nextSyncToken", &self.cursor)
    }
}

object!(Things);

pub static THINGS: Shape =
    Shape::new("Things", Things::FIELDS).with_contents(&[("items", FieldContent::Shape(&THING))]);
