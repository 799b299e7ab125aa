//! Servers of paths and operations, which can differ from those of the API.
//!
//! An API has one base path. If operations have others, it is the prefix that all of them share, and the remainders are part
//! of the paths of the operations. Another root is that of the operation.

use super::variables::place;
use super::{has_text, invalid_url_message, of_api, split};
use crate::node::Node;
use crate::openapi::paths::METHODS;

/// URL of a server: its root, unless it is relative, and its path.
type Url = (Option<String>, Option<String>);

/// URLs of a document whose operations can have different ones.
pub struct Layout<'d> {
    of_api: Vec<Node<'d>>,
    /// First valid URL of the API.
    url: Url,
    /// Path that the URLs of all operations share; `None` if all have that of the API.
    shared: Option<String>,
    /// True if the API has several base paths, so that operations cannot have others.
    has_aliases: bool,
}

impl<'d> Layout<'d> {
    /// Examines the servers of a document, of its paths and of its operations.
    pub fn new(root: &Node<'d>) -> Self {
        let of_api = of_api(root);
        let all: Vec<Url> = of_api.iter().filter_map(|server| split(&place(server)?.0)).collect();
        let url = all.first().cloned().unwrap_or_default();
        let is_alias = |other: &Url| other.0 == url.0 && other.1 != url.1;
        let has_aliases = all.iter().any(is_alias) || of_api.iter().any(has_variable_path);
        let mut layout = Self { of_api, url, shared: None, has_aliases };
        let items = root.entries("paths").into_iter().filter_map(|(_, item)| item.resolved(root));
        let operations = items.flat_map(|item| {
            let methods = METHODS.iter().filter_map(|method| item.get(method)?.resolved(root)).collect::<Vec<_>>();
            methods.into_iter().map(move |operation| (item.clone(), operation))
        });
        let mut shared: Option<Vec<String>> = None;
        for (item, operation) in operations {
            let own = layout.own(&item, &operation);
            let path = segments(own.as_ref().map_or(&layout.url.1, |url| &url.1));
            shared = Some(match shared {
                None => path,
                Some(shared) => common(shared, &path),
            });
        }
        let is_shorter = |shared: &Vec<String>| *shared != segments(&layout.url.1);
        layout.shared = shared.filter(is_shorter).map(|shared| shared.concat());
        layout
    }

    /// Returns the base path of the API, given the path of its first URL.
    pub fn shared_path(&self, path: Option<String>) -> Option<String> {
        match &self.shared {
            Some(shared) => Some(shared.clone()).filter(|shared| !shared.is_empty()),
            None => path,
        }
    }

    /// Returns the path of an operation below the base path of the API.
    pub fn template(&self, item: &Node<'d>, operation: &Node<'d>, template: &str) -> String {
        let Some(shared) = &self.shared else { return template.to_owned() };
        let own = self.own(item, operation);
        let path = own.as_ref().map_or(&self.url.1, |url| &url.1).as_deref().unwrap_or_default();
        format!("{}{template}", path.strip_prefix(shared.as_str()).unwrap_or(path))
    }

    /// Returns the root of an operation, if it is not that of the API.
    pub fn root(&self, item: &Node<'d>, operation: &Node<'d>) -> Option<String> {
        self.own(item, operation)?.0.filter(|root| Some(root) != self.url.0.as_ref())
    }

    /// Returns the URL of an operation, if it has one of its own that can be expressed.
    fn own(&self, item: &Node<'d>, operation: &Node<'d>) -> Option<Url> {
        let servers = |node: &Node<'d>| {
            let servers = node.get("servers")?.elements();
            (!servers.is_empty()).then_some(servers)
        };
        let servers = servers(operation).or_else(|| servers(item))?;
        self.expressible(&servers).ok().flatten()
    }

    /// Returns the first of these servers, if it is not that of the API; an error if it cannot be expressed.
    fn expressible(&self, servers: &[Node<'d>]) -> Result<Option<Url>, String> {
        let urls: Vec<String> = servers.iter().filter_map(place).map(|(url, _)| url).collect();
        let Some(url) = urls.first() else { return Ok(None) };
        let Some((root, path)) = split(url) else { return Err(invalid_url_message(url)) };
        let url = (root.or_else(|| self.url.0.clone()), path);
        if url == self.url {
            return Ok(None);
        }
        if self.has_aliases && url.1 != self.url.1 {
            return Err(
                "left out: the API has several base paths, so that its operations cannot have others".to_owned()
            );
        }
        Ok(Some(url))
    }

    /// Reports what of the servers of a path or an operation is not imported.
    pub fn report(&self, node: &Node<'d>) {
        let Some(servers) = node.get("servers") else { return };
        let listed = servers.elements();
        if listed.iter().zip(&self.of_api).any(|(own, one)| own.at == one.at) {
            return;
        }
        servers.mark_used();
        let own = match self.expressible(&listed) {
            Ok(own) => own,
            Err(why) => return servers.whole_loss(why),
        };
        let places = |servers: &[Node<'d>]| servers.iter().filter_map(place).collect::<Vec<_>>();
        let (all, of_api) = (places(&listed), places(&self.of_api));
        if own.is_none() && !all.is_empty() && all.len() < of_api.len() && all.iter().all(|one| of_api.contains(one)) {
            servers.note("left out: restrictions of an operation to some of the API's URLs are not supported");
        }
        for (index, ((_, values), server)) in all.iter().zip(&listed).enumerate() {
            match (&own, index) {
                (Some(_), 0) if !values.is_empty() => server.note("the defaults of the variables are used"),
                (_, 0) => {}
                (Some(_), _) => server.note("left out: an operation has one URL of its own"),
                (None, _) if of_api.iter().any(|(url, _)| *url == all[index].0) => {}
                (None, _) => server.loss("left out: an operation has the URLs of the API, or one of its own"),
            }
        }
        self.report_texts(&listed);
    }

    /// Reports the descriptions of these servers.
    fn report_texts(&self, listed: &[Node<'d>]) {
        let texts = |server: &Node<'d>| ["description", "name"].map(|key| server.get(key));
        for text in listed.iter().flat_map(texts).flatten() {
            let key = text.at.rsplit('/').next().unwrap_or_default();
            // Descriptions of the server of the API are kept or reported there.
            let is_declared = self.of_api.iter().any(|one| one.value.get(key) == Some(text.value));
            if has_text(&text) && !is_declared {
                let kind = format!("server {}", text.value.text().unwrap_or_default());
                text.note_once(&kind, "left out: a URL of an API has one description only");
            }
        }
    }
}

/// Returns whether the path of a server has a variable with several values.
fn has_variable_path(server: &Node<'_>) -> bool {
    let url = server.text_if("url").unwrap_or_default();
    let path = url.split_once("://").map_or(url, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let is_in_path =
        |(name, variable): &(&str, Node<'_>)| path.contains(&format!("{{{name}}}")) && variable.list("enum").len() > 1;
    server.entries("variables").iter().any(is_in_path)
}

/// Returns the segments of a path, each with its slash.
fn segments(path: &Option<String>) -> Vec<String> {
    path.iter().flat_map(|path| path.split('/').skip(1)).map(|segment| format!("/{segment}")).collect()
}

/// Returns the first segments that both paths have.
fn common(shared: Vec<String>, path: &[String]) -> Vec<String> {
    shared.into_iter().zip(path).take_while(|(one, other)| one == *other).map(|(one, _)| one).collect()
}
