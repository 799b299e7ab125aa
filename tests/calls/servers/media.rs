//! Media uploads and downloads between the client and the server of the library over sockets, and bodies that this
//! client does not write.

#[allow(dead_code)] // only the tests of the client use all of it
#[path = "../../../runtime/client/tests/media_suite/sample.rs"]
mod sample;
mod service;

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use bytes::Bytes;
use futures_util::stream;
use tokio::net::TcpListener;
use tower_service::Service as _;
use wireform_client::wire::RawBody;
use wireform_client::{Client, Media, Protocol, RetryPolicy};
use wireform_server::{MemorySessions, Server};

use sample::{Draw, FILES, MOST, add, bytes, get, put};
use service::{Files, Log, Stored};

const PIECE: usize = 256 * 1024;

fn server() -> (axum::Router, Log) {
    let log = Log::default();
    (Server::new(Files(log.clone())).upload_sessions(MemorySessions::new(8 << 20)).router(), log)
}

async fn client() -> (Client, Log) {
    let (router, log) = server();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let policy = RetryPolicy::default().with_min_delay(Duration::ZERO).with_max_delay(Duration::ZERO);
    (Client::builder(&FILES).base_url(format!("http://{at}")).retry(policy).build().unwrap(), log)
}

async fn send(router: &axum::Router, request: Request<Body>) -> (Response<()>, Bytes) {
    let (head, body) = router.clone().call(request).await.unwrap().into_parts();
    (Response::from_parts(head, ()), axum::body::to_bytes(body, 1 << 22).await.unwrap())
}

fn request(method: &str, target: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(method).uri(target);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body.into()).unwrap()
}

fn stored(content_type: &str, json: Option<&str>, content: &[u8]) -> Stored {
    Stored { content_type: content_type.to_owned(), json: json.map(str::to_owned), content: content.to_vec() }
}

#[tokio::test]
async fn media_go_up_in_every_way() {
    let (client, log) = client().await;
    let json = Some(r#"{"title":"A file"}"#);
    for content in [bytes(0), b"\r\n--wireform\r\n--".to_vec(), bytes(PIECE), bytes(2 * PIECE + 3)] {
        for protocol in [Protocol::Simple, Protocol::Resumable] {
            let media = Media::new("image/png", content.clone());
            let call = client.call(add()).upload(media).protocol(protocol).chunk_bytes(PIECE);
            assert_eq!(call.send().await.unwrap()["bytes"], content.len());
            assert!(log.take() == [stored("image/png", json, &content)], "{protocol:?} {}", content.len());
        }
        let pieces: Vec<_> =
            content.chunks(999).map(|piece| Ok::<_, std::convert::Infallible>(Bytes::copy_from_slice(piece))).collect();
        // Another operation at the same path accepts chunks too.
        for protocol in [Protocol::Simple, Protocol::Resumable] {
            let media = Media::stream("a/b", None, stream::iter(pieces.clone()));
            client.call(put()).upload(media).protocol(protocol).chunk_bytes(PIECE).send().await.unwrap();
            assert!(log.take() == [stored("a/b", None, &content)]);
        }
    }
}

#[tokio::test]
async fn what_is_not_taken_is_refused() {
    let (router, log) = server();
    let long = bytes(usize::try_from(MOST).unwrap() + 1);
    for (target, content_type, body, status) in [
        ("/upload/1?uploadType=media", "audio/ogg", Body::from("x"), 415),
        ("/upload/1?uploadType=media", "", Body::from("x"), 415),
        ("/upload/1?uploadType=media", "text/plain", Body::from(long.clone()), 413),
        (
            "/upload/1?uploadType=media",
            "text/plain",
            Body::from_stream(stream::iter([Ok::<_, std::io::Error>(long)])),
            413,
        ),
        ("/upload/1?uploadType=other", "text/plain", Body::from("x"), 400),
        ("/upload/1?uploadType=multipart", "text/plain", Body::from("x"), 400),
        ("/upload/1?uploadType=multipart", "multipart/related", Body::from("x"), 400),
        ("/upload/1?uploadType=media&other=1", "text/plain", Body::from("x"), 400),
        ("/upload/1/2?uploadType=media", "text/plain", Body::from("x"), 404),
    ] {
        let headers = [("content-type", content_type)];
        let headers = if content_type.is_empty() { &headers[..0] } else { &headers[..] };
        let (response, body) = send(&router, request("POST", target, headers, body)).await;
        assert_eq!(response.status(), status, "{target} {content_type}: {body:?}");
    }
    let (response, _) =
        send(&router, request("POST", "/upload/1?uploadType=media", &[("content-type", "image/gif")], "x")).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(log.take() == [stored("image/gif", Some("{}"), b"x")]);
}

#[tokio::test]
async fn bodies_of_two_parts() {
    let (router, log) = server();
    let head = "Content-Type: application/json; charset=UTF-8\r\n\r\n{\"title\":\"A file\"}";
    for (boundary, body, taken) in [
        ("b", format!("--b\r\n{head}\r\n--b\r\nContent-Type: image/png\r\n\r\nxyz\r\n--b--"), Some("xyz")),
        (
            "\"a b\"",
            format!("before\r\n--a b \r\n{head}\r\n--a b\r\ncontent-type:image/png\r\n\r\n\r\n--a b--\r\nafter"),
            Some(""),
        ),
        (
            "b",
            format!("--b\r\n{head}\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--c\r\n--\r\n--b--"),
            Some("x\r\n--c\r\n--"),
        ),
        ("b", format!("--b\r\n{head}\r\n--b\r\nContent-Type: image/png\r\n\r\nxyz\r\n--b\r\n\r\n\r\n--b--"), None),
        ("b", format!("--b\r\n{head}\r\n--b\r\nContent-Type: image/png\r\n\r\nxyz"), None),
        ("b", format!("--b\r\n{head}\r\n--b--"), None),
        ("b", format!("--b\r\n{head}\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--b--"), None),
        ("b", "--b\r\n".to_owned() + &"x: y\r\n".repeat(40) + "\r\n", None),
        ("b", String::new(), None),
    ] {
        // The result does not depend on how the body is divided into chunks.
        for cut in [1, 2, 7, 10_000] {
            let pieces: Vec<_> = body.as_bytes().chunks(cut).map(|it| Ok::<_, std::io::Error>(it.to_vec())).collect();
            let content_type = format!("multipart/related; boundary={boundary}");
            let headers = [("content-type", content_type.as_str())];
            let pieces = Body::from_stream(stream::iter(pieces));
            let (response, _) =
                send(&router, request("POST", "/upload/1?uploadType=multipart", &headers, pieces)).await;
            match taken {
                Some(media) => {
                    assert_eq!(response.status(), 200, "{body}");
                    let expected = stored("image/png", Some(r#"{"title":"A file"}"#), media.as_bytes());
                    assert!(log.take() == [expected], "{body}");
                }
                None => {
                    assert_eq!(response.status(), 400, "{body}");
                    assert!(log.take().is_empty());
                }
            }
        }
    }
    let headers = [("content-type", "multipart/related; boundary=b")];
    let body = "--b\r\nContent-Type: text/xml\r\n\r\n<a/>\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--";
    let (response, _) = send(&router, request("POST", "/upload/1?uploadType=multipart", &headers, body)).await;
    assert_eq!(response.status(), 415);
}

/// Starts an upload session, and returns its URL.
async fn start_upload(router: &axum::Router, headers: &[(&str, &str)]) -> String {
    let request = request("POST", "/resumable/1?uploadType=resumable", headers, "{}");
    let (response, body) = send(router, request).await;
    assert_eq!(response.status(), 200, "{body:?}");
    response.headers()["location"].to_str().unwrap().to_owned()
}

fn received_range(response: &Response<()>) -> &str {
    assert_eq!(response.status(), 308);
    response.headers().get("range").map_or("", |range| range.to_str().unwrap())
}

#[tokio::test]
async fn pieces_are_kept_until_all_are_there() {
    let (router, log) = server();
    let at = start_upload(&router, &[("x-upload-content-type", "text/plain")]).await;
    let piece =
        |range: &'static str, body: &'static str| send(&router, request("PUT", &at, &[("content-range", range)], body));
    assert_eq!(received_range(&piece("bytes */10", "").await.0), "");
    assert_eq!(received_range(&piece("bytes 0-2/*", "abc").await.0), "bytes=0-2");
    // A chunk after a gap is ignored, and bytes that were received before are stored once.
    assert_eq!(received_range(&piece("bytes 5-6/*", "fg").await.0), "bytes=0-2");
    assert_eq!(received_range(&piece("bytes 1-4/10", "bcde").await.0), "bytes=0-4");
    // The received part of an interrupted chunk is kept.
    let broken = stream::iter([Ok(Bytes::from_static(b"fg")), Err(std::io::Error::other("it breaks"))]);
    let request = request("PUT", &at, &[("content-range", "bytes 5-9/10")], Body::from_stream(broken));
    assert_eq!(send(&router, request).await.0.status(), 400);
    assert_eq!(received_range(&piece("bytes */10", "").await.0), "bytes=0-6");
    assert!(log.take().is_empty());
    let (response, body) = piece("bytes 7-9/10", "hij").await;
    assert_eq!((response.status().as_u16(), &body[..]), (200, &br#"{"bytes":10}"#[..]));
    assert!(log.take() == [stored("text/plain", Some("{}"), b"abcdefghij")]);
    // A client that lost the response receives it again, and the operation runs once.
    let (response, again) = piece("bytes */10", "").await;
    assert_eq!((response.status().as_u16(), again), (200, body));
    assert!(log.take().is_empty());
}

#[tokio::test]
async fn pieces_that_do_not_fit_are_refused() {
    let (router, log) = server();
    let at = start_upload(&router, &[("x-upload-content-type", "text/plain"), ("x-upload-content-length", "5")]).await;
    for (target, range, body, status) in [
        (at.as_str(), "bytes 0-2/6", "abc", 400),
        (at.as_str(), "bytes 2-1/5", "", 400),
        (at.as_str(), "lines 0-2/5", "abc", 400),
        (at.as_str(), "bytes 0-1/5", "abc", 413),
        (at.as_str(), "bytes 0-2/99999999", "abc", 413),
        ("/resumable/1?uploadType=resumable&upload_id=0-none", "bytes 0-2/5", "abc", 404),
    ] {
        let (response, response_body) = send(&router, request("PUT", target, &[("content-range", range)], body)).await;
        assert_eq!(response.status(), status, "{range}: {response_body:?}");
    }
    for (headers, status) in [
        ([("x-upload-content-type", "audio/ogg"), ("x-upload-content-length", "5")], 415),
        ([("x-upload-content-type", "text/plain"), ("x-upload-content-length", "99999999")], 413),
        ([("x-upload-content-type", "text/plain"), ("x-upload-content-length", "x")], 400),
    ] {
        let (response, _) = send(&router, request("POST", "/resumable/1?uploadType=resumable", &headers, "{}")).await;
        assert_eq!(response.status(), status, "{headers:?}");
    }
    let (response, _) = send(&router, request("DELETE", &at, &[], "")).await;
    assert_eq!(response.status(), 204);
    let (response, _) = send(&router, request("PUT", &at, &[("content-range", "bytes */5")], "")).await;
    assert_eq!(response.status(), 404);
    assert!(log.take().is_empty());
}

#[tokio::test]
async fn a_server_that_keeps_nothing_says_so() {
    let router = Server::new(Files(Log::default())).router();
    let (response, body) = send(&router, request("POST", "/resumable/1?uploadType=resumable", &[], "{}")).await;
    assert_eq!(response.status(), 501);
    assert!(String::from_utf8_lossy(&body).contains("resumable uploads"), "{body:?}");
}

#[tokio::test]
async fn media_come_down_and_so_does_json() {
    let (client, _) = client().await;
    assert_eq!(client.call(get()).send().await.unwrap()["title"], "A file");
    let download = client.call(get()).download().send().await.unwrap();
    assert_eq!((download.content_type(), download.length()), (Some("image/png"), Some(1000)));
    assert!(download.bytes(1000).await.unwrap() == bytes(1000));
    let part = client.call(get()).download().from_byte(10).to_byte(19).send().await.unwrap();
    assert_eq!((part.status(), part.first_byte()), (206, 10));
    assert_eq!(part.bytes(10).await.unwrap(), bytes(20)[10..]);
    let error = client.call(get()).download().from_byte(1000).send().await.unwrap_err();
    assert_eq!(error.status(), Some(416));
}

#[tokio::test]
async fn text_and_bytes_are_as_they_are() {
    let (client, _) = client().await;
    let response = client.call(Draw { id: "1".to_owned(), body: "é".into() }).send().await.unwrap();
    assert_eq!(
        (response.content_type(), response.content().as_slice()),
        (Some("image/png"), "é of text/plain".as_bytes())
    );
    let body = RawBody::from("x").with_content_type("TEXT/PLAIN; charset=x");
    let response = client.call(Draw { id: "1".to_owned(), body }).send().await.unwrap();
    assert_eq!(response.content().as_slice(), b"x of TEXT/PLAIN; charset=x");
    let body = RawBody::from("x").with_content_type("text/csv");
    assert_eq!(client.call(Draw { id: "1".to_owned(), body }).send().await.unwrap_err().status(), Some(415));

    let (router, _) = server();
    let target = "/files/v1/drawings/1";
    for (headers, body, status) in [
        ([("content-type", "text/plain"), ("accept", "text/html")], &b"x"[..], 406),
        ([("content-type", "text/plain"), ("accept", "image/*;q=0.1")], b"x", 200),
        ([("content-type", "text/plain"), ("accept", "*/*")], b"\xff", 400),
    ] {
        let (response, _) = send(&router, request("POST", target, &headers, body.to_vec())).await;
        assert_eq!(response.status(), status, "{headers:?}");
    }
}
