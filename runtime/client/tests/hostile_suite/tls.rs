//! Endless responses over TLS, where a server selects HTTP/2.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use wireform_client::transport::Http;
use wireform_client::{Client, RetryPolicy};

use super::runtimes::{LIMIT, WATCHDOG};
use super::sample::{SAMPLE, get};
use super::server::Endless;

/// Number of connections until one of them has a request in time.
const ATTEMPTS: usize = 20;

/// Time within which a client closes a connection: until then it reads 8 MiB, in a build without optimizations.
const UNTIL_CLOSED: Duration = Duration::from_secs(100);

/// Returns an HTTP/2 frame (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    [&[0, 0, length, kind, flags, 0, 0, 0, stream], payload].concat()
}

/// Returns the header fields of a response: `:status` as a literal (RFC 7541, section 6.2.2).
fn head(status: &[u8; 3]) -> Vec<u8> {
    frame(1, 4, 1, &[&[8, 3], status.as_slice()].concat())
}

/// Returns the bytes that a server sends after its settings.
fn responses() -> Vec<(&'static str, Endless)> {
    let trailing = |text: &str| frame(1, 0, 1, &[&[0, 1, b'a', 3], text.as_bytes()].concat());
    vec![
        ("interim responses", Endless::new([], head(b"103"))),
        ("pings", Endless::new([], frame(6, 0, 0, &[0; 8]))),
        ("settings", Endless::new([], frame(4, 0, 0, &[]))),
        ("unknown frames", Endless::new([], frame(0xee, 0, 0, &[]))),
        ("window updates", Endless::new([], frame(8, 0, 1, &[0, 0, 0, 1]))),
        ("header fields", Endless::new(trailing("abc"), frame(9, 0, 1, &[0, 1, b'a', 3, b'a', b'b', b'c']))),
        ("empty data", Endless::new(head(b"200"), frame(0, 0, 1, &[]))),
        ("data", Endless::new(head(b"200"), frame(0, 0, 1, b" "))),
        ("padding", Endless::new(head(b"200"), frame(0, 8, 1, &[200; 201]))),
    ]
}

/// Serves one connection: waits for the header fields of a request, and sends the response. Returns whether the client
/// closes the connection, or `None` if its limit was over before its request arrived, as on a machine that others keep busy.
fn serve(listener: &TcpListener, config: Arc<ServerConfig>, response: &Endless) -> Option<bool> {
    let stream = listener.accept().unwrap().0;
    stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    let is_request = |read: &[u8]| {
        let mut at = 24;
        while let Some([_, high, low, kind, ..]) = read.get(at..) {
            if *kind == 1 {
                return true;
            }
            at += 9 + usize::from(*high) * 256 + usize::from(*low);
        }
        false
    };
    std::io::Write::write_all(&mut stream, &frame(4, 0, 0, &[])).ok()?;
    while !is_request(&read) {
        let length = stream.read(&mut buffer).ok().filter(|length| *length > 0)?;
        read.extend_from_slice(&buffer[..length]);
    }
    assert_eq!(stream.conn.alpn_protocol(), Some(b"h2".as_slice()));
    Some(response.send(&mut stream))
}

/// The trusted certificates are those of the environment, so the client runs in a separate process.
#[test]
fn http_2() {
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trusted = format!("{}/hostile-{}.pem", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    fs::write(&trusted, certificate.cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(certificate.signing_key.serialize_der().into());
    let config = ServerConfig::builder().with_no_client_auth();
    let mut config = config.with_single_cert(vec![certificate.cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let config = Arc::new(config);
    for (what, response) in responses() {
        let ended = (0..ATTEMPTS).any(|_| exchange(what, &response, &config, &trusted));
        assert!(ended, "{what}: no request arrives within the limit of the client");
    }
    let _ = fs::remove_file(&trusted);
}

/// Lets a client meet a response, and returns whether the server had its request in time.
fn exchange(what: &str, response: &Endless, config: &Arc<ServerConfig>, trusted: &str) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (config, response, (sender, served)) = (Arc::clone(config), response.clone(), channel());
    thread::spawn(move || sender.send(serve(&listener, config, &response)));
    let mut client = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tls::client", "--ignored", "--nocapture"])
        .env("SSL_CERT_FILE", trusted)
        .env("HOSTILE_PORT", port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The client responds to these frames. This server does not read the responses, so the client stops reading as
    // well.
    let is_stalled = matches!(what, "pings" | "settings");
    let outcome = (!is_stalled).then(|| served.recv_timeout(UNTIL_CLOSED));
    let is_alive = client.try_wait().unwrap().is_none();
    // The client runs until its input ends.
    drop(client.stdin.take());
    let output = client.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{what}: {text}");
    let outcome = outcome.unwrap_or_else(|| served.recv_timeout(UNTIL_CLOSED).map(|closed| closed.map(|_| true)));
    let is_closed = outcome.unwrap_or(Some(false));
    assert!(is_alive && is_closed != Some(false), "{what}: the connection is still read");
    is_closed.is_some()
}

#[test]
#[ignore = "the client of another test"]
fn client() {
    let Ok(port) = std::env::var("HOSTILE_PORT") else { return };
    let transport = Http::new().unwrap();
    let builder = |url: String| Client::builder(&SAMPLE).base_url(url).retry(RetryPolicy::off());
    let client =
        builder(format!("https://localhost:{port}")).transport(transport.clone()).timeout(LIMIT).build().unwrap();
    // A slow call of the same transport to another server does not count as an exchange of this connection.
    let patient = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = builder(format!("http://{}", patient.local_addr().unwrap())).transport(transport).build().unwrap();
    let (sender, ended) = channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            tokio::spawn(async move { other.call(get("1")).send().await });
            let _ = sender.send(client.call(get("1")).send().await.unwrap_err().to_string());
            // The connection is shared, so it outlives the call and other tasks run.
            for _ in 0..10 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let _ = sender.send("others had their turn".to_owned());
            tokio::time::sleep(Duration::from_secs(120)).await;
        });
    });
    let message = ended.recv_timeout(WATCHDOG).unwrap();
    assert!(!message.contains("certificate"), "{message}");
    assert_eq!(ended.recv_timeout(WATCHDOG).unwrap(), "others had their turn");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
