//! Resources of the small API, in the shape of generated code.

use wireform_runtime::fields::{Inner, Shape};
use wireform_runtime::serde::ser::SerializeMap;
use wireform_runtime::{
    __private::{MapAccess, Members, Object, Spelled, known_member, member, skip_member, write_member},
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
    const MEMBERS: &'static [&'static str] = &["id", "etag", "kind", "secret", "any"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.id),
            1 => member(map, &mut self.etag),
            2 => known_member(map, &mut self.kind, &[("plain", "simple")]),
            3 => member(map, &mut self.secret),
            4 => member(map, &mut self.any),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if self.id.as_deref() == Some("unwritable") {
            return Err(wireform_runtime::serde::ser::Error::custom("unwritable"));
        }
        write_member(map, "id", &self.id)?;
        write_member(map, "etag", &self.etag)?;
        let mut members = Members::new(map);
        members.member("kind", &Spelled(&self.kind, &[("plain", "simple")]));
        members.finish()?;
        write_member(map, "secret", &self.secret)?;
        write_member(map, "any", &self.any)
    }
}

object!(Thing);

pub static THING: Shape = Shape::new("Thing", Thing::MEMBERS).holding(&[("any", Inner::Any)]);

#[derive(Clone, Default, PartialEq)]
pub struct Things {
    pub items: Vec<Thing>,
    pub next: Option<String>,
    pub cursor: Option<String>,
}

impl Object for Things {
    const NAME: &'static str = "Things";
    const MEMBERS: &'static [&'static str] = &["items", "nextPageToken", "nextSyncToken"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.items),
            1 => member(map, &mut self.next),
            2 => member(map, &mut self.cursor),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_member(map, "items", &self.items)?;
        write_member(map, "nextPageToken", &self.next)?;
        write_member(map, "nextSyncToken", &self.cursor)
    }
}

object!(Things);

pub static THINGS: Shape = Shape::new("Things", Things::MEMBERS).holding(&[("items", Inner::Shape(&THING))]);
