//! Decimals, durations, times, dates and bytes keep their exact notation on the way to the server and back. Invalid
//! values are refused with their path.

use http_body_util::BodyExt as _;
use text_forms_client::Client;
use text_forms_client::runtime::transport::ServiceTransport;
use text_forms_server::requests::{ReadingsImport, ReadingsInsert, ReadingsList};
use text_forms_server::runtime::axum::{Router, body::Body, http};
use text_forms_server::types::runtime::jiff::{SignedDuration, Timestamp};
use text_forms_server::types::runtime::{BigDecimal, Bytes, HttpDate, IsoDuration, Time, UnixMillis, UnixTime, json};
use text_forms_server::types::{Reading, Echo, Value};
use text_forms_server::{Context, Result, service};
use tower_service::Service as _;

struct Meters;

fn display(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

impl service::Readings for Meters {
    async fn list(&self, request: ReadingsList, _: &Context) -> Result<Echo> {
        let amounts: Vec<&str> = request.amounts.iter().map(BigDecimal::as_str).collect();
        let at: Vec<String> = request.at.iter().map(Time::to_string).collect();
        let texts = [
            request.since.to_string(),
            request.every.to_string(),
            display(request.least),
            amounts.join(" "),
            at.join(" "),
            display(request.until),
            display(request.key),
            display(request.x_changed_since),
            request.x_key.to_string(),
        ];
        Ok(Echo::default().with_texts(texts).into())
    }

    async fn insert(&self, request: ReadingsInsert, _: &Context) -> Result<Reading> {
        Ok(request.body.into())
    }

    async fn import(&self, request: ReadingsImport, _: &Context) -> Result<Reading> {
        Ok(request.body.into())
    }
}

fn router() -> Router {
    text_forms_server::router(Meters)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

async fn respond(request: http::Request<Body>) -> (u16, String) {
    let response = router().call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn post(path: &str, media: &str, body: &str) -> (u16, String) {
    let request = http::Request::post(path).header("content-type", media);
    respond(request.body(Body::from(body.to_owned())).unwrap()).await
}

async fn insert(body: &str) -> (u16, String) {
    post("/readings", "application/json", body).await
}

#[tokio::test]
async fn parameters_keep_their_notation() {
    let at = Timestamp::from_second(784_111_777).unwrap();
    let reply = client()
        .readings()
        .list(UnixMillis::from(at), IsoDuration::from(SignedDuration::from_mins(90)), [0xfb_u8])
        .least("0.10".parse::<BigDecimal>().unwrap())
        .amounts(["1.50", "-2e3"].map(|text| text.parse::<BigDecimal>().unwrap()))
        .at(["09:30:00.50Z", "10:00:00"].map(|text| text.parse::<Time>().unwrap()))
        .until(2_000_000_001)
        .key([0xfb_u8, 1])
        .x_changed_since(HttpDate::from(at))
        .send()
        .await
        .unwrap();
    let expected = [
        "784111777000",
        "PT1H30M",
        "0.10",
        "1.50 -2e3",
        "09:30:00.50Z 10:00:00",
        "2000000000",
        "-wE",
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "+w",
    ];
    assert_eq!(reply.texts, expected);
}

#[tokio::test]
async fn an_invalid_parameter_is_refused_with_its_name() {
    for (target, header, name) in [
        ("/readings/1.5/PT1H?version=2.10", None, "since"),
        ("/readings/99999999999999999/PT1H?version=2.10", None, "since"),
        ("/readings/1/3600?version=2.10", None, "every"),
        ("/readings/1/PT1H?version=2.1", None, "version"),
        ("/readings/1/PT1H?version=2.10&least=0.09999999999999999999999", None, "least"),
        ("/readings/1/PT1H?version=2.10&least=1,5", None, "least"),
        ("/readings/1/PT1H?version=2.10&amounts=1,x", None, "amounts"),
        ("/readings/1/PT1H?version=2.10&at=9:30", None, "at"),
        ("/readings/1/PT1H?version=2.10&until=now", None, "until"),
        ("/readings/1/PT1H?version=2.10&key=-%2B", None, "key"),
        ("/readings/1/PT1H?version=2.10", Some("1994-11-06"), "X-Changed-Since"),
    ] {
        let request = http::Request::get(target).header("X-Key", "+w");
        let request = match header {
            Some(date) => request.header("X-Changed-Since", date),
            None => request,
        };
        let (status, body) = respond(request.body(Body::empty()).unwrap()).await;
        assert!(status == 400 && body.contains(name), "{target}: {status} {body}");
    }
}

#[tokio::test]
async fn fields_keep_their_notation() {
    let body = r#"{"amount":"0.0100","price":"-1.50","fixed":"1.0","amounts":["0","1E400"],"limits":{"a":null,"b":"2"},"every":"P2W","at":"23:59:60","changed":"Sun, 06 Nov 1994 08:49:37 GMT","created":0,"seen":1,"seconds":[-1,253402207200],"millis":{"a":-1},"key":"-w","keys":["+w","AQ"],"named":{"a":"-w"},"value":"PT1S"}"#;
    let (status, reply) = insert(body).await;
    assert_eq!((status, reply.as_str()), (200, body));
    // Any base64 alphabet is accepted and preserved; numbers and obsolete date formats are normalized.
    let (_, reply) = insert(r#"{"key":"-w==","changed":"Sun Nov  6 08:49:37 1994","created":1e3,"seen":2000000}"#).await;
    assert_eq!(reply, r#"{"changed":"Sun, 06 Nov 1994 08:49:37 GMT","created":1000,"seen":2000000,"key":"-w=="}"#);
    let form = "amount=0.10&created=5&seen=5000&every=PT1H&key=-w&changed=Sun%2C+06+Nov+1994+08%3A49%3A37+GMT";
    let (status, reply) = post("/readings:import", "application/x-www-form-urlencoded", form).await;
    let expected = r#"{"amount":"0.10","every":"PT1H","changed":"Sun, 06 Nov 1994 08:49:37 GMT","created":5,"seen":5000,"key":"-w"}"#;
    assert_eq!((status, reply.as_str()), (200, expected));
}

#[tokio::test]
async fn an_invalid_field_is_refused_with_its_path_and_rule() {
    for (body, path, rule) in [
        (r#"{"amount":"0.0099999999999999999999"}"#, "amount", "must be 0.01 to 999999999999999999.99"),
        (r#"{"amount":"1e18"}"#, "amount", "must be 0.01 to 999999999999999999.99"),
        (r#"{"amounts":["1","-0.1"]}"#, "amounts[1]", "must be at least 0"),
        (r#"{"fixed":"1.00"}"#, "fixed", "must be \\\"1.0\\\""),
        (r#"{"price":"1.5"}"#, "price", "must match the pattern"),
        (r#"{"created":-1}"#, "created", "must be at least 0"),
        (r#"{"created":2,"seen":1999}"#, "seen", "what is seen has been made"),
        (r#"{"amount":"1,5"}"#, "amount", "invalid decimal number"),
        (r#"{"amount":1.5}"#, "amount", "a decimal number"),
        (r#"{"every":"1h"}"#, "every", "invalid duration in ISO 8601 format"),
        (r#"{"at":"9:30"}"#, "at", "invalid time of day"),
        (r#"{"changed":"Mon, 06 Nov 1994 08:49:37 GMT"}"#, "changed", "invalid date in HTTP format"),
        (r#"{"created":1e12}"#, "created", "out of range"),
        (r#"{"seen":"5"}"#, "seen", "integer"),
        (r#"{"keys":["A"]}"#, "keys[0]", "invalid base64"),
    ] {
        let (status, reply) = insert(body).await;
        assert!(status == 400 && reply.contains(path) && reply.contains(rule), "{body}: {status} {reply}");
    }
}

#[test]
fn values_are_built_and_defaults_are_read() {
    let reading = Reading::default();
    assert_eq!((reading.amount_or_default(), reading.every_or_default()), ("0.50", "P1D"));
    assert_eq!(reading.seen_or_default(), UnixMillis(7));
    let reading = Reading::default()
        .with_amount(BigDecimal::from(7))
        .with_created(5)
        .with_seconds([1, 2])
        .with_millis([("a", 3)])
        .with_key([0xfb_u8])
        .with_keys([vec![0xfb_u8]])
        .with_named([("a", vec![0xfb_u8])]);
    let expected = r#"{"amount":"7","created":5,"seconds":[1,2],"millis":{"a":3},"key":"-w","keys":["+w"],"named":{"a":"-w"}}"#;
    assert_eq!(json::to_string(&reading).unwrap(), expected);
    assert_eq!(reading.key, Some(Bytes::url_unpadded([0xfb])));
    assert_eq!(reading.created, Some(UnixTime(5)));
}

#[test]
fn the_format_determines_the_variant() {
    let of = |text: &str| json::from_str::<Value>(text).unwrap();
    assert!(matches!(of("\"1.50\""), Value::Amount(_)));
    assert!(matches!(of("\"P1D\""), Value::Every(_)));
    assert!(matches!(of("\"09:30:00\""), Value::At(_)));
    assert!(matches!(of("\"Sun, 06 Nov 1994 08:49:37 GMT\""), Value::Changed(_)));
    assert!(matches!(of("5"), Value::Created(UnixTime(5))));
    assert!(matches!(of("\"soon\""), Value::Other(_)));
}
