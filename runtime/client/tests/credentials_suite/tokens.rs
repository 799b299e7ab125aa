//! Tokens, keys and errors.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use wireform_client::{ApiKey, Credentials, CredentialsError, CredentialsErrorKind, StaticToken, Token, TokenProvider};

const SECRET: &str = "ya29.se-cret_42/+~=";

#[test]
fn a_token_is_a_header_that_is_not_shown() {
    let token = Token::new(SECRET).unwrap();
    assert_eq!(token.secret(), SECRET);
    assert_eq!(token.authorization(), format!("Bearer {SECRET}").as_str());
    assert!(token.authorization().is_sensitive());
    assert_eq!(format!("{token:?}"), "Token(…)");
}

#[test]
fn what_would_add_a_header_is_refused_and_not_repeated() {
    for bad in ["", " ", "a b", "a\r\nHost: evil", "a\n", "\ta", "a\0", "a\u{7f}", "tök", "\u{2028}"] {
        let error = Token::new(bad).unwrap_err();
        assert_eq!(error.kind(), CredentialsErrorKind::Invalid, "{bad:?}");
        assert!(!error.is_retryable());
        assert!(!error.to_string().contains("evil") && error.to_string().lines().count() == 1);
    }
    for bad in ["", " ", "a ", "a  b", "a\r\nHost: evil", "a\n", "\ta", "a\0", "a\u{7f}", "tök", "\u{2028}"] {
        assert_eq!(ApiKey::new(bad).secret().unwrap_err().kind(), CredentialsErrorKind::Invalid, "{bad:?}");
    }
    assert_eq!(ApiKey::new("AIza-_1").secret().unwrap(), "AIza-_1");
    // A key in the header `Authorization` may begin with the name of a scheme.
    assert_eq!(ApiKey::new("SharedKey 1").secret().unwrap(), "SharedKey 1");
}

#[tokio::test]
async fn a_static_token_that_cannot_be_sent_is_refused_when_it_is_used() {
    assert_eq!(StaticToken::new(SECRET).token(&["a"]).await.unwrap().secret(), SECRET);
    let error = StaticToken::new("a\r\nb").token(&[]).await.unwrap_err();
    assert_eq!(error.kind(), CredentialsErrorKind::Invalid);
}

#[tokio::test]
async fn credentials_are_made_of_many_things() {
    let provider: Arc<dyn TokenProvider> = Arc::new(StaticToken::new(SECRET));
    let token = Token::new(SECRET).unwrap();
    for credentials in [
        Credentials::token(SECRET),
        Credentials::provider(StaticToken::new(SECRET)),
        Credentials::from(StaticToken::new(SECRET)),
        Credentials::from(provider),
        Credentials::from(token),
    ] {
        assert_eq!(format!("{credentials:?}"), "Token(…)");
        let Credentials::Token(provider) = credentials else { panic!("a token is expected") };
        assert_eq!(provider.token(&[]).await.unwrap().secret(), SECRET);
    }
    for credentials in [Credentials::api_key(SECRET), Credentials::from(ApiKey::new(SECRET))] {
        assert_eq!(format!("{credentials:?}"), "ApiKey(…)");
        assert!(matches!(credentials, Credentials::ApiKey(key) if key.secret() == Ok(SECRET)));
    }
    assert!(matches!(Credentials::default(), Credentials::None));
}

#[test]
fn nothing_shows_a_secret() {
    let shown = [
        format!("{:?}", Token::new(SECRET).unwrap()),
        format!("{:#?}", Token::new(SECRET).unwrap().expires_in(Duration::from_secs(1))),
        format!("{:?}", Token::new(SECRET).unwrap().authorization()),
        format!("{:?}", StaticToken::new(SECRET)),
        format!("{:?}", ApiKey::new(SECRET)),
        format!("{:?}", Credentials::token(SECRET)),
        format!("{:?}", Credentials::api_key(SECRET)),
        format!(
            "{:?} {}",
            Token::new(format!("{SECRET}\n")).unwrap_err(),
            Token::new(format!("{SECRET}\n")).unwrap_err()
        ),
    ];
    for text in shown {
        assert!(!text.contains("se-cret"), "{text}");
    }
}

#[test]
fn a_token_ends_a_margin_before_its_end() {
    let minute = Duration::from_secs(60);
    let token = Token::new(SECRET).unwrap();
    assert!(!token.is_expired(Duration::MAX), "a token without an expiry does not expire");
    let past = token.clone().expires_at(SystemTime::UNIX_EPOCH);
    assert_eq!(past.expiry(), Some(SystemTime::UNIX_EPOCH));
    assert!(past.is_expired(Duration::ZERO));
    let later = token.clone().expires_in(Duration::from_secs(3600));
    assert!(!later.is_expired(minute));
    assert!(later.is_expired(Duration::from_secs(3601)));
    assert!(later.is_expired(Duration::MAX), "a margin beyond the clock");
    assert_eq!(token.expires_in(Duration::MAX).expiry(), None, "an end beyond the clock");
}

#[test]
fn an_error_is_one_bounded_line() {
    let message = format!("a\nb\u{1b}[31m\u{202e}c\u{2028}d{}", "é".repeat(2000));
    let error = CredentialsError::new(CredentialsErrorKind::Unavailable, message);
    let text = error.to_string();
    assert!(text.starts_with("a\u{fffd}b\u{fffd}[31m\u{fffd}c\u{fffd}dé"), "{text}");
    assert!(text.ends_with("é…") && text.len() <= 520, "{}", text.len());
    assert!(error.is_retryable());
    for kind in [CredentialsErrorKind::Missing, CredentialsErrorKind::Invalid, CredentialsErrorKind::Refused] {
        assert!(!CredentialsError::new(kind, "").is_retryable());
    }
}
