//! Random fields of resources.

use crate::schema::Schema;

/// A field of a resource.
pub struct Field {
    pub name: String,
    /// Keys of the field.
    pub body: String,
    /// Whether conditions can name the field and test its presence.
    pub is_plain_name: bool,
    /// Whether the field is an enum of strings, neither a list nor a map, which can have states.
    pub states: bool,
}

/// Names that emitted code uses itself, keywords, and names that are invalid in Rust.
const NAMES: &[&str] = &[
    "value",
    "this",
    "at",
    "checker",
    "self",
    "type",
    "map",
    "index",
    "key",
    "id",
    "etag",
    "name",
    "item-count",
    "'@id'",
    "inner",
    "parts",
    "body",
    "fields",
    "default",
    "Upper",
    "x1",
];

const SCALARS: &[&str] = &[
    "string",
    "string",
    "string",
    "bool",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "float",
    "double",
    "number",
    "bytes",
    "date",
    "datetime",
    "duration",
    "any",
    "object",
    "decimal",
    "iso_duration",
    "time",
    "http_date",
    "unix_time",
];

/// Type of a field, without a list or map around it.
enum Base {
    Scalar(&'static str),
    Enum(usize),
    Resource(usize),
    Union(usize),
}

/// Writes the fields of the resource with an index.
pub fn all(schema: &mut Schema, index: usize) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for at in 0..1 + schema.random.below(5) {
        let special = NAMES[schema.random.below(NAMES.len())];
        // `id` and `@id` are one name in Rust.
        let plain = |name: &str| name.trim_matches(['\'', '@']).to_owned();
        let taken = |name: &str| fields.iter().any(|field| plain(&field.name) == plain(name));
        let name =
            if schema.random.below(3) == 0 && !taken(special) { special.to_owned() } else { format!("member{at}") };
        let field = field(schema, index, name, &fields);
        fields.push(field);
    }
    fields
}

/// Returns a type, or a list or a map of it.
fn list_or_map(schema: &mut Schema, inner: String) -> String {
    let shape = schema.random.below(10);
    match shape {
        0 => format!("[{inner}]"),
        1 => format!("{{ string: {inner} }}"),
        2 if schema.sometimes() => format!("[[{inner}]]"),
        3 if schema.sometimes() => format!("{{ string: [{inner}] }}"),
        4 if schema.sometimes() && inner != "any" => format!("['{inner}?']"),
        5 if schema.sometimes() && inner != "any" => format!("{{ string: '{inner}?' }}"),
        _ => inner,
    }
}

fn field(schema: &mut Schema, index: usize, name: String, earlier: &[Field]) -> Field {
    let base = base(schema, index);
    let inner = match &base {
        Base::Scalar(scalar) => (*scalar).to_owned(),
        Base::Enum(at) => schema.enums[*at].name.clone(),
        Base::Resource(at) => schema.resources[*at].clone(),
        Base::Union(at) => schema.unions[*at].clone(),
    };
    let ty = list_or_map(schema, inner);
    let is_one = !ty.starts_with(['[', '{']);
    let is_text = ty == "string";
    let mut keys = vec![format!("type: {ty}"), "doc: A member.".to_owned()];
    let constrained = constraints(schema, &base, &mut keys);
    if !is_one {
        keys.extend(schema.some(&["items: ..=5", "presence: explicit"]).into_iter().map(str::to_owned));
        keys.extend((ty.starts_with('[') && schema.sometimes()).then(|| "unique: true".to_owned()));
        let of_keys = ty.starts_with('{') && schema.sometimes();
        keys.extend(of_keys.then(|| "keys: { pattern: '[a-z]+', length: ..=9 }".to_owned()));
        let is_nested = ty.starts_with("[[") || ty.starts_with("{ string: [");
        keys.extend((is_nested && schema.sometimes()).then(|| "elements: { items: 1..=4, unique: true }".to_owned()));
    }
    let can_be_absent = behavior(schema, is_one, &mut keys);
    keys.extend(can_be_absent.then(|| defaults(schema, &base, is_one, constrained)).flatten());
    if schema.sometimes() {
        let replacement = earlier.first().map_or("true".to_owned(), |first| format!("{{ use: {} }}", first.name));
        keys.push(format!("deprecated: {replacement}"));
    }
    if schema.sometimes() {
        keys.push(format!("aliases: [alias-{}]", earlier.len()));
    }
    if can_be_absent && schema.sometimes() {
        keys.push("effective_when: 'params.flag'".to_owned());
    }
    let is_constrained = constrained && is_one && has_constraint(&keys);
    if let Some(write) = schema.writes.first().filter(|_| is_constrained).cloned()
        && schema.sometimes()
    {
        keys.push(format!("constrained: {{ in: [{write}] }}"));
    }
    if is_text && can_be_absent && !constrained && schema.sometimes() && keys.len() == 2 {
        keys.push("fill: uuid".to_owned());
    }
    if !matches!(base, Base::Resource(_)) && !keys.iter().any(|key| key.starts_with("const: ")) && schema.sometimes() {
        keys.push("sensitive: true".to_owned());
    }
    // Conditions cannot read unions, or lists and maps of nullable values.
    let is_opaque = matches!(base, Base::Union(_) | Base::Scalar("decimal" | "iso_duration" | "time" | "http_date"));
    let is_readable = !is_opaque && !keys[0].contains('?');
    let is_plain_name = can_be_absent && is_readable && name.starts_with("member");
    let has_wire_name = name.starts_with("member") && schema.sometimes();
    keys.extend(has_wire_name.then(|| format!("wire_name: $member-{}", earlier.len())));
    let is_plain_name = is_plain_name && !has_wire_name;
    keys.extend(xml(schema, &base, &keys, earlier.len()));
    let states = is_one && !has_wire_name && matches!(base, Base::Enum(at) if !schema.enums[at].is_number);
    Field { name, body: keys.join(", "), is_plain_name, states }
}

fn has_constraint(keys: &[String]) -> bool {
    let constraints = ["length:", "pattern:", "format:", "min:", "max:", "multiple_of:"];
    keys.iter().any(|key| constraints.iter().any(|start| key.starts_with(start)))
}

/// Returns the XML representation of a field, or none; the first of the keys is its type.
fn xml(schema: &mut Schema, base: &Base, keys: &[String], at: usize) -> Option<String> {
    let has = |key: &str| keys.iter().any(|known| known == key);
    let ty = keys[0].trim_start_matches("type: ");
    let is_text = !matches!(base, Base::Resource(_) | Base::Union(_) | Base::Scalar("any" | "object"));
    let is_text = is_text && !has("nullable: true");
    // A list that distinguishes empty from absent needs a wrapper element.
    let needs_wrapper = ty.starts_with('[') && has("presence: explicit");
    if !needs_wrapper && !schema.sometimes() {
        return None;
    }
    Some(match ty.as_bytes().first() {
        Some(b'[') => schema.of(&["xml: { wrapped: true }", "xml: { wrapped: true, items: one }"]).to_owned(),
        Some(byte) if *byte != b'{' && is_text && schema.sometimes() => "xml: { attribute: true }".to_owned(),
        _ => format!("xml: {{ name: other{at}, prefix: p, namespace: 'https://example.com/p' }}"),
    })
}

fn base(schema: &mut Schema, index: usize) -> Base {
    let of = |schema: &mut Schema, count: usize| schema.random.below(count);
    match schema.random.below(10) {
        0 | 1 if !schema.enums.is_empty() => Base::Enum(of(schema, schema.enums.len())),
        2 => Base::Resource(of(schema, schema.resources.len())),
        // Recursion can leave parameters that are used only in the recursive call.
        3 => Base::Resource(index),
        4 if !schema.unions.is_empty() && schema.random.below(2) == 0 => Base::Union(of(schema, schema.unions.len())),
        _ => Base::Scalar(SCALARS[schema.random.below(SCALARS.len())]),
    }
}

const FORMATS: &[&str] = &[
    "email",
    "uri",
    "time_zone",
    "recurrence",
    "media_type",
    "etag",
    "page_token",
    "sync_token",
    "hostname",
    "ip",
    "uuid",
    "html",
    "field_mask",
    "uri, schemes: [https]",
];

/// Adds constraints of a type, and returns whether it added any.
fn constraints(schema: &mut Schema, base: &Base, keys: &mut Vec<String>) -> bool {
    let before = keys.len();
    let Base::Scalar(scalar) = base else { return false };
    let encoding = schema.of(&["encoding: base64", "encoding: base64url_unpadded", "encoding: base64_unpadded"]);
    let possible: &[&str] = match *scalar {
        "string" => &["length: 1..=9", "pattern: '[a-z]*'", "known_values: { special: A special value. }"],
        "bytes" => &["length: ..=9", encoding],
        "decimal" => &["min: 0.10", "max: { exclusive: '90' }", "length: ..=9"],
        "iso_duration" => &["pattern: 'P.*'"],
        "unix_time" => &["min: 1", "max: 90", "encoding: milliseconds"],
        "int32" | "uint32" => &["min: 1", "max: 90", "multiple_of: 5"],
        "int64" | "uint64" => &["min: 1", "max: 90", "encoding: decimal_string"],
        "number" => &["min: 0.10", "max: { exclusive: 90.5 }", "multiple_of: 0.01"],
        "float" | "double" => {
            &[schema.of(&["min: 0.5", "min: { exclusive: 0.25 }"]), schema.of(&["max: 90", "max: { exclusive: 91 }"])]
        }
        _ => &[],
    };
    keys.extend(schema.some(possible).into_iter().map(str::to_owned));
    if *scalar == "string" && keys.len() == before && schema.sometimes() {
        let format = FORMATS[schema.random.below(FORMATS.len())];
        keys.push(format!("format: {format}"));
    }
    keys.len() > before
}

/// Adds the behavior of a field, and returns whether the field can be absent.
fn behavior(schema: &mut Schema, is_one: bool, keys: &mut Vec<String>) -> bool {
    if schema.random.below(100) >= 2 * schema.density {
        return true;
    }
    let write = schema.writes.first().cloned();
    let (key, can_be_absent) = match (schema.random.below(11), write) {
        (0, _) => ("behavior: [output_only]".to_owned(), true),
        (1, _) => ("behavior: [{ output_only: { refuse: true } }]".to_owned(), true),
        (2, _) => ("behavior: [input_only]".to_owned(), true),
        (3, _) => ("behavior: [immutable]".to_owned(), true),
        (4, _) => ("required: true".to_owned(), false),
        (5, Some(write)) => (format!("required: {{ in: [{write}] }}"), false),
        (6, Some(write)) => (format!("behavior: [{{ output_only: {{ except: [{write}] }} }}]"), true),
        (7, _) => ("behavior: [{ immutable: { ignore: true } }]".to_owned(), true),
        (8, _) => ("behavior: [identifier]".to_owned(), true),
        (9, Some(write)) => (format!("ignored: {{ in: [{write}] }}"), true),
        (_, _) if is_one => ("nullable: true".to_owned(), false),
        _ => ("presence: implicit".to_owned(), true),
    };
    if key.starts_with("presence") && keys.iter().any(|key| key.starts_with("presence")) {
        return true;
    }
    keys.push(key);
    can_be_absent
}

/// Returns the default or the constant of a field.
fn defaults(schema: &mut Schema, base: &Base, is_one: bool, constrained: bool) -> Option<String> {
    if constrained || !is_one || !schema.sometimes() {
        return None;
    }
    let value = match base {
        Base::Scalar("string") => "word",
        Base::Scalar("bool") => "true",
        Base::Scalar("int32" | "uint32" | "int64" | "uint64") => "7",
        Base::Scalar("double" | "float" | "number" | "decimal") => "0.5",
        Base::Scalar("iso_duration") => "P1D",
        Base::Scalar("unix_time") => "7",
        Base::Enum(at) => return Some(format!("default: {}", schema.enums[*at].values[0])),
        Base::Scalar("date") => return Some("default: 2026-02-28".to_owned()),
        Base::Scalar("datetime") => return Some("default: '2026-02-28T09:30:00.5+01:00'".to_owned()),
        Base::Scalar("duration") => return Some("default: -1.5s".to_owned()),
        Base::Scalar("time") => return Some("default: '09:30:00'".to_owned()),
        Base::Scalar("http_date") => return Some("default: 'Sun, 06 Nov 1994 08:49:37 GMT'".to_owned()),
        Base::Scalar("bytes") => return Some("default: YWI=".to_owned()),
        Base::Scalar("any" | "object") => return Some("default: { a: [1, x, null] }".to_owned()),
        _ => return None,
    };
    let key = schema.of(&["default", "default", "const", "example"]);
    Some(format!("{key}: {value}"))
}
