//! References between definitions. A named schema of the document that is unused is kept on purpose; a part that was
//! named after its place and ends up unused is removed.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::file::File;
use wireform_codegen::schema::operation::{ErrorCase, Response};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::{Operation, Resource};

use crate::definition::{Definition, Item, Kind};

/// Removes unused parts, and marks other unused types as intentional.
pub fn remove_unused_parts(items: Vec<Item>, api: &File) -> Vec<Item> {
    let mut used = BTreeSet::new();
    of_api(api, &mut used);
    let mut parts: BTreeMap<&str, &Item> = BTreeMap::new();
    for item in &items {
        if is_part(item) {
            parts.insert(&item.name, item);
        } else {
            names(&item.definition, &mut used);
        }
    }
    let mut open: Vec<String> = used.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(part) = parts.get(name.as_str()).filter(|_| seen.insert(name.clone())) else { continue };
        let mut more = BTreeSet::new();
        names(&part.definition, &mut more);
        open.extend(more.iter().cloned());
        used.extend(more);
    }
    let is_used = |item: &Item| !is_part(item) || used.contains(&item.name);
    items.into_iter().filter(is_used).map(|item| mark_external(item, &used)).collect()
}

/// Returns the names of all types reachable from the file of the API, an operation or one of the given names.
pub fn reachable_types(items: &[Item], api: &File, roots: &BTreeSet<String>) -> BTreeSet<String> {
    let mut open = roots.clone();
    of_api(api, &mut open);
    let mut types: BTreeMap<&str, &Item> = BTreeMap::new();
    for item in items {
        if item.kind() == Kind::Operation {
            names(&item.definition, &mut open);
        } else {
            types.insert(&item.name, item);
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop_first() {
        let Some(item) = types.get(name.as_str()) else { continue };
        if reached.insert(name) {
            names(&item.definition, &mut open);
        }
    }
    reached
}

/// Marks a type that is not in `used` as external, and clears the mark of others. Operations stay as they are.
fn mark_external(mut item: Item, used: &BTreeSet<String>) -> Item {
    let external = (!used.contains(&item.name)).then(|| true.into());
    match &mut item.definition {
        Definition::Operation(_) => {}
        Definition::Resource(resource) => resource.external = external,
        Definition::Enum(values) => values.external = external,
        Definition::Union(union) => union.external = external,
    }
    item
}

/// Returns whether a definition has no name in the document.
fn is_part(item: &Item) -> bool {
    item.kind() != Kind::Operation && item.owner != item.name
}

/// Adds the names of the types that the file of the API refers to.
fn of_api(api: &File, into: &mut BTreeSet<String>) {
    api.errors.iter().for_each(|errors| add(&errors.body, into));
    api.parameter_sets.0.iter().chain(&api.path_parameters.0).for_each(|(_, set)| of_parameters(set, into));
    api.error_sets.0.iter().for_each(|(_, set)| of_errors(&set.0.errors, into));
}

/// Adds the names of the types that a definition refers to.
fn names(definition: &Definition, into: &mut BTreeSet<String>) {
    match definition {
        Definition::Operation(operation) => of_operation(operation, into),
        Definition::Resource(resource) => of_resource(resource, into),
        Definition::Enum(_) => {}
        Definition::Union(union) => union.variants.0.iter().for_each(|(_, variant)| add(&variant.0.ty, into)),
    }
}

/// Adds the names of the types of a resource's fields.
fn of_resource(resource: &Resource, into: &mut BTreeSet<String>) {
    resource.fields.0.iter().for_each(|(_, field)| add(&field.ty, into));
    resource.rest.iter().for_each(|rest| add(&rest.0.ty, into));
}

/// Adds the names of all types that an operation sends and receives.
fn of_operation(operation: &Operation, into: &mut BTreeSet<String>) {
    for set in [&operation.path, &operation.query, &operation.headers, &operation.cookies] {
        of_parameters(set, into);
    }
    for body in operation.body.iter().map(|body| &body.0) {
        body.ty.iter().for_each(|ty| add(ty, into));
        body.alternatives.0.iter().flat_map(|(_, one)| &one.0.ty).for_each(|ty| add(ty, into));
    }
    operation.response.iter().for_each(|response| of_response(&response.0, into));
    operation.responses.0.iter().for_each(|(_, response)| of_response(&response.0, into));
    of_errors(&operation.errors, into);
    if let Some(started) = &operation.long_running {
        started.response.iter().chain(&started.metadata).for_each(|ty| add(ty, into));
    }
}

/// Adds the names of the types of error bodies and their headers.
fn of_errors(errors: &Named<Short<ErrorCase>>, into: &mut BTreeSet<String>) {
    for (_, Short(error)) in &errors.0 {
        error.body.iter().for_each(|body| add(body, into));
        of_parameters(&error.headers, into);
    }
}

/// Adds the names of the types of a response's body and headers.
fn of_response(response: &Response, into: &mut BTreeSet<String>) {
    response.ty.iter().for_each(|ty| add(ty, into));
    response.alternatives.0.iter().for_each(|(_, one)| add(&one.0.ty, into));
    of_parameters(&response.headers, into);
}

/// Adds the names of the types of parameters.
fn of_parameters(set: &Named<Parameter>, into: &mut BTreeSet<String>) {
    set.0.iter().for_each(|(_, parameter)| add(&parameter.ty, into));
}

/// Adds the name of a type, or of the elements of a list or map.
fn add(ty: &TypeExpr, into: &mut BTreeSet<String>) {
    into.insert(ty.innermost_name().to_owned());
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that fails says so by panicking

    use std::collections::BTreeMap;

    use wireform_codegen::diagnostics::Sink;
    use wireform_codegen::schema::file::File;
    use wireform_codegen::schema::read::Read;
    use wireform_codegen::schema::{EnumDef, Operation, Resource, Union, yaml};

    use super::remove_unused_parts;
    use crate::definition::{Definition, Item};

    fn read<T: Read>(text: &str) -> T {
        let node = yaml::parse(0, text, &mut Sink::new()).expect("YAML");
        T::read(&node, &mut Sink::new()).expect("a part of a schema")
    }

    fn item<T: Read + Into<Definition>>(owner: &str, name: &str, body: &str) -> Item {
        let definition = read::<T>(body).into();
        Item { bucket: "types".to_owned(), owner: owner.to_owned(), name: name.to_owned(), definition }
    }

    #[test]
    fn unused_parts_are_removed_and_unused_schemas_are_external() {
        let api: File = read(
            "{ errors: { body: Failure }, parameter_sets: { standard: { alt: { type: Form }, x: { type: Set } } } }",
        );
        let items = vec![
            item::<Operation>(
                "a.get",
                "a.get",
                "{ http: GET /a, query: { type: { type: [Letter] } }, body: { type: { string: Sent } }, \
                 response: { type: { string: Note? } }, \
                 errors: { 400: { body: Bad, headers: { X-A: { type: InHeader } } } }, \
                 long_running: { response: Outcome } }",
            ),
            item::<Resource>("Failure", "Failure", "{ fields: { type: { type: string } } }"),
            item::<EnumDef>("Form", "Form", "{ values: { Alone: {} } }"),
            item::<EnumDef>("a.get", "Letter", "{ values: { a: {} } }"),
            item::<EnumDef>("a.get", "Set", "{ values: { a: {} } }"),
            item::<EnumDef>("a.get", "InHeader", "{ values: { a: {} } }"),
            item::<Resource>("a.get", "Sent", "{ rest: Deepest }"),
            item::<Resource>("a.get", "Deepest", "{}"),
            item::<Resource>("a.get", "Bad", "{}"),
            item::<Resource>("a.get", "Outcome", "{}"),
            item::<Resource>("Note", "Note", "{ doc: Lost, fields: { part: { type: NotePart } } }"),
            item::<Union>("Note", "NotePart", "{ variants: { a: [NoteInner], b: { type: string } } }"),
            item::<Resource>("Note", "NoteInner", "{ fields: {} }"),
            item::<Resource>("Note", "Lost", "{ fields: { deeper: { type: Deeper } } }"),
            item::<Resource>("Note", "Deeper", "{ fields: { lost: { type: Lost } } }"),
            item::<Resource>("Alone", "Alone", "{ fields: {} }"),
        ];
        let is_external = |item: &Item| match &item.definition {
            Definition::Resource(resource) => resource.external.is_some(),
            Definition::Enum(values) => values.external.is_some(),
            _ => false,
        };
        let left: BTreeMap<String, bool> =
            remove_unused_parts(items, &api).into_iter().map(|item| (item.name.clone(), is_external(&item))).collect();
        let names: Vec<&str> = left.keys().map(String::as_str).collect();
        let expected = "Alone Bad Deepest Failure Form InHeader Letter Note NoteInner NotePart Outcome Sent Set a.get";
        assert_eq!(names.join(" "), expected);
        assert_eq!(
            left.into_iter().filter(|(_, external)| *external).map(|(name, _)| name).collect::<Vec<_>>(),
            ["Alone"]
        );
    }
}
