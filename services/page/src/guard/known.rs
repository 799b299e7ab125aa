//! The headers that browsers and plain programs send. There are more proxies than anybody can list, so that a header
//! which is not here counts as one of theirs.

/// The names, in lower case and in order.
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
    // Java's client offers HTTP/2 by it, and by `Upgrade`.
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

/// What names that only browsers may send begin with: no script can (<https://fetch.spec.whatwg.org/#forbidden-header-name>),
/// and new ones come with every year.
const OF_BROWSERS: &str = "sec-";

/// Whether browsers or plain programs send a header of this name, which is in lower case.
pub(super) fn is_known(name: &str) -> bool {
    name.starts_with(OF_BROWSERS) || KNOWN.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_names_are_in_order() {
        assert!(super::KNOWN.is_sorted_by(|one, next| one < next));
    }
}
