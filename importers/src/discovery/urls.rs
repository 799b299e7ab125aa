//! URLs of an API: its root, the base path, and endpoints.

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::resolve::urls::{is_path, problem};
use wireform_codegen::schema::Named;
use wireform_codegen::schema::endpoints::{BatchDef, EndpointDef};
use wireform_codegen::schema::file::{BasePath, File};
use wireform_codegen::schema::shape::Short;

use super::document_error;
use crate::ImportError;
use crate::lowering::text;
use crate::names::{self, NameScope};
use crate::node::Node;

/// Writes the URLs to the file of the API.
pub fn write(document: &Node<'_>, file: &mut File) -> Result<(), ImportError> {
    let root = root(document)?;
    if root.is_some() {
        file.mtls_root = text(optional_url(document, "mtlsRootUrl"));
    } else if document.has("mtlsRootUrl") {
        document.loss("`mtlsRootUrl` is left out: it requires `rootUrl`");
    }
    let base = base_path(document)?;
    check_legacy_urls(document, root.as_deref(), base.as_deref());
    file.base_path = base.map(|path| BasePath { path: path.into(), ..BasePath::default() }.into());
    file.batch = batch(document).map(|path| BatchDef { path: path.into(), ..BatchDef::default() }.into());
    file.endpoints = endpoints(document, root.is_some());
    file.root = text(root);
    Ok(())
}

/// Reads the root URL of the server.
fn root(document: &Node<'_>) -> Result<Option<String>, ImportError> {
    let Some(root) = document.text("rootUrl") else { return Ok(None) };
    let found = server_url(root);
    found.map(Some).ok_or_else(|| document_error("/rootUrl", format!("`{}` {NO_SERVER}", root.escape_debug())))
}

/// End of the message about an invalid server URL, after the URL.
const NO_SERVER: &str = "is not a valid server URL";

/// Returns the URL of a server without its trailing slash, if the text is valid.
fn server_url(text: &str) -> Option<String> {
    problem(text).is_none().then(|| text.trim_end_matches('/').to_owned())
}

/// Returns the URL in a member; an invalid one is a loss.
fn optional_url(node: &Node<'_>, key: &str) -> Option<String> {
    let text = node.text(key)?;
    let found = server_url(text);
    if found.is_none() {
        node.loss(format!("`{key}` is left out: `{}` {NO_SERVER}", text.escape_debug()));
    }
    found
}

/// Reads the path that all methods share, without a trailing slash. Returns `None` if it is absent or `/`.
fn base_path(document: &Node<'_>) -> Result<Option<String>, ImportError> {
    let Some(path) = document.text("servicePath").or_else(|| document.text("basePath")) else { return Ok(None) };
    let written = format!("/{}", path.trim_matches('/'));
    if !is_path(&written) {
        let path = path.trim_matches('/').escape_debug();
        return Err(document_error("/servicePath", format!("`{path}` is not a valid base path")));
    }
    Ok(Some(written).filter(|path| path != "/"))
}

/// Reports older keys that contradict the root and the base path, which they combine.
fn check_legacy_urls(document: &Node<'_>, root: Option<&str>, base: Option<&str>) {
    let path = base.unwrap_or_default();
    let whole = format!("{}{path}", root.unwrap_or_default());
    for (key, other, expected) in [("basePath", "servicePath", path), ("baseUrl", "rootUrl", &whole)] {
        let own = document.text(key).map(|own| own.trim_end_matches('/'));
        if let Some(own) = own.filter(|own| !own.is_empty() && *own != expected) {
            document.loss(format!("`{key}: {}` is left out: it contradicts `{other}`", own.escape_debug()));
        }
    }
}

/// Reads the path of batches; reports one that is not valid.
fn batch(document: &Node<'_>) -> Option<String> {
    let written = document.text("batchPath")?;
    let path = format!("/{}", written.trim_matches('/'));
    if path == "/" || !is_path(&path) {
        document.loss(format!("`batchPath` is left out: `{}` is not a valid path", written.escape_debug()));
        return None;
    }
    Some(path)
}

/// Returns the endpoints, named after their locations; where two have the same location, also after their descriptions.
fn endpoints(document: &Node<'_>, has_root: bool) -> Named<Short<EndpointDef>> {
    let listed = document.object_list("endpoints");
    if !has_root && !listed.is_empty() {
        document.loss("`endpoints` are left out: they require `rootUrl`");
        return Named::default();
    }
    let mut taken = NameScope::with(&["mtls"]);
    let mut endpoints = Named::default();
    for endpoint in listed {
        endpoint.report_unknown(&["description", "endpointUrl", "location"]);
        if !endpoint.has("endpointUrl") {
            endpoint.whole_loss("left out: missing `endpointUrl`");
            continue;
        }
        let Some(url) = optional_url(&endpoint, "endpointUrl") else {
            endpoint.mark_used();
            continue;
        };
        let location = endpoint.text("location").filter(|location| !location.is_empty());
        let doc = endpoint.prose("description");
        let plain = names::kebab(location.unwrap_or("endpoint"));
        let kind = doc.as_deref().and_then(|doc| doc.split(' ').next()).unwrap_or_default();
        let with_kind = names::kebab(&format!("{plain}-{kind}"));
        let mut free = |preferred: &str| {
            let marks = names::rust_name(preferred, Casing::Member).map(|name| names::ident(&name));
            marks.is_some_and(|marks| taken.reserve_all(&marks)).then(|| preferred.to_owned())
        };
        let name = free(&plain).or_else(|| free(&with_kind));
        let name = name.or_else(|| taken.reserve_free(&with_kind, Casing::Member, names::ident));
        let Some(name) = name else {
            endpoint.whole_loss("left out: its location contains no valid name");
            continue;
        };
        let location = location.filter(|location| *location != name);
        let endpoint =
            EndpointDef { url: url.into(), doc: text(doc), location: text(location), ..EndpointDef::default() };
        endpoints.push(name, endpoint.into());
    }
    endpoints
}
