//! Conversion of path templates to http lines, and of ids to names of operations.

mod naming;

use heck::ToSnakeCase as _;
use wireform_codegen::schema::http::HttpLine;

use super::document;
use super::servers::Layout;
use crate::lowering::http_line;
use crate::node::Node;

/// Methods of a path item.
pub const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Other keys of a path item.
const OTHER_KEYS: [&str; 5] = ["$ref", "description", "parameters", "servers", "summary"];

/// Operation of the document.
pub struct FoundOperation<'d> {
    /// Operation.
    pub node: Node<'d>,
    /// Path item that it is in.
    pub item: Node<'d>,
    /// Method in upper case.
    pub method: String,
    /// Path template.
    pub path: &'d str,
    /// Its name with its groups.
    pub name: String,
}

/// Returns the operations of a document with their names, in the order of the document.
pub fn all<'d>(root: &Node<'d>, servers: &Layout<'d>) -> Vec<FoundOperation<'d>> {
    let mut found = Vec::new();
    for (path, written) in root.entries("paths") {
        if path.starts_with("x-") {
            continue;
        }
        let Some(item) = written.resolved(root) else { continue };
        let known: Vec<&str> = METHODS.iter().chain(&OTHER_KEYS).copied().collect();
        item.report_unknown(&known);
        servers.report(&item);
        if METHODS.iter().all(|method| !item.has(method)) {
            // They do not apply to any operation.
            item.get("parameters").iter().for_each(|all| all.whole_note("left out: the path has no operations"));
        }
        for method in METHODS {
            if let Some(node) = item.get(method).and_then(|written| written.resolved(root)) {
                let (item, method) = (item.clone(), method.to_ascii_uppercase());
                found.push(FoundOperation { node, item, method, path, name: String::new() });
            }
        }
    }
    let is_own = document::is_own(root);
    naming::name(&mut found, is_own);
    if !is_own {
        found.iter().for_each(report_other_tags);
    }
    found
}

/// Reports the tags that do not become groups.
fn report_other_tags(one: &FoundOperation<'_>) {
    let groups: Vec<String> = one.name.split('.').map(|group| group.to_snake_case()).collect();
    let groups = groups.split_last().map(|(_, groups)| groups).unwrap_or_default();
    let is_other = |tag: &&Node<'_>| {
        let text = tag.value.text().map(|text| name_characters(text).to_snake_case());
        text.is_some_and(|text| !text.is_empty() && !groups.contains(&text))
    };
    for tag in one.node.list("tags").iter().filter(is_other) {
        let text = tag.value.text().unwrap_or_default().escape_debug();
        tag.note_once(
            &format!("tag {text}"),
            format!("the tag `{text}` is left out: an operation belongs to one group"),
        );
    }
}

/// Returns the characters of a text that are valid in a name.
fn name_characters(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    text.chars().map(plain).take(100).collect()
}

/// Converts a name to that of a path variable.
fn variable(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-$.".contains(c) { c } else { '_' };
    text.chars().map(plain).take(100).collect()
}

/// Path of an operation.
pub struct Path {
    /// `GET /v1/{name}`
    pub http: HttpLine,
    /// Variables by their names in the document, with their names in the schema.
    pub variables: Vec<(String, String)>,
    /// Names and values in the query of the template.
    pub constants: Vec<(String, String)>,
}

/// Converts router variables such as `:name` to braces; `None` if there are none. A segment of a URL cannot start with
/// a literal colon.
pub fn without_colons(template: &str) -> Option<String> {
    let (path, rest) = template.find(['?', '#']).map_or((template, ""), |at| template.split_at(at));
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let variable = |segment: &'_ str| {
        segment.strip_prefix(':').filter(|name| !name.is_empty() && is_name(name)).map(str::to_owned)
    };
    if !path.split('/').any(|segment| variable(segment).is_some()) {
        return None;
    }
    let segment = |text: &str| variable(text).map_or_else(|| text.to_owned(), |name| format!("{{{name}}}"));
    Some(path.split('/').map(segment).collect::<Vec<_>>().join("/") + rest)
}

/// Returns the http line of an operation, or the reason why its path cannot be expressed.
pub fn path(method: &str, template: &str) -> Result<Path, String> {
    let mut variables = Vec::new();
    let mut line = format!("{method} ");
    // Clients do not send the fragment, which only distinguishes equal paths.
    let template = template.split_once('#').map_or(template, |(path, _)| path);
    let (mut rest, query) = template.split_once('?').unwrap_or((template, ""));
    let constants = constants(query)?;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        let (rest_mark, name) = name.strip_prefix('+').map_or(("", name), |name| ("+", name));
        let mut plain = variable(name);
        if plain.is_empty() || plain.starts_with(['-', '.']) {
            plain = format!("v{plain}");
        }
        while variables.iter().any(|(_, own): &(String, String)| *own == plain) {
            plain.push('_');
        }
        line.push_str(&format!("{before}{{{rest_mark}{plain}}}"));
        variables.push((name.to_owned(), plain));
        rest = after;
    }
    line.push_str(rest);
    Ok(Path { http: http_line(&line)?, variables, constants })
}

/// Returns the constant parameters in the query of a template, or the reason why it cannot be expressed, for example
/// because a value is percent-encoded.
fn constants(query: &str) -> Result<Vec<(String, String)>, String> {
    let mut constants: Vec<(String, String)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if pair.contains(['{', '}']) {
            return Err("a path with a variable in its query is not supported".to_owned());
        }
        if name.is_empty() || pair.contains(['%', '+']) || constants.iter().any(|(own, _)| own == name) {
            return Err(format!("a path with a query (`{}`) is not supported", pair.escape_debug()));
        }
        constants.push((name.to_owned(), value.to_owned()));
    }
    Ok(constants)
}

/// Returns the route of a method and path, with normalized variables.
pub fn route(line: &HttpLine) -> String {
    let mut text = line.method.clone();
    for segment in &line.segments {
        text.push('/');
        text.push_str(&segment.shape());
    }
    format!("{text}:{}", line.verb.as_deref().unwrap_or_default())
}
