//! Conversion of schemas to types.

use wireform_codegen::schema::Union;
use wireform_codegen::schema::field::{Encoding, Format};
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::union::{Variant, VariantDef};

use super::enums;
pub use super::form::Form;
use super::importer::{Importer, Inline, Target};
use crate::lowering::{DefinitionPath, text};
use crate::nesting_limits::{MAX_DEPTH, MAX_OPEN, TOO_DEEP};
use crate::node::Node;
use crate::value::Value as Json;
use crate::value_kind::ValueKind;

/// Keys of a schema that determine its values.
pub const TYPE_KEYS: [&str; 9] = [
    "$ref",
    "additionalProperties",
    "enum",
    "enumDeprecated",
    "enumDescriptions",
    "format",
    "items",
    "properties",
    "type",
];

/// Returns the type of a schema; its objects and enums become definitions named after the place.
pub fn form<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, depth: usize) -> Form {
    if depth > MAX_DEPTH {
        node.whole_loss(TOO_DEEP);
        return Form::any();
    }
    if let Some(name) = node.text("$ref") {
        report_other_keys(node, "a reference", &["$ref"]);
        return reference(importer, node, name);
    }
    match node.text("type") {
        Some("array") => list(importer, node, place, depth),
        Some("object") => object(importer, node, place, depth),
        None if node.has("properties") => object(importer, node, place, depth),
        Some("string") if node.has("enum") => {
            if let Some(format) = node.text("format") {
                node.note(format!("the format `{}` is left out: enums have no format", format.escape_debug()));
            }
            listed(importer, node, place, Form::plain("string", ValueKind::Text))
        }
        ty => {
            let form = scalar(node, ty);
            if !node.has("enum") {
                report_other_keys(node, "a single value", &["type", "format"]);
                return form;
            }
            if ty == Some("integer") {
                return listed(importer, node, place, form);
            }
            node.loss("the list of values is left out: supported for strings and integers only");
            form
        }
    }
}

/// Returns the enum of a schema that lists its values; the plain type if the list is empty.
fn listed<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, form: Form) -> Form {
    report_other_keys(node, "a list of values", &["type", "format", "enum", "enumDescriptions", "enumDeprecated"]);
    match enums::write(importer, node, place, &form) {
        Some((name, values)) => Form { inner: ValueKind::Values(values), ..Form::named(name) },
        None => form,
    }
}

/// Reports the keys of a schema that are not imported.
pub fn report_other_keys(node: &Node<'_>, what: &str, used: &[&str]) {
    for (key, value) in
        TYPE_KEYS.iter().filter_map(|key| Some((key, node.get(key)?))).filter(|(key, _)| !used.contains(key))
    {
        value.mark_used();
        node.loss(format!("`{key}` is left out: it has no effect next to {what}"));
    }
}

/// Converts a reference to another schema.
fn reference<'d>(importer: &mut Importer<'d>, node: &Node<'d>, name: &'d str) -> Form {
    match importer.targets.get(name).cloned() {
        Some(Target::Resource(name) | Target::Union(name)) => Form::named(name),
        Some(Target::Plain(Some(form))) => form,
        Some(Target::Plain(None)) => inline_schema(importer, node, name),
        None => {
            node.whole_loss(format!("becomes `any`: unknown schema `{}`", name.escape_debug()));
            Form::any()
        }
    }
}

/// Returns the type of an inlined schema, which is created at its first use.
fn inline_schema<'d>(importer: &mut Importer<'d>, node: &Node<'d>, name: &'d str) -> Form {
    if importer.open.len() >= MAX_OPEN {
        node.whole_loss(format!("becomes `any`: more than {MAX_OPEN} inlined schemas are nested"));
        return Form::any();
    }
    let Some(schema) = importer.schemas.get(name).cloned() else { return Form::any() };
    let type_name = crate::names::pascal(name);
    if importer.open.contains(&name) {
        let known = importer.recursive.get(name).cloned();
        let union = known.unwrap_or_else(|| importer.lowering.type_name(&type_name));
        importer.recursive.insert(name, union.clone());
        return Form::named(union);
    }
    importer.open.push(name);
    schema.report_unknown(&element_keys());
    let mut form = self::form(importer, &schema, &DefinitionPath::of_type(&type_name), 0);
    // Its definition has a name in the files, and carries the description itself.
    if !schema.has("enum") {
        form.doc = schema.prose("description").or(form.doc);
    }
    importer.open.pop();
    if let Some(union) = importer.recursive.get(name).cloned() {
        form = recursive(importer, &schema, union, form);
    }
    importer.targets.insert(name, Target::Plain(Some(form.clone())));
    form
}

/// Defines the union of a list or map that contains itself, since only a definition can, and returns its use.
fn recursive(importer: &mut Importer<'_>, schema: &Node<'_>, name: String, form: Form) -> Form {
    let (key, ty) = match &form.ty {
        TypeExpr::List(..) => ("list", form.ty.clone()),
        TypeExpr::Map(..) => ("map", form.ty.clone()),
        _ => {
            schema.whole_loss("becomes `any`: the schema contains nothing but itself");
            ("value", TypeExpr::named("any"))
        }
    };
    let variant = VariantDef { ty, encoding: form.encoding.map(Into::into), ..VariantDef::default() };
    let mut union = Union { doc: text(form.doc), ..Union::default() };
    union.variants.push(key, Variant(variant));
    importer.lowering.add(&DefinitionPath::of_type(&name), name.clone(), union);
    Form::named(name)
}

/// Converts a list, with the type of its elements.
fn list<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, depth: usize) -> Form {
    // Old documents describe the values of elements at the list.
    let lists = |items: &Node<'_>| {
        let kind = items.text_if("type");
        let is_enum = items.has("enum") && matches!(kind, Some("string" | "integer"));
        is_enum && !items.has("$ref") && !items.has("enumDescriptions")
    };
    if node.get("items").is_some_and(|items| lists(&items)) {
        report_other_keys(node, "a list", &["type", "items", "enumDescriptions"]);
        importer.of_values = node.list("enumDescriptions");
    } else {
        report_other_keys(node, "a list", &["type", "items"]);
    }
    let element = element(importer, node.child("items"), node, place, depth, "Item");
    collection(node, TypeExpr::list_of(element.ty.clone()), element)
}

/// Returns the type of an element of a list or a map, or of additional members.
pub fn element<'d>(
    importer: &mut Importer<'d>,
    element: Option<Node<'d>>,
    whole: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
    suffix: &str,
) -> Form {
    let Some(element) = element else {
        whole.loss("the elements become `any`: their type is not declared");
        return Form::any();
    };
    element.report_unknown(&element_keys());
    let place = if element.has("properties") {
        DefinitionPath { name: format!("{}{suffix}", place.name), ..place.clone() }
    } else {
        place.clone()
    };
    let form = form(importer, &element, &place, depth + 1);
    let doc = element.prose("description").filter(|text| {
        let is_generic = text.starts_with(ANY_MEMBER);
        if is_generic {
            element.note("`description` is left out: it applies to any object");
        }
        !is_generic
    });
    // An object or an enum carries its own description.
    let is_named = element.has("properties") || element.has("enum");
    let doc = form.combined_doc(doc).filter(|_| !is_named);
    Form { doc: None, element_doc: doc, ..form }
}

/// Prefix of the generic description of map values.
const ANY_MEMBER: &str = "Properties of the object.";

/// Returns the keys of a schema that is an element or inlined.
fn element_keys() -> Vec<&'static str> {
    TYPE_KEYS.iter().copied().chain(["description", "id"]).collect()
}

/// Converts an object, with or without known fields.
fn object<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, depth: usize) -> Form {
    if node.has("properties") {
        report_other_keys(node, "members", &["type", "properties", "additionalProperties"]);
        let name = importer.lowering.type_name(&place.name);
        let place = DefinitionPath { name: name.clone(), ..place.clone() };
        importer.inline.push(Inline { node: node.clone(), place });
        return Form::named(name);
    }
    report_other_keys(node, "an object", &["type", "format", "additionalProperties"]);
    match node.text("format") {
        None | Some("google.protobuf.Any" | "google.protobuf.Struct") => {}
        Some(format) => node.loss(format!("the format `{}` is left out: unknown format", format.escape_debug())),
    }
    let more = node.get("additionalProperties").filter(|more| !matches!(more.value, Json::Bool(_)));
    let Some(values) = more.and_then(|_| node.child("additionalProperties")) else {
        return Form::plain("object", ValueKind::Other);
    };
    let value = element(importer, Some(values), node, place, depth, "Value");
    collection(node, TypeExpr::map_of(value.ty.clone()), value)
}

/// Returns the form of a list or a map, unless it is nested too deeply.
fn collection(node: &Node<'_>, ty: TypeExpr, element: Form) -> Form {
    if ty.is_too_deep() {
        node.whole_loss(TOO_DEEP);
        return Form::any();
    }
    Form { ty, is_collection: true, ..element }
}

/// Converts the type and the format of a single value.
fn scalar(node: &Node<'_>, ty: Option<&str>) -> Form {
    let format = node.text("format");
    let whole = |name: &str| Form::plain(name, ValueKind::integer_of(name));
    let digits = |form: Form| Form { encoding: Some(Encoding::DecimalString), ..form };
    let (known, form) = match (ty, format) {
        (Some("string"), Some("byte")) => (true, Form::plain("bytes", ValueKind::Bytes)),
        (Some("string"), Some("date")) => (true, Form::plain("date", ValueKind::Date)),
        (Some("string"), Some("google-datetime" | "date-time")) => (true, Form::plain("datetime", ValueKind::DateTime)),
        (Some("string"), Some("google-duration")) => (true, Form::plain("duration", ValueKind::Scalar)),
        (Some("string"), Some("int64")) => (true, digits(whole("int64"))),
        (Some("string"), Some("uint64")) => (true, digits(whole("uint64"))),
        (Some("string"), Some("google-fieldmask")) => {
            (true, Form { format: Some(Format::FieldMask), ..Form::plain("string", ValueKind::Text) })
        }
        (Some("string"), format) => (format.is_none(), Form::plain("string", ValueKind::Text)),
        (Some("boolean"), format) => (format.is_none(), Form::plain("bool", ValueKind::Bool)),
        (Some("integer"), Some("uint32")) => (true, whole("uint32")),
        (Some("integer"), Some("int32")) => (true, whole("int32")),
        (Some("integer"), Some("uint64")) => (true, whole("uint64")),
        (Some("integer"), format) => (matches!(format, None | Some("int64")), whole("int64")),
        (Some("number"), Some("float")) => (true, Form::plain("float", ValueKind::Float)),
        (Some("number"), format) => (matches!(format, None | Some("double")), Form::plain("double", ValueKind::Float)),
        // Names of the messages that represent any value.
        (Some("any"), format) => (format.is_none_or(|format| format.starts_with("google.protobuf.")), Form::any()),
        (other, _) => {
            let shown =
                other.map_or_else(|| "missing type".to_owned(), |ty| format!("unknown type `{}`", ty.escape_debug()));
            node.whole_loss(format!("becomes `any`: {shown}"));
            (true, Form::any())
        }
    };
    if let (false, Some(format)) = (known, format) {
        node.loss(format!(
            "the format `{}` is left out: the schema language does not support it",
            format.escape_debug()
        ));
    }
    form
}
