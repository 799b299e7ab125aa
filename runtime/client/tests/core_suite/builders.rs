//! Configuration of clients.

use wireform_client::wire::Naming;
use wireform_client::{BuildError, Client, Credentials};

use super::sample::{OTHER, SAMPLE};
use super::script::{script, thing};

fn built(url: &str, credentials: Credentials) -> Result<Client, BuildError> {
    let (script, _) = script(|_| thing());
    Client::builder(&SAMPLE).base_url(url).transport(script).credentials(credentials).build()
}

#[test]
fn invalid_base_urls_are_rejected() {
    for (url, says) in [
        ("https://a.example/?q=1", "the base URL must not have a query"),
        ("https://a.example?", "the base URL must not have a query"),
        ("https://a.example/#x", "the base URL must not have a fragment"),
        ("https://user:password@a.example", "the base URL must not contain a user name or a password"),
        ("ftp://a.example", "the base URL must start with `https://` or `http://`"),
        ("a.example", "the base URL must be an absolute URL, such as `https://example.com`"),
        ("/path", "the base URL must be an absolute URL, such as `https://example.com`"),
        ("https://a b.example", "the base URL is not a valid URL"),
        ("https://a.example/\r\nx: y", "the base URL is not a valid URL"),
        ("https://:80/", "the base URL must have a host"),
        ("", "the base URL is not a valid URL"),
    ] {
        assert_eq!(built(url, Credentials::None).unwrap_err().to_string(), says, "{url}");
    }
}

#[test]
fn credentials_need_encryption_or_this_machine() {
    for host in ["localhost", "LocalHost:8080", "127.0.0.1:80", "127.1.2.3", "[::1]:8080"] {
        assert!(built(&format!("http://{host}"), Credentials::token("a-token")).is_ok(), "{host}");
    }
    for host in ["a.example", "127.0.0.1.a.example", "localhost.a.example", "127.1", "10.0.0.1", "[::2]", "0.0.0.0"] {
        for credentials in [Credentials::token("a-token"), Credentials::api_key("a-key")] {
            let error = built(&format!("http://{host}:80/x"), credentials).unwrap_err();
            assert!(matches!(&error, BuildError::Insecure { host: named } if named == host), "{error:?}");
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("cannot send credentials to `http://{host}` without encryption: ")),
                "{error}"
            );
        }
        assert!(built(&format!("http://{host}"), Credentials::None).is_ok(), "{host}");
        assert!(built(&format!("https://{host}"), Credentials::token("a-token")).is_ok(), "{host}");
    }
}

#[test]
fn base_url_is_required() {
    let (script, _) = script(|_| thing());
    let error = Client::builder(&OTHER).transport(script).build().unwrap_err();
    assert_eq!(error.to_string(), "`other` has no public URL: set one with `base_url`");
    assert_eq!(built("HTTPS://a.example/x//", Credentials::None).unwrap().base_url(), "https://a.example/x");
}

#[test]
fn a_user_agent_is_a_header() {
    let (script, _) = script(|_| thing());
    let error = Client::builder(&SAMPLE).transport(script).user_agent("a\r\nb").build().unwrap_err();
    assert!(matches!(error, BuildError::UserAgent), "{error:?}");
}

#[cfg(not(any(feature = "sockets", feature = "reqwest")))]
#[test]
fn a_transport_is_needed() {
    let error = Client::builder(&SAMPLE).build().unwrap_err();
    assert!(matches!(error, BuildError::NoTransport), "{error:?}");
    assert!(error.to_string().contains("the feature `sockets`"), "{error}");
}

/// Clients can be built with either of the features.
#[cfg(any(feature = "sockets", feature = "reqwest"))]
#[test]
fn a_transport_comes_with_a_feature() {
    Client::builder(&SAMPLE).build().unwrap();
}

#[test]
fn scopes_use_the_naming_of_the_server() {
    let scopes = |names, chosen: Option<[&str; 3]>| {
        let (script, _) = script(|_| thing());
        let builder = Client::builder(&SAMPLE).transport(script).naming(names);
        let builder = match chosen {
            Some(chosen) => builder.scopes(chosen),
            None => builder,
        };
        builder.build().unwrap().scopes().map(str::to_owned).collect::<Vec<_>>()
    };
    let read = "https://sample.example/auth/read";
    assert_eq!(scopes(Naming::Specification, None), ["https://sample.example/auth/all", read]);
    assert_eq!(scopes(Naming::Public, None), ["https://public.example/all", read]);
    assert_eq!(
        scopes(Naming::Public, Some(["read", "https://sample.example/auth/all", "https://else.example"])),
        [read, "https://public.example/all", "https://else.example"]
    );
}

#[test]
fn a_client_keeps_its_secrets() {
    let (script, _) = script(|_| thing());
    let builder = Client::builder(&SAMPLE).transport(script).credentials(Credentials::token("secret-token"));
    let shown = format!("{builder:?}");
    let client = builder.build().unwrap();
    let shown = format!("{shown}{client:?}{:?}", client.call(super::sample::get("1")));
    assert!(shown.contains("Token(…)") && !shown.contains("secret"), "{shown}");
}
