//! The way of a request to its handler: through the router, as clients send it.
#![allow(missing_docs)]

mod sample;

use sample::*;

#[tokio::test]
async fn a_thing_is_read() {
    let sample = Sample::default();
    let answer = ask(&sample, "GET", "/sample/v1/things/a", "").await;
    assert_eq!((answer.status.as_u16(), answer.json()["name"].as_str()), (200, Some("first")), "{answer:?}");
}
