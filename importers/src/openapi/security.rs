//! Who may ask: security schemes, their scopes, and what operations demand.

mod ways;

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::names::Casing;

use super::bodies::is_token;
use super::own;
use crate::files::put;
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;

/// The schemes and the scopes of a document by the names that they have in the schema.
#[derive(Default)]
pub struct Security {
    /// In the order of the document, which is that of preference.
    schemes: Vec<(String, String, Mapping)>,
    scopes: BTreeMap<String, (String, Mapping)>,
    /// The names of all schemes that the document defines, also of those that have no place in a schema.
    defined: BTreeSet<String>,
    /// What operations demand that do not say it themselves.
    standard: Option<Yaml>,
    /// Whether every operation says it itself.
    own: bool,
}

/// The words for grants of OAuth 2.0.
const GRANTS: [(&str, &str); 5] = [
    ("authorizationCode", "authorization_code"),
    ("clientCredentials", "client_credentials"),
    ("implicit", "implicit"),
    ("password", "password"),
    ("x-wireform-device-authorization", "device_authorization"),
];

impl Security {
    /// Reads the schemes of a document.
    pub fn of(root: &Node<'_>) -> Self {
        let mut all = Self { own: own::is_own(root), ..Self::default() };
        let written = root.get("components").map(|components| components.entries("securitySchemes"));
        let (mut names, mut scopes) = (Names::default(), Names::default());
        for (name, url) in own::scopes(root) {
            all.scopes.insert(url.to_owned(), (name.to_owned(), Mapping::new()));
        }
        for (id, written) in written.unwrap_or_default() {
            all.defined.insert(id.to_owned());
            let Some(node) = written.resolved(root).filter(|node| !node.flag("x-wireform-implied")) else { continue };
            all.define(&node, &mut scopes);
            let Some(body) = all.scheme(&node) else { continue };
            let name = free(&mut names, id, "scheme");
            all.schemes.push((id.to_owned(), name, body));
        }
        all.standard = root.has("security").then(|| all.demands(root));
        all
    }

    /// Names the scopes of a scheme.
    fn define(&mut self, node: &Node<'_>, taken: &mut Names) {
        for (_, flow) in node.entries("flows") {
            for (scope, doc) in flow.entries("scopes") {
                if let Some((_, known)) = self.scopes.get(scope) {
                    let own = doc.text_here().and_then(prose::paragraph);
                    if !self.own && own.is_some() && own.as_deref() != known.get("doc").and_then(Yaml::as_str) {
                        doc.note("left out: another flow says what the scope is for");
                    }
                    continue;
                }
                let name = free(taken, scope, "scope");
                let mut body = Mapping::new();
                put(&mut body, "doc", doc.text_here().and_then(prose::paragraph));
                put(&mut body, "url", (name != scope).then_some(scope));
                self.scopes.insert(scope.to_owned(), (name, body));
            }
        }
    }

    fn scheme(&self, node: &Node<'_>) -> Option<Mapping> {
        node.only(&["type", "description", "name", "in", "scheme", "bearerFormat", "flows", "openIdConnectUrl"]);
        let mut body = Mapping::new();
        let ty = node.text("type")?;
        let word = match ty {
            "apiKey" => "api_key",
            "http" => "http",
            "oauth2" => "oauth2",
            "openIdConnect" => "open_id",
            "mutualTLS" => "mutual_tls",
            other => {
                node.whole_loss(format!("left out: there is no security scheme `{}`", other.escape_debug()));
                return None;
            }
        };
        put(&mut body, "type", Some(word));
        match word {
            "api_key" => {
                let (place, name) = key(node)?;
                put(&mut body, "in", Some(place));
                put(&mut body, "name", Some(name));
            }
            "http" => {
                let scheme = node.text("scheme")?.to_ascii_lowercase();
                if !["basic", "bearer"].contains(&scheme.as_str()) {
                    node.whole_loss(format!(
                        "left out: the HTTP scheme `{}` has no place in a schema",
                        scheme.escape_debug()
                    ));
                    return None;
                }
                put(&mut body, "bearer_format", node.text("bearerFormat").filter(|_| scheme == "bearer"));
                put(&mut body, "scheme", Some(scheme));
            }
            "oauth2" => {
                put(&mut body, "flows", Some(self.flows(node)));
                put(&mut body, "url", node.text_if("x-wireform-metadata-url"));
            }
            "open_id" => put(&mut body, "url", Some(node.text("openIdConnectUrl")?)),
            _ => {}
        }
        put(&mut body, "doc", node.prose("description"));
        Some(body)
    }

    fn flows(&self, node: &Node<'_>) -> Mapping {
        let mut flows = Mapping::new();
        for (kind, flow) in node.entries("flows") {
            let Some((_, word)) = GRANTS.iter().find(|(theirs, _)| *theirs == kind) else {
                flow.whole_loss("left out: there is no such grant");
                continue;
            };
            flow.only(&["authorizationUrl", "tokenUrl", "refreshUrl", "scopes"]);
            let mut body = Mapping::new();
            for (theirs, ours) in [
                ("authorizationUrl", "authorization_url"),
                ("tokenUrl", "token_url"),
                ("refreshUrl", "refresh_url"),
                ("x-wireform-device-authorization-url", "device_url"),
            ] {
                put(&mut body, ours, flow.text(theirs).filter(|url| url.starts_with("http")));
                if let Some(other) = flow.text(theirs).filter(|url| !url.starts_with("http")) {
                    flow.loss(format!("`{theirs}: {}` is left out: it is not an address", other.escape_debug()));
                }
            }
            let scopes: Vec<&str> = flow.entries("scopes").into_iter().map(|(scope, _)| self.scope(scope)).collect();
            put(&mut body, "scopes", Some(scopes).filter(|scopes| !scopes.is_empty()));
            flows.insert(Yaml::from(*word), Yaml::Mapping(body));
        }
        flows
    }

    fn scope<'s>(&'s self, scope: &'s str) -> &'s str {
        self.scopes.get(scope).map_or(scope, |(name, _)| name)
    }

    /// What an operation demands, where it is not what all others do.
    pub fn of_operation(&self, node: &Node<'_>, body: &mut Mapping) {
        if !node.has("security")
            || self.schemes.is_empty()
            || body.contains_key("scopes")
            || body.contains_key("api_key")
        {
            return;
        }
        let own = self.demands(node);
        let nothing = Yaml::Sequence(Vec::new());
        let standard = self.standard.as_ref();
        // What an operation says of itself is said on purpose, and is kept where nothing else is demanded either.
        if self.own || own == nothing || standard.unwrap_or(&nothing) != &own {
            put(body, "security", Some(own));
        }
    }

    /// The schemes, the scopes, and what operations demand that say nothing.
    pub fn write(&self, file: &mut Mapping) {
        let mapping = |name: &str, body: &Mapping| (Yaml::from(name), Yaml::Mapping(body.clone()));
        let scopes: Mapping = self.scopes.values().map(|(name, body)| mapping(name, body)).collect();
        let scopes: Mapping = scopes.into_iter().map(|(name, body)| (name, short(body))).collect();
        let schemes: Mapping = self.schemes.iter().map(|(_, name, body)| mapping(name, body)).collect();
        if !file.contains_key("scopes") {
            put(file, "scopes", Some(scopes).filter(|scopes| !scopes.is_empty()));
        }
        put(file, "security_schemes", Some(schemes).filter(|schemes| !schemes.is_empty()));
        let nothing = Yaml::Sequence(Vec::new());
        let standard = self.standard.clone().filter(|standard| !self.schemes.is_empty() && *standard != nothing);
        put(file, "security", standard);
    }
}

/// Where a key stands and what it is called there.
fn key<'d>(node: &Node<'d>) -> Option<(&'d str, &'d str)> {
    let (Some(place), Some(name)) = (node.text("in"), node.text("name")) else {
        node.whole_loss("left out: a key needs `in` and `name`");
        return None;
    };
    if !["cookie", "header", "query"].contains(&place) {
        node.whole_loss(format!("left out: a key cannot stand in `{}`", place.escape_debug()));
        return None;
    }
    if name.is_empty() || place != "query" && !is_token(name) {
        node.whole_loss("left out: its name cannot be that of a header, a cookie or a parameter");
        return None;
    }
    Some((place, name))
}

/// A description alone needs no mapping.
fn short(body: Yaml) -> Yaml {
    match &body {
        Yaml::Mapping(map) if map.len() == 1 => map.get("doc").cloned().unwrap_or(body),
        _ => body,
    }
}

fn free(names: &mut Names, wanted: &str, otherwise: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-:".contains(c) { c } else { '.' };
    let text = wanted.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('/');
    let text: String = text.chars().map(plain).take(100).collect();
    let text = if text.bytes().any(|byte| byte.is_ascii_alphanumeric()) { text } else { otherwise.to_owned() };
    names.free(&text, Casing::Member, names::ident).unwrap_or(text)
}
