//! Files of credentials: their locations, and invalid content.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::support::adc::{account, read, refused, user, with};
use crate::support::keys::{TEST_KEY, TEST_KEY_OF_CURVE};
use crate::support::tokens;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wireform_client::wire::serde_json::{Value, json};
use wireform_client::{ApplicationDefault, CredentialsError, CredentialsErrorKind, TokenProvider};

#[test]
fn invalid_key_is_described() {
    let damaged = TEST_KEY.replacen("MII", "MI!", 1);
    // The format is valid, but the numbers do not match each other.
    let mistyped = TEST_KEY.replace("MN6beNGH", "AAAAAAAA");
    let short = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", &TEST_KEY[28..92]);
    let cases = [
        ("hunter2", "is not PEM"),
        ("-----BEGIN PRIVATE KEY", "is not PEM"),
        (&TEST_KEY[..200], "has no line `-----END PRIVATE KEY-----`"),
        (&TEST_KEY.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"), "label `ENCRYPTED PRIVATE KEY`"),
        (&TEST_KEY.replace("PRIVATE KEY", "PUBLIC\nKEY"), "label `PUBLIC\u{fffd}KEY`"),
        (TEST_KEY_OF_CURVE, "is not an RSA private key"),
        (&damaged, "has invalid base64"),
        (&short, "is not an RSA private key"),
        ("-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----", "is not an RSA private key"),
        (&mistyped, "is corrupt: it cannot sign"),
    ];
    for (key, why) in cases {
        let error = refused(&with(account(), "private_key", key.into()));
        assert_eq!(error.kind(), CredentialsErrorKind::Invalid);
        assert!(
            error.to_string().starts_with("the field `private_key` ") && error.to_string().contains(why),
            "{error}"
        );
        assert!(!error.to_string().contains("hunter2") && !error.to_string().contains("MIIE"), "{error}");
    }
}

#[test]
fn damaged_keys_do_not_panic() {
    let body: String = TEST_KEY.lines().filter(|line| !line.starts_with('-')).collect();
    let der = STANDARD.decode(body).unwrap();
    let wrap =
        |der: &[u8]| format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der));
    assert!(read(&with(account(), "private_key", wrap(&der).into())).is_ok());
    for end in 0..der.len() {
        assert!(read(&with(account(), "private_key", wrap(&der[..end]).into())).is_err(), "cut at {end}");
    }
    // The heads of the elements, where a wrong length has the largest effect.
    for at in 0..40 {
        for byte in [0x00, 0x7f, 0x80, 0x81, 0x84, 0x85, 0xff] {
            let mut der = der.clone();
            der[at] = byte;
            let _ = read(&with(account(), "private_key", wrap(&der).into()));
        }
    }
    // Elements nested as deeply as the maximum size of a file allows.
    let deep: Vec<u8> = (0..20_000).flat_map(|_| [0x30, 0x80]).collect();
    assert!(read(&with(account(), "private_key", wrap(&deep).into())).is_err());
}

#[test]
fn secrets_go_over_tls_or_stay_on_this_machine() {
    let accepted = [
        "https://tokens.example.com/token",
        "HTTPS://tokens.example.com",
        "http://localhost:8080/token",
        "http://LOCALHOST/token",
        "http://127.0.0.1:1/token",
        "http://127.9.9.9/token",
        "http://[::1]:1/token",
    ];
    let refusals = [
        "http://tokens.example.com/token",
        "http://127.0.0.1.example.com/token",
        "http://localhost.example.com/",
        "http://169.254.169.254/token",
        "http://0.0.0.0/",
        "http://127.0.0.1@example.com/",
        "https://user:hunter2@example.com/",
        "ftp://localhost/",
        "file:///etc/passwd",
        "//example.com/token",
        "/token",
        "tokens.example.com",
        "https://",
        "https:///token",
        "https://a b/",
        "https://a/\r\nX: y",
        "javascript:alert(1)",
    ];
    for file in [user(), account()] {
        for uri in accepted {
            assert!(read(&with(file.clone(), "token_uri", uri.into())).is_ok(), "{uri}");
        }
        for uri in refusals {
            let error = refused(&with(file.clone(), "token_uri", uri.into()));
            assert!(error.to_string().starts_with("`token_uri` "), "{uri}: {error}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}

#[test]
fn a_file_of_another_type_names_it() {
    let long = "x".repeat(5_000);
    let error = refused(&json!({"type": long})).to_string();
    assert!(error.contains("xxx…`") && error.contains("`authorized_user` or `service_account`"), "{error}");
    for other in ["external_account", "impersonated_service_account", "external_account_authorized_user", "gdch\nx"] {
        let error = refused(&json!({"type": other, "private_key": "hunter2"})).to_string();
        assert!(
            error.contains(&format!("unsupported credentials type `{}`", other.replace('\n', "\u{fffd}"))),
            "{error}"
        );
        assert!(error.contains("`authorized_user` or `service_account`") && !error.contains("hunter2"), "{error}");
    }
}

#[test]
fn a_damaged_file_is_refused_without_its_secrets() {
    for (text, why) in [
        ("", "invalid JSON"),
        ("{\"private_key\": \"hunter2\"", "invalid JSON"),
        ("{\"private_key\": \"hunter2\", }", "invalid JSON"),
        ("[\"hunter2\"]", "expected a JSON object"),
        ("\"hunter2\"", "expected a JSON object"),
        ("{\"private_key\": \"hunter2\"}", "missing field `type`"),
        ("{\"type\": 7, \"private_key\": \"hunter2\"}", "`type` must be a string"),
        (&"[".repeat(100_000), "invalid JSON"),
    ] {
        let error = ApplicationDefault::from_json(text).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.kind() == CredentialsErrorKind::Invalid && !error.to_string().contains("hunter2"), "{error}");
    }
    let members = [
        (user(), ["client_id", "client_secret", "refresh_token"].as_slice()),
        (account(), ["client_email", "private_key"].as_slice()),
    ];
    for (file, names) in members {
        for name in names {
            let error = refused(&with(file.clone(), name, Value::Null));
            assert_eq!(error.to_string(), format!("missing field `{name}`"));
            let error = refused(&with(file.clone(), name, "".into()));
            assert_eq!(error.to_string(), format!("the field `{name}` is empty"));
            for wrong in [json!(8_765_309), json!(true), json!(["hunter2"]), json!({"a": "hunter2"})] {
                let error = refused(&with(file.clone(), name, wrong));
                assert_eq!(error.to_string(), format!("the field `{name}` must be a string"));
            }
        }
        let error = refused(&with(file, "token_uri", json!(7)));
        assert_eq!(error.to_string(), "the field `token_uri` must be a string");
    }
}

/// Creates a folder for a test, with files.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("credentials-{test}"));
    let _ = std::fs::remove_dir_all(&folder);
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

/// Returns the URL that the credentials use.
async fn found(variables: &[(&str, &Path)]) -> Result<String, CredentialsError> {
    let variables: HashMap<&str, OsString> = variables.iter().map(|(name, value)| (*name, value.into())).collect();
    let (transport, log) = tokens();
    let provider = ApplicationDefault::find_with_env(|name| variables.get(name).cloned())?.transport(transport);
    provider.token(&[]).await?;
    Ok(log.all()[0].uri.host().unwrap().to_owned())
}

#[tokio::test]
async fn the_file_is_looked_for_in_order() {
    let file = |host: &str| with(user(), "token_uri", format!("https://{host}/").into()).to_string();
    let well_known = if cfg!(windows) { "gcloud" } else { ".config/gcloud" };
    let home = folder(
        "order",
        &[
            ("named.json", &file("named")),
            ("settings/application_default_credentials.json", &file("settings")),
            (&format!("{well_known}/application_default_credentials.json"), &file("home")),
        ],
    );
    let root = if cfg!(windows) { "APPDATA" } else { "HOME" };
    let (named, settings) = (home.join("named.json"), home.join("settings"));
    let all = [("GOOGLE_APPLICATION_CREDENTIALS", named.as_path()), ("CLOUDSDK_CONFIG", &settings), (root, &home)];
    assert_eq!(found(&all).await.unwrap(), "named");
    assert_eq!(found(&all[1..]).await.unwrap(), "settings");
    assert_eq!(found(&all[2..]).await.unwrap(), "home");
    let empty = Path::new("");
    let unset = [("GOOGLE_APPLICATION_CREDENTIALS", empty), ("CLOUDSDK_CONFIG", empty), (root, home.as_path())];
    assert_eq!(found(&unset).await.unwrap(), "home", "an empty variable is not set");
    // A named file that does not exist is an error.
    let gone = home.join("gone");
    let error = found(&[("GOOGLE_APPLICATION_CREDENTIALS", &gone), (root, &home)]).await.unwrap_err();
    assert_eq!(error.kind(), CredentialsErrorKind::Missing);
    assert!(error.to_string().starts_with("`GOOGLE_APPLICATION_CREDENTIALS` is set to `"), "{error}");
    let error = found(&[("CLOUDSDK_CONFIG", &gone), (root, &home)]).await.unwrap_err().to_string();
    assert!(error.contains("gone") && error.contains("`gcloud auth application-default login`"), "{error}");
    let error = found(&[]).await.unwrap_err();
    assert_eq!(error.kind(), CredentialsErrorKind::Missing);
    assert!(error.to_string().contains("`GOOGLE_APPLICATION_CREDENTIALS` is not set"), "{error}");
}

#[test]
fn an_error_names_the_file() {
    let folder =
        folder("errors", &[("broken.json", "{\"private_key\": \"hunter2\""), ("long.json", &" ".repeat(70_000))]);
    std::fs::write(folder.join("binary.json"), [0xff, 0xfe]).unwrap();
    for (name, why) in [
        ("broken.json", "invalid JSON"),
        ("long.json", "longer than 65536 bytes"),
        ("binary.json", "invalid UTF-8"),
        ("gone.json", "the file does not exist"),
        ("", "cannot read the credentials file"),
    ] {
        let error = ApplicationDefault::from_file(folder.join(name)).unwrap_err().to_string();
        assert!(error.contains(&format!("`{}`", folder.join(name).display())), "{error}");
        assert!(error.contains(why) && !error.contains("hunter2"), "{error}");
    }
}
