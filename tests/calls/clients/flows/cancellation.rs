//! Dropping a call cancels its request.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::calls::{ALL, PLAIN};
use crate::clients::{Setup, TransportKind};
use crate::server::silent;

/// Starts a server that never responds. Returns its URL, a receiver for the first byte of a request, and a receiver for
/// the end of the connection.
async fn unresponsive_server() -> (String, oneshot::Receiver<()>, oneshot::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a local address");
    let ((start, started), (close, closed)) = (oneshot::channel(), oneshot::channel());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut buffer = [0; 1024];
        let _ = stream.read(&mut buffer).await;
        let _ = start.send(());
        while stream.read(&mut buffer).await.is_ok_and(|length| length > 0) {}
        let _ = close.send(());
    });
    (format!("http://{address}"), started, closed)
}

/// If the request continued after the drop, the connection would stay open and the test would time out.
#[tokio::test]
async fn a_dropped_call_closes_its_connection() {
    for entry in ALL {
        let (address, started, closed) = unresponsive_server().await;
        let clients = Setup::new(TransportKind::Sockets).clients_at(&address);
        let call = tokio::spawn((entry.full)(&clients, PLAIN));
        started.await.expect("the request arrives");
        call.abort();
        assert!(call.await.is_err_and(|error| error.is_cancelled()));
        tokio::time::timeout(Duration::from_secs(20), closed)
            .await
            .expect(entry.operation)
            .expect("the connection closes");
    }
}

#[tokio::test]
async fn nothing_is_sent_before_the_call_is_polled() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| silent()).await;
    for entry in ALL {
        drop((entry.full)(&harness.clients, PLAIN));
        assert!(harness.log.take().is_empty(), "{}", entry.name());
        let mut call = pin!((entry.full)(&harness.clients, PLAIN));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(harness.log.take().len(), 1, "{}", entry.name());
    }
}

/// A stream's `next` future may be dropped, as `select!` does; the pending page must not be lost.
#[tokio::test(start_paused = true)]
async fn a_stream_keeps_its_pending_page() {
    let respond = |_: &crate::server::RecordedRequest| {
        let late = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok::<_, std::io::Error>(bytes::Bytes::from_static(b"{\"items\":[{}]}"))
        };
        crate::server::json(200, axum::body::Body::from_stream(futures_util::stream::once(late)))
    };
    let harness = Setup::new(TransportKind::InProcess).start(respond).await;
    let mut items = harness.clients.calendar.events().list("primary").items();
    let mut dropped = 0;
    let item = loop {
        match tokio::time::timeout(Duration::from_secs(2), items.next()).await {
            Ok(item) => break item,
            Err(_) => dropped += 1,
        }
    };
    assert!(item.is_some_and(|item| item.is_ok()));
    assert_eq!((dropped, harness.log.take().len()), (2, 1));
}
