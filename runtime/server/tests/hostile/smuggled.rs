//! Requests that two parsers may interpret differently: their ends, and their targets.

use super::Target;
use super::raw::get;

/// User that the operation must never be called for.
const VICTIM: &str = "victim";

/// Creates a request to the path of an operation, with these headers and the bytes after them.
fn post(headers: &str, rest: &str) -> Vec<u8> {
    let head = "POST /mail/v1/users/me/history HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n";
    format!("{head}{headers}\r\n\r\n{rest}").into_bytes()
}

fn smuggled() -> String {
    String::from_utf8(get(VICTIM, "")).expect("text")
}

/// Headers with an invalid or ambiguous length of the body.
const INVALID_LENGTHS: [&str; 16] = [
    "Content-Length: 0\r\nContent-Length: 5",
    "Content-Length: 0, 5",
    "Content-Length: -0",
    "Content-Length: 0x0",
    "Content-Length: 18446744073709551616",
    "Content-Length:",
    "Content-Length : 0",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: \"chunked\"",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding\r\n: chunked",
    " Transfer-Encoding: chunked",
];

/// Start lines and hosts that must be rejected.
const INVALID_HEADS: [&str; 13] = [
    "GET http://victim.example/mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x",
    "GET http://x@y/mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x\r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x, y",
    "GET /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nX-A: no host",
    "TRACE /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x",
    "CONNECT victim.example:80 HTTP/1.1\r\nHost: victim.example:80",
    "GET  /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1 HTTP/1.1 \r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1\tHTTP/1.1\r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1 http/1.1\r\nHost: x",
    "GET /mail/v1/users/me/history?startHistoryId=1\r\nHost: x",
    "GET mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x",
];

/// Returns requests, and whether each must be rejected. Each gets at most one response.
fn cases() -> Vec<(Vec<u8>, bool)> {
    let hidden = smuggled();
    let length = hidden.len();
    let mut cases = vec![
        // Both lengths: the body is chunked, and the connection is closed after the response.
        (post("Content-Length: 4\r\nTransfer-Encoding: chunked", &format!("0\r\n\r\n{hidden}")), false),
        (post("Transfer-Encoding: chunked\r\nContent-Length: 4", &format!("0\r\n\r\n{hidden}")), false),
        // An unexpected body is not parsed as a request.
        ([get("me", &format!("Content-Length: {length}\r\n")), hidden.clone().into_bytes()].concat(), true),
        // Response before the body, which is not parsed as a request.
        (post(&format!("Content-Encoding: br\r\nContent-Length: {length}"), &hidden), true),
        (post(&format!("Content-Type: text/plain\r\nContent-Length: {length}"), &hidden), true),
        (post(&format!("Expect: 100-continue\r\nContent-Type: a/b\r\nContent-Length: {length}"), &hidden), true),
    ];
    for headers in INVALID_LENGTHS {
        cases.push((post(headers, &format!("0\r\n\r\n{hidden}")), true));
    }
    for chunks in ["-1\r\n", "0x1\r\n", "+1\r\n", "1_0\r\n", "FFFFFFFFFFFFFFFFF\r\n", "1\r\nabc\r\n", "\r\n", ";\r\n"] {
        cases.push((post("Transfer-Encoding: chunked", &format!("{chunks}0\r\n\r\n{hidden}")), true));
    }
    for line in INVALID_HEADS {
        cases.push((format!("{line}\r\nAuthorization: Bearer all\r\n\r\n").into_bytes(), true));
    }
    cases
}

#[tokio::test]
async fn smuggled_requests_are_not_executed() {
    let target = Target::with_short_timeouts().await;
    for (bytes, refused) in cases() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let responses = target.send(&bytes).await;
        let called = target.mailbox.called_for();
        let own: Vec<_> = responses.iter().filter(|response| !response.is_for("sentinel")).collect();
        println!("{text:?}: {own:?}");
        assert!(!called.iter().any(|user| user == VICTIM), "{text:?}: {called:?}");
        assert!(own.len() <= 1, "{text:?}: {own:?}");
        if refused {
            let fine = |status| (400..500).contains(&status) || [501, 505].contains(&status);
            assert!(own.iter().all(|response| fine(response.status)), "{text:?}: {own:?}");
            assert!(called.iter().all(|user| user == "sentinel"), "{text:?}: {called:?}");
        }
        target.assert_serving(&text).await;
        target.mailbox.called_for();
    }
}

#[tokio::test]
async fn a_request_for_the_whole_of_another_is_for_its_own_user() {
    // The target in absolute form, as for proxies, is the same request.
    let target = Target::with_long_timeouts().await;
    let full = "GET http://x/mail/v1/users/me/history?startHistoryId=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n\r\n";
    let responses = target.send(full.as_bytes()).await;
    assert!(matches!(&*responses, [own, sentinel] if own.is_for("me") && sentinel.is_for("sentinel")), "{responses:?}");
    // HTTP/1.0 requires no `Host`.
    let old = "GET /mail/v1/users/me/history?startHistoryId=1 HTTP/1.0\r\nAuthorization: Bearer all\r\n\r\n";
    let responses = target.send(old.as_bytes()).await;
    assert!(matches!(&*responses, [own] if own.is_for("me")), "{responses:?}");
}
