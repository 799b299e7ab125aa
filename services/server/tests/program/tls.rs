//! Tests of TLS.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::{Certificate, StatusCode};
use serde_json::json;

use crate::program::Home;

/// Returns a certificate for this machine, in PEM, and its key.
fn certificate(home: &Home) -> (String, [String; 2]) {
    let made =
        rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).expect("it is made");
    let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let paths = [home.file("chain.pem", &chain), home.file("key.pem", &key)];
    (chain, paths.map(|path| path.to_str().expect("UTF-8").to_owned()))
}

#[tokio::test]
async fn requests_are_served_over_tls_only() {
    let home = Home::new();
    let (chain, [cert, key]) = certificate(&home);
    let server = home.serve(&["--tls-cert", &cert, "--tls-key", &key]);
    assert!(server.base.starts_with("https://127.0.0.1:"), "{}", server.base);
    let trusted = Certificate::from_pem(chain.as_bytes()).expect("a certificate");
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client");
    let server = server.with_client(client);
    let (status, profile) = server.get("/mail/v1/users/me/profile").await;
    assert_eq!((status, &profile["emailAddress"]), (StatusCode::OK, &"me@localhost".into()));

    let untrusting_client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let refused = untrusting_client.get(format!("{}/-/health", server.base)).send().await;
    assert!(
        refused.is_err_and(|error| error.is_connect()),
        "a client that does not trust the certificate does not connect"
    );
    let mut plain = TcpStream::connect(server.base.trim_start_matches("https://")).expect("it listens");
    plain.write_all(b"GET /-/health HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut response = Vec::new();
    let _ = plain.read_to_end(&mut response);
    assert!(!response.starts_with(b"HTTP"), "without TLS there is no response");
    // The failed connections do not affect the server.
    assert_eq!(server.get("/-/health").await.0, StatusCode::OK);
    server.stop();
}

#[tokio::test]
async fn off_loopback_tls_is_enough() {
    let home = Home::new();
    let (_, [cert, key]) = certificate(&home);
    let server = home.serve(&["--listen", "0.0.0.0", "--tls-cert", &cert, "--tls-key", &key]);
    assert_eq!(server.token, "");
    server.stop();
}

/// The receiver is the program itself, which has no such path.
#[tokio::test]
async fn notifications_are_sent_to_receivers_whose_certificates_are_trusted() {
    for (file, expected) in [(true, "404"), (false, "the TLS connection is not trusted")] {
        let home = Home::new();
        let (chain, [cert, key]) = certificate(&home);
        let environment = if file { &[("SSL_CERT_FILE", cert.as_str())][..] } else { &[] };
        let arguments = ["--tls-cert", &cert, "--tls-key", &key, "--allow-loopback-callbacks"];
        let trusted = Certificate::from_pem(chain.as_bytes()).expect("a certificate");
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client");
        let server = home.serve_with(&arguments, environment).with_client(client);
        let body = json!({ "id": "c", "type": "web_hook", "address": format!("{}/hook", server.base) });
        assert_eq!(server.post("/calendar/v3/calendars/primary/events/watch", &body).await.0, StatusCode::OK);
        let outcome = loop {
            let listed = home.list(&["channels", "list"]);
            if let Some(outcome) = listed[0]["outcome"].as_str() {
                break outcome.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        assert_eq!(outcome, expected);
        server.stop();
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let home = Home::new();
    let (_, [cert, key]) = certificate(&home);
    let other = Home::new();
    let (_, [_, other_key]) = certificate(&other);
    let empty = home.file("empty.pem", "");
    let empty = empty.to_str().expect("UTF-8");
    let table = [
        ([&*cert, &*other_key], "is not the key of"),
        ([empty, &*key], "no certificate in PEM"),
        ([&*cert, empty], "no private key in PEM"),
        ([&*key, &*key], "no certificate in PEM"),
    ];
    for ([cert, key], expected) in table {
        let error = home.refused(&["--port", "0", "--tls-cert", cert, "--tls-key", key]);
        assert!(error.contains(expected), "{error} does not contain {expected}");
        assert!(!error.contains("PRIVATE"), "{error}");
    }
    assert!(!home.data().exists(), "no folder was created");
}
