//! Queries, headers, cookies, bodies, and the two namings.

use wireform_runtime::json::{self, EncodeError};

use super::*;

#[test]
fn queries() {
    let some = |text: &str| Some(text.to_owned());
    let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    for (request, query) in [
        (Search::default(), ""),
        (Search { q: some(""), ..Search::default() }, "?q="),
        (
            Search { q: some("a&b=c+d e;f#g?/%\n\u{1f600}"), ..Search::default() },
            "?q=a%26b%3Dc%2Bd%20e%3Bf%23g%3F%2F%25%0A%F0%9F%98%80",
        ),
        (Search { max: Some(-5), q: some("x"), ..Search::default() }, "?q=x&maxResult=-5"),
        (
            Search { kinds: list(&["a", "b,c", ""]), ..Search::default() },
            "?kinds%5B%5D=a&kinds%5B%5D=b%2Cc&kinds%5B%5D=",
        ),
        (Search { ids: list(&["a"]), ..Search::default() }, "?ids=a"),
        (Search { ids: list(&["a", "b,c", "d&e"]), ..Search::default() }, "?ids=a,b%2Cc,d%26e"),
        (Search { ids: list(&["", ""]), max: Some(1), ..Search::default() }, "?ids=,&maxResult=1"),
        (Search { order: Some(Order::StartTime), ..Search::default() }, "?order=startTime"),
        (Search { order: Some("a&b".into()), ..Search::default() }, "?order=a%26b"),
        (Search { orders: vec![Order::Updated, Order::StartTime], ..Search::default() }, "?orders=updated,startTime"),
    ] {
        assert_eq!(target(&request), format!("/calendars/v3/search{query}"), "{request:?}");
    }
}

#[test]
fn headers_and_cookies() {
    let wired = wire(&Search {
        trace: Some("a, b; c=\"d\"".into()),
        tags: vec!["one".into(), String::new(), "!~".into()],
        session: Some("a=b:!#$%&'()*+-./<>?@[]^_`{|}~".into()),
        side: Some(String::new()),
        ..Search::default()
    })
    .unwrap();
    let expected = [
        ("x-trace", "a, b; c=\"d\""),
        ("x-tag", "one"),
        ("x-tag", ""),
        ("x-tag", "!~"),
        ("cookie", "session=a=b:!#$%&'()*+-./<>?@[]^_`{|}~; side="),
    ];
    assert_eq!(wired.headers, expected.map(|(name, value)| (name, value.to_owned())));
    assert_eq!((wired.target.as_str(), wired.body), ("/calendars/v3/search", None));
    assert_eq!(wire(&Search::default()).unwrap().headers, []);
}

#[test]
fn delimiters_in_headers_and_cookies_are_rejected() {
    let forbidden = RequestErrorKind::ForbiddenCharacter;
    for text in ["a\r\nx: y", "a\nb", "a\rb", "\0", "a\tb", "\u{7f}", "é", "\u{1f600}", " a", "a ", " "] {
        let (header, tag) = (
            Search { trace: Some(text.into()), ..Search::default() },
            Search { tags: vec!["fine".into(), text.into()], ..Search::default() },
        );
        assert_eq!(kind(header.to_wire(Naming::Public)), ("x-trace", forbidden.clone()), "{text:?}");
        assert_eq!(kind(wire(&tag)), ("x-tag", forbidden.clone()), "{text:?}");
    }
    for text in ["a; b=c", "a;", "a b", "a,b", "\"a\"", "a\\b", "\r\n", "\0", "\u{7f}", "é", " "] {
        let cookie = Search { side: Some(text.into()), ..Search::default() };
        assert_eq!(kind(cookie.to_wire(Naming::Public)), ("side", forbidden.clone()), "{text:?}");
    }
    let error = wire(&Search { trace: Some("\n".into()), ..Search::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the parameter `x-trace` contains a character that is not allowed in its location");
}

#[test]
fn requests_use_the_public_naming() {
    let request = Search {
        order: Some(Order::StartTime),
        orders: vec![Order::Updated, Order::StartTime, "later".into()],
        max: Some(1),
        trace: Some("t".into()),
        side: Some("s".into()),
        ..Search::default()
    };
    let (specified, public) = (wire(&request).unwrap(), request.to_wire(Naming::Public).unwrap());
    assert_eq!(specified.target, "/calendars/v3/search?order=startTime&orders=updated,startTime,later&maxResult=1");
    assert_eq!(public.target, "/calendar/v3/search?order=START_TIME&orders=updated,START_TIME,later&maxResults=1");
    assert_eq!(specified.headers, [("x-trace", "t".to_owned()), ("cookie", "side=s".to_owned())]);
    assert_eq!(public.headers, [("x-public-trace", "t".to_owned()), ("cookie", "publicSide=s".to_owned())]);

    let insert = Insert { body: Body(Some(Order::StartTime)) };
    assert_eq!(wire(&insert).unwrap().body.unwrap(), b"\"startTime\"");
    assert_eq!(insert.to_wire(Naming::Public).unwrap().body.unwrap(), b"\"START_TIME\"");
    assert_eq!(wire(&insert).unwrap().target, "/calendars/v3/");
}

#[test]
fn a_body_that_cannot_be_encoded_is_an_error() {
    let error = wire(&Insert::default()).unwrap_err();
    let reason: EncodeError = json::to_vec(&Body(None)).unwrap_err();
    assert_eq!(error, RequestError { parameter: "body", kind: RequestErrorKind::Body(reason) });
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
}
