//! Who is on this machine.
//!
//! What only the person at this machine may have is asked for by programs here and by pages of this server. Others
//! would get at it in four ways, and each is closed: from another machine (the peer is no loopback address), through a
//! proxy in front of the server (then every peer is loopback: its headers tell, because a header that neither browsers
//! nor plain programs send is refused, and so does `Referer`), by a page of another origin in a browser here
//! (`Sec-Fetch-Site` tells, and the header that programs send cannot be sent by such a page), and by a foreign name that
//! was pointed at this machine (`Host` tells).
//!
//! A proxy that changes nothing of a request but `Host` cannot be told from a program of this machine.

mod known;

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use serde_json::json;

/// The header by which a program shows that no page of another origin sends its request: a browser would ask the
/// server first whether such a page may, and is answered that it may not. Its value does not matter.
pub const PROGRAM_HEADER: &str = "x-wireform-program";

/// So much of the name of a header is repeated in a message.
const NAME_LENGTH: usize = 64;

/// Tells requests of this machine from others.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// Names by which this machine is called here beside `localhost` and the loopback addresses, without a port.
    pub own_names: Vec<String>,
}

/// Why a request does not count as one of the person at this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The peer is another machine, or the server was not told who it is.
    #[error("only this machine may ask for it: connect to the server by a loopback address, such as 127.0.0.1")]
    Peer,
    /// A header that neither browsers nor plain programs send: a proxy may have added it.
    #[error(
        "the header `{0}` is none that browsers and plain programs send, so that it may be that of a proxy, behind \
         which everybody looks like this machine: ask without the proxy, or without the header"
    )]
    Header(String),
    /// HTTP/1.0, which proxies speak and browsers do not.
    #[error("the request came by HTTP/1.0, as those of proxies do, behind which everybody looks like this machine")]
    Version,
    /// The server is called by a name that is not its own.
    #[error("the server is not known by that name: call it localhost, or by a loopback address")]
    Host,
    /// A page of another origin asks, or a program that does not say that it is one.
    #[error(
        "only pages of this server and programs may ask for it: a program sends the header `X-Wireform-Program: 1`"
    )]
    Origin,
}

impl Guard {
    /// Whether a program on this machine or a page of this server asks.
    ///
    /// # Errors
    /// When the request does not show that.
    pub fn admit(&self, request: &Parts) -> Result<(), Refusal> {
        self.admit_machine(request)?;
        let headers = &request.headers;
        match one(headers, "sec-fetch-site") {
            Ok(Some(b"same-origin")) => self.admit_page(headers),
            Ok(None) if headers.contains_key(PROGRAM_HEADER) => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    /// Whether a person or a program on this machine asks for a page that people look at. Wherever the link to it was,
    /// the page that had it cannot read what is answered; what a page of another origin embeds is refused.
    ///
    /// # Errors
    /// When the request does not show that.
    pub fn admit_visit(&self, request: &Parts) -> Result<(), Refusal> {
        self.admit_machine(request)?;
        let headers = &request.headers;
        match one(headers, "sec-fetch-site") {
            Ok(Some(b"same-origin")) => self.admit_page(headers),
            Ok(None | Some(b"none")) => Ok(()),
            Ok(Some(_)) if visits(headers) => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    /// Whether the request is from this machine, without a proxy, and by a name of its own.
    fn admit_machine(&self, request: &Parts) -> Result<(), Refusal> {
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().ok_or(Refusal::Peer)?;
        if !peer.0.ip().to_canonical().is_loopback() {
            return Err(Refusal::Peer);
        }
        if let Some(name) = request.headers.keys().find(|name| !known::is_known(name.as_str())) {
            return Err(Refusal::Header(name.as_str().chars().take(NAME_LENGTH).collect()));
        }
        if request.version < http::Version::HTTP_11 {
            return Err(Refusal::Version);
        }
        let host = one(&request.headers, header::HOST.as_str())
            .ok()
            .flatten()
            .and_then(|host| std::str::from_utf8(host).ok())
            .ok_or(Refusal::Host)?;
        // A target with an authority counts before the header (RFC 9112, section 3.2.2), so that both have to be own.
        let target = request.uri.authority().map(|authority| authority.as_str());
        if self.is_own(host) && target.is_none_or(|authority| self.is_own(authority)) {
            Ok(())
        } else {
            Err(Refusal::Host)
        }
    }

    /// Whether the page of this server that asks was loaded by a name of this machine. Behind a proxy that tells nothing
    /// of itself the browser still says where it found the page.
    fn admit_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        for name in ["referer", "origin"] {
            let place = one(headers, name).map_err(|()| Refusal::Origin)?;
            let own = |place: &[u8]| {
                let place = std::str::from_utf8(place).ok().and_then(|place| place.split_once("://"));
                place.and_then(|(_, rest)| rest.split(['/', '?', '#']).next()).is_some_and(|host| self.is_own(host))
            };
            if place.is_some_and(|place| !own(place)) {
                return Err(Refusal::Host);
            }
        }
        Ok(())
    }

    /// Whether an authority (`name`, `name:port`, `[::1]:port`) names this machine.
    fn is_own(&self, authority: &str) -> bool {
        let Some(name) = without_port(authority) else { return false };
        if let Some(address) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            return address.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
        }
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            || self.own_names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Whether a browser goes to the page, and does not put it into another.
fn visits(headers: &HeaderMap) -> bool {
    one(headers, "sec-fetch-mode") == Ok(Some(b"navigate")) && one(headers, "sec-fetch-dest") == Ok(Some(b"document"))
}

/// The value of a header that may come once; `Err` where it comes more often.
fn one<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h [u8]>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(http::HeaderValue::as_bytes);
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

/// The name of an authority, where its port is a number or absent.
fn without_port(authority: &str) -> Option<&str> {
    let end = match authority.rfind(']') {
        Some(bracket) => bracket + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (name, port) = authority.split_at_checked(end)?;
    let digits = match port.strip_prefix(':') {
        Some(digits) => digits,
        None if port.is_empty() => "",
        None => return None,
    };
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": 403, "message": self.to_string(), "status": "PERMISSION_DENIED" } });
        let headers = [
            (header::CACHE_CONTROL, "no-store"),
            (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        (StatusCode::FORBIDDEN, headers, body.to_string()).into_response()
    }
}
