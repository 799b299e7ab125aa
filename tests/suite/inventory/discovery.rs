//! Discovery documents: the definitions that the operations of an API use, with the names of the schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::fact::{FLAG, Fact};
use super::judgement::{Documents, ENUMS, INLINE, PREFIXES, RENAMED, ROOTS};
use super::prose::{self, default_in};

#[derive(Debug, Default)]
pub struct Member {
    pub fact: Fact,
    /// Nested resource.
    pub target: Option<String>,
}

#[derive(Debug)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub body: Option<String>,
    pub response: Option<String>,
    /// Location and fact by name.
    pub parameters: BTreeMap<String, (String, Fact)>,
}

#[derive(Debug, Default)]
pub struct Catalogue {
    pub version: String,
    pub root: String,
    pub resources: BTreeMap<String, BTreeMap<String, Member>>,
    pub operations: BTreeMap<String, Call>,
    pub standard: BTreeMap<String, (String, Fact)>,
    /// Values of the enums that the document lists.
    pub values: BTreeSet<(String, String)>,
}

struct Reader<'a> {
    document: &'a Value,
    api: &'a str,
    wanted: &'a Wanted,
    catalogue: Catalogue,
}

/// Operations of the schemas.
pub struct Wanted {
    /// Groups whose operations are all included.
    pub groups: BTreeSet<String>,
    /// Other operations.
    pub operations: BTreeSet<String>,
}

impl Wanted {
    fn has(&self, operation: &str) -> bool {
        let in_group = operation.rsplit_once('.').is_some_and(|(group, _)| self.groups.contains(group));
        in_group || self.operations.contains(operation)
    }
}

/// Reads these operations and the definitions that they use.
pub fn read(document: &Value, documents: &Documents, wanted: &Wanted) -> Catalogue {
    let mut reader = Reader { document, api: documents.api, wanted, catalogue: Catalogue::default() };
    reader.catalogue.version = text(document, "version");
    reader.catalogue.root = text(document, "rootUrl").trim_end_matches('/').into();
    for (name, method) in methods(document).into_iter().filter(|(name, _)| wanted.has(name)) {
        let call = reader.call(&name, method);
        reader.catalogue.operations.insert(name, call);
    }
    reader.catalogue.standard = reader.parameters("*", &document["parameters"]);
    for (_, name) in ROOTS.iter().filter(|(api, _)| *api == documents.api) {
        reader.resource(name);
    }
    reader.catalogue
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().into()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

/// Returns all operations of a document with their names.
pub fn methods(at: &Value) -> Vec<(String, &Value)> {
    let named = |method| text(method, "id").split_once('.').map(|(_, name)| (name.to_string(), method));
    let own = entries(&at["methods"]).filter_map(|(_, method)| named(method));
    own.chain(entries(&at["resources"]).flat_map(|(_, inner)| methods(inner))).collect()
}

/// Returns the enum of a field or parameter.
pub fn enum_at(api: &str, place: &str) -> Option<&'static str> {
    let fits = |wanted: &str| match wanted.strip_prefix('*') {
        Some(end) => place.ends_with(end),
        None => wanted == place,
    };
    let found = ENUMS.iter().find(|(of, places, _)| *of == api && places.iter().any(|wanted| fits(wanted)));
    found.map(|(_, _, name)| *name)
}

impl Reader<'_> {
    fn call(&mut self, name: &str, method: &Value) -> Call {
        Call {
            method: text(method, "httpMethod"),
            path: format!("/{}{}", text(self.document, "servicePath"), text(method, "path")),
            body: method["request"]["$ref"].as_str().map(|name| self.resource(name)),
            response: method["response"]["$ref"].as_str().map(|name| self.resource(name)),
            parameters: self.parameters(name, &method["parameters"]),
        }
    }

    fn parameters(&mut self, operation: &str, at: &Value) -> BTreeMap<String, (String, Fact)> {
        let read = |(name, value): (&String, &Value)| {
            let mut fact = self.member(&format!("{operation}.{name}"), value).fact;
            if value["repeated"] == true {
                fact.set("type", format!("[{}]", fact.ty().to_owned()));
            }
            if value["required"] == true {
                fact.set("required", FLAG);
            }
            (name.clone(), (text(value, "location"), fact))
        };
        entries(at).map(read).collect()
    }

    /// Returns the name of a schema in this project, and reads the schema at its first use.
    fn resource(&mut self, schema: &str) -> String {
        let name = self.renamed(schema);
        if !self.catalogue.resources.contains_key(&name) {
            let document = self.document;
            self.members(&name, &document["schemas"][schema]["properties"]);
        }
        name
    }

    fn renamed(&self, schema: &str) -> String {
        let prefix = PREFIXES.iter().find(|(api, _)| *api == self.api).map_or("", |(_, prefix)| prefix);
        let plain = schema.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(schema);
        RENAMED.iter().find(|(theirs, _)| *theirs == plain).map_or(plain, |(_, ours)| ours).into()
    }

    fn members(&mut self, name: &str, properties: &Value) {
        // Added before the fields are read, because they can refer to it.
        self.catalogue.resources.insert(name.into(), BTreeMap::new());
        for (key, value) in entries(properties) {
            let member = self.member(&format!("{name}.{key}"), value);
            self.catalogue.resources.entry(name.into()).or_default().insert(key.clone(), member);
        }
    }

    fn member(&mut self, place: &str, value: &Value) -> Member {
        let mut target = None;
        let ty = self.ty(place, value, &mut target);
        // Limits in the text of a field of another type have another meaning.
        let plain = matches!(value["type"].as_str(), Some("boolean" | "integer"));
        let described = || default_in(value["description"].as_str().unwrap_or_default()).filter(|_| plain);
        let mut fact = Fact::of(ty);
        let default = value["default"].as_str().map(String::from).or_else(described);
        fact.set("default", default.unwrap_or_default());
        fact.set("min", text(value, "minimum"));
        fact.set("max", text(value, "maximum"));
        let required = value["annotations"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let required = required.filter_map(|id| id.split_once('.')).map(|(_, name)| name);
        // Other operations use the same schemas; their requirements do not apply here.
        let mut required: Vec<&str> = required.filter(|name| self.wanted.has(name)).collect();
        required.sort_unstable();
        fact.set("required", required.join(","));
        Member { fact, target }
    }

    fn ty(&mut self, place: &str, value: &Value, target: &mut Option<String>) -> String {
        if let Some(name) = value["$ref"].as_str() {
            return target.insert(self.resource(name)).clone();
        }
        if let Some(name) = enum_at(self.api, place) {
            let values = value["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
            // Colors are listed only in the description.
            let values = values.chain(prose::colors(value["description"].as_str().unwrap_or_default()));
            self.catalogue.values.extend(values.map(|value| (name.to_string(), value.to_string())));
            return name.into();
        }
        assert!(value["enum"].is_null(), "the enum at {place} has no name: give it one in the table of enums");
        match (value["type"].as_str().unwrap_or_default(), value["format"].as_str().unwrap_or_default()) {
            ("array", _) => format!("[{}]", self.ty(place, &value["items"], target)),
            ("object", _) => self.object(place, value, target),
            ("integer", format) => format.into(),
            ("string", format @ ("int64" | "uint64")) => format!("{format}:decimal_string"),
            ("string", "date-time" | "google-datetime") => "datetime".into(),
            ("string", "google-duration") => "duration".into(),
            ("string", "date") => "date".into(),
            ("string", "byte") => "bytes:base64url".into(),
            ("boolean", _) => "bool".into(),
            (other, _) => other.into(),
        }
    }

    fn object(&mut self, place: &str, value: &Value, target: &mut Option<String>) -> String {
        if value["additionalProperties"].is_object() {
            return format!("{{string: {}}}", self.ty(place, &value["additionalProperties"], target));
        }
        let name = INLINE.iter().find(|(at, _)| *at == place).map(|(_, name)| (*name).to_string());
        let name = name.unwrap_or_else(|| panic!("the object at {place} has no name: give it one in the table"));
        self.members(&name, &value["properties"]);
        target.insert(name).clone()
    }
}
