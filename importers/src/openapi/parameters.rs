//! Parameters of paths, queries, headers and cookies.

mod lists;
mod spread;
mod style;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::resolve::{is_reserved_request_header, is_token};
use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::operation::Conditional;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::{Style, Value as Written};

use super::form::Form;
use super::importer::Importer;
use super::paths::{FoundOperation, Path};
use super::resources;
use super::{enums, members, reimport};
use crate::lowering::{DefinitionPath, Member, deprecated, flag, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value_kind::ValueKind;
use style::{Shape, structured, style};

/// Known keys of a parameter, besides its schema; others are reported.
const KEYS: [&str; 12] = [
    "allowEmptyValue",
    "allowReserved",
    "content",
    "deprecated",
    "description",
    "example",
    "examples",
    "explode",
    "in",
    "name",
    "required",
    "style",
];

/// Parameters of an operation by location.
#[derive(Default)]
pub struct Parameters {
    pub path: Named<Parameter>,
    pub query: Named<Parameter>,
    pub headers: Named<Parameter>,
    pub cookies: Named<Parameter>,
    pub conditional: Vec<Conditional>,
}

/// Prefix of the names of the parameters that every operation takes.
const STANDARD: &str = "standard.";

/// Returns the parameters of the operation, and those of its path item that it does not override.
fn effective_parameters<'d>(root: &Node<'d>, found: &FoundOperation<'d>) -> Vec<Node<'d>> {
    let mut all: Vec<Node<'d>> = Vec::new();
    let places = [found.node.get("parameters"), found.node.get("x-wireform-path-parameters")];
    let is_of_item = |at: &str| places.iter().flatten().all(|list| !at.starts_with(&list.at));
    let standard = |node: &Node<'_>| {
        node.value.reference().and_then(|to| to.component("parameters")).is_some_and(|name| name.starts_with(STANDARD))
    };
    let replaced = found.node.list("x-wireform-path-parameters");
    let of_path = |node: &Node<'_>| !replaced.is_empty() && node.text_if("in") == Some("path");
    let written = found.node.list("parameters").into_iter().filter(|node| !standard(node) && !of_path(node));
    for written in replaced.clone().into_iter().chain(written).chain(found.item.list("parameters")) {
        let Some(node) = written.resolved(root) else { continue };
        let key = |node: &Node<'d>| {
            let (name, location) = (node.text_if("name").unwrap_or_default(), node.text_if("in"));
            // Names of headers are case-insensitive (RFC 9110, section 5.1).
            (if location == Some("header") { name.to_ascii_lowercase() } else { name.to_owned() }, location)
        };
        let same = |other: &Node<'d>| key(other) == key(&node);
        if !all.iter().any(same) {
            all.push(node);
        } else if is_of_item(&written.at) {
            // The operation overrides it.
            written.mark_used();
        } else {
            written.whole_loss("left out: another parameter has the same name and location");
        }
    }
    // Path parameters are named first.
    all.sort_by_key(|node| node.text_if("in") != Some("path"));
    all
}

/// Converts the parameters of an operation.
pub fn write<'d>(
    importer: &mut Importer<'d>,
    found: &FoundOperation<'d>,
    path: &Path,
    place: &DefinitionPath,
) -> Parameters {
    let mut taken = NameScope::with(&["body"]);
    let mut all = Parameters { query: constants(path, &mut taken), ..Parameters::default() };
    let nodes = effective_parameters(&importer.root, found);
    let mut query = spread::Names::of(&nodes);
    for node in nodes {
        let (Some(wire), Some(location)) = (node.text("name"), node.text("in")) else {
            node.whole_loss("left out: a parameter requires `name` and `in`");
            continue;
        };
        node.report_unknown(&KEYS.iter().copied().chain(["schema"]).collect::<Vec<_>>());
        if location == "header" && is_token(wire) && is_protocol_header(&node, found, wire, &mut all) {
            continue;
        }
        let Some((mut key, side)) = all.locate_parameter(&node, (wire, location), path) else { continue };
        importer.lowering.counts.parameters += 1;
        importer.lowering.counts.required_parameters += usize::from(node.flag("required"));
        if let Some(own) = node.text_if("x-wireform-key").filter(|_| importer.is_generated) {
            key = own.to_owned();
        }
        let name = taken.explicit_name(&key, Casing::Member, "parameter", names::parameter);
        if let Some(name) = name.as_deref().filter(|_| !importer.is_generated) {
            node.note(names::rename_note(name));
        }
        let mut own = parameter(importer, &node, &place.part(wire), name, location);
        if importer.is_generated {
            own.wire_name = text((key != wire).then_some(wire));
        } else {
            query.check(importer, &node, &mut own);
        }
        side.insert(key, own);
    }
    add_undeclared(found, path, &mut taken, &mut all);
    all
}

/// Returns the constant parameters in the query of a path.
fn constants(path: &Path, taken: &mut NameScope) -> Named<Parameter> {
    let mut all = Named::default();
    for (key, value) in &path.constants {
        let parameter = Parameter {
            ty: TypeExpr::named("string"),
            name: text(taken.explicit_name(key, Casing::Member, "parameter", names::parameter)),
            required: flag(true),
            constant: Some(crate::value::Value::Text(value.clone()).to_raw()),
            ..Parameter::default()
        };
        all.insert(key.as_str(), parameter);
    }
    all
}

impl Parameters {
    /// Returns the location of a parameter and its name there; `None` if it is unsupported.
    fn locate_parameter(
        &mut self,
        node: &Node<'_>,
        (wire, location): (&str, &str),
        path: &Path,
    ) -> Option<(String, &mut Named<Parameter>)> {
        let lost = match location {
            "path" => match path.variables.iter().find(|(name, _)| name == wire) {
                Some((_, own)) => return Some((own.clone(), &mut self.path)),
                None => "left out: it does not occur in the path".to_owned(),
            },
            "query" if path.constants.iter().any(|(name, _)| name == wire) => {
                node.whole_note("left out: its value is part of the path");
                return None;
            }
            "query" => return Some((wire.to_owned(), &mut self.query)),
            "header" | "cookie" if !is_token(wire) => "left out: invalid header or cookie name".to_owned(),
            "header" => return Some((wire.to_owned(), &mut self.headers)),
            "cookie" => return Some((wire.to_owned(), &mut self.cookies)),
            other => format!("left out: a parameter cannot be in `{}`", other.escape_debug()),
        };
        node.whole_loss(lost);
        None
    }
}

/// Returns whether a header is not specific to the operation: it is a precondition, or is set by the protocol.
fn is_protocol_header(node: &Node<'_>, found: &FoundOperation<'_>, wire: &str, all: &mut Parameters) -> bool {
    let Some(condition) = condition(wire) else {
        let is_of_the_protocol = is_reserved_request_header(wire);
        if is_of_the_protocol {
            node.whole_note("left out: the header is controlled by the protocol");
        }
        return is_of_the_protocol;
    };
    node.mark_used();
    if condition == Conditional::IfMatch && matches!(found.method.as_str(), "GET" | "HEAD" | "OPTIONS") {
        node.whole_loss("left out: `if_match` applies only to operations that write");
    } else {
        all.conditional.push(condition);
    }
    true
}

/// Returns the precondition of a header (RFC 9110, section 13.1).
fn condition(wire: &str) -> Option<Conditional> {
    match wire.to_ascii_lowercase().as_str() {
        "if-match" => Some(Conditional::IfMatch),
        "if-none-match" => Some(Conditional::IfNoneMatch),
        _ => None,
    }
}

/// Adds a parameter of type `string` for each path variable without a declared parameter, with a note.
fn add_undeclared(found: &FoundOperation<'_>, path: &Path, taken: &mut NameScope, all: &mut Parameters) {
    for (name, variable) in &path.variables {
        if all.path.get(variable).is_some() {
            continue;
        }
        let name = name.escape_debug();
        found.node.note(format!("the path variable `{name}` becomes `string`: no parameter declares it"));
        let name = text(taken.explicit_name(variable, Casing::Member, "parameter", names::parameter));
        let parameter = Parameter { ty: TypeExpr::named("string"), name, ..Parameter::default() };
        all.path.insert(variable, parameter);
    }
}

/// Returns whether a constant parameter is sent automatically, because it is required. The caller decides about
/// optional ones.
fn is_constant(importer: &Importer<'_>, node: &Node<'_>, form: &Form<'_>, location: &str) -> bool {
    let plain =
        form.collection.is_none() && matches!(form.inner, ValueKind::Text | ValueKind::Bool | ValueKind::Whole(..));
    let held = match form.keys.constant.as_ref().map(|only| &only.0.value) {
        // Characters allowed in both headers and cookies (RFC 6265, section 4.1.1).
        Some(Written::Scalar(text, Style::Text)) => {
            location == "query" || text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte))
        }
        _ => true,
    };
    // The header of a response has no location.
    let is_in_request = node.has("in") && location != "path";
    importer.is_generated || is_in_request && node.flag("required") && plain && held
}

/// Returns the type `string` for a parameter without a schema; its `content`, if any, is a loss.
fn without_schema<'d>(node: &Node<'d>) -> Form<'d> {
    if let Some(content) = node.get("content") {
        content.whole_loss("becomes `string`: parameters of this media type are not supported");
    }
    Form::plain("string", ValueKind::Text)
}

/// Converts a parameter, with `name:` if needed.
pub fn parameter<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    name: Option<String>,
    location: &str,
) -> Parameter {
    // The style is examined where the type is known.
    let _ = (node.text("style"), node.optional_flag("explode"));
    let json = node.get("content").and_then(|content| content.get("application/json")?.get("schema"));
    let (schema, single) = node.get("schema").map(|schema| lists::or_list(importer, schema)).unzip();
    let schema = schema.or_else(|| json.clone());
    let mut form = match &schema {
        Some(schema) => resources::form(importer, std::slice::from_ref(schema), place),
        None => without_schema(node),
    };
    let shape = schema.map(|schema| Shape::of(importer, &schema));
    if !is_constant(importer, node, &form, location) {
        enums::constant_as_pattern(&mut form, node);
    }
    // Parameters and their elements are never null.
    if let TypeExpr::List(held, _) = &mut form.ty
        && let TypeExpr::Nullable(name) = &**held
    {
        **held = TypeExpr::Name(name.clone());
    }
    let style = match structured(node, &form, shape, location, json.is_some()) {
        Some(style) => Some(style),
        None => style(node, &mut form, shape, location),
    };
    if let Some(single) = single.flatten().filter(|_| form.collection.is_some()) {
        single.report();
    }
    if form.keys.multiple_of.take().is_some() {
        node.loss("`multipleOf` is left out: supported for fields only");
    }
    form.nodes.insert(0, node.clone());
    let doc = text(node.prose("description").or_else(|| members::doc(&form)));
    let mut member = Member { ty: form.ty.clone(), doc, name: text(name), ..Member::default() };
    let required = flag(location != "path" && node.flag("required"));
    members::add_keys(&mut importer.lowering, &form, &mut member);
    let is_empty = member.default.as_ref().is_some_and(|default| default.0.value == Written::List(Vec::new()));
    if let (true, Some(default)) = (is_empty, form.first("default").and_then(|node| node.get("default"))) {
        member.default = None;
        default.whole_note("left out: an absent list is equivalent to an empty one");
    }
    member.deprecated = deprecated(form.flag("deprecated"));
    for key in ["allowEmptyValue", "allowReserved"] {
        if node.flag(key) {
            node.note(format!(
                "`{key}` is left out: values are always percent-encoded, and valid empty values are accepted"
            ));
        }
    }
    let parameter = if importer.is_generated { reimport::parameter(node, member) } else { member.into_parameter() };
    Parameter { required, style: style.map(Into::into), ..parameter }
}
