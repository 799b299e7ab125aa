//! Guard that recognizes requests of the person at this machine.
//!
//! Data for the person at this machine is requested by programs on it and by pages of this server. Four other ways to
//! it are closed: from another machine (the peer is not a loopback address); through a proxy in front of the server
//! (every peer is then loopback, but its headers show it: a header that neither browsers nor plain programs send is
//! refused, and `Referer` is checked); by a page of another origin in a browser here (`Sec-Fetch-Site` shows it, and
//! such a page cannot send the header of programs); and by a foreign host name that resolves to this machine (`Host`
//! shows it).
//!
//! A proxy that changes nothing of a request but `Host` cannot be distinguished from a program on this machine.

mod known_headers;

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use serde_json::json;

/// Header by which a program shows that no page of another origin sends its request: for such a page a browser would
/// send a preflight request, which is refused. The value does not matter.
pub const PROGRAM_HEADER: &str = "x-wireform-program";

/// Maximum length of a header name in a message.
const NAME_LENGTH: usize = 64;

/// Guard that distinguishes requests of this machine from others.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// Host names of this machine in addition to `localhost` and the loopback addresses, without a port.
    pub own_names: Vec<String>,
}

/// Reason why a request is not accepted as one of the person at this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The peer is another machine, or its address is unknown.
    #[error("only requests of this machine are permitted; help: connect by a loopback address such as 127.0.0.1")]
    Peer,
    /// A header that neither browsers nor plain programs send, and that a proxy may have added.
    #[error(
        "the header `{0}` may have been added by a proxy, behind which every client looks like this machine; help: send \
         the request without the proxy, or without the header"
    )]
    Header(String),
    /// HTTP/1.0, which proxies use and browsers do not.
    #[error("the request uses HTTP/1.0, like proxies, behind which every client looks like this machine")]
    Version,
    /// The request names the server by a foreign host name.
    #[error("the host name is not one of this server; help: use localhost or a loopback address")]
    Host,
    /// The request is by a page of another origin, or by a program without the header of programs.
    #[error(
        "only pages of this server and programs are permitted; help: a program sends the header `X-Wireform-Program: 1`"
    )]
    Origin,
}

impl Guard {
    /// Checks whether a request comes from a program on this machine or a page of this server.
    ///
    /// # Errors
    /// Returns an error if the request does not show that.
    pub fn admit(&self, request: &Parts) -> Result<(), Refusal> {
        self.admit_machine(request)?;
        let headers = &request.headers;
        match single_header(headers, "sec-fetch-site") {
            Ok(Some(b"same-origin")) => self.admit_page(headers),
            Ok(None) if headers.contains_key(PROGRAM_HEADER) => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    /// Checks whether a request for a page comes from a person or a program on this machine. Any page may link to it,
    /// because it cannot read the response; embedding by a page of another origin is refused.
    ///
    /// # Errors
    /// Returns an error if the request does not show that.
    pub fn admit_visit(&self, request: &Parts) -> Result<(), Refusal> {
        self.admit_machine(request)?;
        let headers = &request.headers;
        match single_header(headers, "sec-fetch-site") {
            Ok(Some(b"same-origin")) => self.admit_page(headers),
            Ok(None | Some(b"none")) => Ok(()),
            Ok(Some(_)) if is_navigation(headers) => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    /// Checks whether the request comes from this machine, without a proxy, and by one of its own host names.
    fn admit_machine(&self, request: &Parts) -> Result<(), Refusal> {
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().ok_or(Refusal::Peer)?;
        if !peer.0.ip().to_canonical().is_loopback() {
            return Err(Refusal::Peer);
        }
        if let Some(name) = request.headers.keys().find(|name| !known_headers::is_known(name.as_str())) {
            return Err(Refusal::Header(name.as_str().chars().take(NAME_LENGTH).collect()));
        }
        if request.version < http::Version::HTTP_11 {
            return Err(Refusal::Version);
        }
        let host = single_header(&request.headers, header::HOST.as_str())
            .ok()
            .flatten()
            .and_then(|host| std::str::from_utf8(host).ok())
            .ok_or(Refusal::Host)?;
        // The authority of the target takes precedence over the header (RFC 9112, section 3.2.2), so both have to be
        // own names.
        let target = request.uri.authority().map(|authority| authority.as_str());
        if self.is_own(host) && target.is_none_or(|authority| self.is_own(authority)) {
            Ok(())
        } else {
            Err(Refusal::Host)
        }
    }

    /// Checks whether the requesting page of this server was loaded by a host name of this machine. Behind a proxy that
    /// does not reveal itself the browser still sends the URL of the page.
    fn admit_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        for name in ["referer", "origin"] {
            let place = single_header(headers, name).map_err(|()| Refusal::Origin)?;
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

    /// Returns whether an authority (`name`, `name:port`, `[::1]:port`) names this machine.
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

/// Returns whether a browser navigates to the page rather than embedding it.
fn is_navigation(headers: &HeaderMap) -> bool {
    single_header(headers, "sec-fetch-mode") == Ok(Some(b"navigate"))
        && single_header(headers, "sec-fetch-dest") == Ok(Some(b"document"))
}

/// Returns the value of a header that may occur once, or `Err` if it occurs more often.
fn single_header<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h [u8]>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(http::HeaderValue::as_bytes);
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

/// Returns the name of an authority whose port is a number or absent.
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
