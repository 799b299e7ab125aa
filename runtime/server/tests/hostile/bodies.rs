//! Excessive bodies and queries.

use wireform_server::{Limits, ServeLimits};

use super::memory::resident;
use super::raw::{self, RawResponse};
use super::{Target, lock_exclusively};

/// Sends the bytes, and returns the only response.
async fn only_response(target: &Target, bytes: &[u8]) -> RawResponse {
    let mut responses = target.send(bytes).await;
    target.assert_serving("after that").await;
    responses.swap_remove(0)
}

#[tokio::test]
async fn deep_json_is_refused() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    for (open, close) in [("[", "]"), ("{\"name\":", "}"), ("[{\"name\":", "}]")] {
        for deep in [200, 100_000] {
            let value = format!("{}1{}", open.repeat(deep), close.repeat(deep));
            // Unknown fields are not decoded, but are limited as well.
            let (known, unknown) = (format!("{{\"name\":{value}}}"), format!("{{\"unknown\":{value}}}"));
            for body in [value, known, unknown, open.repeat(deep)] {
                let response = only_response(&target, &raw::post("me", body.as_bytes())).await;
                assert_eq!(response.status, 400, "{open} {deep}: {response:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_long_string_costs_little_more_than_its_length() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(10_000_000));
    let before = resident();
    let first = only_response(&target, &raw::post("me", body.as_bytes())).await;
    assert_eq!(first.status, 200, "{first:?}");
    for _ in 0..10 {
        assert_eq!(only_response(&target, &raw::post("me", body.as_bytes())).await.status, 200);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 150 << 20, "{grown} bytes for one body of 10 MB at a time");
}

#[tokio::test]
async fn a_list_of_empty_objects_takes_little_more_than_its_length() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    let body = format!("{{\"name\":[{}{{}}]}}", "{},".repeat(3_300_000));
    let before = resident();
    for _ in 0..3 {
        assert_eq!(only_response(&target, &raw::post("me", body.as_bytes())).await.status, 413);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes for one body of 10 MB at a time");
    assert!(!target.mailbox.called_for().contains(&"me".to_owned()));
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_whether_announced_or_not() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    let long = vec![b' '; (10 << 20) + 1];
    let refused = raw::exchange(target.address, &raw::post("me", &long)).await;
    assert!(matches!(&*refused, [one] if one.status == 413), "{refused:?}");
    let head = "POST /mail/v1/users/me/history HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n";
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n{}1\r\n \r\n0\r\n\r\n", chunk.repeat(10));
    let refused = raw::exchange(target.address, chunked.as_bytes()).await;
    assert!(matches!(&*refused, [one] if one.status == 413), "{refused:?}");
    assert_eq!(target.mailbox.called_for(), Vec::<String>::new());
    target.assert_serving("long bodies").await;
}

#[tokio::test]
async fn ten_thousand_parameters_are_refused() {
    let _alone = lock_exclusively().await;
    let (mut wide, mut roomy) = (Limits::DEFAULT, ServeLimits::DEFAULT);
    (wide.target_bytes, roomy.head_bytes) = (1 << 20, 1 << 20);
    // Targets beyond 64 KB are rejected by the HTTP parser, whatever the limits are.
    let long: String = (0..10_000).map(|number| format!("&k{number}=1")).collect();
    let short = "&a".repeat(10_000);
    for (limits, connections, pairs, status) in [
        (Limits::DEFAULT, ServeLimits::DEFAULT, &long, 431),
        (Limits::DEFAULT, roomy.clone(), &long, 414),
        (Limits::DEFAULT, ServeLimits::DEFAULT, &short, 414),
        (wide, roomy, &short, 400),
    ] {
        let target = Target::start(limits, connections).await;
        let request = format!("GET /mail/v1/users/me/history?startHistoryId=1{pairs} HTTP/1.1\r\nHost: x\r\n\r\n");
        let response = only_response(&target, request.as_bytes()).await;
        assert_eq!(response.status, status, "{response:?}");
    }
}

#[tokio::test]
async fn one_byte_in_each_chunk_is_one_body() {
    let _alone = lock_exclusively().await;
    let target = Target::with_long_timeouts().await;
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(200_000));
    let chunks: String = body.chars().map(|byte| format!("1\r\n{byte}\r\n")).collect();
    let head = "POST /mail/v1/users/me/history HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n";
    let before = resident();
    let request = format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n");
    assert!(only_response(&target, request.as_bytes()).await.is_for("me"));
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes for 200 KB");
}
