//! Tokens and keys in requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use wireform_client::transport::BoxFuture;
use wireform_client::{
    ApiKey, Client, Credentials, CredentialsError, CredentialsErrorKind, ErrorKind, RetryPolicy, Token, TokenProvider,
};

use super::sample::{OTHER, SAMPLE, Stray, get, insert};
use super::script::{Step, error_response, script, scripted_client, thing};

/// Provider of a new token after each rejection, up to a number of tokens.
#[derive(Clone, Default)]
struct Counting {
    number: Arc<AtomicUsize>,
    requested: Arc<Mutex<Vec<Vec<String>>>>,
    refused: Arc<Mutex<Vec<String>>>,
    most: usize,
}

impl Counting {
    fn up_to(most: usize) -> Self {
        Self { most, ..Self::default() }
    }
}

impl TokenProvider for Counting {
    fn token<'a>(&'a self, scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        self.requested.lock().unwrap().push(scopes.iter().map(|scope| (*scope).to_owned()).collect());
        let number = self.number.load(Ordering::SeqCst).min(self.most);
        Box::pin(async move { Token::new(format!("token-{number}")) })
    }

    fn invalidate(&self, refused: &Token) {
        self.refused.lock().unwrap().push(refused.secret().to_owned());
        self.number.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn token_is_sent() {
    let provider = Counting::default();
    let (client, log) = scripted_client(|_| thing());
    let client = client.credentials(provider.clone()).scopes(["read"]).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.only().header("authorization"), Some("Bearer token-0"));
    assert_eq!(*provider.requested.lock().unwrap(), [["https://sample.example/auth/read"]]);
}

fn unauthorized() -> Step {
    error_response(401, "authError", "Invalid Credentials")
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_is_renewed_once() {
    // A rejected request has no effect, so it is repeated even without retries and if the operation is not idempotent.
    let provider = Counting::up_to(9);
    let (client, log) = scripted_client(|number| if number == 1 { unauthorized() } else { thing() });
    let client = client.credentials(provider.clone()).retry(RetryPolicy::off()).build().unwrap();
    client.call(insert("x")).send().await.unwrap();
    let tokens: Vec<_> = log.all().iter().map(|request| request.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(tokens, ["Bearer token-0", "Bearer token-1"]);
    assert_eq!(*provider.refused.lock().unwrap(), ["token-0"]);
    assert_eq!(log.all()[0].body, log.all()[1].body);

    let (client, log) = scripted_client(|_| unauthorized());
    let client = client.credentials(Counting::up_to(9)).build().unwrap();
    let error = client.call(insert("x")).send().await.unwrap_err();
    assert_eq!((log.count(), error.is_unauthorized()), (2, true));
    assert_eq!(error.to_string(), "things.insert: 401 authError: Invalid Credentials (attempt 2 of 2)");
}

#[tokio::test(start_paused = true)]
async fn renewal_does_not_count_as_an_attempt() {
    let (client, log) = scripted_client(|number| match number {
        2 => unauthorized(),
        1 | 3 => error_response(503, "backendError", "no"),
        _ => thing(),
    });
    let policy = RetryPolicy::default().with_max_attempts(3);
    let client = client.credentials(Counting::up_to(9)).retry(policy).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.count(), 4);
}

/// Provider that has a token, then fails once, then has another token.
#[derive(Default)]
struct UnavailableProvider(AtomicUsize);

impl TokenProvider for UnavailableProvider {
    fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            match number {
                1 => Err(CredentialsError::new(CredentialsErrorKind::Unavailable, "back soon")),
                _ => Token::new(format!("token-{number}")),
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn renewal_is_retried_with_the_next_attempt() {
    let responses = |number| if number == 1 { unauthorized() } else { thing() };
    let (client, log) = scripted_client(responses);
    client.credentials(UnavailableProvider::default()).build().unwrap().call(get("1")).send().await.unwrap();
    let tokens: Vec<_> = log.all().iter().map(|request| request.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(tokens, ["Bearer token-0", "Bearer token-2"]);
    let (client, log) = scripted_client(responses);
    let client = client.credentials(UnavailableProvider::default()).build().unwrap();
    assert_eq!(client.call(insert("x")).send().await.unwrap_err().to_string(), "things.insert: back soon");
    assert_eq!(log.count(), 1);
}

#[tokio::test]
async fn a_provider_that_has_no_other_token_is_not_tried_again() {
    for credentials in [Credentials::token("always"), Counting::up_to(0).into()] {
        let (client, log) = scripted_client(|_| unauthorized());
        let client = client.credentials(credentials).build().unwrap();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!((log.count(), error.status()), (1, Some(401)));
    }
    let (client, log) = scripted_client(|_| unauthorized());
    client.build().unwrap().call(get("1")).send().await.unwrap_err();
    assert_eq!(log.count(), 1);
}

struct Failing(CredentialsErrorKind, AtomicUsize);

impl TokenProvider for Failing {
    fn token<'a>(&'a self, _scopes: &'a [&'a str]) -> BoxFuture<'a, Result<Token, CredentialsError>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Err(CredentialsError::new(self.0, "no token today")) })
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_token_nothing_is_sent() {
    for (kind, attempts) in [(CredentialsErrorKind::Refused, 1), (CredentialsErrorKind::Unavailable, 4)] {
        let provider = Arc::new(Failing(kind, AtomicUsize::new(0)));
        let (client, log) = scripted_client(|_| thing());
        let client = client.credentials(Arc::clone(&provider)).build().unwrap();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!(error.to_string(), "things.get: no token today");
        assert_eq!((log.count(), error.attempts()), (0, 0));
        assert!(matches!(error.kind(), ErrorKind::Credentials(error) if error.kind() == kind));
        assert_eq!(provider.1.load(Ordering::SeqCst), attempts);
    }
}

#[tokio::test]
async fn key_is_sent_where_it_suffices() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.credentials(ApiKey::new("a-key&x")).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.only().target(), "/sample/v1/things/1?key=a-key%26x");
    assert_eq!(log.only().header("authorization"), None);
    let error = client.call(insert("x")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Credentials(_)));
    let line = "things.insert: the operation requires a token: an API key is not sufficient";
    assert_eq!((error.to_string().as_str(), log.count()), (line, 1));
    assert!(!format!("{client:?}").contains("a-key"));
}

#[tokio::test]
async fn invalid_key_is_rejected() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.credentials(Credentials::api_key("a\nb")).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Credentials(_)), "{error:?}");
    let (script, other) = script(|_| thing());
    let client = Client::builder(&OTHER).base_url("https://other.example").transport(script);
    let client = client.credentials(Credentials::api_key("a-key")).build().unwrap();
    assert!(matches!(client.call(Stray).send().await.unwrap_err().kind(), ErrorKind::Credentials(_)));
    assert_eq!((log.count(), other.count(), SAMPLE.scopes.len()), (0, 0, 2));
}
