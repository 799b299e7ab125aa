//! Positions of a schema that can have a hostile string, each in a schema of its own.

use wireform_codegen::Source;
use wireform_codegen::model::{Api, Literal};

use super::quoted;

/// Expected result for a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// The string is accepted, and the output has the same shape as for a harmless string.
    Text,
    /// Like `Text` if the string is valid here; otherwise it is rejected, with this reason.
    TextOrRefused(&'static str),
    /// The string is rejected with a location, or accepted unchanged.
    Name,
    /// The strings of a list have distinct names, or one of them is rejected.
    Names,
}

/// Slot: its name in the corpus, the expected result, and the schema, in which `@` is the quoted string and `%` the
/// plain string.
pub type Slot = (&'static str, Judge, &'static str);

/// Reason why a media type is rejected.
const MEDIA_TYPE: &str = "a media type is two tokens and parameters (RFC 9110, section 8.3.1)";
const ADDRESS: &str = "the address of a service begins with a scheme that a client can ask";
const TOKEN: &str = "the name of a header is a token (RFC 9110, section 5.6.2); no other name can be sent";

/// All slots of the corpus. Slots that the language does not have are mapped to the nearest one: the wire identifier of
/// an operation is its name, and an error is named by its type.
pub const SLOTS: &[Slot] = &[
    ("api_name", Judge::Name, "api: @"),
    ("crate_name", Judge::Name, "api: @"),
    ("title", Judge::Text, "api: hostile\ntitle: @"),
    ("server_url", Judge::TextOrRefused(ADDRESS), "api: hostile\nroot: @"),
    ("scope", Judge::Text, "api: hostile\nscopes: { @: A scope. }"),
    (
        "type_name",
        Judge::Name,
        "api: hostile\nresources: { @: { doc: An item., external: true, fields: { id: { type: string, doc: A name. } } } }",
    ),
    (
        "error_name",
        Judge::Name,
        "api: hostile\nerrors: { body: @ }\nresources: { @: { doc: An error., fields: { id: { type: string, doc: A name. } } } }",
    ),
    (
        "enum_variant_name",
        Judge::Name,
        "api: hostile\nenums: { Kind: { doc: A kind., external: true, values: { first: The first., @: A value. } } }",
    ),
    (
        "enum_value",
        Judge::Text,
        "api: hostile\nenums: { Kind: { doc: A kind., external: true, values: { first: The first., @: { doc: A value., name: Hostile } } } }",
    ),
    ("field_name", Judge::Name, "@: { type: string, doc: A text. }"),
    ("wire_name", Judge::Text, "text: { type: string, doc: A text., wire_name: @ }"),
    ("doc", Judge::Text, "text: { type: string, doc: @ }"),
    ("default", Judge::Text, "text: { type: string, doc: A text., default: @ }"),
    ("const", Judge::Text, "text: { type: string, doc: A text., const: @ }"),
    ("example", Judge::Text, "text: { type: string, doc: A text., example: @ }"),
    ("deprecated_reason", Judge::Text, "text: { type: string, doc: A text., deprecated: { doc: @ } }"),
    ("pattern", Judge::Name, "text: { type: string, doc: A text., pattern: @ }"),
    ("minLength", Judge::Name, "text:\n        type: string\n        doc: A text.\n        length: %.."),
    ("maxLength", Judge::Name, "text:\n        type: string\n        doc: A text.\n        length: ..=%"),
    ("maxItems", Judge::Name, "text:\n        type: [string]\n        doc: A text.\n        items: ..=%"),
    ("minimum", Judge::Name, "text:\n        type: double\n        doc: A number.\n        min: %"),
    ("maximum", Judge::Name, "text:\n        type: int64\n        doc: A number.\n        max: %"),
    ("multipleOf", Judge::Name, "text:\n        type: uint64\n        doc: A number.\n        multiple_of: %"),
    ("operation_name", Judge::Name, "@: { doc: Reads., http: GET /items }"),
    ("operation_id_wire", Judge::Name, "@: { doc: Reads., http: GET /items }"),
    (
        "param_name",
        Judge::Name,
        "items.list: { doc: Reads., http: GET /items, query: { @: { type: string, doc: A text. } } }",
    ),
    (
        "query_name",
        Judge::Text,
        "items.list: { doc: Reads., http: GET /items, query: { text: { type: string, doc: A text., wire_name: @ } } }",
    ),
    (
        "header_name",
        Judge::TextOrRefused(TOKEN),
        "items.list: { doc: Reads., http: GET /items, headers: { text: { type: string, doc: A text., wire_name: @ } } }",
    ),
    (
        "media_type",
        Judge::TextOrRefused(MEDIA_TYPE),
        "items.add: { doc: Adds., http: POST /items, body: { type: string, content_types: [@] } }",
    ),
    ("path_template", Judge::Name, "items.list: { doc: Reads., http: @ }"),
    ("module_name", Judge::Name, ""),
    ("module_path", Judge::Name, ""),
    ("output_file_name", Judge::Name, ""),
    ("field_name_set", Judge::Names, "@: { type: string, doc: A text. }"),
    ("param_name_set", Judge::Names, "@: { type: string, doc: A text. }"),
    ("enum_variant_set", Judge::Names, "@: A value."),
];

const ITEM: &str = "api: hostile\nresources:\n  Item:\n    doc: An item.\n    external: true\n    fields:\n      id: { type: string, doc: A name. }\n";
const KIND: &str = "api: hostile\nenums:\n  Kind:\n    doc: A kind.\n    external: true\n    values:\n";
const LIST: &str = "api: hostile\noperations:\n  items.list:\n    doc: Reads.\n    http: GET /items\n    query:\n";

/// Returns the schema with a string in a slot.
pub fn schema(slot: &Slot, value: &str) -> Vec<Source> {
    let (name, judge, template) = *slot;
    let fill = |value: &str| {
        if template.contains('@') { template.replace('@', &quoted(value)) } else { template.replace('%', value) }
    };
    let text = match name {
        "module_name" | "module_path" | "output_file_name" => return named_file(name, value),
        "path_template" => fill(&format!("GET {value}")),
        _ if judge == Judge::Names => {
            let members: Vec<String> = serde_json::from_str(value).expect("a list of strings");
            return vec![Source::new("api.yaml", set(name, members.iter().map(|member| fill(member))))];
        }
        _ => fill(value),
    };
    let whole = if template.starts_with("api:") {
        text
    } else if template.contains("http:") {
        format!("api: hostile\noperations:\n  {text}")
    } else {
        format!("{ITEM}      {text}")
    };
    vec![Source::new("api.yaml", whole + "\n")]
}

fn set(name: &str, members: impl Iterator<Item = String>) -> String {
    let head = match name {
        "enum_variant_set" => KIND,
        "param_name_set" => LIST,
        _ => ITEM,
    };
    members.fold(head.to_owned(), |text, member| format!("{text}      {member}\n"))
}

/// Returns a schema with the string as a file name, from which the name of a module is derived.
fn named_file(name: &str, value: &str) -> Vec<Source> {
    let path = if name == "module_name" { format!("{value}.yaml") } else { value.to_owned() };
    let other = Source::new("other.yaml", ITEM.replace("api: hostile\n", "").replace("Item", "Other"));
    vec![Source::new(path, ITEM), other]
}

/// Returns the string in the model, if it is used on the wire.
pub fn on_the_wire(slot: &str, api: &Api) -> Option<String> {
    let field = || api.resources.first().and_then(|resource| resource.fields.get(1));
    let parameter = || api.operations.first().and_then(|operation| operation.parameters.first());
    let text = |literal: &Literal| if let Literal::Text(text) = literal { Some(text.clone()) } else { None };
    match slot {
        "field_name" | "wire_name" => field().map(|field| field.name.wire.clone()),
        "default" => field()?.default.as_ref().and_then(text),
        "const" => field()?.constraints.constant.as_ref().and_then(text),
        "example" => field()?.example.as_ref().and_then(text),
        "pattern" => field()?.constraints.pattern.clone(),
        "enum_value" | "enum_variant_name" => api.enums.first()?.values.get(1).map(|value| value.name.wire.clone()),
        "param_name" | "query_name" | "header_name" => parameter().map(|parameter| parameter.name.wire.clone()),
        "media_type" => api.operations.first()?.body.as_ref()?.content_types.first().cloned(),
        "scope" => api.scopes.first().map(|scope| scope.name.clone()),
        "server_url" => api.root.clone(),
        "type_name" | "error_name" => api.resources.first().map(|resource| resource.name.wire.clone()),
        "operation_name" | "operation_id_wire" => api.operations.first().map(|operation| operation.name.clone()),
        "api_name" | "crate_name" => Some(api.name.clone()),
        _ => None,
    }
}

/// Returns the Rust names of a list of strings.
pub fn idents(slot: &str, api: &Api) -> Vec<String> {
    match slot {
        "enum_variant_set" => {
            api.enums.iter().flat_map(|one| &one.values).map(|value| value.name.ident.clone()).collect()
        }
        "param_name_set" => {
            api.operations.iter().flat_map(|one| &one.parameters).map(|one| one.name.ident.clone()).collect()
        }
        _ => api.resources.iter().flat_map(|one| &one.fields).map(|field| field.name.ident.clone()).collect(),
    }
}
