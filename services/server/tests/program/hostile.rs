//! Tests with hostile requests and bodies of a public corpus: the program returns the status that the corpus expects,
//! never a 5xx for input of a client, and continues to serve.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use wireform_test_data::requires;

use crate::program::{Home, Server};

const PROFILE: &str = "/mail/v1/users/me/profile";

/// Returns the cases of a file, with their bytes.
fn cases(file: &str) -> Vec<(Value, Vec<u8>)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/hostile").join(file);
    let cases: Vec<Value> = serde_json::from_slice(&fs_err::read(path).expect("a file")).expect("a list");
    assert!(cases.len() > 50, "{} cases", cases.len());
    cases.into_iter().map(|case| (case.clone(), bytes(&case))).collect()
}

fn bytes(case: &Value) -> Vec<u8> {
    if let Some(plain) = case["b64"].as_str() {
        return STANDARD.decode(plain).expect("base64");
    }
    let packed = STANDARD.decode(case["zlib_b64"].as_str().expect("bytes")).expect("base64");
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&*packed).read_to_end(&mut bytes).expect("zlib");
    bytes
}

fn filled_in(mut bytes: Vec<u8>, host: &str, token: &str) -> Vec<u8> {
    for (place, value) in [("{HOST}", host), ("{TOKEN}", token), ("{BASE}", "")] {
        while let Some(at) = bytes.windows(place.len()).position(|window| window == place.as_bytes()) {
            bytes.splice(at..at + place.len(), value.bytes());
        }
    }
    bytes
}

/// Request that follows each case: its response is the last one, whatever the request before it was.
const LAST: &str = "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// Returns the response to bytes.
fn send(host: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    // A timeout, for a response that never ends.
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    // The server may have refused the request and closed the connection before all of it was sent.
    let _ = stream.write_all(bytes).and_then(|()| stream.write_all(LAST.as_bytes()));
    let mut response = Vec::new();
    let end = stream.read_to_end(&mut response).map_err(|error| error.kind());
    assert_ne!(end, Err(std::io::ErrorKind::WouldBlock), "the response did not end");
    String::from_utf8_lossy(&response).into_owned()
}

fn statuses(response: &str) -> Vec<u16> {
    response.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.get(..3)?.parse().ok()).collect()
}

fn judge(case: &Value, response: &str) {
    let reported = statuses(response);
    assert!(reported.iter().all(|status| *status < 500 || [501, 505].contains(status)), "{}: {response}", case["id"]);
    match case["expect"].as_str().expect("an expected outcome") {
        "reject" => assert!(reported.iter().all(|status| *status >= 400), "{}: {response}", case["id"]),
        "documented" | "no-bypass" => assert!(!reported.is_empty(), "{}: no response", case["id"]),
        _ => {}
    }
}

async fn assert_serving(server: &Server, after: &str) {
    assert_eq!(server.get(PROFILE).await.0, StatusCode::OK, "after {after}");
}

#[requires("corpora/hostile")]
#[tokio::test]
async fn hostile_requests_get_what_they_deserve() {
    let home = Home::new();
    let server = home.serve(&[]);
    let host = server.base.trim_start_matches("http://").to_owned();
    let mut responses = 0;
    for (case, bytes) in cases("http-requests.json") {
        let (bytes, to) = (filled_in(bytes, &host, &server.token), host.clone());
        let response = tokio::task::spawn_blocking(move || send(&to, &bytes)).await.expect("it is sent");
        judge(&case, &response);
        assert!(!response.contains(&server.token), "{}: it reveals the token", case["id"]);
        responses += statuses(&response).len();
        assert_serving(&server, &case["id"].to_string()).await;
    }
    assert!(responses > 30, "only {responses} responses");
}

#[requires("corpora/hostile")]
#[tokio::test]
async fn hostile_bodies_are_no_faults_of_the_server() {
    let home = Home::new();
    let server = home.serve(&[]);
    for (case, body) in cases("event-bodies.json") {
        for target in
            ["/mail/v1/users/me/messages", "/mail/v1/users/me/labels", "/mail/v1/users/me/messages/batchModify"]
        {
            let request = server.request(Method::POST, target).bearer_auth(&server.token);
            let request = request.header("content-type", "application/json").body(body.clone());
            let response = request.send().await.expect("a response");
            let status = response.status();
            assert!(status.is_client_error(), "{} to {target}: {status}", case["id"]);
            let reported: Value = response.json().await.expect("JSON");
            assert!(reported["error"]["message"].is_string(), "{} to {target}: {reported}", case["id"]);
        }
    }
    assert_serving(&server, "all of them").await;
}
