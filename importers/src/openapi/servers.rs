//! Where an API answers: its root, its base path, and other addresses.

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::addresses::{is_path, problem};
use wireform_codegen::resolve::names::Casing;

use super::own;
use crate::files::put;
use crate::names::{self, Names};
use crate::node::Node;
use crate::value::Value;

/// An address of the API.
struct Address<'d> {
    /// The server.
    server: Node<'d>,
    /// Where the address is said: the server, or the value of a variable in it.
    node: Node<'d>,
    /// What it is called.
    name: Option<String>,
    url: String,
    /// What tells it from others.
    doc: Option<String>,
}

/// The addresses that a server stands for: that with the defaults of its variables, and one for each other value.
fn addresses<'d>(server: &Node<'d>) -> Vec<Address<'d>> {
    server.only(&["description", "name", "url", "variables"]);
    let Some(url) = server.text("url") else { return Vec::new() };
    let (said, name) = (server.prose("description"), server.text("name").map(str::to_owned));
    let variables = server.entries("variables");
    let with = |changed: Option<(&str, &str)>| {
        let mut url = url.to_owned();
        for (name, variable) in &variables {
            let own = changed.filter(|(changed, _)| changed == name).map(|(_, value)| value.to_owned());
            // A variable without a value stays, so that the address is told to be none.
            if let Some(value) = own.or_else(|| variable.scalar("default")) {
                url = url.replace(&format!("{{{name}}}"), &value);
            }
        }
        url
    };
    let (server, url_of_all) = (server.clone(), with(None));
    let mut found =
        vec![Address { node: server.clone(), server: server.clone(), name, url: url_of_all, doc: said.clone() }];
    let mut changing = 0;
    for (name, variable) in &variables {
        let others = others(variable, url.contains(&format!("{{{name}}}")));
        changing += usize::from(!others.is_empty());
        let meaning = variable.prose("description").filter(|_| !others.is_empty());
        for (node, value) in others {
            let with_value = format!("With `{name}` as `{value}`.");
            let doc: Vec<&str> = said.as_deref().into_iter().chain([&*with_value]).chain(meaning.as_deref()).collect();
            let (url, doc) = (with(Some((name, &value))), Some(doc.join(" ")));
            found.push(Address { server: server.clone(), node, name: Some(value), url, doc });
        }
    }
    if changing > 1 {
        server.note("addresses in which several variables have other values than their defaults are left out; a client can be given any");
    }
    found
}

/// The values that a variable can have beside its default, which are told where they are not listed.
fn others<'d>(variable: &Node<'d>, occurs: bool) -> Vec<(Node<'d>, String)> {
    variable.only(&["default", "description", "enum"]);
    if !occurs {
        variable.whole_note("left out: it does not occur in the address");
        return Vec::new();
    }
    let listed = variable.list("enum");
    let default = variable.scalar("default");
    if listed.is_empty() {
        variable.note("its default is taken; a client can be given any address");
        return Vec::new();
    }
    let value = |node: Node<'d>| match node.value {
        // YAML writes texts without quotes.
        Value::Text(text) | Value::Number(text) => {
            node.read();
            let is_other = Some(text) != default.as_ref();
            is_other.then(|| (node.clone(), text.clone()))
        }
        _ => {
            node.whole_loss("left out: text belongs here");
            None
        }
    };
    listed.into_iter().filter_map(value).collect()
}

/// The root and the base path: those of the first server. The others are endpoints, or aliases of the base path.
pub fn write(root: &Node<'_>, is_own: bool, file: &mut Mapping) {
    let mut all = of_api(root).into_iter().flat_map(|server| addresses(&server));
    let Some(first) = all.next() else { return };
    let all: Vec<Address<'_>> = all.collect();
    let Some((address, path)) = split(&first.url) else {
        let url = first.url.escape_debug();
        return first.server.whole_loss(format!("left out: `{url}` is not the address of a server"));
    };
    if !is_own && !all.iter().any(|other| other.server.at == first.server.at) {
        without_texts(&first.server);
    }
    let mut aliases: Vec<Yaml> = Vec::new();
    let mut endpoints = Mapping::new();
    let mut taken = Names::default();
    for other in all {
        if let Some(name) = other.server.text_if("x-wireform-endpoint") {
            let path = path.as_ref().and_then(Yaml::as_str).unwrap_or_default();
            let url = other.url.strip_suffix(path).unwrap_or(&other.url).to_owned();
            own::endpoint(&other.server, name, url, other.doc, file, &mut endpoints);
            continue;
        }
        match split(&other.url) {
            Some((root, base)) if root == address && base == path => {
                other.node.whole_note("left out: it is an address that stands before it already");
            }
            Some((root, base)) if root == address => {
                Some(&other.node).filter(|_| !is_own).into_iter().for_each(without_texts);
                aliases.push(base.unwrap_or_else(|| Yaml::from("")));
            }
            Some((Some(root), base)) if base == path && address.is_some() => {
                let name = endpoint_name(&other, &root, &mut taken);
                endpoints.insert(Yaml::from(name), endpoint(root, other.doc));
            }
            Some(_) => other.node.whole_loss("left out: another root with another path has no place in a schema"),
            None => {
                let url = other.url.escape_debug();
                other.node.whole_loss(format!("left out: `{url}` is not the address of a server"));
            }
        }
    }
    put(file, "root", address);
    put(file, "base_path", base_path(path, aliases));
    put(file, "endpoints", Some(endpoints).filter(|endpoints| !endpoints.is_empty()));
}

/// The base path, with the other paths that answer too.
fn base_path(path: Option<Yaml>, aliases: Vec<Yaml>) -> Option<Yaml> {
    if aliases.is_empty() {
        return path;
    }
    let mut paths = Mapping::new();
    put(&mut paths, "path", Some(path.unwrap_or_else(|| Yaml::from(""))));
    put(&mut paths, "aliases", Some(aliases));
    Some(Yaml::Mapping(paths))
}

/// Tells of what is said of a server that is the root, or another base path of it: only endpoints have texts.
fn without_texts(server: &Node<'_>) {
    for key in ["description", "name"] {
        if let Some(text) = server.get(key).filter(|text| text.value.text().is_some_and(|text| !text.trim().is_empty()))
        {
            text.note("left out: nothing is said of the root and the base path but what they are");
        }
    }
}

/// The name of an endpoint: its own, a short description, or its host.
fn endpoint_name(address: &Address<'_>, root: &str, taken: &mut Names) -> String {
    let doc = address.doc.as_deref().filter(|doc| doc.len() < 40);
    let said = address.name.as_deref().or(doc).filter(|said| !names::kebab(said).is_empty());
    let wanted = said.map_or_else(|| names::kebab(root.rsplit('/').next().unwrap_or(root)), names::kebab);
    let wanted = if wanted.is_empty() { "other".to_owned() } else { wanted };
    let name = taken.free(&wanted, Casing::Member, names::ident).unwrap_or(wanted);
    if let Some(said) = said.filter(|said| names::is_cut(said)) {
        address.node.note(format!("the endpoint is called `{name}`, after the beginning of `{}`", said.escape_debug()));
    }
    name
}

fn endpoint(url: String, doc: Option<String>) -> Yaml {
    let Some(doc) = doc else { return Yaml::from(url) };
    let mut body = Mapping::new();
    put(&mut body, "url", Some(url));
    put(&mut body, "doc", Some(doc));
    Yaml::Mapping(body)
}

/// The servers of the API: its own, or those that all its paths have.
pub fn of_api<'d>(root: &Node<'d>) -> Vec<Node<'d>> {
    let own = root.list("servers");
    if !own.is_empty() {
        return own;
    }
    let items = root.entries("paths").into_iter().filter_map(|(_, item)| item.object().cloned());
    let mut all = items.map(|item| item.get("servers").map(|servers| servers.elements()).unwrap_or_default());
    let Some(first) = all.next() else { return own };
    let same = |other: &[Node<'d>]| first.iter().map(|one| one.value).eq(other.iter().map(|one| one.value));
    if all.all(|other| same(&other)) { first } else { own }
}

/// Tells of servers of a path or an operation that are not those of the API.
pub fn own_servers(of_api: &[Node<'_>], node: &Node<'_>) {
    let urls = |servers: &[Node<'_>]| -> Vec<String> {
        servers
            .iter()
            .filter_map(|server| server.text_if("url"))
            .map(|url| url.trim_end_matches('/').to_owned())
            .collect()
    };
    let Some(servers) = node.get("servers") else { return };
    let (own, all) = (urls(&servers.elements()), urls(of_api));
    if servers.elements().iter().zip(of_api).any(|(own, one)| own.at == one.at) {
        return;
    }
    servers.take();
    let is_first = own.is_empty() || own.first() == all.first();
    if !is_first || !own.iter().all(|url| all.contains(url)) {
        return servers.whole_loss("left out: all operations of an API have the same addresses");
    }
    if own.len() < all.len() {
        servers.note("left out: that some of the addresses of the API do not answer here has no place in a schema");
    }
    servers.elements().iter().for_each(without_texts);
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
