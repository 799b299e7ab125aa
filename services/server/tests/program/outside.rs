//! Tests of what clients from outside need: Discovery documents, pages of other origins, and tokens by OAuth.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::program::{Home, Server, read_json};

#[tokio::test]
async fn discovery_documents_have_the_root_of_the_server() {
    let home = Home::new();
    let server = home.serve(&[]);
    let get = |path: &str| server.request(Method::GET, path);
    let (status, list) = read_json(get("/discovery/v1/apis").send().await.expect("a response")).await;
    assert_eq!(status, StatusCode::OK, "no token is necessary");
    let items = list["items"].as_array().expect("a list");
    assert_eq!(items.len(), 3);
    for item in items {
        let url = item["discoveryRestUrl"].as_str().expect("a URL");
        let path = url.strip_prefix(&server.base).expect("it is on this server");
        let (_, document) = read_json(get(path).send().await.expect("a response")).await;
        assert_eq!(document["rootUrl"], format!("{}/", server.base));
        assert_eq!(document["name"], item["name"]);
    }
    // The client may reach the server through another port.
    let forwarded = get("/discovery/v1/apis/calendar/v3/rest").header("host", "tests.example:9000");
    let (_, document) = read_json(forwarded.send().await.expect("a response")).await;
    assert_eq!(document["baseUrl"], "http://tests.example:9000/calendar/v3/");
    let (status, error) = read_json(get("/discovery/v1/apis/drive/v3/rest").send().await.expect("a response")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(error["error"]["message"].as_str().is_some_and(|text| text.contains("calendar/v3")), "{error}");
}

#[tokio::test]
async fn pages_of_allowed_origins_use_the_apis() {
    let home = Home::new();
    let app = "http://localhost:3000";
    let server = home.serve(&["--allow-origin", app, "--allow-origin", "https://a.example,https://b.example"]);
    let path = "/gmail/v1/users/me/profile";
    let preflight = |origin: &str, path: &str| {
        let request = server.request(Method::OPTIONS, path).header("origin", origin);
        request
            .header("access-control-request-method", "PATCH")
            .header("access-control-request-headers", "authorization")
    };
    for origin in [app, "https://a.example", "https://b.example"] {
        let response = preflight(origin, path).send().await.expect("a response");
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], origin);
        assert_eq!(headers["access-control-allow-headers"], "authorization");
        assert!(headers["access-control-allow-methods"].to_str().expect("text").contains("PATCH"));
        assert!(headers["vary"].to_str().expect("text").contains("Origin"));
    }
    let get = |path: &str, origin: &str| {
        server.request(Method::GET, path).bearer_auth(&server.token).header("origin", origin).send()
    };
    let response = get("/calendar/v3/calendars/primary/events", app).await.expect("a response");
    assert_eq!(response.headers()["access-control-allow-origin"], app);
    assert!(response.headers()["access-control-expose-headers"].to_str().expect("text").contains("ETag"));
    // Errors can be read too, and so can Discovery documents.
    for path in ["/calendar/v3/calendars/none/events", "/discovery/v1/apis", "/v1/projects/none"] {
        assert_eq!(get(path, app).await.expect("a response").headers()["access-control-allow-origin"], app, "{path}");
    }
    for (path, origin) in [(path, "https://evil.example"), ("/-/health", app), ("/session", app), ("/-/clock", app)] {
        let response = get(path, origin).await.expect("a response");
        assert!(!response.headers().contains_key("access-control-allow-origin"), "{path}");
        let response = preflight(origin, path).send().await.expect("a response");
        assert!(!response.headers().contains_key("access-control-allow-origin"), "{path}");
    }
    server.stop();
    let server = home.serve(&["--allow-origin", "*"]);
    let response = server.request(Method::GET, path).header("origin", "null").send().await.expect("a response");
    assert_eq!(
        (response.status(), &response.headers()["access-control-allow-origin"]),
        (StatusCode::UNAUTHORIZED, &"null".parse().expect("a value"))
    );
    server.stop();
    let server = home.serve(&[]);
    let response = server.request(Method::GET, path).header("origin", app).send().await.expect("a response");
    assert!(!response.headers().contains_key("access-control-allow-origin"));
    for origin in ["localhost:3000", "http://localhost:3000/", "ftp://a", "http://", "http://a b"] {
        let error = home.refused(&["--allow-origin", origin, "--port", "0"]);
        assert!(error.contains("is not an origin such as"), "{error}");
    }
}

/// Names and values of a form.
type Form<'f> = &'f [(&'f str, &'f str)];

async fn token(server: &Server, form: Form<'_>) -> (StatusCode, Value) {
    read_json(token_request(server, form).send().await.expect("a response")).await
}

fn token_request(server: &Server, pairs: Form<'_>) -> reqwest::RequestBuilder {
    let request = server.request(Method::POST, "/token").header("content-type", "application/x-www-form-urlencoded");
    request.body(form(pairs))
}

/// Returns the address of the user of a token.
async fn address(server: &Server, response: &Value) -> (StatusCode, Value) {
    let token = response["access_token"].as_str().expect("a token");
    let (status, profile) = server.get_by(token, "/gmail/v1/users/me/profile").await;
    (status, profile["emailAddress"].clone())
}

fn assertion(claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.c2ln", part(&json!({ "alg": "RS256", "typ": "JWT" })), part(claims))
}

const JWT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const READONLY: &str = "https://www.googleapis.com/auth/gmail.readonly";

#[tokio::test]
async fn refresh_tokens_and_assertions_name_any_user() {
    let home = Home::new();
    for user in ["ada@example.com", "robot@example.com"] {
        home.run(&["users", "add", user]);
    }
    let server = home.serve(&["--oauth"]);
    let refresh = [("grant_type", "refresh_token"), ("client_id", "any"), ("client_secret", "any")];
    let (status, response) = token(&server, &[&refresh[..], &[("refresh_token", "ada@example.com")]].concat()).await;
    assert_eq!((status, &response["expires_in"]), (StatusCode::OK, &json!(3600)), "{response}");
    assert_eq!(address(&server, &response).await, (StatusCode::OK, json!("ada@example.com")));

    let limited = [("refresh_token", "ada@example.com"), ("scope", "https://www.googleapis.com/auth/calendar openid")];
    let (_, response) = token(&server, &[&refresh[..], &limited].concat()).await;
    assert_eq!(response["scope"], limited[1].1, "clients compare them");
    assert_eq!(address(&server, &response).await.0, StatusCode::FORBIDDEN, "the token is for calendars");

    let claims = json!({ "iss": "robot@example.com", "scope": READONLY, "aud": "any", "iat": 1, "exp": 2 });
    let (_, response) = token(&server, &[("grant_type", JWT), ("assertion", &assertion(&claims))]).await;
    assert_eq!(address(&server, &response).await.1, "robot@example.com");
    let claims = json!({ "iss": "any@project.example", "sub": "ada@example.com", "scope": READONLY });
    let (_, response) = token(&server, &[("grant_type", JWT), ("assertion", &assertion(&claims))]).await;
    assert_eq!(address(&server, &response).await.1, "ada@example.com");
    let kinds: Vec<_> =
        home.list(&["tokens", "list"]).as_array().expect("a list").iter().map(|one| one["kind"].clone()).collect();
    assert!(kinds.contains(&json!("serviceAccount")) && kinds.contains(&json!("delegated")), "{kinds:?}");
    server.stop();
}

#[tokio::test]
async fn issued_tokens_are_revoked_and_no_others() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    let server = home.serve(&["--oauth"]);
    let refresh = [("grant_type", "refresh_token"), ("refresh_token", "ada@example.com")];
    let mut issued = Vec::new();
    for _ in 0..3 {
        issued.push(token(&server, &refresh).await.1);
    }
    let secret = |number: usize| issued[number]["access_token"].as_str().expect("a token").to_owned();
    let revoke = async |pairs: Form<'_>, query: &str| {
        let request = server.request(Method::POST, &format!("/revoke{query}"));
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form(pairs));
        read_json(request.send().await.expect("a response")).await
    };
    assert_eq!(revoke(&[("token", &secret(0))], "").await, (StatusCode::OK, json!({})));
    assert_eq!(address(&server, &issued[0]).await.0, StatusCode::UNAUTHORIZED);
    // Revoking it again changes nothing.
    assert_eq!(revoke(&[], &format!("?token={}", secret(0))).await.0, StatusCode::OK);
    assert_eq!(address(&server, &issued[1]).await.0, StatusCode::OK);
    assert_eq!(revoke(&[], &format!("?token={}", secret(1))).await.0, StatusCode::OK);
    assert_eq!(address(&server, &issued[1]).await.0, StatusCode::UNAUTHORIZED);
    // A refresh token stands for all that were issued for it.
    assert_eq!(revoke(&[("token", "ada@example.com openid")], "").await.0, StatusCode::OK);
    assert_eq!(address(&server, &issued[2]).await.0, StatusCode::UNAUTHORIZED);
    let (status, error) = revoke(&[("token", &server.token)], "").await;
    assert_eq!((status, &error["error"]), (StatusCode::BAD_REQUEST, &json!("unsupported_token_type")), "{error}");
    let (status, error) = revoke(&[("other", "x")], "").await;
    assert_eq!((status, &error["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_request")), "{error}");
    server.stop();
}

#[tokio::test]
async fn a_code_is_exchanged_once_by_its_client() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    home.run(&["users", "add", "bob@example.com"]);
    let server = home.serve(&["--oauth"]).with_client(
        reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().expect("a client"),
    );
    let redirect = "http://localhost:8080/done";
    let authorize = async |extra: &[(&str, &str)]| {
        let mut query =
            form(&[("response_type", "code"), ("scope", READONLY), ("redirect_uri", redirect), ("state", "s 1")]);
        query.push_str(&form(extra));
        let path = format!("/o/oauth2/auth?{query}");
        let response = server.request(Method::GET, &path).send().await.expect("a response");
        assert_eq!(response.status(), StatusCode::FOUND);
        let location = response.headers()["location"].to_str().expect("text");
        let query = location.strip_prefix(&format!("{redirect}?")).expect("it leads to the client").to_owned();
        assert!(query.ends_with("state=s+1"), "{query}");
        query
    };
    let code_of = |query: &str| {
        let value = query.strip_prefix("code=").and_then(|rest| rest.split('&').next()).expect("a code");
        value.replace("%2F", "/")
    };
    let code = code_of(&authorize(&[("login_hint", "bob@example.com")]).await);
    let exchange = [("grant_type", "authorization_code"), ("code", &code), ("redirect_uri", redirect)];
    let (status, response) = token(&server, &exchange).await;
    assert_eq!(status, StatusCode::OK, "{response}");
    assert_eq!(address(&server, &response).await.1, "bob@example.com");
    let refresh = response["refresh_token"].as_str().expect("a refresh token");
    let (_, response) = token(&server, &[("grant_type", "refresh_token"), ("refresh_token", refresh)]).await;
    assert_eq!((address(&server, &response).await.1, &response["scope"]), (json!("bob@example.com"), &json!(READONLY)));
    let (status, error) = token(&server, &exchange).await;
    assert_eq!((status, &error["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_grant")), "it was used");

    // RFC 7636, appendix B.
    let challenge =
        [("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), ("code_challenge_method", "S256")];
    for (verifier, expected) in
        [("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", StatusCode::OK), ("other", StatusCode::BAD_REQUEST)]
    {
        let code = code_of(&authorize(&challenge).await);
        let exchange = [
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ];
        let (status, response) = token(&server, &exchange).await;
        assert_eq!(status, expected, "{response}");
        if status == StatusCode::OK {
            assert_eq!(address(&server, &response).await.1, "ada@example.com", "the user of the ready token");
        }
    }
    let code = code_of(&authorize(&[]).await);
    let other = [("grant_type", "authorization_code"), ("code", &code), ("redirect_uri", "http://localhost:1/")];
    assert_eq!(token(&server, &other).await.0, StatusCode::BAD_REQUEST);
    let query = authorize(&[("login_hint", "eve@example.com")]).await;
    assert!(query.starts_with("error=invalid_grant&error_description="), "{query}");

    for uri in ["https://evil.example/", "/done", "javascript:alert(1)", ""] {
        let query = form(&[("response_type", "code"), ("redirect_uri", uri)]);
        let response =
            server.request(Method::GET, &format!("/o/oauth2/auth?{query}")).send().await.expect("a response");
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{uri}");
    }
    server.stop();
}

/// Returns a query, which ends with `&`.
fn form(pairs: Form<'_>) -> String {
    let escape = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    pairs.iter().map(|(name, value)| format!("{name}={}&", escape(value))).collect()
}

#[tokio::test]
async fn invalid_requests_for_tokens_are_explained() {
    let home = Home::new();
    let server = home.serve(&["--oauth"]);
    let refresh = ("grant_type", "refresh_token");
    let table: &[(Form<'_>, &str, &str)] = &[
        (&[], "unsupported_grant_type", "authorization_code"),
        (&[("grant_type", "password")], "unsupported_grant_type", "`password`"),
        (&[refresh], "invalid_request", "`refresh_token` is missing"),
        (&[refresh, ("refresh_token", "1//abc")], "invalid_grant", "no user `1//abc`"),
        (&[refresh, ("refresh_token", "me@localhost"), ("scope", "pictures")], "invalid_scope", "`pictures`"),
        (&[("grant_type", "authorization_code"), ("code", "4/x")], "invalid_grant", "unknown"),
        (&[("grant_type", JWT), ("assertion", "x")], "invalid_grant", "three parts"),
        (&[("grant_type", JWT), ("assertion", "a.b.c")], "invalid_grant", "JSON Web Token"),
    ];
    for (form, code, expected) in table {
        let (status, error) = token(&server, form).await;
        assert_eq!((status, error["error"].as_str()), (StatusCode::BAD_REQUEST, Some(*code)), "{error}");
        assert!(error["error_description"].as_str().is_some_and(|text| text.contains(expected)), "{error}");
    }
    let valid = [refresh, ("refresh_token", "me@localhost")];
    let long = "b".repeat(20_000);
    let table = [
        (token_request(&server, &valid).header("x-goog-api-client", "gl-python/3.13"), StatusCode::OK),
        (token_request(&server, &valid).header("x-forwarded-for", "10.0.0.1"), StatusCode::FORBIDDEN),
        (token_request(&server, &valid).header("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
        (server.request(Method::POST, "/token").json(&json!({})), StatusCode::BAD_REQUEST),
        (token_request(&server, &[("a", &long)]), StatusCode::BAD_REQUEST),
    ];
    for (request, expected) in table {
        assert_eq!(request.send().await.expect("a response").status(), expected);
    }
    server.stop();
    let server = home.serve(&[]);
    for (method, path) in [(Method::POST, "/token"), (Method::POST, "/revoke"), (Method::GET, "/o/oauth2/auth")] {
        let (status, error) = read_json(server.request(method, path).send().await.expect("a response")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(error["error"]["message"].as_str().is_some_and(|text| text.contains("--oauth")), "{error}");
    }
}
