//! Composition of one document from the parts of several files.

use std::collections::{BTreeMap, HashMap};

use super::collect::{Address, Collector};
use super::kinds::{Kind, Position};
use super::sources::pointer;
use crate::reference::{Path, Reference};
use crate::value::Value;

/// Maximum number of parts that are included within each other at the place of a reference.
const MAX_INCLUDED: usize = 32;

/// Composition in progress.
pub struct Composer<'c, 'o> {
    collector: &'c Collector<'o>,
    /// Places of the targets in the composed document.
    places: &'c [Path],
    /// Targets that take the place of a component.
    homes: HashMap<&'c Path, usize>,
    /// Parts of the document that references lead to, where OpenAPI has no references.
    extensions: HashMap<&'c Path, Position>,
    /// Origins of the parts of other files, by pointer.
    pub origins: BTreeMap<String, (usize, String)>,
    /// Parts that are being included.
    included: Vec<Address>,
    /// Size that can still be copied, in bytes.
    pub budget: usize,
}

impl<'c, 'o> Composer<'c, 'o> {
    /// Creates the composition of collected parts.
    pub fn new(collector: &'c Collector<'o>, places: &'c [Path], budget: usize) -> Self {
        let homes = collector.targets.iter().enumerate();
        let homes = homes.filter_map(|(index, target)| Some((target.home.as_ref()?, index))).collect();
        let parts = collector.seen.iter().filter(|(address, _)| address.file == 0);
        let extensions = parts.map(|(address, position)| (&address.path, *position)).collect();
        Self { collector, places, homes, extensions, origins: BTreeMap::new(), included: Vec::new(), budget }
    }

    /// Returns the document with the parts that take the place of its own.
    pub fn document(&mut self, document: &Value, position: Position) -> Value {
        self.copy(document, &mut Address { file: 0, path: Path::new() }, &mut Path::new(), position)
    }

    /// Returns a target at its place.
    pub fn target(&mut self, index: usize) -> Option<Value> {
        let (target, place) = (self.collector.targets.get(index)?, self.places.get(index)?);
        self.include(&target.address, &mut place.clone(), Position::One(target.kind))
    }

    /// Returns a part of a file at a place.
    fn include(&mut self, address: &Address, place: &mut Path, position: Position) -> Option<Value> {
        let value = self.collector.value(address)?;
        self.origins.insert(pointer(place), (address.file, pointer(&address.path)));
        Some(self.copy(value, &mut address.clone(), place, position))
    }

    /// Returns a value at a place, with its references parsed.
    fn copy(&mut self, value: &Value, from: &mut Address, place: &mut Path, position: Position) -> Value {
        self.budget = self.budget.saturating_sub(value.own_size());
        if self.budget == 0 {
            return Value::Null;
        }
        let extension = self.extensions.get(&from.path).filter(|_| position == Position::Opaque && from.file == 0);
        let position = extension.copied().unwrap_or(position);
        match value {
            Value::List(items) => {
                let item = |(index, item): (usize, &Value)| {
                    self.part(item, from, place, &index.to_string(), position.element())
                };
                Value::List(items.iter().enumerate().map(item).collect())
            }
            Value::Object(members) => self
                .elsewhere(from, place, position)
                .or_else(|| self.included(members, from, place, position))
                .unwrap_or_else(|| self.object(members, from, place, position)),
            value => value.clone(),
        }
    }

    /// Returns a member or an element at a place.
    fn part(
        &mut self,
        value: &Value,
        from: &mut Address,
        place: &mut Path,
        segment: &str,
        position: Position,
    ) -> Value {
        from.path.push(segment.to_owned());
        place.push(segment.to_owned());
        let copy = self.copy(value, from, place, position);
        from.path.pop();
        place.pop();
        copy
    }

    /// Returns an object with its references parsed.
    fn object(
        &mut self,
        members: &[(String, Value)],
        from: &mut Address,
        place: &mut Path,
        position: Position,
    ) -> Value {
        // Definitions in other files that references lead to are components.
        let has_definitions = from.file > 0 && position == Position::One(Kind::Schema);
        let is_copied =
            |(key, _): &&(String, Value)| !(has_definitions && matches!(key.as_str(), "$defs" | "definitions"));
        let member = |(key, member): &(String, Value)| {
            let reference = match member {
                Value::Text(text) if position == Position::Mapping || key == "$ref" => {
                    self.reference(text, from.file, position)
                }
                _ => None,
            };
            let reference = reference.map(|reference| Value::Reference(Box::new(reference)));
            let value = reference.unwrap_or_else(|| self.part(member, from, place, key, position.member(key)));
            (key.clone(), value)
        };
        Value::Object(members.iter().filter(is_copied).map(member).collect())
    }

    /// Returns a target that is at another place than this one: a component, or one that takes this place.
    fn elsewhere(&mut self, from: &Address, place: &mut Path, position: Position) -> Option<Value> {
        let (kind, _) = position.component()?;
        if let Some(index) = self.homes.get(place).copied().filter(|_| place.len() == 3) {
            let is_here = self.collector.targets.get(index).is_some_and(|target| target.address == *from);
            return if is_here { None } else { self.target(index) };
        }
        if from.file == 0 {
            return None;
        }
        let index = *self.collector.index.get(&(from.clone(), kind))?;
        let target = self.places.get(index).filter(|target| *target != place)?;
        let reference = Reference { text: format!("#{}", pointer(target)), target: Ok(target.clone()) };
        Some(Value::Object(vec![("$ref".to_owned(), Value::Reference(Box::new(reference)))]))
    }

    /// Returns the part of another file that an object without components of its kind merely refers to.
    fn included(
        &mut self,
        members: &[(String, Value)],
        from: &Address,
        place: &mut Path,
        position: Position,
    ) -> Option<Value> {
        let [(key, Value::Text(text))] = members else { return None };
        let is_reference = key == "$ref" && !matches!(position, Position::Mapping | Position::Opaque);
        if !is_reference || position.component().is_some() {
            return None;
        }
        let address = self.collector.links.get(&(from.file, text.clone()))?.clone().ok()?;
        let is_own = from.file == 0 && address.file == 0;
        if is_own || self.included.len() >= MAX_INCLUDED || self.included.contains(&address) {
            return None;
        }
        self.included.push(address.clone());
        let part = self.include(&address, place, position);
        self.included.pop();
        part
    }

    /// Parses a reference or an entry of a mapping; `None` if it is a name, or not a reference at this position.
    fn reference(&self, text: &str, file: usize, position: Position) -> Option<Reference> {
        let link = match position {
            Position::Opaque => return None,
            Position::Mapping => Ok(self.collector.mapped(file, text)?),
            _ => self.collector.links.get(&(file, text.to_owned()))?.clone(),
        };
        let target = link.and_then(|address| {
            let address = self.collector.aliases.get(&address).cloned().unwrap_or(address);
            check_kind(text, &address, position)?;
            if address.file == 0 {
                return Ok(address.path);
            }
            let index = position.component().and_then(|(kind, _)| self.collector.index.get(&(address, kind)));
            let place = index.and_then(|index| self.places.get(*index));
            place.cloned().ok_or_else(|| format!("`{}` cannot be included at this location", text.escape_debug()))
        });
        Some(Reference { text: text.to_owned(), target })
    }
}

/// Checks that a part of the document, whose kind is known by its path, is of the kind that a reference leads to.
///
/// # Errors
/// Returns an error if it is of another kind.
fn check_kind(text: &str, address: &Address, position: Position) -> Result<(), String> {
    let Some((kind, _)) = position.component().filter(|_| address.file == 0) else { return Ok(()) };
    match Position::of_path(&address.path) {
        Position::Opaque => Ok(()),
        found if found == Position::One(kind) => Ok(()),
        _ => Err(format!("`{}` does not lead to {}", text.escape_debug(), kind.noun())),
    }
}
