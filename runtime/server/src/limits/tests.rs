//! Values at and beyond each limit.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use futures_util::{StreamExt, stream};
use http::header::{CONNECTION, RETRY_AFTER};
use http::request::{Builder, Parts};
use http::{Request, Version};
use http_body_util::StreamBody;
use tokio::time::{Instant, sleep};

use super::{Caller, Limits, Slots, catch_panic, check_head, read_body, with_permit, with_timeout};
use crate::auth::Principal;
use crate::error::Error;
use crate::observe::RequestId;

fn parts(builder: Builder) -> Parts {
    builder.body(()).expect("a request").into_parts().0
}

fn get(target: &str) -> Builder {
    Request::get(target).header("host", "api.example:8080")
}

/// Returns the status of the error, and whether the connection is closed; 0 if there is none.
fn check_result(builder: Builder) -> (u16, bool) {
    let limits = Limits { headers: 4, header_bytes: 100, target_bytes: 20, query_pairs: 3, ..Limits::DEFAULT };
    match check_head(&limits, &parts(builder)) {
        Ok(()) => (0, false),
        Err(error) => (error.status().as_u16(), error.inner().headers.contains_key(CONNECTION)),
    }
}

#[test]
fn head_sizes_are_limited() {
    assert_eq!(check_result(get("/a").header("a", "1").header("a", "2").header("b", "3")), (0, false));
    assert_eq!(
        check_result(get("/a").header("a", "1").header("a", "2").header("a", "3").header("b", "4")),
        (431, false)
    );
    assert_eq!(check_result(get("/a").header("a", "1".repeat(79))), (0, false), "4 + 16 + 1 + 79 bytes are 100");
    assert_eq!(check_result(get("/a").header("a", "1".repeat(80))), (431, false));
    assert_eq!(check_result(get("/345678901234567?9=1")), (0, false));
    assert_eq!(check_result(get("/345678901234567?9=12")), (414, false));
    assert_eq!(check_result(get("/?a&b&c")), (0, false));
    assert_eq!(check_result(get("/?a&b&&")), (400, false));
}

#[test]
fn hosts() {
    for host in ["x", "x:1", "[::1]:80", "192.0.2.1", "a_b.example"] {
        assert_eq!(check_result(Request::get("/").header("host", host)), (0, false), "{host}");
    }
    for host in ["", "a b", "a/b", "u@h", "a,b", "h#", "h?", "h\\"] {
        assert_eq!(check_result(Request::get("/").header("host", host)), (400, true), "{host}");
    }
    assert_eq!(check_result(Request::get("/")), (0, false), "without a wire format none is needed");
    assert_eq!(check_result(get("/").header("host", "api.example:8080")), (400, true), "a repeated header");
}

#[test]
fn targets() {
    assert_eq!(check_result(get("http://api.example:8080/a")), (0, false));
    assert_eq!(check_result(get("HTTPS://API.example:8080/a")), (0, false));
    assert_eq!(check_result(get("http://api.example/a")), (400, true));
    assert_eq!(check_result(get("http://192.0.2.1/a")), (400, true));
    assert_eq!(check_result(get("ftp://api.example:8080/a")), (400, true));
    assert_eq!(check_result(get("http://u@api.example:8080/")), (400, true));
    assert_eq!(check_result(Request::get("http://u@h/").version(Version::HTTP_2)), (400, true));
    assert_eq!(check_result(get("*")), (400, true));
    assert_eq!(check_result(get("*").method("OPTIONS")), (0, false));
    assert_eq!(check_result(get("a:80").method("CONNECT")), (501, true));
}

#[test]
fn framing() {
    let coded = |coding: &str| get("/").method("POST").header("transfer-encoding", coding);
    assert_eq!(check_result(coded("chunked")), (0, false));
    assert_eq!(check_result(coded("Chunked")), (0, false));
    for coding in ["gzip, chunked", "identity", "chunked, chunked", "chunked;q=1", ""] {
        assert_eq!(check_result(coded(coding)), (501, true), "{coding}");
    }
    assert_eq!(check_result(coded("identity").header("transfer-encoding", "chunked")), (501, true));
    assert_eq!(check_result(coded("chunked").header("content-length", "1")), (400, true));
}

/// Returns a body of chunks, one each second.
fn pieces(pieces: &[&'static str]) -> Body {
    let frames = stream::iter(pieces.to_vec()).then(|piece| async move {
        sleep(Duration::from_secs(1)).await;
        Ok::<_, Infallible>(http_body::Frame::data(Bytes::from_static(piece.as_bytes())))
    });
    Body::new(StreamBody::new(Box::pin(frames)))
}

fn small() -> Limits {
    Limits { body_bytes: 8, body_pause: Duration::from_millis(1500), ..Limits::DEFAULT }
}

async fn read(body: Body) -> Result<Bytes, u16> {
    read_body(body, &small()).await.map_err(|error| {
        assert!(error.inner().headers.contains_key(CONNECTION), "{error:?}");
        error.status().as_u16()
    })
}

#[tokio::test(start_paused = true)]
async fn bodies_are_read_whole_or_not_at_all() {
    for (parts, whole) in [
        (&[][..], Ok("")),
        (&["", ""], Ok("")),
        (&["ab"], Ok("ab")),
        (&["ab", "", "cd", "efgh"], Ok("abcdefgh")),
        (&["abcdefghi"], Err(413)),
        (&["abcdefgh", "i"], Err(413)),
        (&["ab", "cd", "efghi"], Err(413)),
    ] {
        assert_eq!(read(pieces(parts)).await, whole.map(|whole| Bytes::from_static(whole.as_bytes())), "{parts:?}");
    }
    let begin = Instant::now();
    assert_eq!(read(Body::from("123456789")).await, Err(413), "as long as it says");
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn next_chunk_must_arrive_in_time() {
    let begin = Instant::now();
    assert_eq!(read(pieces(&["a", "b", "c", "d"])).await, Ok(Bytes::from_static(b"abcd")));
    assert_eq!(begin.elapsed().as_secs(), 4, "the timeout applies to each chunk");
    let begin = Instant::now();
    let stalled = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"a"))]).chain(stream::pending());
    assert_eq!(read(Body::from_stream(stalled)).await, Err(408));
    assert_eq!(begin.elapsed().as_millis(), 1500);
}

#[tokio::test]
async fn incomplete_body_is_an_error() {
    let broken = stream::iter([Ok(Bytes::from_static(b"a")), Err(std::io::Error::other("gone"))]);
    assert_eq!(read(Body::from_stream(broken)).await, Err(400));
    let limited = http_body_util::Limited::new(Body::from("abcdef"), 3);
    assert_eq!(read(Body::new(limited)).await, Err(413), "the limit of an outer layer");
}

fn caller(name: &str) -> Caller {
    Caller::Subject(name.into())
}

/// Returns the status of an error with `Retry-After`; 0 if there is none.
fn refusal(slots: &Arc<Slots>, who: &Caller) -> u16 {
    let Err(error) = slots.acquire(who) else { return 0 };
    assert_eq!(error.inner().headers[RETRY_AFTER], "1");
    error.status().as_u16()
}

#[test]
fn a_caller_holds_its_share_of_the_slots() {
    let slots = Slots::new(4, &Limits { share_percent: 50, ..Limits::DEFAULT });
    let (ada, bob, eve) = (caller("ada"), caller("bob"), Caller::Unknown);
    let first = slots.acquire(&ada).expect("a free slot");
    let second = slots.acquire(&ada).expect("a free slot");
    assert_eq!((refusal(&slots, &ada), refusal(&slots, &bob)), (429, 0));
    let others = [slots.acquire(&bob).expect("a free slot"), slots.acquire(&eve).expect("a free slot")];
    assert_eq!((refusal(&slots, &ada), refusal(&slots, &bob), refusal(&slots, &caller("new"))), (503, 503, 503));
    drop(first);
    assert_eq!((refusal(&slots, &ada), refusal(&slots, &caller("new"))), (0, 0));
    drop((second, others));
    assert_eq!(format!("{slots:?}").matches("total: 0").count(), 1, "{slots:?}");
    assert!(!format!("{slots:?}").contains("ada"), "callers without requests are forgotten: {slots:?}");
    // Every share has at least one slot, and at most all.
    assert_eq!(refusal(&Slots::new(1, &Limits { share_percent: 0, ..Limits::DEFAULT }), &ada), 0);
    assert_eq!(refusal(&Slots::new(usize::MAX, &Limits { share_percent: 255, ..Limits::DEFAULT }), &ada), 0);
    assert_eq!(refusal(&Slots::new(0, &Limits::DEFAULT), &ada), 503);
}

#[test]
fn callers_are_subjects_or_peers() {
    let from = |peer: &str| {
        let mut parts = parts(get("/"));
        parts.extensions.insert(ConnectInfo(peer.parse::<SocketAddr>().expect("an address")));
        parts
    };
    let anonymous = Principal::anonymous();
    let of = |peer: &str| Caller::of(&anonymous, &from(peer));
    assert_eq!(Caller::of(&Principal::new("ada"), &from("192.0.2.1:80")), caller("ada"));
    assert_eq!(of("192.0.2.1:80"), of("192.0.2.1:81"));
    assert_eq!(of("192.0.2.1:80"), of("[::ffff:192.0.2.1]:80"));
    assert_ne!(of("192.0.2.1:80"), of("192.0.2.2:80"));
    assert_eq!(of("[2001:db8::1]:80"), of("[2001:db8::ffff:2]:80"), "a subscriber has a /64");
    assert_ne!(of("[2001:db8::1]:80"), of("[2001:db8:0:1::1]:80"));
    assert_eq!(Caller::of(&anonymous, &parts(get("/"))), Caller::Unknown);
}

#[tokio::test]
async fn complete_body_takes_no_slot() {
    let slots = Slots::new(0, &Limits::DEFAULT);
    let whole = with_permit(&slots, &caller("ada"), pin!(read_body(Body::from("abc"), &Limits::DEFAULT))).await;
    assert_eq!(whole.expect("it is there").as_ref(), b"abc");
    let slow = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let refused = with_permit(&slots, &caller("ada"), pin!(read_body(slow, &Limits::DEFAULT))).await;
    assert_eq!(refused.expect_err("no slot is free").status().as_u16(), 503);
}

#[tokio::test(start_paused = true)]
async fn requests_time_out() {
    let takes = |seconds| async move {
        sleep(Duration::from_secs(seconds)).await;
        Ok::<_, Error>(seconds)
    };
    assert_eq!(with_timeout(Duration::from_secs(2), pin!(takes(1))).await.expect("in time"), 1);
    let late = with_timeout(Duration::from_secs(2), pin!(takes(3))).await.expect_err("too late");
    assert_eq!((late.status().as_u16(), late.inner().headers.contains_key(RETRY_AFTER)), (503, true));
}

#[tokio::test]
async fn panic_becomes_500_without_details() {
    let id = RequestId::generate();
    let panics = async { if true { panic!("secret {}", 1) } else { Ok::<(), Error>(()) } };
    let error = catch_panic(&id, panics).await.expect_err("it panics");
    assert_eq!(error.status().as_u16(), 500);
    assert!(!format!("{error} {error:?} {:?}", error.inner().cause).contains("secret"));
    assert_eq!(catch_panic(&id, async { Ok(1) }).await.expect("fine"), 1);
}
