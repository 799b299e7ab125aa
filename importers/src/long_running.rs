//! Work that goes on after the answer, known by its shape: the resource that tells of it, and the operations that read
//! that by its name. Both are looked for in what has been written, whatever language the document is in.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value};

use crate::files::{Item, Kind, put};

/// What is known of an operation.
struct Known {
    name: String,
    is_read: bool,
    /// The resource that it answers.
    answer: Option<String>,
    /// The parameters that it needs.
    required: BTreeSet<String>,
    has_body: bool,
}

impl Known {
    fn of(item: &Item) -> Self {
        let http = item.body.get("http").and_then(Value::as_str).unwrap_or_default();
        let response = item.body.get("response");
        let answer = response.and_then(|it| it.as_str().or_else(|| it.get("type")?.as_str()));
        let set = |key: &str| item.body.get(key).and_then(Value::as_mapping).into_iter().flatten();
        // What has one value alone is given by nobody.
        let needs = |parameter: &Value| {
            parameter.get("required").and_then(Value::as_bool) == Some(true) && parameter.get("const").is_none()
        };
        let others = ["query", "headers", "cookies"].into_iter().flat_map(set).filter(|(_, it)| needs(it));
        let required = set("path").chain(others).filter_map(|(name, _)| name.as_str());
        Self {
            name: item.name.clone(),
            is_read: http.starts_with("GET "),
            answer: answer.map(str::to_owned),
            required: required.map(str::to_owned).collect(),
            has_body: item.body.contains_key("body"),
        }
    }

    /// Whether all that it needs, but for one parameter, is given to another operation as well.
    fn follows(&self, start: &Self) -> bool {
        self.required.len() == 1 || self.required.difference(&start.required).count() == 1
    }
}

/// Says of the resources that tell of work how they do, and which operations are asked.
pub fn mark(items: &mut [Item]) {
    let of = |kind: Kind| items.iter().filter(move |item| item.kind == kind);
    let operations: Vec<Known> = of(Kind::Operation).map(Known::of).collect();
    let mut answered: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
    for operation in &operations {
        if let Some(answer) = &operation.answer {
            answered.entry(answer).or_default().push(operation);
        }
    }
    let resources: BTreeSet<&str> = of(Kind::Resource).map(|item| item.name.as_str()).collect();
    let enums: BTreeMap<&str, &Mapping> = of(Kind::Enum).map(|item| (item.name.as_str(), &item.body)).collect();
    let mut said: BTreeMap<(Kind, String), Mapping> = BTreeMap::new();
    for item in of(Kind::Resource) {
        let around = answered.get(item.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let (reads, starts): (Vec<&Known>, Vec<&Known>) = around.iter().partition(|operation| operation.is_read);
        let shape = Shape { item, resources: &resources, enums: &enums };
        let Some((mut work, by_name)) =
            shape.of_names().map(|it| (it, true)).or(shape.of_states().map(|it| (it, false)))
        else {
            continue;
        };
        let polls: Vec<&Known> = reads
            .into_iter()
            .filter(|poll| !poll.has_body && if by_name { poll.required.len() == 1 } else { !poll.required.is_empty() })
            .filter(|poll| starts.iter().any(|start| poll.follows(start)))
            .collect();
        let names: Vec<Value> = polls.iter().map(|poll| Value::from(poll.name.as_str())).collect();
        match names.as_slice() {
            [] => continue,
            [only] => put(&mut work, "poll", Some(only.clone())),
            several => put(&mut work, "poll", Some(several.to_vec())),
        }
        said.insert((Kind::Resource, item.name.clone()), work);
        if !by_name && polls.len() > 1 {
            said.extend(starts.iter().filter_map(|start| asks(start, &polls)));
        }
    }
    for item in items {
        put(&mut item.body, "long_running", said.remove(&(item.kind, item.name.clone())));
    }
}

/// Which of several operations is asked: the one that takes the most of what the other was given.
fn asks(start: &Known, polls: &[&Known]) -> Option<((Kind, String), Mapping)> {
    let fits = polls.iter().filter(|poll| poll.follows(start));
    let poll = fits.max_by_key(|poll| poll.required.len())?;
    let mut body = Mapping::new();
    put(&mut body, "poll", Some(poll.name.as_str()));
    Some(((Kind::Operation, start.name.clone()), body))
}

/// A resource that may tell of work.
struct Shape<'i> {
    item: &'i Item,
    resources: &'i BTreeSet<&'i str>,
    enums: &'i BTreeMap<&'i str, &'i Mapping>,
}

impl Shape<'_> {
    fn ty(&self, field: &str) -> Option<&Value> {
        self.item.body.get("fields")?.get(field)?.get("type")
    }

    fn is(&self, field: &str, ty: &str) -> bool {
        self.ty(field).and_then(Value::as_str) == Some(ty)
    }

    /// Whether a field holds something with members.
    fn is_open(&self, field: &str) -> bool {
        match self.ty(field) {
            Some(Value::String(name)) => name == "object" || name == "any" || self.resources.contains(name.as_str()),
            Some(Value::Mapping(map)) => map.get("string").and_then(Value::as_str) == Some("any"),
            _ => false,
        }
    }

    fn work(&self, name: &str, done: Value) -> Mapping {
        let mut work = Mapping::new();
        put(&mut work, "name", Some(name));
        put(&mut work, "done", Some(done));
        work
    }

    /// A name, whether it is done, and response, error and metadata (AIP-151).
    fn of_names(&self) -> Option<Mapping> {
        let fits = self.is("name", "string") && self.is("done", "bool");
        if !fits || !["response", "error"].into_iter().all(|field| self.is_open(field)) {
            return None;
        }
        let mut work = self.work("name", Value::from("done"));
        for field in ["response", "error", "metadata"] {
            put(&mut work, field, Some(field).filter(|field| self.is_open(field)));
        }
        Some(work)
    }

    /// What is called an operation, with a name or an id, and a status that can be `DONE`.
    fn of_states(&self) -> Option<Mapping> {
        let name = ["name", "id"].into_iter().find(|field| self.is(field, "string"))?;
        let values = self.enums.get(self.ty("status")?.as_str()?)?.get("values")?.as_mapping()?;
        let done = values.keys().filter_map(Value::as_str).find(|value| value.eq_ignore_ascii_case("done"))?;
        if !self.item.name.ends_with("Operation") {
            return None;
        }
        let mut end = Mapping::new();
        put(&mut end, "field", Some("status"));
        put(&mut end, "values", Some(vec![done]));
        let mut work = self.work(name, Value::Mapping(end));
        put(&mut work, "error", Some("error").filter(|field| self.is_open(field)));
        Some(work)
    }
}
