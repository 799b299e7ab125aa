//! Redirects that are followed, and those that are not.

use wireform_client::{Credentials, RetryPolicy};

use super::sample::{Ask, Clear, Get, Thing, get, insert};
use super::script::{respond_with_headers, scripted_client, thing};

#[tokio::test]
async fn safe_operations_follow_within_the_origin() {
    for (status, location, uri) in [
        (301, "/else?x=1", "https://sample.example/else?x=1"),
        (302, "https://SAMPLE.example:443/else", "https://SAMPLE.example:443/else"),
        (307, "2", "https://sample.example/sample/v1/things/2"),
        (308, "//sample.example/else", "https://sample.example/else"),
        (303, "?q=2", "https://sample.example/sample/v1/things/1?q=2"),
    ] {
        let (client, log) = scripted_client(move |number| {
            if number == 1 { respond_with_headers(status, &[("location", location)], "") } else { thing() }
        });
        let client = client.credentials(Credentials::token("a-token")).build().unwrap();
        client.call(Get { note: Some("n".into()), ..get("1") }).send().await.unwrap();
        let last = log.all().pop().unwrap();
        assert_eq!((log.count(), last.uri.as_str()), (2, uri), "{location}");
        assert_eq!((last.header("authorization"), last.header("x-note")), (Some("Bearer a-token"), Some("n")));
    }
}

#[tokio::test]
async fn body_is_sent_again_except_after_303() {
    for (status, method, has_body) in
        [(301, "POST", true), (302, "POST", true), (303, "GET", false), (307, "POST", true)]
    {
        let (client, log) = scripted_client(move |number| {
            if number == 1 { respond_with_headers(status, &[("location", "/else")], "") } else { thing() }
        });
        client.build().unwrap().call(Ask { body: Thing::default() }).send().await.unwrap();
        let last = log.all().pop().unwrap();
        assert_eq!((last.method.as_str(), last.body.is_empty()), (method, !has_body), "{status}");
        assert_eq!(last.header("content-type").is_some(), has_body);
    }
}

#[tokio::test]
async fn other_origins_are_not_followed() {
    for (location, says) in [
        ("https://other.example/x?key=secret", "https://other.example"),
        ("http://sample.example/sample/v1/things/1", "http://sample.example"),
        ("https://sample.example:8443/", "https://sample.example:8443"),
        ("https://sample.example@other.example/", "https://other.example"),
        ("//other.example", "https://other.example"),
    ] {
        let (client, log) = scripted_client(move |_| respond_with_headers(302, &[("location", location)], "moved"));
        let client = client.credentials(Credentials::token("a-token")).build().unwrap();
        let error = client.call(get("1")).send().await.unwrap_err();
        assert_eq!(error.to_string(), format!("things.get: 302 Found; the redirect to `{says}` is not followed"));
        assert_eq!((log.count(), error.response().unwrap().redirect.as_deref()), (1, Some(says)));
        assert!(!format!("{error:?}").contains("secret"));
    }
}

#[tokio::test]
async fn unsafe_operations_are_not_redirected() {
    let (client, log) = scripted_client(|_| respond_with_headers(307, &[("location", "/else")], ""));
    let client = client.build().unwrap();
    let line = "307 Temporary Redirect; the redirect to `https://sample.example` is not followed";
    assert_eq!(client.call(insert("x")).send().await.unwrap_err().to_string(), format!("things.insert: {line}"));
    assert_eq!(client.call(Clear).send().await.unwrap_err().to_string(), format!("things.clear: {line}"));
    assert_eq!(log.count(), 2);
}

#[tokio::test]
async fn redirects_are_limited() {
    let (client, log) = scripted_client(|_| respond_with_headers(302, &[("location", "")], ""));
    let client = client.retry(RetryPolicy::off()).build().unwrap();
    let error = client.call(get("1")).send().await.unwrap_err();
    assert_eq!((log.count(), error.attempts(), error.status()), (6, 1, Some(302)));
    let (client, log) =
        scripted_client(
            |number| if number < 6 { respond_with_headers(302, &[("location", "/")], "") } else { thing() },
        );
    client.build().unwrap().call(get("1")).send().await.unwrap();
    assert_eq!(log.count(), 6);
}

#[tokio::test]
async fn invalid_locations_are_not_followed() {
    for location in ["https:///x", "ftp://sample.example/", "/\\other.example", "mailto:a@b.example", "ht\ttp://x"] {
        let (client, log) = scripted_client(move |_| respond_with_headers(302, &[("location", location)], ""));
        let error = client.build().unwrap().call(get("1")).send().await.unwrap_err();
        assert_eq!((log.count(), error.status()), (1, Some(302)), "{location}");
    }
    let (client, _) = scripted_client(|_| respond_with_headers(300, &[("location", "/else")], ""));
    let error = client.build().unwrap().call(get("1")).send().await.unwrap_err();
    assert_eq!(error.to_string(), "things.get: 300 Multiple Choices");
}
