//! Tests of access to the ready token and the overview.

use crate::common::{TOKEN, from, local, page, sample, send};
use axum::body::Body;
use http::{Request, StatusCode};
use wireform_page::{Contents, Guard, PageSettings, router};

type Headers = &'static [(&'static str, &'static str)];

const OWN_PAGE: (&str, &str) = ("sec-fetch-site", "same-origin");
const PROGRAM: (&str, &str) = ("x-wireform-program", "1");
const HERE: (&str, &str) = ("host", "127.0.0.1:8080");

/// Peer, headers, and whether the token is handed out.
const TOKEN_REQUESTS: &[(&str, Headers, bool)] = &[
    ("127.0.0.1:1", &[HERE, OWN_PAGE], true),
    ("127.0.0.1:1", &[HERE, PROGRAM], true),
    ("127.9.9.9:1", &[("host", "localhost"), PROGRAM], true),
    ("[::1]:1", &[("host", "[::1]:8080"), PROGRAM], true),
    ("[::ffff:127.0.0.1]:1", &[("host", "LocalHost:80"), PROGRAM], true),
    ("127.0.0.1:1", &[("host", "box.example:8080"), PROGRAM], true),
    // Other machines.
    ("192.0.2.7:1", &[HERE, PROGRAM], false),
    ("192.0.2.7:1", &[HERE, OWN_PAGE], false),
    ("[::ffff:192.0.2.7]:1", &[HERE, PROGRAM], false),
    ("[2001:db8::1]:1", &[HERE, PROGRAM], false),
    ("0.0.0.0:1", &[HERE, PROGRAM], false),
    // Through a proxy.
    ("127.0.0.1:1", &[HERE, PROGRAM, ("x-forwarded-for", "127.0.0.1")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("x-forwarded-for", "")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("forwarded", "for=127.0.0.1")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("x-real-ip", "127.0.0.1")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("via", "1.1 edge")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("x-forwarded-proto", "https")], false),
    ("127.0.0.1:1", &[HERE, PROGRAM, ("x-forwarded-host", "localhost")], false),
    // By pages of other origins.
    ("127.0.0.1:1", &[HERE], false),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "cross-site")], false),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "same-site")], false),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "none")], false),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "cross-site"), PROGRAM], false),
    ("127.0.0.1:1", &[HERE, OWN_PAGE, ("sec-fetch-site", "cross-site")], false),
    // By a foreign host name.
    ("127.0.0.1:1", &[PROGRAM], false),
    ("127.0.0.1:1", &[("host", "evil.example"), PROGRAM], false),
    ("127.0.0.1:1", &[("host", "evil.example:8080"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "localhost.evil.example"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "127.0.0.1.evil.example"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "localhost@evil.example"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "localhost:80:80"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "localhost:x"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "0.0.0.0"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "[2001:db8::1]"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "[::1"), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", ""), OWN_PAGE], false),
    ("127.0.0.1:1", &[("host", "\u{e9}"), OWN_PAGE], false),
    ("127.0.0.1:1", &[HERE, ("host", "evil.example"), OWN_PAGE], false),
];

#[tokio::test]
async fn the_token_is_only_for_this_machine() {
    let guard = Guard { own_names: vec!["box.example".into()] };
    let router = router(PageSettings { guard, ..page(Contents::default()) }).expect("pages");
    for (peer, headers, admitted) in TOKEN_REQUESTS {
        let response = send(&router, from(peer, "/session", headers)).await;
        assert_eq!(response.status == StatusCode::OK, *admitted, "{peer} {headers:?}: {}", response.body);
        assert_eq!(response.body.contains(TOKEN), *admitted, "{peer} {headers:?}");
        assert_eq!(response.header("cache-control"), "no-store");
        assert!(response.headers.get("access-control-allow-origin").is_none());
        if !admitted {
            assert_eq!(response.status, StatusCode::FORBIDDEN);
            let body: serde_json::Value = serde_json::from_str(&response.body).expect("JSON");
            assert_eq!(body["error"]["code"], 403);
            assert!(body["error"]["message"].as_str().is_some_and(|message| message.len() > 20));
        }
    }
}

#[tokio::test]
async fn a_target_with_a_foreign_authority_is_refused() {
    for (target, status) in
        [("http://evil.example/session", StatusCode::FORBIDDEN), ("http://localhost:9/session", StatusCode::OK)]
    {
        assert_eq!(send(&sample(), local(target, &[PROGRAM])).await.status, status, "{target}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_know_its_peer_refuses() {
    let request = Request::builder().uri("/session").header("host", "localhost").header(PROGRAM.0, PROGRAM.1);
    let response = send(&sample(), request.body(Body::empty()).expect("a request")).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_server_without_a_token_hands_out_nothing() {
    let router = router(PageSettings { token: None, ..page(Contents::default()) }).expect("pages");
    let response = send(&router, local("/session", &[PROGRAM])).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, "{\"token\":null}"));
    let response = send(&router, from("192.0.2.7:1", "/session", &[HERE, PROGRAM])).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN, "others cannot determine whether it exists");
}

#[test]
fn settings_do_not_reveal_the_token() {
    let text = format!("{:?}", page(Contents::default()));
    assert!(text.contains("mailbox") && !text.contains(TOKEN), "{text}");
}

/// Peer, headers, and whether the overview is shown.
const OVERVIEW_REQUESTS: &[(&str, Headers, bool)] = &[
    ("127.0.0.1:1", &[HERE], true),
    ("127.0.0.1:1", &[HERE, OWN_PAGE], true),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "none")], true),
    (
        "127.0.0.1:1",
        &[HERE, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")],
        true,
    ),
    (
        "127.0.0.1:1",
        &[HERE, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
        false,
    ),
    ("127.0.0.1:1", &[HERE, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], false),
    ("192.0.2.7:1", &[HERE], false),
    ("127.0.0.1:1", &[HERE, ("x-forwarded-for", "192.0.2.7")], false),
    ("127.0.0.1:1", &[("host", "evil.example")], false),
];

#[tokio::test]
async fn the_overview_is_for_this_machine_unless_it_is_public() {
    let public = router(PageSettings { overview_public: true, ..page(Contents::default()) }).expect("pages");
    for (peer, headers, admitted) in OVERVIEW_REQUESTS {
        let response = send(&sample(), from(peer, "/", headers)).await;
        let status = if *admitted { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(response.status, status, "{peer} {headers:?}: {}", response.body);
        assert_eq!(response.body.contains("<h2>Mailboxes"), *admitted);
        assert_eq!(send(&public, from(peer, "/", headers)).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn references_need_no_guard() {
    for target in ["/docs", "/docs/mailbox", "/docs/mailbox/openapi.json"] {
        let response = send(&sample(), from("192.0.2.7:1", target, &[("host", "box.example")])).await;
        assert_eq!(response.status, StatusCode::OK, "{target}");
        assert!(!response.body.contains(TOKEN));
    }
}
