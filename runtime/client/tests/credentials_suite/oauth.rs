//! Interactive flow, with a function in place of the browser.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Query;
use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use wireform_client::oauth::yup_oauth2::AccessTokenAuthenticator;
use wireform_client::oauth::yup_oauth2::authenticator_delegate::InstalledFlowDelegate;
use wireform_client::oauth::{InstalledApp, UserConsent};
use wireform_client::transport::BoxFuture;
use wireform_client::wire::serde_json::{Value, json};
use wireform_client::{Credentials, CredentialsErrorKind, TokenProvider};

fn client(token_uri: &str) -> Value {
    let members = json!({
        "client_id": "client-id",
        "client_secret": "hunter2",
        "auth_uri": "https://accounts.example.com/auth",
        "token_uri": token_uri,
        "redirect_uris": ["http://localhost"],
    });
    json!({ "installed": members })
}

fn query(text: &str) -> Vec<(String, String)> {
    let Query(pairs) = Query::try_from_uri(&format!("/?{text}").parse().unwrap()).unwrap();
    pairs
}

fn field<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value.as_str())
}

type Forms = Arc<Mutex<Vec<Vec<(String, String)>>>>;

/// Starts a token server on a socket, because the flow has its own client. It issues `token-1`, `token-2`, ….
async fn token_server() -> (String, Forms) {
    let forms = Forms::default();
    let seen = Arc::clone(&forms);
    let response = move |body: String| async move {
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(query(&body));
            seen.len()
        };
        if body.contains("code=forbidden") {
            return json!({"error": "access_denied", "error_description": "no\r\nthanks"}).to_string();
        }
        let token = json!({"access_token": format!("token-{number}"), "refresh_token": "again", "expires_in": 3600});
        token.to_string()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/token", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(response)).await });
    (address, forms)
}

/// Simulates a user who consents immediately: the browser is redirected with a code.
fn consents(code: &'static str, opened: &Arc<AtomicUsize>) -> impl Fn(&str) + Send + Sync + 'static {
    let opened = Arc::clone(opened);
    move |address| {
        opened.fetch_add(1, Ordering::SeqCst);
        let (page, parameters) = address.split_once('?').unwrap();
        assert_eq!(page, "https://accounts.example.com/auth");
        let parameters = query(parameters);
        assert_eq!((field(&parameters, "client_id"), field(&parameters, "scope")), ("client-id", "a b"));
        let port: u16 = field(&parameters, "redirect_uri").strip_prefix("http://localhost:").unwrap().parse().unwrap();
        tokio::spawn(async move {
            let mut browser = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            let request = format!("GET /?code={code} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            browser.write_all(request.as_bytes()).await.unwrap();
            browser.read_to_end(&mut Vec::new()).await.unwrap();
        });
    }
}

#[tokio::test]
async fn any_authenticator_is_a_provider() {
    let authenticator = AccessTokenAuthenticator::builder("token-0".to_owned()).build().await.unwrap();
    let consent = UserConsent::from(authenticator.clone());
    let token = consent.token(&["a"]).await.unwrap();
    assert_eq!((token.secret(), token.expiry()), ("token-0", None));
    consent.invalidate(&token);
    assert_eq!(consent.token(&["a"]).await.unwrap().secret(), "token-0", "there is no other");
    let credentials = Credentials::from(UserConsent::from(authenticator));
    assert!(!format!("{consent:?} {credentials:?} {token:?}").contains("token-0"));
    let authenticator = AccessTokenAuthenticator::builder("a\r\nb".to_owned()).build().await.unwrap();
    let error = UserConsent::from(authenticator).token(&[]).await.unwrap_err();
    assert_eq!(error.kind(), CredentialsErrorKind::Invalid);
}

#[tokio::test]
async fn a_user_is_asked_once_and_the_consent_is_remembered() {
    let (address, forms) = token_server().await;
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("credentials-consent.json");
    let _ = std::fs::remove_file(&file);
    let opened = Arc::default();
    let login = async || {
        let installed = InstalledApp::from_json(&client(&address).to_string()).unwrap();
        installed.persist_to(&file).on_url(consents("allowed", &opened)).build().await.unwrap()
    };
    let consent = login().await;
    let responses = join_all((0..10).map(|_| consent.token(&["a", "b"]))).await;
    let first = responses[0].as_ref().unwrap();
    assert!(first.expiry().is_some());
    assert!(responses.iter().all(|response| response.as_ref().unwrap().secret() == "token-1"));
    assert_eq!(opened.load(Ordering::SeqCst), 1, "ten callers, one request");
    {
        let forms = forms.lock().unwrap();
        assert_eq!((forms.len(), field(&forms[0], "grant_type")), (1, "authorization_code"));
        assert_eq!((field(&forms[0], "code"), field(&forms[0], "client_secret")), ("allowed", "hunter2"));
    }
    let again = login().await;
    assert_eq!(again.token(&["a", "b"]).await.unwrap().secret(), "token-1", "from the file");
    // A server rejects the token: the refresh token is exchanged for another one, without the user.
    consent.invalidate(first);
    assert_eq!(consent.token(&["a", "b"]).await.unwrap().secret(), "token-2");
    assert_eq!(consent.token(&["b", "a"]).await.unwrap().secret(), "token-2");
    assert_eq!(field(&forms.lock().unwrap()[1], "grant_type"), "refresh_token");
    assert_eq!(opened.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_refusal_says_why() {
    let (address, _) = token_server().await;
    let installed = InstalledApp::from_json(&client(&address).to_string()).unwrap();
    let opened = Arc::default();
    let consent = installed.on_url(consents("forbidden", &opened)).build().await.unwrap();
    let error = consent.token(&["a", "b"]).await.unwrap_err();
    assert_eq!(error.to_string(), "the token server rejected the request: access_denied: no\u{fffd}\u{fffd}thanks");
    assert_eq!(error.kind(), CredentialsErrorKind::Refused);
}

#[tokio::test]
async fn a_server_that_is_away_may_come_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/token", listener.local_addr().unwrap());
    drop(listener);
    let installed = InstalledApp::from_json(&client(&address).to_string()).unwrap();
    let opened = Arc::default();
    let consent = installed.on_url(consents("allowed", &opened)).build().await.unwrap();
    let error = consent.token(&["a", "b"]).await.unwrap_err();
    assert!(error.is_retryable() && error.to_string().contains("cannot reach the token server"), "{error}");
}

/// Delegate with another redirect URI.
struct Elsewhere(Arc<Mutex<String>>);

impl InstalledFlowDelegate for Elsewhere {
    fn redirect_uri(&self) -> Option<&str> {
        Some("http://127.0.0.1:1/elsewhere")
    }

    fn present_user_url<'a>(&'a self, url: &'a str, _need_code: bool) -> BoxFuture<'a, Result<String, String>> {
        *self.0.lock().unwrap() = url.to_owned();
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_delegate_decides() {
    let shown = Arc::default();
    let installed = InstalledApp::from_json(&client("https://tokens.example.com").to_string()).unwrap();
    let consent = installed.delegate(Elsewhere(Arc::clone(&shown))).build().await.unwrap();
    let mut pending = consent.token(&["a"]);
    let polled = std::future::poll_fn(|context| std::task::Poll::Ready(pending.as_mut().poll(context).is_pending()));
    assert!(polled.await);
    assert!(shown.lock().unwrap().contains("elsewhere"), "{shown:?}");
}

#[tokio::test]
async fn a_client_is_read_without_its_secret_being_shown() {
    let good = client("https://tokens.example.com");
    assert!(!format!("{:?}", InstalledApp::from_json(&good.to_string()).unwrap().port(8080)).contains("hunter2"));
    let web = json!({"web": good["installed"]});
    assert!(InstalledApp::from_json(&web.to_string()).is_ok());
    let with = |name: &str, value: Value| {
        let mut file = good.clone();
        file["installed"][name] = value;
        file.to_string()
    };
    assert!(InstalledApp::from_json(&with("auth_uri", Value::Null)).is_ok(), "the URLs are those of Google");
    for (text, why) in [
        ("{\"hunter2\"".to_owned(), "invalid JSON"),
        ("{\"client_secret\": \"hunter2\"}".to_owned(), "missing field `installed`"),
        ("{\"installed\": \"hunter2\"}".to_owned(), "missing field `installed`"),
        (with("client_secret", Value::Null), "missing field `client_secret`"),
        (with("client_secret", json!(["hunter2"])), "`client_secret` must be a string"),
        (with("client_id", json!(3)), "`client_id` must be a string"),
        (with("token_uri", json!("http://example.com/hunter2")), "`token_uri` must start with `https://`"),
        (with("token_uri", json!("no address")), "`token_uri` is not a valid URL"),
        (with("auth_uri", json!("ftp://example.com")), "`auth_uri` must start with `https://`"),
    ] {
        let error = InstalledApp::from_json(&text).unwrap_err();
        assert!(error.to_string().contains(why) && !error.to_string().contains("hunter2"), "{error}");
    }
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("credentials-damaged.json");
    std::fs::write(&file, "[{\"scopes\": \"hunter2\"}]").unwrap();
    let error = InstalledApp::from_json(&good.to_string()).unwrap().persist_to(&file).build().await.unwrap_err();
    assert!(
        error.to_string().contains("credentials-damaged.json") && !error.to_string().contains("hunter2"),
        "{error}"
    );
}
