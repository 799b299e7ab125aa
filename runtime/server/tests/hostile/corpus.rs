//! Raw requests of the corpus.

use std::io::Read;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use wireform_test_data::requires;

use super::Target;
use super::raw::RawResponse;

struct Case {
    id: String,
    expect: String,
    bytes: Vec<u8>,
}

/// Returns the cases of the corpus.
fn cases() -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/hostile/http-requests.json");
    let list: Vec<Value> = serde_json::from_slice(&std::fs::read(root).expect("a file")).expect("JSON");
    let text = |case: &Value, key: &str| case[key].as_str().expect("a string").to_owned();
    let cases = list.iter().map(|case| Case { id: text(case, "id"), expect: text(case, "expect"), bytes: bytes(case) });
    cases.collect()
}

/// Returns the request with its placeholders filled in.
fn bytes(case: &Value) -> Vec<u8> {
    let mut bytes = match (&case["b64"], &case["zlib_b64"]) {
        (Value::String(plain), _) => STANDARD.decode(plain).expect("base64"),
        (_, Value::String(packed)) => {
            let (packed, mut bytes) = (STANDARD.decode(packed).expect("base64"), Vec::new());
            flate2::read::ZlibDecoder::new(&*packed).read_to_end(&mut bytes).expect("zlib");
            bytes
        }
        _ => panic!("a case without bytes: {case}"),
    };
    for (place, value) in [("{HOST}", "x"), ("{TOKEN}", "all"), ("{BASE}", "")] {
        while let Some(at) = bytes.windows(place.len()).position(|window| window == place.as_bytes()) {
            bytes.splice(at..at + place.len(), value.bytes());
        }
    }
    bytes
}

#[requires("corpora/hostile")]
#[tokio::test]
async fn every_case_has_the_expected_outcome() {
    let cases = cases();
    let target = Target::with_short_timeouts().await;
    let mut refused = 0;
    for case in &cases {
        let responses = target.send(&case.bytes).await;
        let called = target.mailbox.called_for();
        let own: Vec<_> = responses.into_iter().filter(|response| !response.is_for("sentinel")).collect();
        println!("{} ({}): {own:?}", case.id, case.expect);
        assert_expected(case, &own, &called);
        if case.expect == "documented" {
            let again = target.send(&case.bytes).await;
            let outcome =
                |responses: &[RawResponse]| responses.first().map(|response| (response.status, response.body.clone()));
            assert_eq!(outcome(&again), outcome(&own), "{}: another response", case.id);
            target.mailbox.called_for();
        }
        refused += usize::from(own.iter().any(|response| response.status >= 400));
        target.assert_serving(&case.id).await;
        target.mailbox.called_for();
    }
    assert!(refused < cases.len(), "a server that rejects everything would pass");
}

fn assert_expected(case: &Case, own: &[RawResponse], called: &[String]) {
    let Case { id, expect, bytes } = case;
    let others: Vec<_> = called.iter().filter(|user| *user != "sentinel").collect();
    assert!(own.len() <= 1, "{id}: {own:?}");
    assert!(others.len() <= own.len(), "{id}: it was executed for {others:?}");
    let status = own.first().map(|response| response.status);
    match &**expect {
        "reject" => {
            assert!(
                status.is_none_or(|status| (400..500).contains(&status) || [501, 505].contains(&status)),
                "{id}: {own:?}"
            );
            assert!(others.is_empty(), "{id}: it was executed for {others:?}");
            let shows_token = own
                .iter()
                .any(|one| one.head.contains("Bearer") || String::from_utf8_lossy(&one.body).contains("Bearer"));
            assert!(!shows_token, "{id}: the response contains the token");
        }
        "one-response" => {}
        "robust" => assert!(status.is_none_or(|status| status < 500), "{id}: {own:?}"),
        "documented" => assert!(status.is_some_and(|status| (200..500).contains(&status)), "{id}: {own:?}"),
        "no-bypass" => {
            assert!(status.is_some_and(|status| (200..500).contains(&status)), "{id}: {own:?}");
            let expected = user(bytes);
            assert!(others.iter().all(|user| Some(*user) == expected.as_ref()), "{id}: {others:?} for {expected:?}");
        }
        _ => panic!("{id}: {expect} is new"),
    }
}

/// Returns the user in the path of a request: the decoded segment between the two literal segments.
fn user(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let raw = text.strip_prefix("GET /mail/v1/users/")?.split("/history?").next()?;
    let (mut decoded, mut rest) = (Vec::new(), raw.bytes());
    while let Some(byte) = rest.next() {
        match byte {
            b'/' => return None,
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                decoded.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            byte => decoded.push(byte),
        }
    }
    String::from_utf8(decoded).ok().filter(|user| !["", ".", ".."].contains(&&**user))
}
