//! Parameters in the query, in headers and in cookies.

use axum::body::Body;
use futures_util::StreamExt as _;
use wireform_server::{UnknownParameters, axum};

use crate::sample::*;

async fn list(query: &str) -> Result<ThingsList, Vec<String>> {
    let sample = Sample::default();
    let response = ask(&sample, "GET", &format!("/sample/v1/things?{query}"), "").await;
    match sample.seen::<ThingsList>() {
        Some(request) => Ok(request),
        None => {
            assert_eq!(response.status.as_u16(), 400, "{query}");
            Err(response.violations())
        }
    }
}

#[tokio::test]
async fn values() {
    let base = ThingsList::default;
    let large = || Kind::Large;
    for (query, expected) in [
        ("", base()),
        ("&&", base()),
        ("q=a+b%2Bc%20%C3%A9", ThingsList { q: Some("a b+c é".into()), ..base() }),
        ("q", ThingsList { q: Some(String::new()), ..base() }),
        ("%71=x=y", ThingsList { q: Some("x=y".into()), ..base() }),
        ("maxResult=7", ThingsList { max_results: Some(7), ..base() }),
        ("maxResults=7", ThingsList { max_results: Some(7), ..base() }),
        ("maxResult=5000", ThingsList { max_results: Some(50), ..base() }),
        ("showDeleted=TRUE", ThingsList { show_deleted: Some(true), ..base() }),
        ("showDeleted=0", ThingsList { show_deleted: Some(false), ..base() }),
        ("kinds=large&kinds=SMALL", ThingsList { kinds: vec![large(), Kind::Small], ..base() }),
        ("ids=a,b%2Cc,+d", ThingsList { ids: vec!["a".into(), "b,c".into(), " d".into()], ..base() }),
        ("ids=a&ids=b,c", ThingsList { ids: vec!["a".into(), "b".into(), "c".into()], ..base() }),
        ("ids=", ThingsList { ids: vec![String::new()], ..base() }),
        ("since=2026-01-01T00:00:00%2B01:00", ThingsList { since: "2026-01-01T00:00:00+01:00".parse().ok(), ..base() }),
        ("ratio=-1.5e3", ThingsList { ratio: Some(-1500.0), ..base() }),
        ("quotaUser=me&%24.xgafv=2&alt=json&prettyPrint=1&fields=items/name&key=k", base()),
    ] {
        assert_eq!(list(query).await, Ok(expected), "{query}");
    }
}

#[tokio::test]
async fn invalid_values_are_rejected() {
    for (query, violation) in [
        ("maxResult=x", "invalidParameter maxResult | must be a 32-bit integer"),
        ("maxResults=+1", "invalidParameter maxResults | must be a 32-bit integer"),
        ("maxResult=", "invalidParameter maxResult | must be a 32-bit integer"),
        ("maxResult=1&maxResult=1", "invalidParameter maxResult | must not be repeated"),
        ("maxResult=1&maxResults=1", "invalidParameter maxResult | must not be repeated"),
        ("maxResult=0", "invalidParameter maxResult | must be at least 1"),
        ("q=%zz", "invalidParameter q | must be percent-encoded (RFC 3986)"),
        ("q=%ff", "invalidParameter q | must be UTF-8 after decoding"),
        ("showDeleted=yes", "invalidParameter showDeleted | must be `true` or `false`"),
        ("kinds=small&kinds=huge", "invalidParameter kinds[1] | \"huge\" is not a value of Kind"),
        ("ids=a,%ff,b", "invalidParameter ids[1] | must be UTF-8 after decoding"),
        ("since=today", "invalidParameter since | must be a date-time: expected a digit at byte 0"),
        ("$.xgafv=1&%24.xgafv=1", "invalidParameter $.xgafv | must not be repeated"),
        ("alt=media", "invalidParameter alt | must be `json`"),
        ("callback=f", "invalidParameter callback | JSONP responses are not supported"),
        ("prettyPrint=maybe", "invalidParameter prettyPrint | must be `true` or `false`"),
        ("quotaUser=%ff", "invalidParameter quotaUser | must be UTF-8 after decoding"),
        ("fields=items(nam)", "invalidParameter fields | `Thing` has no field `nam` at byte 6: did you mean `name`?"),
        ("maxResutl=1", "invalidParameter maxResutl | is unknown: did you mean `maxResult`?"),
        ("zzzzzz=1", "invalidParameter zzzzzz | is unknown"),
        ("Q=1", "invalidParameter Q | is unknown: did you mean `q`?"),
        ("a%20b=1", "invalidParameter [\"a b\"] | is unknown"),
        ("filter.startTimes=1", "invalidParameter filter.startTimes | is unknown"),
        ("q=1&ids=1", "invalidParameter q | give `q` or `ids`, not both"),
    ] {
        assert_eq!(list(query).await, Err(vec![violation.to_owned()]), "{query}");
    }
}

#[tokio::test]
async fn all_violations_are_reported_in_order() {
    let query = "nonsense=1&alt=xml&ratio=x&showDeleted=x&kinds=huge&maxResult=0";
    assert_eq!(
        list(query).await.map_err(|violations| violations.join("\n")),
        Err([
            "invalidParameter maxResult | must be at least 1",
            "invalidParameter kinds[0] | \"huge\" is not a value of Kind",
            "invalidParameter showDeleted | must be `true` or `false`",
            "invalidParameter ratio | must be a number",
            "invalidParameter nonsense | is unknown",
            "invalidParameter alt | must be `json`",
        ]
        .join("\n"))
    );
}

#[tokio::test]
async fn defaults_of_invalid_parameters_cause_no_violations() {
    // `until` is before `since`; without a valid `since` the rule cannot be evaluated.
    assert_eq!(
        list("since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z").await,
        Err(vec!["invalidParameter until | the range of time is empty".to_owned()])
    );
    assert_eq!(
        list("since=x&until=2026-01-01T00:00:00Z&maxResult=0&q=1&ids=1").await,
        Err(vec![
            "invalidParameter maxResult | must be at least 1".to_owned(),
            "invalidParameter since | must be a date-time: expected a digit at byte 0".to_owned(),
        ])
    );
}

#[tokio::test]
async fn unknown_parameters_can_be_ignored() {
    let sample = Sample::default();
    let router = server(&sample).unknown_parameters(UnknownParameters::Ignore).router();
    let request = request("GET", "/sample/v1/things?nonsense=1&%ff=2&q=x", "").body(Body::empty()).unwrap();
    assert_eq!(send(&router, request).await.status.as_u16(), 200);
    assert_eq!(sample.seen::<ThingsList>().and_then(|list| list.q).as_deref(), Some("x"));
}

#[tokio::test]
async fn headers_and_cookies() {
    for (headers, expected) in [
        (&[("x-trace", "abc")] as &[(&str, &str)], Ok((Some("abc"), None, 0))),
        (&[("X-Trace", "")], Err("invalid x-trace | must have 2 to 40 characters, found 0")),
        (&[("x-trace", "ab"), ("x-trace", "ab")], Err("invalid x-trace | must not be repeated")),
        (&[("x-trace", "caf\u{e9}")], Err("invalid x-trace | must be visible ASCII")),
        (&[("x-label", "a"), ("x-label", "b, c")], Ok((None, None, 2))),
        (&[("cookie", "a=b; session=s=1; c=d")], Ok((None, Some("s=1"), 0))),
        (&[("cookie", "session=1"), ("cookie", "session=2")], Err("invalid session | must not be repeated")),
        (&[("cookie", "sessions=1; xsession=2")], Ok((None, None, 0))),
    ] {
        let sample = Sample::default();
        let mut builder = request("GET", "/sample/v1/things", "");
        for (name, value) in headers {
            builder = builder.header(*name, value.as_bytes());
        }
        let response = send(&router(&sample), builder.body(Body::empty()).unwrap()).await;
        let seen = sample.seen::<ThingsList>();
        let seen = seen.as_ref().map(|list| (list.trace.as_deref(), list.session.as_deref(), list.labels.len()));
        match expected {
            Ok(expected) => assert_eq!(seen, Some(expected), "{headers:?}"),
            Err(violation) => assert_eq!(response.violations(), [violation], "{headers:?}"),
        }
    }
}

#[tokio::test]
async fn unknown_values_come_in_any_spelling() {
    let Ok(seen) = list("kinds=SMALL").await else { panic!("it is known") };
    assert_eq!(seen.kinds[0].as_str(), "small");
}

#[tokio::test]
async fn conditions_are_parsed_where_supported() {
    let sample = Sample::default();
    let get = |value: &'static str| request("GET", "/sample/v1/things/a", "").header("if-none-match", value);
    let response = send(&router(&sample), get("nonsense").body(Body::empty()).unwrap()).await;
    assert_eq!(response.status.as_u16(), 400);
    assert_eq!(response.json()["error"]["errors"][0]["location"], "If-None-Match");
    assert_eq!(response.json()["error"]["errors"][0]["locationType"], "header");
    let two = get("\"a\"").header("if-none-match", "\"b\", *");
    assert_eq!(send(&router(&sample), two.body(Body::empty()).unwrap()).await.status.as_u16(), 400);
    // An operation without the condition ignores it.
    let other = request("GET", "/sample/v1/things/a", "").header("if-match", "nonsense");
    assert_eq!(send(&router(&sample), other.body(Body::empty()).unwrap()).await.status.as_u16(), 200);
}

/// Sends a read whose query is its body.
async fn long_read(sample: &Sample, target: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> TestResponse {
    let request = http::Request::builder().method("POST").uri(target).header("authorization", "Bearer write");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    send(&router(sample), request.body(body.into()).unwrap()).await
}

const AS_FORM: [(&str, &str); 2] =
    [("x-http-method-override", "GET"), ("content-type", "application/x-www-form-urlencoded")];

#[tokio::test]
async fn a_long_query_can_be_the_body_of_a_form() {
    let sample = Sample::default();
    let words = "w+".repeat(4000);
    let response = long_read(&sample, "/sample/v1/things?maxResults=7", &AS_FORM, format!("q={words}")).await;
    assert_eq!(response.status.as_u16(), 200);
    let seen = sample.seen::<ThingsList>().unwrap();
    assert_eq!((seen.max_results, seen.q), (Some(7), Some("w ".repeat(4000))));
    let rejected = long_read(&sample, "/sample/v1/things?maxResults=7", &AS_FORM, "maxResults=8").await;
    assert_eq!(rejected.violations(), ["invalidParameter maxResults | must not be repeated"]);
}

#[tokio::test]
async fn a_long_read_is_a_form_for_an_address_that_can_be_read() {
    let sample = Sample::default();
    let things = "/sample/v1/things";
    for (target, headers, body, status) in [
        (things, &[AS_FORM[0], ("content-type", "application/json")], "{}".to_owned(), 415),
        (things, &[("x-http-method-override", "TRACE"), AS_FORM[1]], String::new(), 400),
        (things, &[("x-http-method-override", "DELETE"), AS_FORM[1]], String::new(), 405),
        (things, &AS_FORM, "q=x#y".to_owned(), 400),
        (things, &AS_FORM, format!("q={}", "w".repeat(17 << 10)), 413),
        (things, &AS_FORM, "q&".repeat(501), 400),
        ("/sample/v1/things/import", &AS_FORM, String::new(), 404),
        ("/nowhere", &AS_FORM, String::new(), 404),
    ] {
        let response = long_read(&sample, target, headers, body.clone()).await;
        assert_eq!(response.status.as_u16(), status, "{target} {headers:?} {}", &body[..body.len().min(20)]);
        assert!(sample.seen::<ThingsList>().is_none());
    }
}

#[tokio::test]
async fn a_post_can_stand_for_another_method() {
    let sample = Sample::default();
    let send = async |method: &'static str| {
        long_read(&sample, "/sample/v1/things/a", &[("x-http-method-override", method)], Body::empty()).await
    };
    assert_eq!(send("DELETE").await.status.as_u16(), 204);
    assert_eq!(send("DELETE").await.status.as_u16(), 404, "it is deleted");
    // A method that the path does not have, and one that cannot be stood for.
    assert_eq!(send("POST").await.status.as_u16(), 405);
    assert_eq!(send("HEAD").await.status.as_u16(), 400);
}

#[tokio::test]
async fn long_query_requires_authentication_first() {
    let sample = Sample::default();
    let unread = futures_util::stream::poll_fn(|_| panic!("the body was read"));
    let body = Body::from_stream(unread.map(|()| Ok::<_, std::io::Error>("")));
    let headers = [AS_FORM[0], AS_FORM[1], ("authorization", "Bearer wrong")];
    let request = http::Request::builder().method("POST").uri("/sample/v1/things");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    assert_eq!(send(&router(&sample), request.body(body).unwrap()).await.status.as_u16(), 401);
}
