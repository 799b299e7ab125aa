//! URLs and paths of an API: its root, base paths, batch path and endpoints.

use super::disambiguate::{PathConflict, PathMap};
use super::members;
use super::names::{self, Casing, ReservedNames};
use super::routes::route;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{BasePath, Batch, Endpoint, Name, Operation, Unimplemented};
use crate::schema::shape::Short;
use crate::schema::{self, File, HttpLine, PathSegment, Text};

/// Default maximum number of requests in a batch.
const BATCH: u32 = 100;

/// Upper limit of that maximum: client and server hold all requests of a batch in memory.
const MAX_BATCH: i128 = 10_000;

/// Returns a public URL without a trailing slash, and reports one that no client could send to.
pub fn address(text: &Text, sink: &mut Sink) -> String {
    if let Some(problem) = problem(&text.text) {
        sink.report(Code::BadAddress, text.span, format!("`{}` {problem}", text.text.escape_debug()))
            .help("write a URL such as `https://www.example.com`, with an optional path");
    }
    text.text.trim_end_matches('/').to_owned()
}

/// Returns the problem of a public URL, worded to follow it in a sentence, or `None` if it is usable.
#[must_use]
pub fn problem(text: &str) -> Option<&'static str> {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
        return Some("does not start with `https://` or `http://`");
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return Some("contains user information, which a schema cannot have");
    }
    if path.contains(['?', '#']) {
        return Some("contains a query or a fragment");
    }
    let (host, port) = match authority.rsplit_once(':') {
        // The colons of an IPv6 address are in brackets.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| port.is_empty() || port.parse::<u16>().is_err()) {
        return Some("has an invalid port");
    }
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match inner {
        Some(inner) => inner.parse::<core::net::Ipv6Addr>().is_ok(),
        None => host.split('.').all(is_label),
    };
    if !is_host {
        return Some("has no valid host");
    }
    (!is_path(path.trim_end_matches('/'))).then_some("has invalid characters in its path")
}

/// Returns whether a text is a host name label (RFC 1123, section 2.1); underscores occur in practice and are
/// accepted.
fn is_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !label.is_empty()
        && label.len() <= 63
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(inner)
}

/// Returns whether a text is empty, or a path of plain segments with a leading slash.
#[must_use]
pub fn is_path(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let dots = path.split('/').any(|segment| matches!(segment, "." | ".."));
    path.bytes().all(plain) && !dots && !path.contains("//") && (path.is_empty() || path.starts_with('/'))
}

/// Returns a path below the root, without a trailing slash.
fn path(text: &Text, what: &str, sink: &mut Sink) -> String {
    let path = text.text.trim_end_matches('/');
    if !is_path(path) {
        let slashed = format!("/{path}");
        let help = if is_path(&slashed) {
            format!("write `{slashed}`")
        } else {
            "write a path such as `/calendar/v3`".to_owned()
        };
        sink.report(Code::BadHttp, text.span, format!("`{}` is not a valid {what}", text.text.escape_debug()))
            .help(help);
    }
    path.to_owned()
}

/// Returns the base path of the operations, with its aliases.
pub fn base_path(api: &File, sink: &mut Sink) -> BasePath {
    let Some(Short(written)) = &api.base_path else { return BasePath::default() };
    let mut clean = |text: &Text| path(text, "base path", sink);
    BasePath { path: clean(&written.path), aliases: written.aliases.iter().map(clean).collect() }
}

/// Returns the root of an operation, if it has one of its own.
pub fn operation_root(def: &schema::Operation, sink: &mut Sink) -> Option<String> {
    let root = def.root.as_ref()?;
    if def.media.is_some() {
        sink.report(Code::Misplaced, root.span, "`root` cannot be combined with `media`")
            .help("remove `root`: media are sent to the root of the API");
    }
    Some(address(root, sink))
}

/// Returns the batch endpoint.
pub fn batch(api: &File, sink: &mut Sink) -> Option<Batch> {
    let Short(written) = api.batch.as_ref()?;
    let max = written.max.map_or(Some(BATCH), |max| {
        let fits = (1..=MAX_BATCH).contains(&max.value);
        if !fits {
            let message = format!("invalid maximum number of requests in a batch: {}", max.value);
            sink.report(Code::BadValue, max.span, message)
                .help(format!("write a number from 1 to {MAX_BATCH}; the default is {BATCH}"));
        }
        u32::try_from(max.value).ok().filter(|_| fits)
    });
    let mut place = |text: &Text| {
        let place = path(text, "batch path", sink);
        if place.is_empty() {
            sink.report(Code::BadHttp, text.span, "the batch path is empty").help("write a path such as `/batch`");
        }
        place
    };
    let (path, aliases): (_, Vec<String>) = (place(&written.path), written.aliases.iter().map(place).collect());
    let mut taken = vec![path.as_str()];
    for (alias, text) in aliases.iter().zip(&written.aliases) {
        if taken.contains(&alias.as_str()) {
            let message = format!("`{}` is a path of the batch already", text.text.escape_debug());
            sink.report(Code::BadHttp, text.span, message).help("remove the alias");
        }
        taken.push(alias);
    }
    Some(Batch { path, aliases, max: max? })
}

/// Returns the operations that the schema leaves out; reports those that it describes.
pub fn unimplemented(tables: &Tables<'_>, operations: &[Operation], sink: &mut Sink) -> Vec<Unimplemented> {
    let mut found = Vec::new();
    let mut routes = PathMap::default();
    for operation in operations.iter().filter(|operation| !operation.client_only) {
        routes.add(&route(&operation.http), operation.name.as_str());
    }
    for (name, line) in &tables.api.unimplemented.0 {
        if tables.operation_ids.contains_key(name.text.as_str()) {
            let message = format!("`{}` is an operation of the API", name.text.escape_debug());
            sink.report(Code::Misplaced, name.span, message).help("remove it from `unimplemented`");
        }
        let HttpLine { method, segments, verb, .. } = line;
        let shape: Vec<String> = segments.iter().map(|segment| format!("/{}", segment.shape())).collect();
        let verb_part: Vec<&str> = verb.iter().flat_map(|verb| [":", verb.as_str()]).collect();
        let shape = format!("{method}{}{}", shape.concat(), verb_part.concat());
        if let Some(PathConflict::Same(other)) = routes.add(&shape, name.text.as_str())
            && other != name.text
        {
            let message = format!("`{}` has the same method and path as `{other}`", name.text.escape_debug());
            sink.report(Code::RouteConflict, line.span, message).help("remove it from `unimplemented`");
        }
        let is_plain = |segment: &PathSegment| matches!(segment, PathSegment::Literal(_) | PathSegment::Variable(_));
        if !segments.iter().all(is_plain) {
            sink.report(Code::BadHttp, line.span, "a variable of this path must be a whole segment")
                .help("write a path such as `/calendars/{calendarId}/acl`");
        }
        let verb = verb.iter().map(|verb| format!(":{verb}"));
        let path = segments.iter().map(|segment| format!("/{segment}")).chain(verb).collect();
        found.push(Unimplemented { name: name.text.clone(), method: method.clone(), path });
    }
    found
}

/// Returns the further endpoints; the one for mutual TLS comes first.
pub fn endpoints(api: &File, sink: &mut Sink) -> Vec<Endpoint> {
    let mut constants = ReservedNames::default();
    let mtls = api.mtls_root.as_ref().map(|root| {
        constants.reserve_with_advice("mtls", "the `mtls_root`", root.span, ADVICE, sink);
        let name = Name { wire: "mtls".to_owned(), ident: "mtls".to_owned(), stem: "mtls".to_owned() };
        let doc = "For clients with a client certificate (mutual TLS).".to_owned();
        Endpoint { name, url: address(root, sink), doc, location: None, mtls: true }
    });
    let mut found: Vec<Endpoint> = mtls.into_iter().collect();
    for (key, Short(written)) in &api.endpoints.0 {
        let Some(name) = names::only_name(key, Casing::Member, sink) else { continue };
        constants.reserve_with_advice(&name.ident, &format!("the endpoint `{}`", key.text), key.span, ADVICE, sink);
        let location = written.location.as_ref().map(|location| location.text.clone());
        let doc = members::text(written.doc.as_ref());
        found.push(Endpoint { name, url: address(&written.url, sink), doc, location, mtls: false });
    }
    // Without a root it is unclear what the endpoints are alternatives to.
    if let (None, Some(first)) = (&api.root, found.first()) {
        let span = api
            .mtls_root
            .as_ref()
            .or(api.endpoints.0.first().map(|(key, _)| key))
            .map_or(Span::default(), |text| text.span);
        sink.report(Code::BadAddress, span, format!("endpoint `{}` requires `root`", first.name.wire))
            .help("add the public URL: `root: https://www.example.com`");
    }
    found
}

/// Help of diagnostics about equal Rust names of endpoints.
const ADVICE: &str = "rename one of them";

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn addresses_are_those_that_a_client_can_send_to() {
        for right in [
            "https://example.com",
            "https://example.com/",
            "http://localhost:8080/a/b",
            "https://[::1]:80/",
            "https://127.0.0.1",
            "https://africa-south1-run.example.com/",
        ] {
            assert_eq!(problem(right), None, "{right}");
        }
        for wrong in [
            "",
            "example.com",
            "ftp://example.com",
            "https://",
            "https:///a",
            "https://a b",
            "https://{region}.example.com",
            "https://user@example.com",
            "https://example.com:x",
            "https://example.com:70000",
            "https://example.com?x",
            "https://example.com#x",
            "https://example.com/a b",
            "https://example.com/../a",
            "https://[::1",
            "https://-a.com",
            "https://a..com",
        ] {
            assert!(problem(wrong).is_some(), "{wrong}");
        }
    }
}
