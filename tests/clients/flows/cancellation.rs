//! Dropping a call gives the request up.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::calls::{ALL, PLAIN};
use crate::clients::{Setup, Way};
use crate::server::silent;

/// A server that answers nothing: it tells of the first byte of a request, and of the end of its connection.
async fn deaf() -> (String, oneshot::Receiver<()>, oneshot::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let address = listener.local_addr().expect("it has an address");
    let ((begun, has_begun), (ended, has_ended)) = (oneshot::channel(), oneshot::channel());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut piece = [0; 1024];
        let _ = stream.read(&mut piece).await;
        let _ = begun.send(());
        while stream.read(&mut piece).await.is_ok_and(|length| length > 0) {}
        let _ = ended.send(());
    });
    (format!("http://{address}"), has_begun, has_ended)
}

/// The server would learn of nothing if the request went on behind the caller's back; the test would never end.
#[tokio::test]
async fn a_call_that_is_dropped_closes_its_connection() {
    for entry in ALL {
        let (address, has_begun, has_ended) = deaf().await;
        let clients = Setup::new(Way::Sockets).clients_at(&address);
        let call = tokio::spawn((entry.full)(&clients, PLAIN));
        has_begun.await.expect("the request comes");
        call.abort();
        assert!(call.await.is_err_and(|error| error.is_cancelled()));
        tokio::time::timeout(Duration::from_secs(20), has_ended).await.expect(entry.operation).expect("it ends");
    }
}

#[tokio::test]
async fn nothing_is_sent_before_the_call_is_polled() {
    let running = Setup::new(Way::InProcess).start(|_| silent()).await;
    for entry in ALL {
        drop((entry.full)(&running.clients, PLAIN));
        assert!(running.log.take().is_empty(), "{}", entry.name());
        let mut call = pin!((entry.full)(&running.clients, PLAIN));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(running.log.take().len(), 1, "{}", entry.name());
    }
}

/// The future of a stream may be dropped, as `select!` does: the page stays on its way.
#[tokio::test(start_paused = true)]
async fn a_stream_keeps_the_page_that_is_on_its_way() {
    let respond = |_: &crate::server::Recorded| {
        let late = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok::<_, std::io::Error>(bytes::Bytes::from_static(b"{\"items\":[{}]}"))
        };
        crate::server::json(200, axum::body::Body::from_stream(futures_util::stream::once(late)))
    };
    let running = Setup::new(Way::InProcess).start(respond).await;
    let mut items = running.clients.calendar.events().list("primary").items();
    let mut dropped = 0;
    let item = loop {
        match tokio::time::timeout(Duration::from_secs(2), items.next()).await {
            Ok(item) => break item,
            Err(_) => dropped += 1,
        }
    };
    assert!(item.is_some_and(|item| item.is_ok()));
    assert_eq!((dropped, running.log.take().len()), (2, 1));
}
