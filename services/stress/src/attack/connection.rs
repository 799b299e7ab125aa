//! Raw connections, which can do what client libraries do not.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::scene::AttackContext;

/// Maximum time in which a connection is accepted.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Pause of a flood after a failed connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Maximum number of requests of one connection of a flood.
const MAX_REQUESTS: u32 = 1_000_000;

/// Opens a connection, from one of the attackers' addresses if they have their own.
pub async fn open(scene: &AttackContext) -> io::Result<TcpStream> {
    connect(scene, TcpSocket::new_v4()?).await
}

/// Opens a connection with minimal system buffers for responses.
pub async fn open_narrow(scene: &AttackContext) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    connect(scene, socket).await
}

/// Connects from a random address of the attackers, if they have their own; fails after the timeout.
async fn connect(scene: &AttackContext, socket: TcpSocket) -> io::Result<TcpStream> {
    if scene.orders.peers > 0 {
        let peer = rand::rng().random_range(1..=scene.orders.peers);
        socket.bind((Ipv4Addr::new(127, 0, 1, peer), 0).into())?;
    }
    let connected = tokio::time::timeout(TIMEOUT, socket.connect(scene.orders.address)).await;
    connected.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// Returns the head of a request without its last empty line. `more` are further lines.
pub fn head(method: &str, target: &str, token: Option<&str>, more: &str) -> String {
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    format!("{method} {target} HTTP/1.1\r\nHost: attacked\r\n{authorization}{more}")
}

/// Returns the status of a response that starts with these bytes.
pub fn status(bytes: &[u8]) -> Option<String> {
    let digits = bytes.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    Some(String::from_utf8_lossy(digits).into_owned())
}

/// Sends a request and reads the whole response, which must have a length. Returns its status.
async fn exchange(stream: &mut BufReader<TcpStream>, request: &[u8]) -> io::Result<String> {
    stream.write_all(request).await?;
    let (mut line, mut length) = (String::new(), 0_u64);
    stream.read_line(&mut line).await?;
    let status = status(line.as_bytes()).ok_or(io::ErrorKind::UnexpectedEof)?;
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let lower = line.trim_end().to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if lower.is_empty() {
            break;
        }
    }
    tokio::io::copy(&mut stream.take(length), &mut tokio::io::sink()).await?;
    Ok(status)
}

/// Sends requests over several connections, each as soon as the previous response has arrived, until the attack is
/// over.
pub async fn flood(scene: &Arc<AttackContext>, connections: usize, request: fn() -> String) -> anyhow::Result<()> {
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        let scene = Arc::clone(scene);
        tasks.spawn(async move {
            while !scene.is_over() {
                match open(&scene).await {
                    Ok(stream) => flood_one(&scene, stream, request).await,
                    Err(_) => scene.count("not accepted"),
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
    tasks.join_all().await;
    Ok(())
}

async fn flood_one(scene: &AttackContext, stream: TcpStream, request: fn() -> String) {
    let mut stream = BufReader::new(stream);
    for _ in 0..MAX_REQUESTS {
        if scene.is_over() {
            return;
        }
        match exchange(&mut stream, request().as_bytes()).await {
            Ok(status) => scene.count(&status),
            Err(_) => return scene.count("closed"),
        }
    }
}
