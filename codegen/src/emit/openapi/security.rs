//! Security: scopes, tokens and keys.

use super::json::{Json, Object, object};
use crate::emit::docs;
use crate::model::{
    Api, Flow, Grant, Location, Operation, Parameter, Role, SchemeKind, SchemeRequirement, ScopeRequirement,
    SecurityScheme,
};

/// Returns the security schemes.
pub fn schemes(api: &Api) -> Object {
    let mut schemes: Object =
        api.security_schemes.iter().map(|one| (one.name.clone(), Json::from(scheme(api, one)))).collect();
    let needed = |operation: &Operation| operation.scopes != ScopeRequirement::None;
    if !api.scopes.is_empty() && (api.security_schemes.is_empty() || api.operations.iter().any(needed)) {
        schemes = schemes.with("oauth2", oauth(api)).with("bearer", bearer());
    }
    let takes_key = api.operations.iter().any(|operation| operation.api_key);
    if let Some(parameter) = api.standard_parameter(Role::ApiKey).filter(|_| takes_key) {
        schemes = schemes.with("key", api_key_scheme(parameter));
    }
    schemes
}

/// Returns the scopes: their URLs with descriptions.
fn oauth(api: &Api) -> Object {
    let root = api.root.as_deref().unwrap_or_default();
    let scopes: Object =
        api.scopes.iter().map(|scope| (scope.url.clone(), Json::from(docs::markdown(&scope.doc)))).collect();
    let flow = object()
        .with("authorizationUrl", format!("{root}/oauth2/authorize"))
        .with("tokenUrl", format!("{root}/oauth2/token"))
        .with("scopes", scopes);
    object()
        .with("type", "oauth2")
        .with("description", "The URLs are placeholders: the schema does not declare the authorization server.")
        .with("flows", object().with("authorizationCode", flow))
        .with("x-wireform-implied", true)
}

/// Returns the scheme for access tokens of an API with scopes; the schema does not declare it.
fn bearer() -> Object {
    object()
        .with("type", "http")
        .with("scheme", "bearer")
        .with("description", "Access token with the scopes that the operation needs.")
        .with("x-wireform-implied", true)
}

fn api_key_scheme(parameter: &Parameter) -> Object {
    object()
        .with("type", "apiKey")
        .with("in", "query")
        .with("name", parameter.name.wire.as_str())
        .with("description", "Key of the calling project; sufficient for public resources.")
        .with("x-wireform-implied", true)
}

/// Returns a declared scheme.
fn scheme(api: &Api, scheme: &SecurityScheme) -> Object {
    let typed = |name: &str| object().with("type", name).with_text("description", &docs::markdown(&scheme.doc));
    match &scheme.kind {
        SchemeKind::ApiKey(location, name) => {
            let place = match location {
                Location::Cookie => "cookie",
                Location::Query => "query",
                Location::Path | Location::Header => "header",
            };
            typed("apiKey").with("in", place).with("name", name.as_str())
        }
        SchemeKind::Basic => typed("http").with("scheme", "basic"),
        SchemeKind::Bearer(format) => {
            typed("http").with("scheme", "bearer").with_some("bearerFormat", format.as_deref())
        }
        SchemeKind::OAuth2 { flows, metadata } => {
            let flows: Object = flows.iter().map(|one| (grant(one).to_owned(), Json::from(flow(api, one)))).collect();
            typed("oauth2").with("flows", flows).with_some("x-wireform-metadata-url", metadata.as_deref())
        }
        SchemeKind::OpenId(url) => typed("openIdConnect").with("openIdConnectUrl", url.as_str()),
        SchemeKind::MutualTls => typed("mutualTLS"),
    }
}

/// Returns the key of an OAuth 2.0 flow in the document.
fn grant(flow: &Flow) -> &'static str {
    match flow.grant {
        Grant::AuthorizationCode => "authorizationCode",
        Grant::Implicit => "implicit",
        Grant::Password => "password",
        Grant::ClientCredentials => "clientCredentials",
        // OpenAPI 3.1 has no device authorization flow.
        Grant::DeviceAuthorization => "x-wireform-device-authorization",
    }
}

/// Returns the OAuth Flow Object: the URLs of a flow, and its scopes with their descriptions.
fn flow(api: &Api, flow: &Flow) -> Object {
    let scope = |index: &usize| {
        let scope = api.scope(*index);
        (scope.url.clone(), Json::from(docs::markdown(&scope.doc)))
    };
    object()
        .with_some("authorizationUrl", flow.authorization_url.as_deref())
        .with_some("tokenUrl", flow.token_url.as_deref())
        .with_some("refreshUrl", flow.refresh_url.as_deref())
        .with_some("x-wireform-device-authorization-url", flow.device_url.as_deref())
        .with("scopes", flow.scopes.iter().map(scope).collect::<Object>())
}

fn scheme_requirement(api: &Api, demand: &SchemeRequirement) -> (String, Json) {
    let scopes = demand.scopes.iter().map(|index| api.scope(*index).url.as_str());
    let name = api.security_scheme(demand.scheme).name.clone();
    (name, Json::from(scopes.collect::<Vec<_>>()))
}

/// Returns the security requirements of an operation: alternatives, each with all schemes that it requires.
pub fn security_requirements(api: &Api, operation: &Operation) -> Vec<Object> {
    let url = |index: &usize| api.scope(*index).url.as_str();
    let oauth = |scopes: &[usize]| object().with("oauth2", scopes.iter().map(url).collect::<Vec<_>>());
    if let Some(ways) = &operation.security {
        return ways
            .iter()
            .map(|requirement| requirement.iter().map(|one| scheme_requirement(api, one)).collect())
            .collect();
    }
    let mut alternatives: Vec<Object> = match &operation.scopes {
        ScopeRequirement::None => return Vec::new(),
        ScopeRequirement::AnyOf(scopes) => scopes.iter().map(|scope| oauth(&[*scope])).collect(),
        ScopeRequirement::AllOf(scopes) => vec![oauth(scopes)],
    };
    let nothing = Vec::<Json>::new;
    alternatives.push(object().with("bearer", nothing()));
    alternatives.extend(operation.api_key.then(|| object().with("key", nothing())));
    alternatives
}
