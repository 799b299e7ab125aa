//! In-process server for tests of programs, with a function as the handler.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A received request.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// Path with the query.
    pub target: String,
    /// Headers with lower-case names.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    /// Returns a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }
}

/// A server on the loopback interface, which runs until the process exits.
pub struct Stub {
    pub url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Stub {
    /// Starts a server whose handler returns a status and JSON.
    pub fn start(respond: impl Fn(&Request) -> (u16, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream);
                let Some(request) = read(&mut reader) else { continue };
                let (status, body) = respond(&request);
                recorded.lock().expect("the requests").push(request);
                let _ = write!(
                    reader.into_inner(),
                    "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
            }
        });
        Self { url, requests }
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("the requests").clone()
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut first = lines.first()?.split(' ').map(str::to_owned);
    let (method, target) = (first.next()?, first.next()?);
    let header =
        |line: &String| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    let headers: Vec<(String, String)> = lines.iter().skip(1).filter_map(header).collect();
    let length =
        headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, length)| length.parse().unwrap_or(0));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { method, target, headers, body: String::from_utf8(body).ok()? })
}
