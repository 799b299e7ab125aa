//! URLs of an API: its root, its base path, and endpoints.

mod operations;
mod variables;

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::resolve::urls::{is_path, problem};
use wireform_codegen::schema::Named;
use wireform_codegen::schema::endpoints::EndpointDef;
use wireform_codegen::schema::file::{BasePath, File};

use super::reimport;
use crate::lowering::{self, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value::Value;
pub use operations::Layout;
use variables::{ServerUrl, server_urls};

/// Returns the base URL of links in descriptions: that of the documentation, or else of a server.
pub fn base_url(document: &Value) -> String {
    let documentation = document.get("externalDocs").and_then(|docs| docs.get("url"));
    let servers = match document.get("servers") {
        Some(Value::List(servers)) => servers.as_slice(),
        _ => &[],
    };
    let servers = servers.iter();
    let all = documentation.into_iter().chain(servers.filter_map(|server| server.get("url")));
    let url = all.filter_map(Value::text).find(|url| url.starts_with("http") && !url.contains('{'));
    url.unwrap_or_default().to_owned()
}

/// Writes the root and the base path: those of the first server with a valid URL. The others are endpoints, or aliases
/// of the base path.
pub fn write(root: &Node<'_>, is_own: bool, file: &mut File) {
    let mut all = server_urls(&of_api(root));
    let first = all.iter().enumerate().find_map(|(index, one)| Some((index, split(&one.url)?)));
    let Some((index, (root_url, path))) = first else {
        return all.iter().for_each(|one| one.loss(invalid_url_message(&one.url)));
    };
    let first = all.remove(index);
    let (mut aliases, mut endpoints, mut taken) = (Vec::new(), Named::default(), NameScope::default());
    // URLs whose descriptions are kept, and URLs whose descriptions are kept only if another URL has them.
    let (mut with_texts, mut without) = (BTreeSet::new(), vec![first]);
    for mut other in all {
        if let Some(name) = other.server.text_if("x-wireform-endpoint") {
            let path = path.as_deref().unwrap_or_default();
            let url = other.url.strip_suffix(path).unwrap_or(&other.url).to_owned();
            reimport::endpoint(&other.server, name, url, other.doc, file, &mut endpoints);
            continue;
        }
        match split(&other.url) {
            Some((root, base)) if root == root_url && base == path => {
                if other.has_more {
                    other.server.note("its URL with the defaults of all variables is left out: duplicate URL");
                } else {
                    other.node.whole_note("left out: duplicate URL");
                }
                without.extend(Some(other).filter(|other| other.has_more || other.variable.is_some()));
            }
            Some((root, base)) if root == root_url => {
                aliases.push(base.unwrap_or_default());
                without.push(other);
            }
            Some((Some(root), base)) if base == path && root_url.is_some() => {
                let name = endpoint_name(&other, &root, &mut taken);
                with_texts.extend(texts(&other).into_iter().map(|text| text.at));
                let doc = text(other.doc.take());
                endpoints.push(name, EndpointDef { url: root.into(), doc, ..EndpointDef::default() }.into());
            }
            Some(_) => other.loss("left out: a URL with another root and another path is not supported".to_owned()),
            None => other.loss(invalid_url_message(&other.url)),
        }
    }
    let lost = without.iter().filter(|_| !is_own).flat_map(texts);
    lost.filter(|text| with_texts.insert(text.at.clone())).for_each(|text| text.note(DESCRIPTION_LOST));
    file.root = text(root_url);
    file.base_path = base_path(Layout::new(root).shared_path(path), aliases).map(Into::into);
    file.endpoints = endpoints;
}

/// Loss of a description of the root or an alias of the base path: only endpoints have descriptions.
const DESCRIPTION_LOST: &str = "left out: the root and the base path have no description";

/// Formats the loss of a server whose URL is invalid; a long URL is truncated.
fn invalid_url_message(url: &str) -> String {
    let start: String = url.chars().take(80).collect();
    let more = if start.len() < url.len() { "…" } else { "" };
    format!("left out: `{}{more}` is not a valid server URL", start.escape_debug())
}

/// Returns the descriptions of a URL: of its server, of the server with its defaults, and of its variable.
fn texts<'d>(server_url: &ServerUrl<'d>) -> Vec<Node<'d>> {
    let own = server_url.server.get("name").filter(|_| server_url.variable.is_none());
    let of_variable = server_url.variable.as_ref().and_then(|variable| variable.get("description"));
    let all = server_url.server.get("description").into_iter().chain(own).chain(of_variable);
    all.filter(|text| has_text(text)).collect()
}

/// Returns whether the value is a string that is not blank.
fn has_text(text: &Node<'_>) -> bool {
    text.value.text().is_some_and(|text| !text.trim().is_empty())
}

/// Creates the base path with its aliases.
fn base_path(path: Option<String>, aliases: Vec<String>) -> Option<BasePath> {
    let is_declared = path.is_some() || !aliases.is_empty();
    let path = path.unwrap_or_default().into();
    is_declared.then(|| BasePath { path, aliases: lowering::texts(aliases), ..BasePath::default() })
}

/// Returns the name of an endpoint: its own, a short description, or its host.
fn endpoint_name(server_url: &ServerUrl<'_>, root: &str, taken: &mut NameScope) -> String {
    let doc = server_url.doc.as_deref().filter(|doc| doc.len() < 40);
    let text = server_url.name.as_deref().or(doc).filter(|text| !names::kebab(text).is_empty());
    let preferred = text.map_or_else(|| names::kebab(root.rsplit('/').next().unwrap_or(root)), names::kebab);
    let preferred = if preferred.is_empty() { "other".to_owned() } else { preferred };
    let name = taken.reserve_free(&preferred, Casing::Member, names::ident).unwrap_or(preferred);
    if let Some(text) = text.filter(|text| names::is_truncated(text)) {
        server_url.node.note(format!("the name `{}` of the endpoint is shortened to `{name}`", text.escape_debug()));
    }
    name
}

/// Returns the servers of the API: its own, or those of its first path, if all paths have servers.
pub fn of_api<'d>(root: &Node<'d>) -> Vec<Node<'d>> {
    let own = root.list("servers");
    if !own.is_empty() {
        return own;
    }
    let items = root.entries("paths").into_iter().filter_map(|(_, item)| item.object().cloned());
    let all = items.map(|item| item.get("servers").map(|servers| servers.elements()).unwrap_or_default());
    let all: Vec<Vec<Node<'d>>> = all.collect();
    if all.iter().any(Vec::is_empty) { own } else { all.into_iter().next().unwrap_or(own) }
}

/// Splits a URL into its root and path.
fn split(url: &str) -> Option<(Option<String>, Option<String>)> {
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
    is_path(&path).then(|| (root, Some(path).filter(|path| path != "/")))
}
