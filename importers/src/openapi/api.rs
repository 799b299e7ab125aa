//! What is said once for the whole API.

use serde_yaml::{Mapping, Value as Yaml};

use super::draft::Draft;
use super::mistake;
use super::node::Node;
use super::view::view;
use crate::Mistake;
use crate::files::put;
use crate::names;
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
    if let Some(name) = info.text_if("x-wireform-name").filter(|name| is_name(name)) {
        return Ok(name.to_owned());
    }
    let title = info.text("title").ok_or_else(|| mistake("/info/title", "the title of the API is missing"))?;
    let words = names::kebab(title);
    let plain = words.strip_suffix("-api").unwrap_or(&words);
    let plain = if plain.is_empty() { "api" } else { plain };
    let plain = plain.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    if is_name(plain) {
        Ok(plain.to_owned())
    } else {
        Err(mistake("/info/title", "the title of an API has letters, of which its name is made"))
    }
}

fn is_name(name: &str) -> bool {
    wireform_codegen::resolve::names::is_api_name(name)
}

/// The file of the API.
pub fn write(draft: &Draft<'_>, name: &str, errors: Option<&str>) -> Mapping {
    let root = &draft.root;
    root.only(&KEYS);
    let mut file = Mapping::new();
    put(&mut file, "api", Some(name));
    if let Some(info) = root.get("info") {
        info.only(&["contact", "description", "license", "summary", "termsOfService", "title", "version"]);
        put(&mut file, "version", info.scalar("version").as_deref().and_then(prose::paragraph));
        put(&mut file, "title", info.text("title").and_then(prose::paragraph));
        let doc = info.text("description").or_else(|| info.text("summary"));
        put(&mut file, "doc", doc.and_then(prose::paragraph));
    }
    servers(root, &mut file);
    if let Some(body) = errors {
        let mut said = Mapping::new();
        put(&mut said, "body", Some(body));
        put(&mut said, "message", message(draft, body));
        put(&mut file, "errors", Some(said));
    }
    for key in ["webhooks"] {
        if let Some(node) = root.get(key) {
            node.loss("left out: requests that a server sends have no place in a schema");
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
        if let Some(schemes) = components.get("securitySchemes") {
            schemes.loss("left out: how a request says who asks has no place in a schema yet");
        }
    }
    file
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

/// The root and the base path: those of the first server. Variables have their defaults.
fn servers(root: &Node<'_>, file: &mut Mapping) {
    let servers = root.list("servers");
    for (index, server) in servers.iter().enumerate() {
        server.only(&["description", "name", "url", "variables"]);
        let Some(url) = server.text("url") else { continue };
        if index > 0 {
            server.loss("left out: an API has one address in a schema");
            continue;
        }
        let mut url = url.to_owned();
        for (name, variable) in server.entries("variables") {
            let default = variable.scalar("default").unwrap_or_default();
            url = url.replace(&format!("{{{name}}}"), &default);
            variable.note(format!("its default, `{}`, is taken", default.escape_debug()));
        }
        match split(&url) {
            Some((root, path)) => {
                put(file, "root", root);
                put(file, "base_path", path);
            }
            None => server.loss(format!("left out: `{}` is not the address of a server", url.escape_debug())),
        }
    }
}

/// The root of an address, and the path on it.
fn split(url: &str) -> Option<(Option<String>, Option<Yaml>)> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte));
    let host = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte))
    };
    let scheme = ["https://", "http://"].into_iter().find(|scheme| url.starts_with(scheme));
    let (root, path) = match scheme {
        Some(scheme) => {
            let rest = url.strip_prefix(scheme)?;
            let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
            if !host(name) {
                return None;
            }
            (Some(format!("{scheme}{name}")), path.to_owned())
        }
        None => (None, url.strip_prefix('/').filter(|path| !path.starts_with('/'))?.to_owned()),
    };
    let path = path.trim_matches('/');
    if !plain(path) || path.split('/').any(|piece| matches!(piece, "." | "..")) || path.contains("//") {
        return None;
    }
    Some((root, (!path.is_empty()).then(|| Yaml::from(format!("/{path}")))))
}
