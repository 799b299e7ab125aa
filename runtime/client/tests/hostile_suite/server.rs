//! Server with endless responses.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time for which a connection is served: the server stops by itself, whatever the client does.
const LIFE: Duration = Duration::from_secs(120);

/// Size of the written chunks in bytes: large ones keep the sockets full.
const PIECE: usize = 256 * 1024;

/// Response that begins with `head` and repeats `unit` forever.
#[derive(Clone)]
pub struct Endless {
    head: Vec<u8>,
    unit: Vec<u8>,
    /// Time between two units; without it, they follow each other as fast as the client reads.
    pause: Option<Duration>,
}

impl Endless {
    /// Creates a response that is sent as fast as the client reads.
    pub fn new(head: impl Into<Vec<u8>>, unit: impl Into<Vec<u8>>) -> Self {
        Self { head: head.into(), unit: unit.into(), pause: None }
    }

    /// Sets a pause before each unit.
    pub fn trickling(self, pause: Duration) -> Self {
        Self { pause: Some(pause), ..self }
    }

    /// Sends the response until the client closes the connection; returns whether it did.
    pub fn send(&self, stream: &mut impl Write) -> bool {
        let until = Instant::now() + LIFE;
        let times = if self.pause.is_some() { 1 } else { (PIECE / self.unit.len()).max(1) };
        let piece = self.unit.repeat(times);
        let mut written = stream.write_all(&self.head).and_then(|()| stream.flush());
        while written.is_ok() && Instant::now() < until {
            written = stream.write_all(&piece).and_then(|()| stream.flush());
            if let Some(pause) = self.pause {
                thread::sleep(pause);
            }
        }
        written.is_err()
    }
}

/// Running server.
pub struct Server {
    pub at: SocketAddr,
    closed: Receiver<()>,
}

impl Server {
    /// Starts a server that sends the response on every connection.
    pub fn start(response: Endless) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let (sender, closed) = channel::<()>();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (response, sender, mut stream) = (response.clone(), Sender::clone(&sender), stream.unwrap());
                thread::spawn(move || {
                    stream.set_write_timeout(Some(LIFE)).unwrap();
                    let _ = stream.read(&mut [0; 16 * 1024]);
                    if response.send(&mut stream) {
                        let _ = sender.send(());
                    }
                });
            }
        });
        Self { at, closed }
    }

    /// Returns whether the client closes a connection within the time: then it has stopped working on it.
    pub fn is_closed_within(&self, time: Duration) -> bool {
        self.closed.recv_timeout(time).is_ok()
    }
}
