//! Detection of long-running operations by their shape: the resource that represents the work, and the operations that
//! poll it by name. It works on the imported definitions, whatever the format of the document.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::schema::EnumDef;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::long_running::{Done, LongRunning, LongRunningStartDef, PollOperations};
use wireform_codegen::schema::types::TypeExpr;

use crate::definition::{Definition, Item};
use crate::lowering::{text, texts};
use crate::node::Report;

/// Properties of an operation.
struct OperationInfo {
    name: String,
    is_read: bool,
    /// Resource of its response.
    response: Option<String>,
    /// Required parameters.
    required: BTreeSet<String>,
    has_body: bool,
}

impl OperationInfo {
    /// Reads the properties of an operation. Returns `None` for a type.
    fn of(item: &Item) -> Option<Self> {
        let operation = item.operation()?;
        let response = operation.response.as_ref().and_then(|response| response.0.ty.as_ref()?.name());
        // Callers do not pass constants.
        let needs = |parameter: &Parameter| {
            parameter.required.is_some_and(|required| required.value) && parameter.constant.is_none()
        };
        let others = [&operation.query, &operation.headers, &operation.cookies].into_iter().flat_map(|set| &set.0);
        let required = operation.path.0.iter().chain(others.filter(|(_, it)| needs(it)));
        Some(Self {
            name: item.name.clone(),
            is_read: operation.http.method == "GET",
            response: response.map(str::to_owned),
            required: required.map(|(name, _)| name.text.clone()).collect(),
            has_body: operation.body.is_some(),
        })
    }

    /// Returns whether all required parameters except one are also required by the starting operation, or there is only
    /// one.
    fn follows(&self, start: &Self) -> bool {
        self.required.len() == 1 || self.required.difference(&start.required).count() == 1
    }
}

/// Detected properties: how resources represent work, and which operation polls it.
#[derive(Default)]
struct Detected {
    resources: BTreeMap<String, LongRunning>,
    operations: BTreeMap<String, LongRunningStartDef>,
}

impl Detected {
    /// Reports each detection, with the overlay that removes it from the resource and the operations that start it.
    fn report(&self, items: &[Item], report: &Report) {
        let origins = report.origins();
        for name in self.resources.keys() {
            let starts = items
                .iter()
                .filter_map(OperationInfo::of)
                .filter(|start| start.response.as_deref() == Some(name) && self.operations.contains_key(&start.name));
            let starts: Vec<String> = starts.map(|start| format!("{}: {{ long_running: null }}", start.name)).collect();
            let starts = match starts.as_slice() {
                [] => String::new(),
                starts => format!(", operations: {{ {} }}", starts.join(", ")),
            };
            let at = origins.get(name).map_or("", String::as_str);
            let overlay = format!("change: {{ resources: {{ {name}: {{ long_running: null }} }}{starts} }}");
            report.guess(at, format!("`{name}` is a long-running operation, by its shape"), "off", &overlay);
        }
    }
}

/// Marks the resources that represent work, and the operations that start it where several can poll.
/// Reports each of them as a guess.
pub fn mark_long_running(items: &mut [Item], report: &Report) {
    let mut marks = find(items);
    marks.report(items, report);
    for item in items {
        match &mut item.definition {
            Definition::Resource(resource) => {
                let found = marks.resources.remove(&item.name);
                resource.long_running = found.or_else(|| resource.long_running.take());
            }
            Definition::Operation(operation) => {
                let found = marks.operations.remove(&item.name);
                operation.long_running = found.or_else(|| operation.long_running.take());
            }
            Definition::Enum(_) | Definition::Union(_) => {}
        }
    }
}

/// Detects the long-running operations among definitions.
fn find(items: &[Item]) -> Detected {
    let operations: Vec<OperationInfo> = items.iter().filter_map(OperationInfo::of).collect();
    let mut by_response: BTreeMap<&str, Vec<&OperationInfo>> = BTreeMap::new();
    for operation in &operations {
        if let Some(response) = &operation.response {
            by_response.entry(response).or_default().push(operation);
        }
    }
    let resources: BTreeSet<&str> =
        items.iter().filter(|item| item.resource().is_some()).map(|item| item.name.as_str()).collect();
    let enums = items.iter().filter_map(|item| match &item.definition {
        Definition::Enum(values) => Some((item.name.as_str(), values)),
        _ => None,
    });
    let enums: BTreeMap<&str, &EnumDef> = enums.collect();
    let mut marks = Detected::default();
    for item in items.iter().filter(|item| item.resource().is_some()) {
        let around = by_response.get(item.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let (reads, starts): (Vec<&OperationInfo>, Vec<&OperationInfo>) =
            around.iter().partition(|operation| operation.is_read);
        let shape = Shape { item, resources: &resources, enums: &enums };
        let Some((work, by_name)) = shape.of_names().map(|it| (it, true)).or(shape.of_states().map(|it| (it, false)))
        else {
            continue;
        };
        let polls: Vec<&OperationInfo> = reads
            .into_iter()
            .filter(|poll| !poll.has_body && if by_name { poll.required.len() == 1 } else { !poll.required.is_empty() })
            .filter(|poll| starts.iter().any(|start| poll.follows(start)))
            .collect();
        if polls.is_empty() {
            continue;
        }
        let poll = PollOperations(texts(polls.iter().map(|poll| poll.name.as_str())));
        marks.resources.insert(item.name.clone(), LongRunning { poll, ..work });
        if !by_name && polls.len() > 1 {
            marks.operations.extend(starts.iter().filter_map(|start| choose_poll(start, &polls)));
        }
    }
    marks
}

/// Returns which of several operations polls: the one that shares the most parameters with the starting one.
fn choose_poll(start: &OperationInfo, polls: &[&OperationInfo]) -> Option<(String, LongRunningStartDef)> {
    let fits = polls.iter().filter(|poll| poll.follows(start));
    let poll = fits.max_by_key(|poll| poll.required.len())?;
    Some((
        start.name.clone(),
        LongRunningStartDef { poll: text(Some(poll.name.as_str())), ..LongRunningStartDef::default() },
    ))
}

/// Resource that may represent work.
struct Shape<'i> {
    item: &'i Item,
    resources: &'i BTreeSet<&'i str>,
    enums: &'i BTreeMap<&'i str, &'i EnumDef>,
}

impl Shape<'_> {
    /// Returns the type of a field of the resource, if it has the field.
    fn ty(&self, field: &str) -> Option<&TypeExpr> {
        self.item.resource()?.fields.get(field).map(|field| &field.ty)
    }

    /// Returns whether a field exists and has the named type.
    fn is(&self, field: &str, ty: &str) -> bool {
        self.ty(field).and_then(TypeExpr::name) == Some(ty)
    }

    /// Returns whether a field has an object type.
    fn is_open(&self, field: &str) -> bool {
        match self.ty(field) {
            Some(TypeExpr::Name(name)) => {
                name.text == "object" || name.text == "any" || self.resources.contains(name.text.as_str())
            }
            Some(TypeExpr::Map(value, _)) => value.name() == Some("any"),
            _ => false,
        }
    }

    /// Declares a long-running operation with the field of its name and the sign that it is done.
    fn work(name: &str, done: Done) -> LongRunning {
        LongRunning { name: name.into(), done: done.into(), ..LongRunning::default() }
    }

    /// Detects a name, a done flag, and response, error and metadata (AIP-151).
    fn of_names(&self) -> Option<LongRunning> {
        let fits = self.is("name", "string") && self.is("done", "bool");
        if !fits || !["response", "error"].into_iter().all(|field| self.is_open(field)) {
            return None;
        }
        let open = |field: &'static str| text(self.is_open(field).then_some(field));
        let work = Self::work("name", Done { field: "done".into(), ..Done::default() });
        Some(LongRunning { response: open("response"), error: open("error"), metadata: open("metadata"), ..work })
    }

    /// Detects a resource named like an operation, with a name or an id, and a status that can be `DONE`.
    fn of_states(&self) -> Option<LongRunning> {
        let name = ["name", "id"].into_iter().find(|field| self.is(field, "string"))?;
        let values = &self.enums.get(self.ty("status")?.name()?)?.values;
        let mut values = values.0.iter().map(|(value, _)| value.text.as_str());
        let done = values.find(|value| value.eq_ignore_ascii_case("done"))?;
        if !self.item.name.ends_with("Operation") {
            return None;
        }
        let end = Done { field: "status".into(), values: texts([done]), ..Done::default() };
        Some(LongRunning { error: text(self.is_open("error").then_some("error")), ..Self::work(name, end) })
    }
}
