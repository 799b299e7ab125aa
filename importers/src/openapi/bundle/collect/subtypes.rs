//! Schemas that belong to another one with a discriminator.

use super::{Address, Collector, Kind, MAX_STEPS, Path};
use crate::ImportError;
use crate::reference::parse_fragment;
use crate::value::Value;

impl Collector<'_> {
    /// Adds the schemas of other files that extend one with a discriminator, since no reference leads to them.
    pub(super) fn add_subtypes(&mut self) -> Result<(), ImportError> {
        let mut found = Vec::new();
        for file in 1..self.files.parsed.len() {
            for shelf in [["components", "schemas"].as_slice(), &["definitions"], &["$defs"]] {
                let path: Path = shelf.iter().map(|key| (*key).to_owned()).collect();
                let Some(Value::Object(schemas)) = self.value(&Address { file, path: path.clone() }) else { continue };
                for (name, schema) in schemas {
                    let path = path.iter().cloned().chain([name.clone()]).collect();
                    let address = Address { file, path };
                    if !self.index.contains_key(&(address.clone(), Kind::Schema)) && self.is_subtype(file, schema) {
                        found.push(address);
                    }
                }
            }
        }
        found.into_iter().try_for_each(|address| self.add(address, Kind::Schema).map(drop))
    }

    /// Returns whether a schema extends a collected one with a discriminator, directly or through others.
    fn is_subtype(&self, file: usize, schema: &Value) -> bool {
        let Some(Value::List(bases)) = schema.get("allOf") else { return false };
        let base = |base: &Value| {
            let text = base.get("$ref")?.text()?;
            let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
            let file = if path.is_empty() { file } else { self.files.known(file, path)? };
            let address = Address { file, path: parse_fragment(fragment).ok()? };
            let address = self.aliases.get(&address).cloned().unwrap_or(address);
            let is_collected = file == 0 || self.index.contains_key(&(address.clone(), Kind::Schema));
            is_collected.then_some(address)
        };
        let mut open: Vec<Address> = bases.iter().filter_map(base).collect();
        for _ in 0..MAX_STEPS {
            let Some(address) = open.pop() else { return false };
            let Some(value) = self.value(&address) else { continue };
            if value.get("discriminator").is_some() {
                return true;
            }
            let Some(Value::List(bases)) = value.get("allOf") else { continue };
            let next = |base: &Value| {
                let text = base.get("$ref")?.text()?.to_owned();
                self.links.get(&(address.file, text))?.clone().ok()
            };
            open.extend(bases.iter().filter_map(next));
        }
        false
    }
}
