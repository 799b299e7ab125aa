//! Security schemes, and the requirements of operations.

use super::header_names::is_token;
use super::members::{document, text};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Flow, Grant, Location, SchemeKind, SchemeRequirement, SecurityScheme};
use crate::schema::security::{self, ApiKeyLocation, HttpScheme, SchemeType, SecurityRequirement};
use crate::schema::{self, Text};

/// Grant types by their words in a schema.
const GRANTS: &[(&str, Grant)] = &[
    ("authorization_code", Grant::AuthorizationCode),
    ("client_credentials", Grant::ClientCredentials),
    ("implicit", Grant::Implicit),
    ("password", Grant::Password),
    ("device_authorization", Grant::DeviceAuthorization),
];

impl Tables<'_> {
    /// Returns the security schemes of the API.
    pub fn security_schemes(&self, sink: &mut Sink) -> Vec<SecurityScheme> {
        let schemes = self.api.security_schemes.0.iter();
        schemes
            .map(|(name, def)| {
                document(def.doc.as_ref(), name, "security scheme", sink);
                stray_keys(def, sink);
                // An invalid scheme is kept, so that references to it are not reported as well.
                let kind = self.scheme_kind(name, def, sink).unwrap_or(SchemeKind::MutualTls);
                SecurityScheme { name: name.text.clone(), doc: text(def.doc.as_ref()), kind }
            })
            .collect()
    }

    fn scheme_kind(&self, name: &Text, def: &security::SecurityScheme, sink: &mut Sink) -> Option<SchemeKind> {
        let mut missing = |key: &str| {
            let message = format!("missing key `{key}` in the security scheme `{}`", name.text.escape_debug());
            sink.report(Code::BadSecurity, def.span, message).help(format!("add `{key}:`"));
        };
        match def.ty.value {
            SchemeType::ApiKey => match (def.place, &def.name) {
                (Some(place), Some(name)) => Some(api_key(place.value, name, sink)),
                (place, _) => {
                    missing(if place.is_none() { "in" } else { "name" });
                    None
                }
            },
            SchemeType::Http => match def.scheme.map(|scheme| scheme.value) {
                Some(HttpScheme::Basic) => Some(SchemeKind::Basic),
                Some(HttpScheme::Bearer) => {
                    Some(SchemeKind::Bearer(def.bearer_format.as_ref().map(|format| format.text.clone())))
                }
                None => {
                    missing("scheme");
                    None
                }
            },
            SchemeType::OAuth2 => {
                let flows = def.flows.0.iter().filter_map(|(grant, flow)| self.flow(grant, flow, sink)).collect();
                Some(SchemeKind::OAuth2 { flows, metadata: def.url.as_ref().map(|url| url.text.clone()) })
            }
            SchemeType::OpenId => match &def.url {
                Some(url) => Some(SchemeKind::OpenId(url.text.clone())),
                None => {
                    missing("url");
                    None
                }
            },
            SchemeType::MutualTls => Some(SchemeKind::MutualTls),
        }
    }

    /// Resolves an OAuth 2.0 flow; without `scopes:` it grants all scopes of the API. Reports an unknown grant type.
    fn flow(&self, name: &Text, def: &security::Flow, sink: &mut Sink) -> Option<Flow> {
        let Some((_, grant)) = GRANTS.iter().find(|(word, _)| *word == name.text) else {
            let message = format!("unknown grant type `{}`", name.text.escape_debug());
            sink.report(Code::BadSecurity, name.span, message)
                .suggest(&name.text, GRANTS.iter().map(|(word, _)| *word));
            return None;
        };
        let address = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
        let scopes = match &def.scopes {
            Some(scopes) => self.scope_indices(scopes, sink),
            None => (0..self.api.scopes.0.len()).collect(),
        };
        Some(Flow {
            grant: *grant,
            authorization_url: address(&def.authorization_url),
            token_url: address(&def.token_url),
            refresh_url: address(&def.refresh_url),
            device_url: address(&def.device_url),
            scopes,
        })
    }

    /// Resolves the security of an operation: its own, or that of the API by default.
    pub fn security(&self, def: &schema::Operation, sink: &mut Sink) -> Option<Vec<Vec<SchemeRequirement>>> {
        if let (Some(own), true) = (&def.security, def.scopes.is_some() || def.api_key.is_some()) {
            let report = sink.report(
                Code::BadSecurity,
                own.alternatives.first().map_or(own.span, |way| way.span),
                "`security` cannot be combined with `scopes` or `api_key`",
            );
            if own.alternatives.is_empty() {
                report
                    .help("remove `security: none` if credentials are required")
                    .help("remove the other key if the operation is intentionally public");
            } else {
                report.help("list the scopes with the scheme: `security: [{ oauth: [scope] }]`");
            }
        }
        let inherited = self.api.security.as_ref().filter(|_| def.scopes.is_none() && def.api_key.is_none());
        let ways = def.security.as_ref().or(inherited)?;
        Some(
            ways.alternatives
                .iter()
                .map(|way| way.schemes.iter().filter_map(|one| self.scheme_requirement(one)).collect())
                .collect(),
        )
    }

    /// Checks the security of the API itself, so that errors are reported once and not for each operation.
    pub fn check_security(&self, sink: &mut Sink) {
        let own = self.operations.iter().filter_map(|(_, operation)| operation.security.as_ref());
        for way in self.api.security.iter().chain(own).flat_map(|ways| &ways.alternatives) {
            self.check_way(way, sink);
        }
    }

    fn check_way(&self, way: &SecurityRequirement, sink: &mut Sink) {
        let (mut at_authorization, mut seen) = (None, Vec::<&str>::new());
        for demand in &way.schemes {
            let name = &demand.scheme;
            let Some((_, scheme)) = self.api.security_schemes.0.iter().find(|(known, _)| known.text == name.text)
            else {
                let schemes = self.api.security_schemes.0.iter().map(|(known, _)| known.text.as_str());
                sink.report(
                    Code::BadSecurity,
                    name.span,
                    format!("unknown security scheme `{}`", name.text.escape_debug()),
                )
                .suggest(&name.text, schemes);
                continue;
            };
            if seen.contains(&name.text.as_str()) {
                sink.report(Code::BadSecurity, name.span, format!("duplicate security scheme `{}`", name.text));
            }
            seen.push(&name.text);
            let has_scopes = matches!(scheme.ty.value, SchemeType::OAuth2 | SchemeType::OpenId)
                || scheme.scheme.is_some_and(|scheme| scheme.value == HttpScheme::Bearer);
            if let (Some(scope), false) = (demand.scopes.first(), has_scopes) {
                sink.report(
                    Code::BadSecurity,
                    scope.span,
                    format!("security scheme `{}` cannot have scopes", name.text),
                );
            } else {
                self.scope_indices(&demand.scopes, sink);
            }
            let takes_authorization = !matches!(scheme.ty.value, SchemeType::ApiKey | SchemeType::MutualTls);
            if takes_authorization && at_authorization.replace(name.span).is_some() {
                let message = "conflicting security schemes: both use the header `Authorization`";
                sink.report(Code::BadSecurity, name.span, message).help("make them alternatives: `[[basic], [token]]`");
            }
        }
    }

    /// Resolves a scheme that an operation requires, with its scopes; `None` if the scheme is unknown.
    fn scheme_requirement(&self, demand: &security::SchemeRequirement) -> Option<SchemeRequirement> {
        // `check_security` reports the errors of the API's own requirements.
        let scheme = self.api.security_schemes.0.iter().position(|(name, _)| name.text == demand.scheme.text)?;
        let scopes = demand.scopes.iter().filter_map(|name| self.scopes.get(name.text.as_str()).copied()).collect();
        Some(SchemeRequirement { scheme, scopes })
    }

    fn scope_indices(&self, names: &[Text], sink: &mut Sink) -> Vec<usize> {
        let mut find = |name: &Text| {
            let found = self.scopes.get(name.text.as_str()).copied();
            if found.is_none() {
                sink.report(Code::UnknownScope, name.span, format!("unknown scope `{}`", name.text))
                    .suggest(&name.text, self.scopes.keys().copied());
            }
            found
        };
        names.iter().filter_map(&mut find).collect()
    }
}

fn api_key(place: ApiKeyLocation, name: &Text, sink: &mut Sink) -> SchemeKind {
    let location = match place {
        ApiKeyLocation::Header => Location::Header,
        ApiKeyLocation::Query => Location::Query,
        ApiKeyLocation::Cookie => Location::Cookie,
    };
    if name.text.is_empty() || (location != Location::Query && !is_token(&name.text)) {
        let shown = name.text.escape_debug();
        sink.report(Code::BadSecurity, name.span, format!("invalid header or cookie name `{shown}`"));
    }
    SchemeKind::ApiKey(location, name.text.clone())
}

/// Reports keys that do not apply to the type of a scheme.
fn stray_keys(def: &security::SecurityScheme, sink: &mut Sink) {
    let ty = def.ty.value;
    let is_bearer = def.scheme.is_some_and(|scheme| scheme.value == HttpScheme::Bearer);
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.span);
    let keys: [(&str, Option<Span>, bool); 6] = [
        ("in", def.place.map(|place| place.span), ty == SchemeType::ApiKey),
        ("name", text(&def.name), ty == SchemeType::ApiKey),
        ("scheme", def.scheme.map(|scheme| scheme.span), ty == SchemeType::Http),
        ("bearer_format", text(&def.bearer_format), ty == SchemeType::Http && is_bearer),
        ("flows", def.flows.0.first().map(|(grant, _)| grant.span), ty == SchemeType::OAuth2),
        ("url", text(&def.url), matches!(ty, SchemeType::OAuth2 | SchemeType::OpenId)),
    ];
    for (key, span, fits) in keys {
        if let (Some(span), false) = (span, fits) {
            sink.report(Code::BadSecurity, span, format!("`{key}` does not apply to a security scheme of this type"))
                .help(format!("remove `{key}`, or change the type"));
        }
    }
}
