//! Application default credentials against a token server in this process.

use crate::support::adc::{CLIENT_SECRET, REFRESH_TOKEN, account, read, user, with};
use crate::support::keys::{TEST_KEY, TEST_KEY_PKCS1, TEST_KEY_PUBLIC};
use crate::support::{Clock, tokens};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use wireform_client::wire::serde_json::{Value, json};
use wireform_client::{Token, TokenProvider};

fn claims(assertion: &str, audience: &str) -> Value {
    let key = DecodingKey::from_rsa_der(&STANDARD.decode(TEST_KEY_PUBLIC).unwrap());
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_audience(&[audience]);
    validation.validate_exp = false;
    let token = jsonwebtoken::decode::<Value>(assertion, &key, &validation).unwrap();
    assert_eq!(token.header.kid.as_deref(), Some("key-1"));
    assert_eq!(token.header.typ.as_deref(), Some("JWT"));
    token.claims
}

#[tokio::test]
async fn a_user_is_known_by_a_refresh_token() {
    let (transport, log) = tokens();
    let clock = Clock::at(1_000);
    let provider = read(&user()).unwrap().transport(transport).clock(clock.now());
    let token = provider.token(&["https://example.com/a"]).await.unwrap();
    assert_eq!(token.secret(), "token-1");
    assert_eq!(token.expiry().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs(), 4_600);
    let request = &log.all()[0];
    assert_eq!(request.uri.to_string(), "https://oauth2.googleapis.com/token");
    assert_eq!(request.headers["content-type"], "application/x-www-form-urlencoded");
    let form: Vec<(&str, &str)> = request.form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let expected = [
        ("grant_type", "refresh_token"),
        ("client_id", "id.apps.example.com"),
        ("client_secret", CLIENT_SECRET),
        ("refresh_token", REFRESH_TOKEN),
    ];
    assert_eq!(form, expected);
}

#[tokio::test]
async fn a_service_account_signs_for_itself() {
    let (transport, log) = tokens();
    let provider = read(&account()).unwrap().transport(transport).clock(Clock::at(1_000).now());
    let scopes = ["https://example.com/a", "https://example.com/b"];
    assert_eq!(provider.token(&scopes).await.unwrap().secret(), "token-1");
    let request = &log.all()[0];
    assert_eq!(request.uri.to_string(), "https://tokens.example.com/token");
    assert_eq!(request.field("grant_type"), Some("urn:ietf:params:oauth:grant-type:jwt-bearer"));
    let claims = claims(request.field("assertion").unwrap(), "https://tokens.example.com/token");
    let expected = json!({
        "iss": "robot@project.example.com",
        "aud": "https://tokens.example.com/token",
        "scope": "https://example.com/a https://example.com/b",
        "iat": 1_000,
        "exp": 4_600,
    });
    assert_eq!(claims, expected);
}

#[tokio::test]
async fn a_service_account_acts_for_a_user() {
    let (transport, log) = tokens();
    let provider = read(&account()).unwrap().subject("user@example.com").unwrap().transport(transport);
    provider.token(&[]).await.unwrap();
    let claims = claims(log.all()[0].field("assertion").unwrap(), "https://tokens.example.com/token");
    assert_eq!(claims["sub"], "user@example.com");
    assert_eq!(claims["scope"], Value::Null, "no scopes, no claim");
    assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 3_600);
    let error = read(&user()).unwrap().subject("user@example.com").unwrap_err();
    assert!(error.to_string().contains("only a service account"), "{error}");
}

#[tokio::test]
async fn the_clock_stays_whatever_is_set_after_it() {
    let (transport, log) = tokens();
    let clock = Clock::at(0);
    let provider = read(&account()).unwrap().clock(clock.now()).subject("user@example.com").unwrap();
    let provider = provider.transport(transport);
    provider.token(&["a"]).await.unwrap();
    clock.set(3_540);
    provider.token(&["a"]).await.unwrap();
    assert_eq!(log.count(), 2, "a minute before its end, by that clock");
}

#[tokio::test]
async fn a_token_is_kept_shared_replaced_and_dropped() {
    let (transport, log) = tokens();
    let clock = Clock::at(0);
    let provider = read(&account()).unwrap().transport(transport).clock(clock.now());
    let responses = join_all((0..10).map(|_| provider.token(&["a"]))).await;
    assert!(responses.iter().all(|response| response.as_ref().unwrap().secret() == "token-1"));
    assert_eq!(log.count(), 1, "ten callers share one request");
    clock.set(3_539);
    assert_eq!(provider.token(&["a"]).await.unwrap().secret(), "token-1");
    clock.set(3_540);
    let token = provider.token(&["a"]).await.unwrap();
    assert_eq!(token.secret(), "token-2", "a minute before its end");
    provider.invalidate(&token);
    assert_eq!(provider.token(&["a"]).await.unwrap().secret(), "token-3");
    assert_eq!(log.count(), 3);
}

#[tokio::test]
async fn pkcs1_and_pkcs8_keys_sign_equally() {
    let (transport, log) = tokens();
    for key in [TEST_KEY, TEST_KEY_PKCS1, &format!("some text before\n{TEST_KEY}\n"), &TEST_KEY.replace('\n', "\r\n")] {
        let file = with(account(), "private_key", key.into());
        let provider = read(&file).unwrap().transport(transport.clone()).clock(Clock::at(1_000).now());
        provider.token(&["a"]).await.unwrap();
    }
    let assertions: Vec<_> = log.all().iter().map(|request| request.field("assertion").unwrap().to_owned()).collect();
    assert_eq!(assertions.len(), 4);
    claims(&assertions[0], "https://tokens.example.com/token");
    assert!(assertions.iter().all(|assertion| *assertion == assertions[0]), "RS256 has no randomness");
}

#[tokio::test]
async fn nothing_shows_a_secret() {
    let secrets = [CLIENT_SECRET, REFRESH_TOKEN, "MIIE", "token-1", "hunter2"];
    for file in [user(), account()] {
        let (transport, _) = tokens();
        let provider = read(&file).unwrap().transport(transport);
        let token: Token = provider.token(&[]).await.unwrap();
        let shown = format!("{provider:?} {provider:#?} {token:?} {:?}", provider.token(&[]).await);
        assert!(secrets.iter().all(|secret| !shown.contains(secret)), "{shown}");
    }
}
