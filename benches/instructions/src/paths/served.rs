//! Requests over an in-memory keep-alive connection, from the bytes of a request to the bytes of its response, compared
//! with `axum::serve`.

use std::future::{IntoFuture as _, pending};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use axum::serve::Listener;
use calendar_server::runtime::{Handshake, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};
use wireform_fixtures::{EVENT, EVENT_PATH, EVENTS_PATH, SENT, by_hand, generated};

use super::server::runtime;
use crate::meter::measure;

/// Buffer size of the connection in each direction; no request or response is longer.
const BUFFER_SIZE: usize = 64 * 1024;

pub fn get(repetitions: u32) -> Result<()> {
    ours(repetitions, &request("GET", EVENT_PATH, ""))
}

pub fn get_by_hand(repetitions: u32) -> Result<()> {
    handwritten(repetitions, &request("GET", EVENT_PATH, ""))
}

pub fn post(repetitions: u32) -> Result<()> {
    ours(repetitions, &request("POST", EVENTS_PATH, SENT))
}

pub fn post_by_hand(repetitions: u32) -> Result<()> {
    handwritten(repetitions, &request("POST", EVENTS_PATH, SENT))
}

fn request(method: &str, path: &str, body: &str) -> String {
    let token = generated::TOKEN;
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n");
    if !body.is_empty() {
        head.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
    }
    format!("{head}\r\n{body}")
}

fn ours(repetitions: u32, request: &str) -> Result<()> {
    let (runtime, router) = (runtime()?, generated::router(EVENT)?);
    let (mut client, server) = duplex(BUFFER_SIZE);
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let mut socket = TcpStream::connect(listener.local_addr()?).await?;
        tokio::spawn(serve(listener, router).handshake(InMemory(Mutex::new(Some(server)))).into_future());
        // A connection is idle until something can be read.
        socket.write_all(b"\n").await?;
        // Dropping the client would end the connection.
        std::mem::forget(socket);
        anyhow::Ok(())
    })?;
    let mut buffer = vec![0; runtime.block_on(first(&mut client, request))?];
    measure(repetitions, || runtime.block_on(exchange(&mut client, request, &mut buffer)))
}

fn handwritten(repetitions: u32, request: &str) -> Result<()> {
    let (runtime, app) = (runtime()?, by_hand::router(EVENT)?);
    let (mut client, server) = duplex(BUFFER_SIZE);
    runtime.spawn(axum::serve(One(Some(server)), app).into_future());
    let mut buffer = vec![0; runtime.block_on(first(&mut client, request))?];
    measure(repetitions, || runtime.block_on(exchange(&mut client, request, &mut buffer)))
}

/// Sends the first request and returns the length of its response, which is that of all others.
async fn first(client: &mut DuplexStream, request: &str) -> Result<usize> {
    client.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&response);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            ensure!(head.starts_with("HTTP/1.1 200"), "the response begins with {head}");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.context("the response has no length")?.parse()?;
            if body.len() >= length {
                return Ok(head.len() + 4 + length);
            }
        }
        ensure!(client.read_buf(&mut response).await? > 0, "the connection was closed");
    }
}

async fn exchange(client: &mut DuplexStream, request: &str, buffer: &mut [u8]) -> Result<()> {
    client.write_all(request.as_bytes()).await?;
    client.read_exact(buffer).await?;
    ensure!(buffer.starts_with(b"HTTP/1.1 200"), "the status is not a success");
    Ok(())
}

/// Handshake that returns an in-memory connection instead of the accepted socket.
struct InMemory(Mutex<Option<DuplexStream>>);

impl Handshake for InMemory {
    type Stream = DuplexStream;

    async fn handshake(&self, _socket: TcpStream) -> io::Result<DuplexStream> {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        stream.ok_or_else(|| io::Error::other("there is only one connection"))
    }
}

/// Listener that accepts one connection.
struct One(Option<DuplexStream>);

impl Listener for One {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DuplexStream, SocketAddr) {
        match self.0.take() {
            Some(stream) => (stream, (Ipv4Addr::LOCALHOST, 0).into()),
            None => pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok((Ipv4Addr::LOCALHOST, 0).into())
    }
}
