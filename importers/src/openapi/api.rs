//! What is said once for the whole API.

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::addresses::{is_path, problem};
use wireform_codegen::resolve::names::Casing;

use super::draft::Draft;
use super::mistake;
use super::own;
use super::view::view;
use crate::Mistake;
use crate::files::put;
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;

const KEYS: [&str; 12] = [
    "components",
    "externalDocs",
    "info",
    "jsonSchemaDialect",
    "openapi",
    "paths",
    "security",
    "servers",
    "tags",
    "webhooks",
    "$self",
    "$schema",
];

/// The name of the API: its title, without what every title has.
pub fn name(root: &Node<'_>) -> Result<String, Mistake> {
    let info = root.get("info").ok_or_else(|| mistake("/info", "the `info` of the API is missing"))?;
    if let Some(name) = own::name(root).filter(|name| is_name(name)) {
        return Ok(name.to_owned());
    }
    let title = info.text("title").ok_or_else(|| mistake("/info/title", "the title of the API is missing"))?;
    let words = names::kebab(title);
    let plain = words.strip_suffix("-api").unwrap_or(&words);
    let said = if plain.is_empty() { "api" } else { plain };
    let name = said.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    if name != plain || title.chars().any(|c| c.is_alphanumeric() && !c.is_ascii()) {
        let told =
            format!("the API is called `{name}`, without some letters of its title; `--name` gives it another name");
        info.get("title").iter().for_each(|title| title.note(told.as_str()));
    }
    if is_name(name) {
        Ok(name.to_owned())
    } else {
        Err(mistake("/info/title", "the title of an API has letters, of which its name is made"))
    }
}

fn is_name(name: &str) -> bool {
    wireform_codegen::resolve::names::is_api_name(name)
}

/// The file of the API.
pub fn write(draft: &mut Draft<'_>, name: &str, errors: Option<&str>) -> Mapping {
    let root = &draft.root.clone();
    root.only(&KEYS);
    let mut file = Mapping::new();
    put(&mut file, "api", Some(name));
    if let Some(info) = root.get("info") {
        info.only(&["contact", "description", "license", "summary", "termsOfService", "title", "version"]);
        put(&mut file, "version", info.scalar("version").as_deref().and_then(prose::paragraph));
        put(&mut file, "title", info.text("title").and_then(prose::paragraph));
        put(&mut file, "doc", info.prose("description").or_else(|| info.prose("summary")));
    }
    servers(root, &mut file);
    if draft.own {
        put(&mut file, "errors", own::errors(root));
    } else if let Some(body) = errors {
        let mut said = Mapping::new();
        put(&mut said, "body", Some(body));
        put(&mut said, "message", message(draft, body));
        put(&mut file, "errors", Some(said));
    }
    look_through(root, draft.own);
    if draft.own {
        own::api(root, &mut file);
        own::standard(draft, &mut file);
    }
    draft.security.write(&mut file);
    file
}

/// What the document says once, and no part of the file is made from alone.
fn look_through(root: &Node<'_>, is_own: bool) {
    if let Some(node) = root.get("webhooks") {
        node.whole_loss("left out: requests that a server sends have no place in a schema");
    }
    for tag in root.list("tags") {
        tag.only(&["description", "externalDocs", "name"]);
        tag.text("name");
        if tag.text("description").is_some() && !is_own {
            tag.note("its description is left out: a group of operations has none");
        }
    }
    if let Some(components) = root.get("components") {
        components.only(&[
            "callbacks",
            "examples",
            "headers",
            "links",
            "parameters",
            "pathItems",
            "requestBodies",
            "responses",
            "schemas",
            "securitySchemes",
        ]);
    }
}

/// The member of an error that says in words what went wrong.
fn message(draft: &Draft<'_>, body: &str) -> Option<String> {
    let root = &draft.root;
    let schemas = root.get("components")?.entries("schemas");
    let is_body = |id: &str| matches!(draft.targets.get(id), Some(super::draft::Target::Named(name)) if name == body);
    let (_, node) = schemas.into_iter().find(|(id, _)| is_body(id))?;
    let members = view(root, &[node]).properties;
    let is_text = |name: &str| {
        let found = members.iter().find(|(own, _)| *own == name);
        found.is_some_and(|(_, nodes)| {
            let member = view(root, nodes);
            member.kind() == Some(super::view::Kind::Text) && member.values.is_none() && member.text("format").is_none()
        })
    };
    ["message", "detail", "error_description", "error_message", "errorMessage"]
        .into_iter()
        .find(|name| is_text(name))
        .map(str::to_owned)
}

/// The addresses that a server stands for, the first of them with the defaults of its variables; each with what tells
/// it from the others.
fn addresses(server: &Node<'_>) -> Vec<(String, Option<String>)> {
    let Some(url) = server.text("url") else { return Vec::new() };
    let said = server.prose("description");
    let variables = server.entries("variables");
    let with = |changed: Option<(&str, &str)>| {
        let mut url = url.to_owned();
        for (name, variable) in &variables {
            let own = changed.filter(|(changed, _)| changed == name).map(|(_, value)| value.to_owned());
            let value = own.or_else(|| variable.scalar("default")).unwrap_or_default();
            url = url.replace(&format!("{{{name}}}"), &value);
        }
        url
    };
    let mut found = vec![(with(None), said)];
    for (name, variable) in &variables {
        variable.only(&["default", "description", "enum"]);
        let values = variable.texts("enum");
        if values.is_empty() {
            variable.note("its default is taken; a client can be given any address");
        }
        for value in values.into_iter().filter(|value| Some(*value) != variable.text_if("default")) {
            found.push((with(Some((name, value))), Some(format!("With `{name}` as `{value}`."))));
        }
    }
    found
}

/// The root and the base path: those of the first server. The others are endpoints, or aliases of the base path.
fn servers(root: &Node<'_>, file: &mut Mapping) {
    let mut all = root.list("servers").into_iter().flat_map(|server| {
        server.only(&["description", "name", "url", "variables"]);
        let named = server.text("name").map(str::to_owned);
        addresses(&server)
            .into_iter()
            .map(move |(url, doc)| (server.clone(), named.clone(), url, doc))
            .collect::<Vec<_>>()
    });
    let Some((server, _, url, _)) = all.next() else { return };
    let Some((address, path)) = split(&url) else {
        return server.whole_loss(format!("left out: `{}` is not the address of a server", url.escape_debug()));
    };
    let mut aliases: Vec<Yaml> = Vec::new();
    let mut endpoints = Mapping::new();
    let mut taken = Names::default();
    for (server, name, url, doc) in all {
        if let Some(name) = server.text_if("x-wireform-endpoint") {
            let path = path.as_ref().and_then(Yaml::as_str).unwrap_or_default();
            let url = url.strip_suffix(path).unwrap_or(&url).to_owned();
            own::endpoint(&server, name, url, doc, file, &mut endpoints);
            continue;
        }
        match split(&url) {
            Some((own, other)) if own == address && other != path => {
                aliases.push(other.unwrap_or_else(|| Yaml::from("")));
            }
            Some((Some(own), other)) if other == path && address.is_some() => {
                if Some(&own) != address.as_ref() {
                    let name = endpoint_name(name, doc.as_deref(), &own, &mut taken);
                    endpoints.insert(Yaml::from(name), endpoint(own, doc));
                }
            }
            Some(_) => server.whole_loss("left out: another root with another path has no place in a schema"),
            None => server.whole_loss(format!("left out: `{}` is not the address of a server", url.escape_debug())),
        }
    }
    put(file, "root", address);
    if aliases.is_empty() {
        put(file, "base_path", path);
    } else {
        let mut paths = Mapping::new();
        put(&mut paths, "path", Some(path.unwrap_or_else(|| Yaml::from(""))));
        put(&mut paths, "aliases", Some(aliases));
        put(file, "base_path", Some(paths));
    }
    put(file, "endpoints", Some(endpoints).filter(|endpoints| !endpoints.is_empty()));
}

/// The name of an endpoint: its own, a short description, or its host.
fn endpoint_name(name: Option<String>, doc: Option<&str>, root: &str, taken: &mut Names) -> String {
    let doc = doc.filter(|doc| doc.len() < 40).map(str::to_owned);
    let wanted = names::kebab(&name.or(doc).unwrap_or_else(|| host(root)));
    let wanted = if wanted.is_empty() { "other".to_owned() } else { wanted };
    taken.free(&wanted, Casing::Member, names::ident).unwrap_or(wanted)
}

fn host(root: &str) -> String {
    root.rsplit('/').next().unwrap_or(root).to_owned()
}

fn endpoint(url: String, doc: Option<String>) -> Yaml {
    let Some(doc) = doc else { return Yaml::from(url) };
    let mut body = Mapping::new();
    put(&mut body, "url", Some(url));
    put(&mut body, "doc", Some(doc));
    Yaml::Mapping(body)
}

/// Tells of servers of a path or an operation that are not those of the API.
pub fn own_servers(root: &Node<'_>, node: &Node<'_>) {
    let urls = |node: &Node<'_>| -> Vec<String> {
        let servers = node.list("servers");
        servers
            .iter()
            .filter_map(|server| server.text_if("url"))
            .map(|url| url.trim_end_matches('/').to_owned())
            .collect()
    };
    let Some(servers) = node.get("servers") else { return };
    servers.take();
    if !urls(node).iter().all(|url| urls(root).contains(url)) {
        servers.whole_loss("left out: all operations of an API have the same addresses");
    }
}

/// The root of an address, and the path on it.
fn split(url: &str) -> Option<(Option<String>, Option<Yaml>)> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| url.starts_with(scheme));
    let (root, path) = match scheme {
        Some(scheme) => {
            let rest = url.strip_prefix(scheme)?;
            let end = rest.find('/').map_or(url.len(), |end| scheme.len() + end);
            let (root, path) = url.split_at_checked(end)?;
            if problem(root).is_some() {
                return None;
            }
            (Some(root.to_owned()), path)
        }
        None => (None, Some(url).filter(|path| path.starts_with('/') && !path.starts_with("//"))?),
    };
    let path = format!("/{}", path.trim_matches('/'));
    is_path(&path).then(|| (root, Some(path).filter(|path| path != "/").map(Yaml::from)))
}
