//! Credentials of every kind of security scheme, sent by clients and checked by servers.

use http_body_util::BodyExt as _;
use security_client::Client;
use security_client::runtime::Credentials;
use security_client::runtime::transport::ServiceTransport;
use security_server::runtime::axum::{Router, body::Body, extract::Request, http, middleware};
use security_server::runtime::{AuthError, AuthRequest, ClientCertificate, Credential};
use security_server::types::Who;
use security_server::{Authenticator, Context, Principal, Result, requests, service};
use tower_service::Service as _;

struct Identities;

macro_rules! handlers {
    ($($method:ident: $request:ident;)*) => {
        impl service::Ungrouped for Identities {$(
            async fn $method(&self, _: requests::$request, context: &Context) -> Result<Who> {
                Ok(Who::default().with_name(context.principal().subject()).into())
            }
        )*}
    };
}

handlers! {
    login: Login; open: Open; either: Either; maybe: Maybe; both: Both;
    scoped: Scoped; known: Known; asked: Asked; browsed: Browsed; proven: Proven;
}

/// Returns the credentials as the principal. A token is a list of scopes; a valid key starts with `k`.
struct EchoAuthenticator;

fn name(credential: Credential<'_>) -> Option<String> {
    Some(match credential {
        Credential::Basic { name, password: "secret-word" } => name.to_owned(),
        Credential::Bearer(token) if !token.starts_with('!') => format!("bearer {token}"),
        Credential::ApiKey(key) if key.starts_with('k') => format!("key {key}"),
        Credential::Certificate(bytes) => format!("certificate of {}", bytes.len()),
        Credential::All(list) => list.iter().map(|one| name(*one)).collect::<Option<Vec<_>>>()?.join(" and "),
        _ => return None,
    })
}

impl Authenticator for EchoAuthenticator {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        request: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        assert!(request.parts.headers.get("x-api-key").is_none_or(http::HeaderValue::is_sensitive));
        let schemes: Vec<_> = request.demands.iter().map(|demand| demand.scheme.name).collect();
        let name = name(credential).ok_or(AuthError::Invalid)?;
        let scopes: Vec<String> = match credential {
            Credential::Bearer(token) => vec![token.to_owned()],
            Credential::All(_) => vec!["items".to_owned()],
            _ => Vec::new(),
        };
        Ok(Principal::new(format!("{name} by {}", schemes.join("+"))).with_scopes(scopes))
    }
}

fn router() -> Router {
    security_server::server(Identities).authenticator(EchoAuthenticator).router()
}

fn client(credentials: Credentials) -> Client {
    let transport = ServiceTransport::new(router());
    Client::builder().base_url("http://localhost").credentials(credentials).transport(transport).build().unwrap()
}

/// Sends a request and returns the status, challenge and body of the response.
async fn send_raw(router: &mut Router, path: &str, headers: &[(&str, &str)]) -> (u16, String, String) {
    let mut request = http::Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = router.call(request.body(Body::empty()).unwrap()).await.unwrap();
    let challenge = response.headers().get("www-authenticate").map(|value| value.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, challenge.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
}

fn describe(who: Who) -> String {
    who.name.unwrap_or_default()
}

fn all_credentials() -> Credentials {
    Credentials::basic("ana", "secret-word")
        .and("token", Credentials::token("t"))
        .and("oauth", Credentials::token("items"))
        .and("key", Credentials::api_key("k1"))
        .and("query-key", Credentials::api_key("k&2"))
        .and("session", Credentials::api_key("k3"))
}

#[tokio::test]
async fn a_client_sends_the_required_credentials() {
    let client = client(all_credentials());
    assert_eq!(describe(client.login().send().await.unwrap()), "ana by login");
    assert_eq!(describe(client.open().send().await.unwrap()), "anonymous");
    assert_eq!(describe(client.either().send().await.unwrap()), "ana by login");
    assert_eq!(describe(client.maybe().send().await.unwrap()), "key k1 by key");
    assert_eq!(describe(client.both().send().await.unwrap()), "key k1 and bearer items by key+oauth");
    assert_eq!(describe(client.asked().q("x").send().await.unwrap()), "key k&2 by query-key");
    assert_eq!(describe(client.browsed().theme("dark").send().await.unwrap()), "key k3 by session");
    // A single credential applies to every scheme of its kind.
    let client = self::client(Credentials::token("t"));
    assert_eq!(describe(client.either().send().await.unwrap()), "bearer t by token");
    assert_eq!(describe(client.known().send().await.unwrap()), "bearer t by identity");
    assert_eq!(describe(client.maybe().send().await.unwrap()), "anonymous");
}

#[tokio::test]
async fn missing_credentials_are_reported() {
    let error = client(Credentials::token("t")).both().send().await.unwrap_err().to_string();
    assert!(error.contains("key and oauth"), "{error}");
    let error = client(Credentials::None).either().send().await.unwrap_err().to_string();
    assert!(error.contains("login, or token"), "{error}");
    let error = client(Credentials::basic("a:b", "secret-word")).login().send().await.unwrap_err().to_string();
    assert!(error.contains("must not contain `:`") && !error.contains("secret-word"), "{error}");
    assert!(!format!("{:?}", client(all_credentials())).contains("secret-word"));
}

#[tokio::test]
async fn insufficient_credentials_are_reported_with_the_required_ones() {
    let mut router = router();
    let basic = "Basic realm=\"security\", charset=\"UTF-8\"";
    let (status, challenge, text) = send_raw(&mut router, "/either", &[]).await;
    assert_eq!((status, challenge), (401, format!("{basic}, Bearer realm=\"security\"")), "{text}");
    assert!(text.contains("login, or token"), "{text}");
    let wrong = [("authorization", "Basic YW5hOndyb25n")];
    assert_eq!(send_raw(&mut router, "/login", &wrong).await.0, 401);
    for malformed in ["Basic ?", "Basic YW5h", "Basic", "Bearer t", "Basic a b"] {
        let (status, challenge, _) = send_raw(&mut router, "/login", &[("authorization", malformed)]).await;
        assert_eq!((status, &*challenge), (401, basic), "{malformed}");
    }
    let (status, challenge, _) = send_raw(&mut router, "/either", &[("authorization", "Bearer !")]).await;
    assert_eq!(status, 401);
    assert!(challenge.ends_with("error=\"invalid_token\""), "{challenge}");
    // An invalid key is not treated as a missing one, even if the key is optional.
    assert_eq!(send_raw(&mut router, "/maybe", &[("x-api-key", "wrong")]).await.0, 401);
    assert_eq!(send_raw(&mut router, "/maybe", &[]).await.0, 200);
    // If several credentials are required together, one does not suffice.
    assert_eq!(send_raw(&mut router, "/both", &[("x-api-key", "k")]).await.0, 401);
    assert_eq!(send_raw(&mut router, "/both", &[("authorization", "Bearer items")]).await.0, 401);
    assert_eq!(send_raw(&mut router, "/asked?q=1", &[]).await.0, 401);
    assert_eq!(send_raw(&mut router, "/asked?api%20key=k", &[]).await.0, 200);
    assert_eq!(send_raw(&mut router, "/asked?api+key=k&api%20key=k", &[]).await.0, 400);
    assert_eq!(send_raw(&mut router, "/login?api%20key=k", &[("authorization", "Basic YW5hOnNlY3JldC13b3Jk")]).await.0, 400);
}

#[tokio::test]
async fn scopes_of_schemes_are_enforced() {
    let mut router = router();
    let (status, challenge, text) = send_raw(&mut router, "/scoped", &[("authorization", "Bearer items")]).await;
    assert_eq!(status, 403, "{text}");
    let needed = "error=\"insufficient_scope\", scope=\"items items.all\"";
    assert!(challenge.ends_with(needed) && text.contains("all of the scopes"), "{challenge} {text}");
    let pair = [("authorization", "Bearer items"), ("x-api-key", "k")];
    assert_eq!(send_raw(&mut router, "/both", &pair).await.0, 200);
}

#[tokio::test]
async fn certificates_come_from_the_tls_terminator() {
    let mut without_certificate = router();
    assert_eq!(send_raw(&mut without_certificate, "/proven", &[]).await.0, 401);
    let mut with_certificate = router().layer(middleware::from_fn(|mut request: Request, next: middleware::Next| {
        request.extensions_mut().insert(ClientCertificate(bytes::Bytes::from_static(b"abc")));
        next.run(request)
    }));
    assert_eq!(send_raw(&mut with_certificate, "/proven", &[]).await.2, r#"{"name":"certificate of 3 by certificate"}"#);
}

#[tokio::test]
async fn a_server_without_an_authenticator_refuses_credentials() {
    let mut router = security_server::router(Identities);
    for (path, status) in [("/login", 401), ("/open", 200), ("/maybe", 200), ("/both", 401), ("/proven", 401)] {
        assert_eq!(send_raw(&mut router, path, &[("x-api-key", "k")]).await.0, status, "{path}");
    }
}
