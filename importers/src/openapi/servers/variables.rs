//! Expansion of server URLs with variables. A few bytes of a document can expand to arbitrarily many URLs, so the size
//! of each and their total are limited.

use std::collections::BTreeMap;

use crate::node::Node;
use crate::prose::with_full_stop;
use crate::value::Value;

/// Maximum length of a URL.
const MAX_LENGTH: usize = 2_048;

/// Maximum number of URLs made from values of variables.
const MAX_URLS: usize = 1_000;

/// Maximum total size of these URLs and their descriptions, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// URL of the API.
pub struct ServerUrl<'d> {
    /// Server.
    pub server: Node<'d>,
    /// Node of the URL: the server, or the value of a variable in it.
    pub node: Node<'d>,
    /// Variable with a value other than its default.
    pub variable: Option<Node<'d>>,
    /// True if the server has more URLs from values of variables.
    pub has_more: bool,
    /// Name.
    pub name: Option<String>,
    pub url: String,
    /// Description that distinguishes it from others.
    pub doc: Option<String>,
}

impl ServerUrl<'_> {
    /// Reports the loss of the URL and its descriptions.
    pub fn loss(&self, what: String) {
        if self.has_more { self.node.loss(what) } else { self.node.whole_loss(what) }
    }
}

/// Budget that other URLs have used.
#[derive(Default)]
struct Budget {
    urls: usize,
    bytes: usize,
}

impl Budget {
    /// Returns whether the budget allows one more URL of this size; otherwise reports the omission of all further ones.
    fn take(&mut self, bytes: usize, node: &Node<'_>) -> bool {
        self.urls += 1;
        self.bytes += bytes;
        let has_room = self.urls <= MAX_URLS && self.bytes <= MAX_BYTES;
        if !has_room {
            node.loss(format!(
                "left out with all values after it: variables expand to at most {MAX_URLS} URLs, and at most \
                 {MAX_BYTES} bytes with their descriptions"
            ));
        }
        has_room
    }
}

/// Returns the URLs of servers.
pub fn server_urls<'d>(servers: &[Node<'d>]) -> Vec<ServerUrl<'d>> {
    let mut spent = Budget::default();
    servers.iter().flat_map(|server| of_server(server, &mut spent)).collect()
}

/// Returns the URL with the defaults of the variables of a server, and one for each other value.
fn of_server<'d>(server: &Node<'d>, spent: &mut Budget) -> Vec<ServerUrl<'d>> {
    server.report_unknown(&["description", "name", "url", "variables"]);
    let Some(template) = server.text("url") else { return Vec::new() };
    let variables = server.entries("variables");
    let mut values: BTreeMap<&str, String> =
        variables.iter().filter_map(|(name, variable)| Some((*name, default(variable)?))).collect();
    let Some(url) = expand_or_report(template, &values, server) else { return Vec::new() };
    let (description, name) = (server.prose("description"), server.text("name").map(str::to_owned));
    let own = |node: &Node<'d>, name, url, doc| ServerUrl {
        server: server.clone(),
        node: node.clone(),
        variable: None,
        has_more: false,
        name,
        url,
        doc,
    };
    let mut found = vec![own(server, name, url, description.clone())];
    let mut changing = 0;
    for (name, variable) in &variables {
        let others = others(variable, template.contains(&format!("{{{name}}}")));
        changing += usize::from(!others.is_empty());
        let meaning = variable.prose("description").filter(|_| !others.is_empty());
        let default = values.get(name).cloned();
        for (node, value) in others {
            values.insert(name, value.clone());
            let with_value = format!("With `{name}` as `{value}`.");
            let length =
                [&description, &meaning].into_iter().flatten().map(String::len).sum::<usize>() + with_value.len();
            if !spent.take(length + MAX_LENGTH.min(template.len() + value.len()), &node) {
                break;
            }
            let Some(url) = expand_or_report(template, &values, &node) else { continue };
            let server_url =
                own(&node, Some(value), url, Some(value_doc(description.as_deref(), with_value, meaning.as_deref())));
            found.push(ServerUrl { variable: Some(variable.clone()), ..server_url });
        }
        match default {
            Some(default) => drop(values.insert(name, default)),
            None => drop(values.remove(name)),
        }
    }
    if changing > 1 {
        server.note(COMBINATIONS_LOST);
    }
    if let [first, _, ..] = found.as_mut_slice() {
        first.has_more = true;
    }
    found
}

/// Returns the description of the URL with a value of a variable.
fn value_doc(server: Option<&str>, with_value: String, variable: Option<&str>) -> String {
    let sentences = server.map(with_full_stop).into_iter().chain([with_value]).chain(variable.map(str::to_owned));
    sentences.collect::<Vec<_>>().join(" ")
}

/// Note about URLs in which several variables have other values than their defaults.
const COMBINATIONS_LOST: &str =
    "URLs in which several variables differ from their defaults are left out; clients can be configured with any URL";

/// Returns the default of a variable: the first listed value, if the declared default is not among them.
fn default(variable: &Node<'_>) -> Option<String> {
    let default = variable.scalar("default");
    listed_default(variable.value, default)
}

/// Returns the default if it is listed, or if no text or number is listed; otherwise the first listed one.
fn listed_default(variable: &Value, default: Option<String>) -> Option<String> {
    let Some(Value::List(listed)) = variable.get("enum") else { return default };
    let text = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        _ => None,
    };
    let is_listed =
        default.as_ref().is_some_and(|default| listed.iter().any(|value| text(value).as_ref() == Some(default)));
    if is_listed { default } else { listed.iter().find_map(text).or(default) }
}

/// Expands a template; a URL that is too long is reported as lost.
fn expand_or_report(template: &str, values: &BTreeMap<&str, String>, node: &Node<'_>) -> Option<String> {
    let url = expand_template(template, values);
    if url.is_none() {
        node.whole_loss(format!("left out: a URL has at most {MAX_LENGTH} bytes"));
    }
    url
}

/// Expands a template without recursion; `None` if the URL is too long. A variable without a value stays, so that the
/// URL is reported as invalid.
fn expand_template(template: &str, values: &BTreeMap<&str, String>) -> Option<String> {
    let (mut url, mut rest) = (String::new(), template);
    if template.len() > MAX_LENGTH {
        return None;
    }
    while let Some((head, after)) = rest.split_once('}') {
        let variable = head.rsplit_once('{').and_then(|(before, name)| Some((before, values.get(name)?)));
        let parts = variable.map_or([head, "}"], |(before, value)| [before, value]);
        for part in parts {
            if url.len() + part.len() > MAX_LENGTH {
                return None;
            }
            url.push_str(part);
        }
        rest = after;
    }
    (url.len() + rest.len() <= MAX_LENGTH).then(|| url + rest)
}

/// Returns the other values of a variable, and reports them if they are not listed.
fn others<'d>(variable: &Node<'d>, occurs: bool) -> Vec<(Node<'d>, String)> {
    variable.report_unknown(&["default", "description", "enum"]);
    if !occurs {
        variable.whole_note("left out: it does not occur in the URL");
        return Vec::new();
    }
    let listed = variable.list("enum");
    let default = default(variable);
    if listed.is_empty() {
        variable.note("the default is used; clients can be configured with any URL");
        return Vec::new();
    }
    let value = |node: Node<'d>| match node.value {
        // In YAML texts can be unquoted.
        Value::Text(text) | Value::Number(text) => {
            node.mark_read();
            let is_other = Some(text) != default.as_ref();
            is_other.then(|| (node.clone(), text.clone()))
        }
        _ => {
            node.whole_loss("left out: expected a string");
            None
        }
    };
    listed.into_iter().filter_map(value).collect()
}

/// Returns the URL of a server with the defaults of its variables, and their lists of values, for comparison.
pub fn place<'d>(server: &Node<'d>) -> Option<(String, Vec<&'d Value>)> {
    let variables = server.get("variables").map(|variables| variables.value);
    let Some(Value::Object(variables)) = variables else {
        return Some((server.text_if("url")?.trim_end_matches('/').to_owned(), Vec::new()));
    };
    let default = |variable: &'d Value| match variable.get("default") {
        Some(Value::Text(text) | Value::Number(text)) => listed_default(variable, Some(text.clone())),
        _ => listed_default(variable, None),
    };
    let values = variables.iter().filter_map(|(name, variable)| Some((name.as_str(), default(variable)?))).collect();
    let url = expand_template(server.text_if("url")?, &values)?;
    let listed = variables.iter().filter_map(|(_, variable)| variable.get("enum")).collect();
    Some((url.trim_end_matches('/').to_owned(), listed))
}
