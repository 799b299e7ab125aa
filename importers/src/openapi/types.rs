//! Conversion of schemas to types.

pub mod keys;
mod recursive;
pub mod unions;
pub mod uploads;

use wireform_codegen::schema::types::TypeExpr;

use super::form::{Collection, Form};
use super::importer::{Files, Importer, Inline, Target};
use super::view::{AdditionalMembers, Kind, View, view};
use super::{constraints, enums, reimport, scalars};
use crate::lowering::DefinitionPath;
use crate::nesting_limits::{MAX_DEPTH, MAX_MEMBERS, MAX_NESTED, MAX_OPEN, TOO_DEEP};
use crate::node::Node;
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Returns the type of a value that satisfies all of these schemas; unnamed definitions are named after the place.
pub fn form<'d>(importer: &mut Importer<'d>, nodes: &[Node<'d>], place: &DefinitionPath, depth: usize) -> Form<'d> {
    let Some(first) = nodes.first() else { return Form::any() };
    if depth > MAX_DEPTH {
        first.whole_loss(TOO_DEEP);
        return Form::any();
    }
    let view = view(&importer.root, nodes);
    if let Some(name) = view.named {
        let form = reference(importer, first, name);
        return add_keys(&view, form);
    }
    // Each location is converted once, however many schemas include it.
    let key: Vec<&str> = nodes.iter().map(|node| node.at.as_str()).collect();
    // Bytes are files in some contexts and texts in others.
    let key = key.join(" ") + if importer.files == Files::Here { " file" } else { "" };
    if let Some(known) = importer.known.get(&key) {
        return add_keys(&view, known.clone());
    }
    if let Some(name) = recursive::name(importer, &key) {
        return add_keys(&view, Form::union(&name));
    }
    if let Some(problem) = nesting_problem(importer) {
        first.whole_loss(problem);
        return Form::any();
    }
    importer.writing.push((key, place.name.clone()));
    let mut form = inline_schema(importer, &view, first, place, depth);
    if let Some((key, _)) = importer.writing.pop() {
        form = recursive::define(importer, &key, &view, first, place, form);
        importer.known.insert(key, form.clone());
    }
    add_keys(&view, form)
}

/// Returns why a schema cannot be inlined: an unnamed schema that includes a named one takes over its members, and
/// possibly itself.
fn nesting_problem(importer: &Importer<'_>) -> Option<String> {
    if importer.depth + importer.writing.len() >= MAX_NESTED {
        return Some(format!("becomes `any`: more than {MAX_NESTED} unnamed schemas are nested"));
    }
    let many = importer.lowering.counts.properties >= MAX_MEMBERS;
    many.then(|| format!("becomes `any`: the objects of the document have more than {MAX_MEMBERS} members in total"))
}

/// Adds the other keys of the schemas to the type.
fn add_keys<'d>(view: &View<'d>, form: Form<'d>) -> Form<'d> {
    let own = view.description();
    let inherited = form.nodes.into_iter().filter(|node| view.nodes.iter().all(|own| own.at != node.at));
    Form {
        nullable: form.nullable || view.nullable,
        doc: own.or(form.doc),
        nodes: view.nodes.iter().cloned().chain(inherited).collect(),
        ..form
    }
}

/// Returns the type of a named schema.
pub fn reference<'d>(importer: &mut Importer<'d>, node: &Node<'d>, name: &'d str) -> Form<'d> {
    if let Some(form) = reimport::wire(name).filter(|_| importer.is_generated) {
        return form;
    }
    let name = if importer.is_generated { reimport::definition(name) } else { name };
    let nullable = importer.nullable.contains(name);
    let default = importer.defaults.get(name).cloned();
    match importer.targets.get(name).cloned() {
        Some(Target::Named(name)) => Form { default, nullable, ..Form::named(&name) },
        Some(Target::Union(name)) => Form { default, nullable, ..Form::union(&name) },
        Some(Target::Enum(own, values)) => {
            Form { inner: ValueKind::Values(values), default, nullable, ..Form::named(&own) }
        }
        Some(Target::Plain) if importer.open.len() >= MAX_OPEN => {
            node.whole_loss(format!("becomes `any`: more than {MAX_OPEN} inlined schemas are nested"));
            Form::any()
        }
        // References that lead to each other, without a list or a map in between.
        Some(Target::Plain) if importer.open.contains(&(name, importer.writing.len())) => {
            node.whole_loss("becomes `any`: the schema contains nothing but itself");
            Form::any()
        }
        Some(Target::Plain) => {
            let Some(target) = importer.root.schema(name) else { return Form::any() };
            importer.open.push((name, importer.writing.len()));
            importer.referenced.insert(name);
            let form = self::form(importer, &[target], &DefinitionPath::of_type(&crate::names::pascal(name)), 0);
            importer.open.pop();
            form
        }
        // The loss is reported already.
        None => Form::any(),
    }
}

/// Converts a merged schema at its place of use: an enum, a union, a type by its kind, or `any`.
fn inline_schema<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
) -> Form<'d> {
    if view.is_impossible {
        node.whole_loss("becomes `any`: no value satisfies the schema");
        return Form::any();
    }
    if view.values.is_some() {
        return enums::form(importer, view, node, place);
    }
    if let Some(form) = unions::form(importer, view, node, place) {
        return form;
    }
    match view.kind() {
        Some(kind) => of_kind(importer, view, node, place, depth, kind),
        None if importer.files == Files::Here && scalars::is_empty_part(importer, view) => scalars::file(view),
        None => match view.kinds.as_ref().filter(|kinds| kinds.len() > 1) {
            Some(kinds) => unions::of_kinds(importer, view, node, place, depth, kinds.clone()),
            None => unknown(&importer.root, view, node),
        },
    }
}

/// Returns the type of a value of one kind.
pub fn of_kind<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
    kind: Kind,
) -> Form<'d> {
    let mut form = match kind {
        Kind::List => list(importer, view, node, place, depth),
        Kind::Object => object(importer, view, node, place, depth),
        kind => scalars::form(importer, view, node, kind),
    };
    constraints::foreign(view, &form, kind);
    constraints::of_collection(view, &mut form, kind);
    form
}

/// Returns `any` for a schema without a known type, and null for one that allows nothing else; reports a schema that
/// allows nothing, and one that says something that is not a type.
fn unknown<'d>(root: &Node<'d>, view: &View<'d>, node: &Node<'d>) -> Form<'d> {
    match &view.kinds {
        None => {
            if !view.nodes.is_empty() && view.nodes.iter().all(|node| is_composed(root, node)) {
                node.whole_loss("becomes `any`: the schema contains nothing but itself");
            } else if let Some(format) = view.text("format") {
                node.loss(format!("becomes `any`: `format: {}` without `type` has no type", format.escape_debug()));
            }
            Form::any()
        }
        Some(_) if view.nullable => Form::null(),
        Some(_) => {
            node.whole_loss("becomes `any`: its parts allow no common type");
            Form::any()
        }
    }
}

/// Returns whether a schema consists of other schemas. One of those that a schema consists of does not, unless they
/// lead to each other.
fn is_composed<'d>(root: &Node<'d>, node: &Node<'d>) -> bool {
    let is_list = |key: &&str| matches!(node.value.get(key), Some(Value::List(items)) if !items.is_empty());
    ["allOf", "anyOf", "oneOf"].iter().any(is_list) || node.has("$ref") && node.target(root).is_some()
}

/// Converts a list, with the type of its elements.
fn list<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
) -> Form<'d> {
    if view.items.is_empty() && view.closed_at.is_none() {
        node.note("the elements can have any type: `items` is missing");
    }
    let element = form(importer, &view.items, &place.inner("Item"), depth + 1);
    collection(element, Collection::List, node)
}

/// Returns the form of a list or a map of these elements.
fn collection<'d>(mut element: Form<'d>, kind: Collection, node: &Node<'d>) -> Form<'d> {
    // Elements have no key for constants, but patterns and bounds.
    enums::constant_as_pattern(&mut element, node);
    if element.is("file") && kind == Collection::Map || element.collection.is_some() && uploads::is_file(&element.ty) {
        node.loss("the files become `string`: a part of a form is a file or a list of files");
        element.ty = uploads::replace_files(element.ty);
    }
    uploads::remove_null(&mut element, node);
    if let Some(default) = element.first("default").and_then(|node| node.get("default")) {
        default.whole_note("left out: elements of lists and maps have no default");
    }
    let keys = element.keys.of_collection();
    let held = match element.ty {
        // `any` includes null.
        TypeExpr::Name(name) if element.nullable && name.text != "any" => TypeExpr::Nullable(name),
        other => {
            if element.nullable && other.name() != Some("any") {
                node.loss("null is left out: nested lists and maps cannot be null");
            }
            other
        }
    };
    let ty = match kind {
        Collection::List => TypeExpr::list_of(held),
        Collection::Map => TypeExpr::map_of(held),
    };
    if ty.is_too_deep() {
        node.whole_loss(TOO_DEEP);
        return Form::any();
    }
    // The description of an object or an enum is part of its definition.
    let is_named = matches!(element.inner, ValueKind::Other | ValueKind::Union | ValueKind::Values(_));
    let element_doc = element.doc.filter(|_| !is_named);
    Form { ty, inner: element.inner, collection: Some(kind), keys, element_doc, ..Form::any() }
}

/// Converts an object, with or without known fields.
fn object<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
) -> Form<'d> {
    if !view.properties.is_empty() || !view.required_keys().is_empty() {
        let name = importer.lowering.type_name(&place.name);
        let place = DefinitionPath { name: name.clone(), ..place.clone() };
        // It can contain itself; the name of a union is not known yet.
        if let Some(key) = importer.writing.last().map(|(key, _)| key).filter(|_| !view.is_variant) {
            importer.known.insert(key.clone(), Form::named(&name));
        }
        let (files, depth) = (std::mem::take(&mut importer.files), importer.depth + importer.writing.len());
        importer.inline.push(Inline { view: view.clone(), place, files, depth });
        return Form::named(&name);
    }
    match &view.additional {
        AdditionalMembers::Typed(nodes) => {
            let value = form(importer, nodes, &place.inner("Value"), depth + 1);
            let mut map = collection(value, Collection::Map, node);
            map.keys.keys = keys::of_map(importer, view).filter(|_| map.collection.is_some());
            map
        }
        AdditionalMembers::Unspecified | AdditionalMembers::Open if !view.key_schemas.is_empty() => {
            let mut map = collection(Form::any(), Collection::Map, node);
            map.keys.keys = keys::of_map(importer, view);
            map
        }
        _ => {
            for name in &view.required {
                node.loss(format!("`required: {}` is left out: unknown field", name.escape_debug()));
            }
            Form::plain("object", ValueKind::Json)
        }
    }
}

/// Returns whether a value is a reference or an inline object schema.
pub fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}
