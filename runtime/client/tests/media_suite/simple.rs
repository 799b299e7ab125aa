//! Media uploaded in one request, and bodies that are not JSON.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use wireform_client::wire::RawBody;
use wireform_client::{ErrorKind, Media, MediaErrorKind, Protocol};

use super::sample::{Alone, Draw, MOST, add, bytes, put};
use super::server::{Server, client};

fn pieces(content: &[u8]) -> Vec<Result<Bytes, std::io::Error>> {
    content.chunks(1000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect()
}

/// Returns the two parts of a body (RFC 2046, section 5.1.1).
fn parts(content_type: &str, body: &[u8]) -> [(String, Vec<u8>); 2] {
    let boundary = content_type.strip_prefix("multipart/related; boundary=").unwrap();
    let find = |from: usize, text: &str| {
        let at = body[from..].windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
        from + at
    };
    let first = format!("--{boundary}\r\n");
    assert!(body.starts_with(first.as_bytes()) && body.ends_with(format!("\r\n--{boundary}--\r\n").as_bytes()));
    let between = find(0, &format!("\r\n--{boundary}\r\n"));
    let end = body.len() - format!("\r\n--{boundary}--\r\n").len();
    let part = |from: usize, to: usize| {
        let head = find(from, "\r\n\r\n");
        (String::from_utf8(body[from..head].to_vec()).unwrap(), body[head + 4..to].to_vec())
    };
    [part(first.len(), between), part(between + first.len() + 2, end)]
}

#[tokio::test]
async fn json_precedes_media() {
    // The media contain text that looks like the end of a part.
    for content in [&b""[..], b"\r\n--", b"\r\n--wireform-\r\n--wireform-0--\r\n", b"plain"] {
        let server = Server::default();
        let response = server.client().await.call(add()).upload(Media::new("image/png", content.to_vec())).send().await;
        assert_eq!(response.unwrap()["done"], true);
        let received = &server.received()[0];
        assert_eq!(received.target, "/upload/a%20b?uploadType=multipart");
        let [json, media] = parts(received.header("content-type"), &received.body);
        assert_eq!(json, ("Content-Type: application/json".to_owned(), br#"{"title":"A file"}"#.to_vec()));
        assert_eq!(media, ("Content-Type: image/png".to_owned(), content.to_vec()));
        assert_eq!(received.header("content-length"), received.body.len().to_string());
    }
}

#[tokio::test]
async fn media_alone_are_the_body() {
    let (server, content) = (Server::default(), bytes(10_000));
    let client = server.client().await;
    client.call(put()).upload(Media::new("a/b", content.clone())).send().await.unwrap();
    let of_any_length = Media::stream("a/b", None, stream::iter(pieces(&content)));
    client.call(put()).upload(of_any_length).protocol(Protocol::Simple).send().await.unwrap();
    let length = Some(content.len() as u64);
    client.call(put()).upload(Media::stream("a/b", length, stream::iter(pieces(&content)))).send().await.unwrap();
    let received = server.received();
    assert_eq!(received.len(), 3);
    for (received, length) in received.iter().zip(["10000", "", "10000"]) {
        assert_eq!((received.method.as_str(), received.target.as_str()), ("PUT", "/upload/1?uploadType=media"));
        assert_eq!((received.header("content-type"), received.header("content-length")), ("a/b", length));
        assert!(received.body == content);
    }
}

#[tokio::test]
async fn protocol_is_selected_by_length() {
    let server = Server::default();
    let client = server.client().await;
    let once = |length| Media::stream("text/plain", length, stream::iter(pieces(&bytes(10))));
    client.call(add()).upload(once(Some(10))).send().await.unwrap();
    client.call(add()).upload(once(None)).send().await.unwrap();
    client.call(add()).upload(once(None)).protocol(Protocol::Simple).send().await.unwrap();
    let targets: Vec<String> = server.received().into_iter().map(|received| received.target).collect();
    let [at_once, pieces, session] =
        ["/upload/a%20b?uploadType=multipart", "/resumable/a%20b?uploadType=resumable", "/session/1?upload_id=x"];
    assert_eq!(targets, [at_once, pieces, session, at_once]);
}

#[tokio::test]
async fn unsupported_media_are_not_sent() {
    let server = Server::default();
    let client = server.client().await;
    let error = client.call(add()).upload(Media::new("audio/ogg", "")).send().await.unwrap_err();
    assert!(error.to_string().contains("image/*, text/plain"), "{error}");
    let error = client.call(add()).upload(Media::new("text/plain", bytes(1 + (2 << 20)))).send().await.unwrap_err();
    let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
    assert_eq!(*error.kind(), MediaErrorKind::TooLong { limit: MOST });
    let error =
        client.call(Alone).upload(Media::new("a/b", "")).protocol(Protocol::Resumable).send().await.unwrap_err();
    assert!(error.to_string().contains("does not support resumable uploads"), "{error}");
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn truncated_media_are_an_error() {
    let server = Server::default();
    let call = server.client().await.call(put());
    let error = call.upload(Media::stream("a/b", Some(11), stream::iter(pieces(&bytes(10))))).send().await.unwrap_err();
    let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
    assert_eq!(*error.kind(), MediaErrorKind::LengthMismatch { declared: 11 });
}

#[tokio::test]
async fn raw_bodies_are_unchanged() {
    let router = Router::new().fallback(async |request: Request| {
        let content_type = request.headers()["content-type"].clone();
        assert_eq!(request.headers()["accept"], "image/png, image/*");
        let body = axum::body::to_bytes(request.into_body(), 1000).await.unwrap();
        Response::builder()
            .header("content-type", "image/gif")
            .header("x-was", content_type)
            .body(Body::from(body))
            .unwrap()
    });
    let client = client(router).await;
    let draw = |body: RawBody<String>| client.call(Draw { id: "1".to_owned(), body });
    let response = draw("é".into()).send().await.unwrap();
    assert_eq!((response.content_type(), response.content().as_slice()), (Some("image/gif"), "é".as_bytes()));
    let reply = draw(RawBody::from("x").with_content_type("text/markdown")).perform().await.unwrap();
    assert_eq!(reply.headers["x-was"], "text/markdown");
    let response =
        draw(RawBody::default()).send_media(Media::stream("text/csv", None, stream::iter(pieces(b"a,b")))).await;
    assert_eq!(response.unwrap().content().as_slice(), b"a,b");
    let error = draw(RawBody::from("x").with_content_type("a\nb")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Request(_)), "{error:?}");
}
