//! Who may ask: scopes, tokens and keys.

use super::json::{Json, Object, object};
use crate::emit::docs;
use crate::model::{Api, Operation, Scope, ScopeNeed};

/// The ways in which a request can say who asks.
pub fn schemes(api: &Api) -> Object {
    let mut schemes = object();
    if !api.scopes.is_empty() {
        schemes = schemes.with("oauth2", oauth(api)).with("bearer", bearer());
    }
    if api.operations.iter().any(|operation| operation.api_key) {
        schemes = schemes.with("key", key());
    }
    schemes
}

/// The scopes, with their addresses as names and what they mean.
fn oauth(api: &Api) -> Object {
    let root = api.root.as_deref().unwrap_or_default();
    let scopes: Object =
        api.scopes.iter().map(|scope| (scope.url.clone(), Json::from(docs::paragraph(&scope.doc)))).collect();
    let flow = object()
        .with("authorizationUrl", format!("{root}/oauth2/authorize"))
        .with("tokenUrl", format!("{root}/oauth2/token"))
        .with("scopes", scopes);
    let names = |scope: &Scope| {
        object()
            .with("name", scope.name.as_str())
            .with("url", scope.url.as_str())
            .with_all("aliases", scope.aliases.iter().map(String::as_str))
    };
    object()
        .with("type", "oauth2")
        .with(
            "description",
            "The addresses stand in for those of the authorization server, which the schema does not know.",
        )
        .with("flows", object().with("authorizationCode", flow))
        .with_all("x-wireform-scopes", api.scopes.iter().map(names))
}

fn bearer() -> Object {
    object()
        .with("type", "http")
        .with("scheme", "bearer")
        .with("description", "An access token that has the scopes which the operation needs.")
}

fn key() -> Object {
    object()
        .with("type", "apiKey")
        .with("in", "query")
        .with("name", "key")
        .with("description", "A key that names the calling project; enough for what is public.")
}

/// What an operation needs: one of the alternatives, each with all that it names.
pub fn needs(api: &Api, operation: &Operation) -> Vec<Object> {
    let url = |index: &usize| api.scopes.get(*index).map(|scope| scope.url.as_str());
    let oauth = |scopes: &[usize]| object().with("oauth2", scopes.iter().filter_map(url).collect::<Vec<_>>());
    let mut alternatives: Vec<Object> = match &operation.scopes {
        ScopeNeed::None => return Vec::new(),
        ScopeNeed::AnyOf(scopes) => scopes.iter().map(|scope| oauth(&[*scope])).collect(),
        ScopeNeed::AllOf(scopes) => vec![oauth(scopes)],
    };
    let nothing = Vec::<Json>::new;
    alternatives.push(object().with("bearer", nothing()));
    alternatives.extend(operation.api_key.then(|| object().with("key", nothing())));
    alternatives
}
