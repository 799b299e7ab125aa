//! Exporting a schema to an OpenAPI document and importing it results in an equivalent schema, except for origins,
//! files and the order of definitions, which a document does not contain.

use std::collections::BTreeMap;

use wireform_codegen::model::{Api, Operation, Parameter, Resource, ScopeRequirement};
use wireform_codegen::{Options, Source, generate, load};
use wireform_importers::openapi;

use crate::inputs::{self, schema, schema_folders};

/// Returns a text for each part of an API, by kind and name.
fn meant(api: &Api) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let mut add = |kind: &str, name: &str, text: String| {
        parts.insert(format!("{kind} {name}"), plain(api, &text));
    };
    let head = (&api.name, &api.version, &api.title, &api.doc, &api.root, &api.base_path);
    add("api", "", format!("{head:#?}\n{:#?}\n{:#?}", api.endpoints, api.batch));
    add("errors", "", format!("{:#?}\n{:#?}", api.error_body, api.error_fields));
    add("profile", "", format!("{:#?}", api.profile));
    add("standard", "", format!("{:#?}", api.standard_parameters.iter().map(parameter).collect::<Vec<_>>()));
    for scope in &api.scopes {
        add("scope", &scope.name, format!("{scope:#?}"));
    }
    for scheme in &api.security_schemes {
        add("scheme", &scheme.name, format!("{scheme:#?}"));
    }
    for resource in &api.resources {
        let mut resource = resource.clone();
        resource.fields.iter_mut().for_each(|field| field.origins.clear());
        resource.rules.iter_mut().for_each(|rule| rule.key.clear());
        add("resource", &resource.name.wire, format!("{:#?}", Resource { ..resource.clone() }));
    }
    for definition in &api.enums {
        add("enum", &definition.name.wire, format!("{definition:#?}"));
    }
    for definition in &api.unions {
        add("union", &definition.name.wire, format!("{definition:#?}"));
    }
    for one in &api.operations {
        let one = operation(one);
        add("operation", &one.name, format!("{one:#?}"));
    }
    parts
}

fn parameter(one: &Parameter) -> Parameter {
    let mut one = one.clone();
    one.origins.clear();
    // Path segments are never empty.
    if let Some(length) = &mut one.constraints.length
        && (length.min, length.max) == (Some(1), None)
    {
        one.constraints.length = None;
    }
    one
}

fn operation(one: &Operation) -> Operation {
    let mut one = one.clone();
    one.origins.clear();
    one.parameters = one.parameters.iter().map(parameter).collect();
    // For a single scope, any and all are equivalent.
    if let ScopeRequirement::AllOf(scopes) = &one.scopes
        && scopes.len() == 1
    {
        one.scopes = ScopeRequirement::AnyOf(scopes.clone());
    }
    if let ScopeRequirement::AnyOf(scopes) | ScopeRequirement::AllOf(scopes) = &mut one.scopes {
        scopes.sort_unstable();
    }
    one
}

/// Returns a text with names in place of indices, without spans and origins, and with rendered descriptions.
fn plain(api: &Api, text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let indent = &line[..line.len() - trimmed.len()];
        let name = |kind: &str, index: usize| match kind {
            "ResourceId" => api.resources[index].name.wire.clone(),
            "EnumId" => api.enums[index].name.wire.clone(),
            "UnionId" => api.unions[index].name.wire.clone(),
            _ => api.operations[index].name.clone(),
        };
        let opens = ["ResourceId", "EnumId", "UnionId", "OperationId"]
            .into_iter()
            .find(|kind| trimmed.ends_with(&format!("{kind}(")));
        if let Some(kind) = opens {
            let index = lines.next().and_then(|line| line.trim().trim_end_matches(',').parse().ok()).expect("an index");
            lines.next();
            out.push(format!("{indent}{}{}", trimmed.trim_end_matches(&format!("{kind}(")), name(kind, index)));
        } else if trimmed.starts_with("span: Span {") || trimmed.starts_with("origin: Some(") {
            while lines.next().is_some_and(|line| !matches!(line.trim(), "}," | "),")) {}
        } else if trimmed != "origin: None," {
            // White space and Markdown syntax.
            out.push(line.replace("\\\\", "").replace("\\n", " ").replace('`', ""));
        }
    }
    out.join("\n")
}

#[test]
fn exported_schema_is_imported_unchanged() {
    let mut differs = Vec::new();
    for path in schema_folders() {
        let sources = schema(&path);
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let before = load(&sources).expect("a schema without errors");
        let files = generate(&sources, &Options::default()).files.expect("a schema without errors");
        let Some(document) = files.get(&format!("{}-server/openapi.json", before.name)) else { continue };
        let import = openapi::import(document).unwrap_or_else(|error| panic!("{name}: {error}"));
        differs.extend(import.losses.iter().map(|loss| format!("{name}: {}: {}\n", loss.at, loss.what)));
        differs.extend(import.notes.iter().map(|loss| format!("{name}: note {}: {}\n", loss.at, loss.what)));
        let after = match load(&inputs::sources(&import)) {
            Ok(after) => after,
            Err(output) => {
                differs.push(format!("{name}: {:?}\n", output.diagnostics.first()));
                continue;
            }
        };
        let (before, after) = (meant(&before), meant(&after));
        for (part, text) in &before {
            match after.get(part) {
                None => differs.push(format!("{name}: {part} is missing\n")),
                Some(other) if other != text => differs.push(format!("{name}: {part}\n{}", difference(text, other))),
                Some(_) => {}
            }
        }
        let more = after.keys().filter(|part| !before.contains_key(*part));
        differs.extend(more.map(|part| format!("{name}: {part} is new\n")));
    }
    assert!(differs.is_empty(), "{} parts differ\n{}", differs.len(), differs.concat());
}

/// Returns the first lines that differ.
fn difference(before: &str, after: &str) -> String {
    let differs = |(a, b): &(&str, &str)| a != b;
    let lines = before.lines().zip(after.lines().chain(std::iter::repeat("-"))).filter(differs);
    lines.take(3).map(|(a, b)| format!("    was {}\n    is  {}\n", a.trim(), b.trim())).collect()
}

#[test]
fn float_is_imported_without_bounds() {
    let schema = "api: scales
resources:
  Scale: { doc: A scale., fields: { weight: { type: float, doc: What it weighs. } } }
operations:
  read: { doc: Reads the scale., http: GET /scale, response: Scale }
";
    let sources = [Source::new("scales/api.yaml", schema)];
    let files = generate(&sources, &Options::default()).files.expect("crates");
    let (_, written) = files.iter().find(|(path, _)| path.ends_with("/openapi.json")).expect("a document of ours");
    let again = openapi::import(written).expect("a document of ours");
    let text: String = again.files.values().cloned().collect();
    assert!(text.contains("weight: { type: float, doc: What it weighs. }"), "{text}");
}
