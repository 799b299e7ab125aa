//! Security: schemes, scopes, and the requirements of operations.

mod requirements;

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::resolve::is_token;
use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::Operation;
use wireform_codegen::schema::file::{File, Scope};
use wireform_codegen::schema::security::{
    ApiKeyLocation, Flow, HttpScheme, SchemeType, SecurityRequirements, SecurityScheme,
};

use super::{document, reimport};
use crate::lowering::{text, texts};
use crate::names::{self, NameScope};
use crate::node::Node;

/// Security schemes and scopes of a document by their names in the schema.
#[derive(Default)]
pub struct Security {
    /// Schemes in the order of the document, which is that of preference.
    schemes: Vec<(String, String, SecurityScheme)>,
    scopes: BTreeMap<String, (String, Scope)>,
    /// Names of all defined schemes, including unsupported ones.
    defined: BTreeSet<String>,
    /// Default requirement of operations.
    default_requirement: Option<SecurityRequirements>,
    /// True if every operation declares its own requirement.
    own: bool,
}

/// Names of OAuth 2.0 grants.
const GRANTS: [(&str, &str); 5] = [
    ("authorizationCode", "authorization_code"),
    ("clientCredentials", "client_credentials"),
    ("implicit", "implicit"),
    ("password", "password"),
    ("x-wireform-device-authorization", "device_authorization"),
];

impl Security {
    /// Parses the schemes of a document.
    pub fn of(root: &Node<'_>) -> Self {
        let mut all = Self { own: document::is_own(root), ..Self::default() };
        let written = root.get("components").map(|components| components.entries("securitySchemes"));
        let (mut names, mut scopes) = (NameScope::default(), NameScope::default());
        for (name, url) in reimport::scopes(root) {
            all.scopes.insert(url.to_owned(), (name.to_owned(), Scope::default()));
        }
        for (id, written) in written.unwrap_or_default() {
            all.defined.insert(id.to_owned());
            let Some(node) = written.resolved(root).filter(|node| !node.flag("x-wireform-implied")) else { continue };
            all.define(&node, &mut scopes);
            let body = all.scheme(&node);
            let name = free(&mut names, id, "scheme");
            all.schemes.push((id.to_owned(), name, body));
        }
        if all.schemes.is_empty() && !all.own {
            all.define_required(root, &mut names);
        }
        all.default_requirement = root.has("security").then(|| all.requirements(root));
        all
    }

    /// Defines the schemes that requirements name, for a document that defines none.
    fn define_required(&mut self, root: &Node<'_>, names: &mut NameScope) {
        let items = root.entries("paths").into_iter().filter_map(|(_, item)| item.resolved(root));
        let operations: Vec<Node<'_>> = items.flat_map(|item| item.members()).map(|(_, operation)| operation).collect();
        let required = std::iter::once(root).chain(&operations).filter(|node| node.object().is_some());
        for (id, node) in required.flat_map(|node| node.list("security")).flat_map(|one| one.members()) {
            if self.defined.insert(id.to_owned()) {
                let body = custom(&node, "the scheme is not defined");
                self.schemes.push((id.to_owned(), free(names, id, "scheme"), body));
            }
        }
    }

    /// Names the scopes of a scheme.
    fn define(&mut self, node: &Node<'_>, taken: &mut NameScope) {
        for (_, flow) in node.entries("flows") {
            for (scope, doc) in flow.entries("scopes") {
                if let Some((_, known)) = self.scopes.get(scope) {
                    let own = doc.as_prose();
                    if !self.own && own.is_some() && own.as_deref() != known.doc.as_ref().map(|doc| doc.text.as_str()) {
                        doc.note("left out: another flow describes the scope");
                    }
                    continue;
                }
                let name = free(taken, scope, "scope");
                let url = text((name != scope).then_some(scope));
                let body = Scope { doc: text(doc.as_prose()), url, ..Scope::default() };
                self.scopes.insert(scope.to_owned(), (name, body));
            }
        }
    }

    /// Converts a security scheme.
    fn scheme(&self, node: &Node<'_>) -> SecurityScheme {
        node.report_unknown(&[
            "type",
            "description",
            "name",
            "in",
            "scheme",
            "bearerFormat",
            "flows",
            "openIdConnectUrl",
        ]);
        let ty = match node.text("type") {
            Some("apiKey") => SchemeType::ApiKey,
            Some("http") => SchemeType::Http,
            Some("oauth2") => SchemeType::OAuth2,
            Some("openIdConnect") => SchemeType::OpenId,
            Some("mutualTLS") => SchemeType::MutualTls,
            Some(other) => return custom(node, &format!("its type `{}` is unknown", other.escape_debug())),
            None => return custom(node, "it has no type"),
        };
        let mut scheme = SecurityScheme { ty: ty.into(), ..SecurityScheme::default() };
        match ty {
            SchemeType::ApiKey => {
                let (place, name) = match api_key_location(node) {
                    Ok(found) => found,
                    Err(why) => return custom(node, &why),
                };
                scheme.place = Some(place.into());
                scheme.name = text(Some(name));
            }
            SchemeType::Http => {
                let word = match http_scheme(node) {
                    Ok(word) => word,
                    Err(why) => return custom(node, &why),
                };
                scheme.bearer_format = text(node.text("bearerFormat").filter(|_| word == HttpScheme::Bearer));
                scheme.scheme = Some(word.into());
            }
            SchemeType::OAuth2 => {
                scheme.flows = self.flows(node);
                scheme.url = text(node.text_if("x-wireform-metadata-url"));
            }
            SchemeType::OpenId => {
                let Some(url) = node.text("openIdConnectUrl") else { return custom(node, "it has no URL") };
                scheme.url = text(Some(url));
            }
            SchemeType::MutualTls => {}
        }
        scheme.doc = text(node.prose("description"));
        scheme
    }

    /// Converts the flows of an OAuth scheme.
    fn flows(&self, node: &Node<'_>) -> Named<Flow> {
        let mut flows = Named::default();
        for (kind, flow) in node.entries("flows") {
            let Some((_, word)) = GRANTS.iter().find(|(name, _)| *name == kind) else {
                flow.whole_loss("left out: unknown grant type");
                continue;
            };
            flow.report_unknown(&["authorizationUrl", "tokenUrl", "refreshUrl", "scopes"]);
            let url = |key: &str| {
                let url = flow.text(key)?;
                if !url.starts_with("http") {
                    flow.loss(format!("`{key}: {}` is left out: invalid URL", url.escape_debug()));
                    return None;
                }
                text(Some(url))
            };
            let scopes: Vec<&str> = flow.entries("scopes").into_iter().map(|(scope, _)| self.scope(scope)).collect();
            let grant = Flow {
                authorization_url: url("authorizationUrl"),
                token_url: url("tokenUrl"),
                refresh_url: url("refreshUrl"),
                device_url: url("x-wireform-device-authorization-url"),
                scopes: (!scopes.is_empty()).then(|| texts(scopes)),
                ..Flow::default()
            };
            flows.insert(*word, grant);
        }
        flows
    }

    /// Returns the name of a scope.
    fn scope<'s>(&'s self, scope: &'s str) -> &'s str {
        self.scopes.get(scope).map_or(scope, |(name, _)| name)
    }

    /// Writes the requirement of an operation, if it differs from the default.
    pub fn of_operation(&self, node: &Node<'_>, operation: &mut Operation) {
        if !node.has("security") || self.schemes.is_empty() || operation.scopes.is_some() || operation.api_key.is_some()
        {
            return;
        }
        let own = self.requirements(node);
        let nothing = SecurityRequirements::default();
        let standard = self.default_requirement.as_ref();
        // An explicit requirement of an operation is deliberate, and is kept even if there is no default.
        if self.own || own == nothing || standard.unwrap_or(&nothing) != &own {
            operation.security = Some(own);
        }
    }

    /// Writes the schemes, the scopes, and the default requirement.
    pub fn write(&self, file: &mut File) {
        if file.scopes.is_empty() {
            for (name, scope) in self.scopes.values() {
                file.scopes.insert(name, scope.clone().into());
            }
        }
        file.security_schemes = self.schemes.iter().map(|(_, name, body)| (name.as_str(), body.clone())).collect();
        let standard = self.default_requirement.clone();
        file.security = standard.filter(|standard| !self.schemes.is_empty() && !standard.alternatives.is_empty());
    }
}

/// Schemes whose header is computed for each request, and so is not a key.
const COMPUTED: [&str; 8] =
    ["digest", "dpop", "hoba", "mutual", "negotiate", "scram-sha-1", "scram-sha-256", "signature"];

/// Returns a scheme that this language cannot describe: the caller writes its credentials into the header
/// `Authorization`.
fn custom(node: &Node<'_>, why: &str) -> SecurityScheme {
    node.note(format!("becomes an API key in the header `Authorization`, whose value the caller writes: {why}"));
    SecurityScheme {
        ty: SchemeType::ApiKey.into(),
        place: Some(ApiKeyLocation::Header.into()),
        name: text(Some("Authorization")),
        doc: text(node.prose("description")),
        ..SecurityScheme::default()
    }
}

/// Returns the scheme of the header `Authorization`, or why it is not supported.
fn http_scheme(node: &Node<'_>) -> Result<HttpScheme, String> {
    let Some(written) = node.text("scheme") else { return Err("it has no `scheme`".to_owned()) };
    let scheme = written.escape_debug();
    if COMPUTED.iter().any(|scheme| scheme.eq_ignore_ascii_case(written)) {
        return Err(format!("the HTTP scheme `{scheme}` computes it for each request"));
    }
    HttpScheme::from_word(&written.to_ascii_lowercase())
        .ok_or_else(|| format!("each key of the HTTP scheme starts with `{scheme} `"))
}

/// Returns the location and name of an API key, or why it is not supported.
fn api_key_location<'d>(node: &Node<'d>) -> Result<(ApiKeyLocation, &'d str), String> {
    let (Some(written), Some(name)) = (node.text("in"), node.text("name")) else {
        return Err("an API key requires `in` and `name`".to_owned());
    };
    let Some(place) = ApiKeyLocation::from_word(written) else {
        return Err(format!("an API key cannot be in `{}`", written.escape_debug()));
    };
    if name.is_empty() || place != ApiKeyLocation::Query && !is_token(name) {
        return Err(format!("`{}` is not a valid name of a header, cookie or parameter", name.escape_debug()));
    }
    Ok((place, name))
}

/// Returns a free name that resembles the wanted one.
fn free(names: &mut NameScope, wanted: &str, otherwise: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-:".contains(c) { c } else { '.' };
    let text = wanted.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('/');
    let text: String = text.chars().map(plain).take(100).collect();
    let text = if text.bytes().any(|byte| byte.is_ascii_alphanumeric()) { text } else { otherwise.to_owned() };
    names.reserve_free(&text, Casing::Member, names::ident).unwrap_or(text)
}
