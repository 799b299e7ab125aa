//! Redirects.

use http::header::LOCATION;
use http::{Response, Uri};

/// Target of a redirect.
pub(super) struct Redirect {
    /// Scheme, host and port.
    pub(super) origin: String,
    /// URL, if it has the origin of the request.
    pub(super) same_origin: Option<Uri>,
}

impl Redirect {
    /// Returns the redirect of a response to a request to `from`.
    pub(super) fn from_response<B>(response: &Response<B>, from: &Uri) -> Option<Self> {
        if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let location = std::str::from_utf8(response.headers().get(LOCATION)?.as_bytes()).ok()?;
        let to = resolve(from, location)?;
        let origin = origin(&to)?;
        let same = is_same_origin(from, &to);
        let Origin { scheme, host, port } = origin;
        let text = match (scheme, port) {
            ("http", 80) | ("https", 443) => format!("{scheme}://{host}"),
            _ => format!("{scheme}://{host}:{port}"),
        };
        Some(Self { origin: text, same_origin: same.then_some(to) })
    }
}

/// Resolves a reference, and returns the URL if it has the same origin.
pub(super) fn resolve_same_origin(from: &Uri, reference: &str) -> Option<Uri> {
    resolve(from, reference).filter(|to| is_same_origin(from, to))
}

/// Returns whether two URLs have the same scheme, host and port, and the target has no user information.
fn is_same_origin(from: &Uri, to: &Uri) -> bool {
    let plain = to.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    plain && origin(from).is_some_and(|from| origin(to).is_some_and(|to| from == to))
}

/// Origin of a URL (RFC 6454): its host is in lower case, and its port is explicit.
#[derive(PartialEq, Eq)]
struct Origin {
    scheme: &'static str,
    host: String,
    port: u16,
}

/// Returns the origin of an `http` or `https` URL, or `None` for others and without a host.
fn origin(uri: &Uri) -> Option<Origin> {
    let (scheme, port) = match uri.scheme_str()? {
        scheme if scheme.eq_ignore_ascii_case("https") => ("https", 443),
        scheme if scheme.eq_ignore_ascii_case("http") => ("http", 80),
        _ => return None,
    };
    let host = uri.host().filter(|host| !host.is_empty())?.to_ascii_lowercase();
    Some(Origin { scheme, host, port: uri.port_u16().unwrap_or(port) })
}

/// Resolves a reference (RFC 3986, section 5.2).
fn resolve(from: &Uri, reference: &str) -> Option<Uri> {
    // Some parsers treat a backslash as a slash, and so see another host.
    if reference.contains('\\') {
        return None;
    }
    let reference = reference.split('#').next().unwrap_or_default();
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    let path = from.path();
    let head = reference.split(['/', '?']).next().unwrap_or_default();
    let text = if head.contains(':') {
        reference.to_owned()
    } else if reference.starts_with("//") {
        format!("{scheme}:{reference}")
    } else if reference.starts_with('/') {
        format!("{scheme}://{authority}{}", remove_dot_segments(reference))
    } else if reference.starts_with('?') {
        format!("{scheme}://{authority}{path}{reference}")
    } else if reference.is_empty() {
        return Some(from.clone());
    } else {
        let folder = path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or("/");
        format!("{scheme}://{authority}{}", remove_dot_segments(&format!("{folder}{reference}")))
    };
    text.parse().ok()
}

/// Removes the dot segments of a path, with or without a query (RFC 3986, section 5.2.4).
fn remove_dot_segments(path: &str) -> String {
    let (path, query) = path.find('?').map_or((path, ""), |at| path.split_at(at));
    let mut segments: Vec<&str> = Vec::new();
    let mut given = path.split('/').skip(1).peekable();
    while let Some(segment) = given.next() {
        let is_dots = matches!(segment, "." | "..");
        if segment == ".." {
            segments.pop();
        }
        if !is_dots {
            segments.push(segment);
        } else if given.peek().is_none() {
            // A path that ends in a dot segment is a directory.
            segments.push("");
        }
    }
    format!("/{}{query}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(reference: &str) -> Option<String> {
        resolve(&"https://api.example/a/b/c?q=1".parse().unwrap(), reference).map(|uri| uri.to_string())
    }

    #[test]
    fn references_are_resolved() {
        for (reference, whole) in [
            ("https://other.example/x?y=1#z", "https://other.example/x?y=1"),
            ("//other.example/x", "https://other.example/x"),
            ("/x/y", "https://api.example/x/y"),
            ("/x/../y/./z/..", "https://api.example/y/"),
            ("d?e=/../f", "https://api.example/a/b/d?e=/../f"),
            ("../d", "https://api.example/a/d"),
            ("../../../../d", "https://api.example/d"),
            ("?e=2", "https://api.example/a/b/c?e=2"),
            ("", "https://api.example/a/b/c?q=1"),
            (".", "https://api.example/a/b/"),
        ] {
            assert_eq!(resolved(reference).as_deref(), Some(whole), "{reference}");
        }
    }

    #[test]
    fn redirects_have_the_origin_of_their_target() {
        for (location, origin, same) in [
            ("https://API.example:443/x", "https://api.example", true),
            ("/x", "https://api.example", true),
            ("https://api.example:444/x?key=secret", "https://api.example:444", false),
            ("http://api.example/x", "http://api.example", false),
            ("//other.example/x", "https://other.example", false),
            ("https://api.example@other.example/", "https://other.example", false),
            ("https://user:password@api.example/", "https://api.example", false),
        ] {
            let response = Response::builder().status(302).header(LOCATION, location).body(()).unwrap();
            let redirect = Redirect::from_response(&response, &"https://api.example/a".parse().unwrap()).unwrap();
            assert_eq!((redirect.origin.as_str(), redirect.same_origin.is_some()), (origin, same), "{location}");
        }
    }

    #[test]
    fn invalid_locations_are_not_followed() {
        for location in [
            "https:other.example",
            "ftp://api.example/",
            "https:///x",
            "/\\other.example",
            "mailto:a@b",
            "https://api.example\\@b",
        ] {
            let response = Response::builder().status(302).header(LOCATION, location).body(()).unwrap();
            let redirect = Redirect::from_response(&response, &"https://api.example/a".parse().unwrap());
            assert!(redirect.is_none_or(|redirect| redirect.same_origin.is_none()), "{location}");
        }
    }
}
