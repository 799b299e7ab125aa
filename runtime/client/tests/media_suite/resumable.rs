//! Resumable uploads.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::stream;
use wireform_client::{ErrorKind, Media, MediaErrorKind, Protocol, UploadCall};

use super::sample::{Add, MOST, add, bytes};
use super::server::{Fault, Server};

/// Size of a chunk in bytes.
const PIECE: usize = 256 * 1024;

async fn call(server: &Server, media: Media) -> UploadCall<Add> {
    server.client().await.call(add()).upload(media).protocol(Protocol::Resumable).chunk_bytes(PIECE)
}

fn text(content: &[u8]) -> Media {
    Media::new("text/plain", content.to_vec())
}

/// Creates media that can be read once, in other chunks than those that are sent.
fn once(content: Vec<u8>, length: Option<u64>) -> Media {
    let pieces: Vec<_> =
        content.chunks(100_000).map(|piece| Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece))).collect();
    Media::stream("text/plain", length, stream::iter(pieces))
}

#[tokio::test]
async fn chunks_are_uploaded_in_order() {
    for (length, ranges) in [
        (0, vec!["bytes */0"]),
        (5, vec!["bytes 0-4/5"]),
        (PIECE, vec!["bytes 0-262143/262144"]),
        (PIECE + 1, vec!["bytes 0-262143/262145", "bytes 262144-262144/262145"]),
        (2 * PIECE, vec!["bytes 0-262143/524288", "bytes 262144-524287/524288"]),
    ] {
        let (server, content) = (Server::default(), bytes(length));
        let response = call(&server, text(&content)).await.send().await.unwrap();
        assert_eq!(response["done"], true);
        assert_eq!(server.ranges(), ranges);
        assert!(server.kept() == content, "{length}");
        let begun = &server.received()[0];
        assert_eq!((begun.method.as_str(), begun.target.as_str()), ("POST", "/resumable/a%20b?uploadType=resumable"));
        assert_eq!(begun.header("x-upload-content-type"), "text/plain");
        assert_eq!(begun.header("x-upload-content-length"), length.to_string());
        assert_eq!(begun.body, br#"{"title":"A file"}"#);
    }
}

#[tokio::test]
async fn last_chunk_declares_the_length() {
    for (length, ranges) in [
        (0, vec!["bytes */0"]),
        (PIECE, vec!["bytes 0-262143/262144"]),
        (2 * PIECE, vec!["bytes 0-262143/*", "bytes 262144-524287/524288"]),
        (PIECE + 7, vec!["bytes 0-262143/*", "bytes 262144-262150/262151"]),
    ] {
        let (server, content) = (Server::default(), bytes(length));
        call(&server, once(content.clone(), None)).await.send().await.unwrap();
        assert_eq!(server.ranges(), ranges);
        assert!(server.kept() == content, "{length}");
        assert_eq!(server.received()[0].header("x-upload-content-length"), "");
    }
}

#[tokio::test]
async fn broken_upload_is_resumed() {
    for fault in [
        Fault::Break(1000),
        Fault::Break(0),
        Fault::BreakAfterStoring,
        Fault::Keep(PIECE / 2),
        Fault::Status(503),
        Fault::Status(429),
    ] {
        for first in [0, 1] {
            let faults = std::iter::repeat_n(Fault::Fine, first).chain([fault.clone()]);
            let (server, content) = (Server::new(faults), bytes(2 * PIECE + 100));
            // Only bytes that have not arrived are sent again, so media that can be read once suffice.
            let media = once(content.clone(), Some(content.len() as u64));
            call(&server, media).await.send().await.unwrap_or_else(|error| panic!("{fault:?}: {error}"));
            assert!(server.kept() == content, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn lost_response_is_queried() {
    let (server, content) = (Server::new([Fault::BreakAfterStoring]), bytes(1000));
    let response = call(&server, text(&content)).await.send().await.unwrap();
    assert_eq!(response["done"], true);
    assert_eq!(server.ranges(), ["bytes 0-999/1000", "bytes */1000"]);
}

#[tokio::test]
async fn upload_fails_without_progress() {
    let (server, content) = (Server::new(vec![Fault::Status(503); 20]), bytes(1000));
    let error = call(&server, text(&content)).await.send().await.unwrap_err();
    assert_eq!(error.status(), Some(503));
    let tries = server.ranges().iter().filter(|range| !range.starts_with("bytes */")).count();
    assert_eq!(tries, 4, "{:?}", server.ranges());

    // Any number of arrived bytes is progress.
    let few = vec![Fault::Keep(100); 9];
    let server = Server::new(few);
    call(&server, text(&content)).await.send().await.unwrap();
    assert!(server.kept() == content);
}

#[tokio::test]
async fn invalid_progress_is_a_protocol_error() {
    for range in ["bytes=5-9", "bytes=0-5000", "bytes=0-x", "octets=0-5", ""] {
        let server = Server::new([Fault::Range(range)]);
        let error = call(&server, text(&bytes(1000))).await.send().await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{range}: {error:?}");
        assert_eq!(server.ranges().len(), 1);
    }
}

#[tokio::test]
async fn lost_bytes_are_sent_again_from_repeatable_media() {
    let content = bytes(2 * PIECE);
    let faults = || [Fault::Fine, Fault::Forget];
    let server = Server::new(faults());
    call(&server, text(&content)).await.send().await.unwrap();
    assert!(server.kept() == content);

    let server = Server::new(faults());
    let error = call(&server, once(content, None)).await.send().await.unwrap_err();
    assert!(error.to_string().contains("read only once"), "{error}");
}

#[tokio::test]
async fn repeated_loss_fails_the_upload() {
    let faults: Vec<_> = std::iter::repeat_n([Fault::Fine, Fault::Forget], 20).flatten().collect();
    let server = Server::new(faults);
    let error = call(&server, text(&bytes(2 * PIECE))).await.send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error:?}");
    assert!(server.ranges().len() < 12, "{}", server.ranges().len());
}

#[tokio::test]
async fn lost_session_is_replaced() {
    for status in [404, 410] {
        let content = bytes(2 * PIECE);
        let faults = || [Fault::Fine, Fault::Status(status)];
        let server = Server::new(faults());
        let again = content.clone();
        let media = Media::reopenable("text/plain", None, move |from| {
            let rest = Bytes::copy_from_slice(&again[usize::try_from(from).unwrap()..]);
            stream::iter([Ok::<_, std::io::Error>(rest)])
        });
        call(&server, media).await.send().await.unwrap();
        assert!(server.kept() == content);

        let server = Server::new(faults());
        let error = call(&server, once(content, None)).await.send().await.unwrap_err();
        let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
        assert_eq!(*error.kind(), MediaErrorKind::ReadOnce);

        let server = Server::new(vec![Fault::Status(status); 9]);
        let error = call(&server, text(&bytes(10))).await.send().await.unwrap_err();
        assert_eq!(error.status(), Some(status));
        assert_eq!(server.ranges().len(), 3);
    }
}

#[tokio::test]
async fn a_session_at_another_server_is_refused() {
    for location in ["http://127.0.0.1:1/session/1", "https://elsewhere.example/session", "//elsewhere.example/session"]
    {
        let server = Server::default().location(location);
        let error = call(&server, text(b"secret")).await.send().await.unwrap_err();
        assert!(error.to_string().contains("another origin"), "{error}");
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn media_beyond_the_limit_are_rejected() {
    let server = Server::default();
    let error = call(&server, text(&bytes(2 * (1 << 20) + 1))).await.send().await.unwrap_err();
    let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
    assert_eq!(*error.kind(), MediaErrorKind::TooLong { limit: MOST });
    assert!(server.received().is_empty());

    let error = call(&server, once(bytes(2 * (1 << 20) + 1), None)).await.send().await.unwrap_err();
    let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
    assert_eq!(*error.kind(), MediaErrorKind::TooLong { limit: MOST });
    assert!(server.kept().len() as u64 <= MOST);
}

#[tokio::test]
async fn declared_length_is_enforced() {
    for declared in [999, 1001, PIECE as u64] {
        let server = Server::default();
        let error = call(&server, once(bytes(1000), Some(declared))).await.send().await.unwrap_err();
        let ErrorKind::Media(error) = error.kind() else { panic!("{error:?}") };
        assert_eq!(*error.kind(), MediaErrorKind::LengthMismatch { declared });
        assert!(server.kept().is_empty());
    }
}

#[tokio::test]
async fn read_error_is_reported() {
    let broken = [Ok(Bytes::from_static(b"abc")), Err(std::io::Error::other("the disk is gone"))];
    let server = Server::default();
    let error = call(&server, Media::stream("text/plain", None, stream::iter(broken))).await.send().await.unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
}

#[tokio::test]
async fn progress_is_reported() {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let (server, reports) = (Server::new([Fault::Fine, Fault::Keep(10)]), Arc::clone(&reported));
    let call = call(&server, once(bytes(2 * PIECE), None)).await;
    let call = call.on_progress(move |progress| reports.lock().unwrap().push((progress.arrived, progress.total)));
    call.send().await.unwrap();
    let piece = PIECE as u64;
    let expected = [(piece, None), (piece + 10, Some(2 * piece)), (2 * piece, Some(2 * piece))];
    assert_eq!(*reported.lock().unwrap(), expected);
}
