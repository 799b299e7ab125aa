//! Validation of notification URLs. They come from clients, who must not reach through this program what only this
//! program can reach.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use calendar_server::runtime::axum::http::Uri;
use calendar_server::runtime::notifications::is_public;

/// Maximum length of a URL in bytes.
const MAX_BYTES: usize = 2_048;
/// Maximum length of a host name (RFC 1035, section 2.3.4).
const MAX_NAME: usize = 253;
/// Maximum length of a label of a host name.
const MAX_LABEL: usize = 63;
/// Domains of private networks: RFC 6761, RFC 6762, RFC 7686, RFC 8375, and those reserved by ICANN.
const PRIVATE_SUFFIXES: [&str; 7] = ["localhost", "local", "internal", "home.arpa", "onion", "test", "invalid"];
/// Public address by which virtual machines of a cloud reach its internal services.
const CLOUD_INTERNAL_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16));

/// Reason why notifications cannot be sent to a URL. It does not repeat the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlError {
    /// Not an absolute ASCII URL without a fragment.
    Malformed,
    /// Too long.
    TooLong,
    /// The scheme is not `https`.
    NotHttps,
    /// Contains a user name or password.
    Credentials,
    /// The port is that of another service.
    Port,
    /// The host is not in the public network.
    NotPublic,
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the address must be an absolute URL of ASCII without a fragment"),
            Self::TooLong => write!(f, "the address must have at most {MAX_BYTES} bytes"),
            Self::NotHttps => f.write_str("the address must be an `https` URL"),
            Self::Credentials => f.write_str("the address must not contain a user or a password"),
            Self::Port => f.write_str("the port of the address must be 443, or 1024 or above"),
            Self::NotPublic => f.write_str("the host of the address must be in the public network"),
        }
    }
}

impl std::error::Error for UrlError {}

/// Host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Ip(IpAddr),
    /// Name in lower case, without a trailing dot.
    Name(String),
}

impl Host {
    /// Returns the host as in the header `Host`.
    fn to_header(&self) -> String {
        match self {
            Self::Ip(IpAddr::V6(address)) => format!("[{address}]"),
            Self::Ip(IpAddr::V4(address)) => address.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}

/// Destination of notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) tls: bool,
    pub(super) host: Host,
    pub(super) port: u16,
}

impl Target {
    /// Parses a URL. `loopback` allows URLs of this machine, with any scheme and port.
    pub(super) fn parse(address: &str, loopback: bool) -> Result<Self, UrlError> {
        if address.len() > MAX_BYTES {
            return Err(UrlError::TooLong);
        }
        if !address.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\#".contains(&byte)) {
            return Err(UrlError::Malformed);
        }
        let uri: Uri = address.parse().map_err(|_| UrlError::Malformed)?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(UrlError::Malformed);
        };
        if authority.as_str().contains('@') {
            return Err(UrlError::Credentials);
        }
        let tls = scheme.eq_ignore_ascii_case("https");
        if !tls && !scheme.eq_ignore_ascii_case("http") {
            return Err(UrlError::NotHttps);
        }
        let port = authority.as_str().strip_prefix(authority.host()).ok_or(UrlError::Malformed)?;
        let port = match port.strip_prefix(':') {
            Some(port) => port.parse().map_err(|_| UrlError::Malformed)?,
            None => {
                if tls {
                    443
                } else {
                    80
                }
            }
        };
        Self { tls, host: parse_host(authority.host())?, port }.check_host(loopback)
    }

    /// Checks that the host is public, with TLS and a permitted port, or, if `loopback` is set, this machine.
    fn check_host(self, loopback: bool) -> Result<Self, UrlError> {
        if loopback && self.is_local() {
            return if self.port == 0 { Err(UrlError::Port) } else { Ok(self) };
        }
        if !self.tls {
            return Err(UrlError::NotHttps);
        }
        let is_public = match &self.host {
            Host::Ip(ip) => is_allowed(*ip, false),
            Host::Name(name) => is_public_name(name),
        };
        match self.port {
            _ if !is_public => Err(UrlError::NotPublic),
            443 | 1024.. => Ok(self),
            _ => Err(UrlError::Port),
        }
    }

    /// Returns whether the host refers to this machine.
    fn is_local(&self) -> bool {
        match &self.host {
            Host::Ip(ip) => ip.is_loopback(),
            Host::Name(name) => name == "localhost",
        }
    }

    /// Returns whether notifications may be sent to an IP address of the host. Without TLS, it must be one of this
    /// machine.
    pub(super) fn admits(&self, ip: IpAddr, loopback: bool) -> bool {
        is_allowed(ip, loopback) && (self.tls || ip.is_loopback())
    }

    /// Returns the value of the header `Host`.
    pub(super) fn authority(&self) -> String {
        let host = self.host.to_header();
        if self.port == if self.tls { 443 } else { 80 } { host } else { format!("{host}:{}", self.port) }
    }
}

/// Returns whether an IP address is public, or, if `loopback` is set, of this machine.
fn is_allowed(ip: IpAddr, loopback: bool) -> bool {
    (is_public(ip) && ip.to_canonical() != CLOUD_INTERNAL_ADDRESS) || (loopback && ip.is_loopback())
}

/// Parses a host. Resolvers accept IP addresses in many numeric forms: a name whose last label is a number must be an
/// address in canonical form.
fn parse_host(text: &str) -> Result<Host, UrlError> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or(UrlError::Malformed)?;
        return inner.parse().map(|ip| Host::Ip(IpAddr::V6(ip))).map_err(|_| UrlError::Malformed);
    }
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if hexadecimal || last.bytes().all(|byte| byte.is_ascii_digit()) {
        return name.parse().map(|ip| Host::Ip(IpAddr::V4(ip))).map_err(|_| UrlError::Malformed);
    }
    let is_label = |label: &str| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        !label.is_empty() && label.len() <= MAX_LABEL && label.bytes().all(inner)
    };
    if name.len() > MAX_NAME || !name.split('.').all(is_label) {
        return Err(UrlError::Malformed);
    }
    Ok(Host::Name(name))
}

/// Returns whether a name can be that of a public host, and not of one known only in a private network.
fn is_public_name(name: &str) -> bool {
    let below = |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.'));
    name.contains('.') && !PRIVATE_SUFFIXES.iter().any(|suffix| name == *suffix || below(suffix))
}

#[cfg(test)]
mod tests;
