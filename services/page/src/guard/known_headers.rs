//! Headers that browsers and plain programs send. Proxies cannot be enumerated, so any other header counts as one of
//! theirs.

/// Names, in lower case and sorted.
const KNOWN: &[&str] = &[
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "access-control-request-headers",
    "access-control-request-method",
    "access-control-request-private-network",
    "alt-used",
    "attribution-reporting-eligible",
    "attribution-reporting-support",
    "authorization",
    "available-dictionary",
    "cache-control",
    "connection",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "cookie",
    "device-memory",
    "dictionary-id",
    "dnt",
    "downlink",
    "dpr",
    "ect",
    "expect",
    "host",
    // Java's client offers HTTP/2 with it and `Upgrade`.
    "http2-settings",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "origin",
    "postman-token",
    "pragma",
    "priority",
    "purpose",
    "range",
    "referer",
    "rtt",
    "save-data",
    "service-worker",
    "service-worker-navigation-preload",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "upgrade-insecure-requests",
    "user-agent",
    "viewport-width",
    "x-moz",
    "x-purpose",
    "x-requested-with",
    super::PROGRAM_HEADER,
];

/// Prefix of names that only browsers can send: no script can (<https://fetch.spec.whatwg.org/#forbidden-header-name>),
/// and new ones are added every year.
const BROWSER_PREFIX: &str = "sec-";

/// Returns whether browsers or plain programs send a header of this name, in lower case.
pub(super) fn is_known(name: &str) -> bool {
    name.starts_with(BROWSER_PREFIX) || KNOWN.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_names_are_sorted() {
        assert!(super::KNOWN.is_sorted_by(|one, next| one < next));
    }
}
