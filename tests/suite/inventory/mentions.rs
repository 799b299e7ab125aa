//! Names in a document, and resolution of field paths.

use std::collections::{BTreeMap, BTreeSet};

use super::discovery::{Catalogue, enum_at};
use super::judgement::{Documents, ENUMS};
use super::prose;

/// Names in a specification.
#[derive(Debug, Default)]
pub struct Mentions {
    pub resources: BTreeSet<String>,
    pub fields: BTreeSet<(String, String)>,
    pub values: BTreeSet<(String, String)>,
    pub operations: BTreeSet<String>,
    pub parameters: BTreeSet<(String, String)>,
    /// Parameters that are named without an operation: they have the same meaning everywhere.
    pub anywhere: BTreeSet<String>,
    /// Statements about fields, by location.
    pub statements: BTreeMap<String, String>,
    /// Defaults of fields and enums, by location.
    pub defaults: BTreeMap<String, String>,
}

/// Documents of one API that are being read.
pub struct Context<'a> {
    pub documents: &'a Documents,
    pub catalogue: &'a Catalogue,
}

impl Mentions {
    /// Records a field by its path from a resource, and every resource on the path.
    pub fn walk(&mut self, context: &Context<'_>, start: &str, path: &str) -> Option<(String, String)> {
        let (mut resource, mut last) = (start.to_string(), None);
        for name in path.split('.').map(|name| name.trim_end_matches("[]")).filter(|name| !name.is_empty()) {
            self.resources.insert(resource.clone());
            self.fields.insert((resource.clone(), name.into()));
            let member = context.catalogue.resources.get(&resource).and_then(|members| members.get(name));
            last = Some((resource.clone(), name.to_string()));
            resource = member.and_then(|member| member.target.clone()).unwrap_or_default();
        }
        if !resource.is_empty() {
            self.resources.insert(resource);
        }
        last
    }

    /// Records the values and the default in a text about the field at a location.
    pub fn describe(&mut self, context: &Context<'_>, place: &str, text: &str) {
        self.statements.entry(place.into()).or_default().push_str(text);
        match enum_at(context.documents.api, place) {
            Some(name) => self.describe_enum(name, text),
            None => {
                if let Some(default) = prose::default_in(text) {
                    self.defaults.insert(place.into(), default);
                }
            }
        }
    }

    pub fn describe_enum(&mut self, name: &str, text: &str) {
        let values = prose::values(text);
        let default = prose::default_value(text);
        if let Some(default) = default.filter(|default| values.iter().any(|value| value == default)) {
            self.defaults.insert(name.into(), default.into());
        }
        self.values.extend(values.into_iter().map(|value| (name.to_string(), value)));
    }
}

impl Context<'_> {
    /// Returns the resource that a name or a path refers to, starting at the resource that the document describes.
    pub fn resource_at(&self, name: &str) -> Option<String> {
        if self.catalogue.resources.contains_key(name) {
            return Some(name.into());
        }
        let subject = self.catalogue.resources.get(self.documents.subject)?;
        subject.get(name)?.target.clone()
    }

    /// Returns the enums of the fields that have the last name of a path.
    pub fn enums_at(&self, words: &str) -> BTreeSet<&'static str> {
        let own = ENUMS.iter().filter(|(api, _, _)| *api == self.documents.api);
        let fits = |place: &str| place.rsplit('.').next() == words.rsplit('.').next();
        own.filter(|(_, places, _)| places.iter().any(|place| fits(place))).map(|(_, _, name)| *name).collect()
    }
}
