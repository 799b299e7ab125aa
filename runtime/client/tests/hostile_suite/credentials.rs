//! Token servers with endless responses.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use wireform_client::oauth::InstalledApp;
use wireform_client::transport::BoxFuture;
use wireform_client::wire::serde_json::json;
use wireform_client::{ApplicationDefault, CredentialsError, Token, TokenProvider as _};

use super::runtimes::assert_ends;
use super::server::{Endless, Server};

type Outcome = Result<Token, CredentialsError>;

fn user(server: &Server) -> BoxFuture<'static, Outcome> {
    let file = json!({
        "type": "authorized_user",
        "client_id": "id",
        "client_secret": "hunter2",
        "refresh_token": "again",
        "token_uri": format!("http://{}/token", server.at),
    });
    let provider = ApplicationDefault::from_json(&file.to_string()).unwrap();
    Box::pin(async move { provider.token(&[]).await })
}

#[test]
fn application_default_credentials() {
    let interim = Endless::new("", "HTTP/1.1 100 Continue\r\n\r\n");
    assert_ends("interim responses", &interim, "more than 100 interim responses", user);
    let body = Endless::new("HTTP/1.1 200 OK\r\n\r\n", " ");
    assert_ends("a body", &body, "more than 65536 bytes", user);
}

/// Simulates a user who consents immediately, and exchanges the code for a token.
fn consent(server: &Server) -> BoxFuture<'static, Outcome> {
    let client = json!({ "installed": {
        "client_id": "id",
        "client_secret": "hunter2",
        "auth_uri": "https://accounts.example.com/auth",
        "token_uri": format!("http://{}/token", server.at),
    }});
    let installed = InstalledApp::from_json(&client.to_string()).unwrap().on_url(|address| {
        let port = address.replace("%3A", ":").split("localhost:").nth(1).unwrap().to_owned();
        let port: u16 = port.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        tokio::spawn(async move {
            let mut browser = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            browser.write_all(b"GET /?code=c HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
            let _ = browser.read_to_end(&mut Vec::new()).await;
        });
    });
    Box::pin(async move { installed.build().await.unwrap().token(&["a"]).await })
}

#[test]
fn consent_in_a_browser() {
    let failed = "cannot reach the token server";
    assert_ends("interim responses", &Endless::new("", "HTTP/1.1 100 Continue\r\n\r\n"), failed, consent);
    assert_ends("a body", &Endless::new("HTTP/1.1 200 OK\r\n\r\n", " "), failed, consent);
}

#[test]
#[ignore = "takes as long as a token server may"]
fn consent_that_trickles() {
    let slow = Endless::new("HTTP/1.1 200 OK\r\n\r\n", " ").trickling(Duration::from_secs(1));
    assert_ends("a body", &slow, "cannot reach the token server", consent);
}
