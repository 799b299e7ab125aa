//! Tests of the headers of a request of this machine: those of browsers and plain programs are accepted, those of
//! proxies are not.

use crate::common::{TOKEN, from, local, sample, send};
use axum::http::Version;
use http::StatusCode;

const PROGRAM: (&str, &str) = ("x-wireform-program", "1");

/// Headers that proxies, gateways, tunnels and content delivery networks add, by their documentation.
const OF_PROXIES: &str = "
    forwarded via x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-prefix
    x-forwarded-server x-forwarded-ssl x-forwarded-scheme x-forwarded-uri x-forwarded-path x-forwarded-by
    x-forwarded-method x-forwarded-client-cert x-forwarded-tls-client-cert x-forwarded-proto-version forwarded-for
    x-real-ip x-real-port x-client-ip x-cluster-client-ip x-originating-ip x-remote-ip x-remote-addr x-host
    x-original-url x-original-host x-original-uri x-original-forwarded-for x-rewrite-url x-proxyuser-ip client-ip
    true-client-ip proxy proxy-connection proxy-authorization proxy-client-ip wl-proxy-client-ip max-forwards
    cf-ray cf-connecting-ip cf-connecting-ipv6 cf-pseudo-ipv4 cf-ipcountry cf-visitor cf-worker cf-ew-via cdn-loop
    cf-access-jwt-assertion cf-warp-tag-id
    x-envoy-external-address x-envoy-expected-rq-timeout-ms x-envoy-internal x-envoy-attempt-count
    x-envoy-decorator-operation x-envoy-original-path x-request-id x-b3-traceid x-b3-spanid x-b3-sampled b3
    x-ot-span-context x-client-trace-id traceparent tracestate baggage grpc-trace-bin
    x-amzn-trace-id x-amzn-requestid x-amzn-mtls-clientcert x-amzn-oidc-data x-amz-cf-id x-amz-date
    cloudfront-viewer-address cloudfront-forwarded-proto cloudfront-is-mobile-viewer cloudfront-viewer-country
    x-cloud-trace-context x-goog-iap-jwt-assertion x-goog-authenticated-user-email x-appengine-country
    x-azure-clientip x-azure-socketip x-azure-ref x-azure-fdid x-azure-requestchain x-fd-healthprobe x-arr-ssl
    x-arr-log-id x-site-deployment-id x-waws-unencoded-url disguised-host was-default-hostname x-ms-client-principal
    x-appgw-trace-id x-original-request-id
    fastly-client-ip fastly-ff fastly-ssl fastly-orig-host x-varnish surrogate-capability
    akamai-origin-hop x-akamai-edgescape x-akamai-config-log-detail pragma-client-ip
    fly-client-ip fly-forwarded-port fly-region fly-request-id fly-forwarded-proto
    x-vercel-id x-vercel-forwarded-for x-vercel-ip-country x-nf-client-connection-ip x-nf-request-id
    x-heroku-dynos-in-use x-request-start connect-time total-route-time x-queue-start
    x-coming-from x-squid-error x-bluecoat-via x-iinfo incap-client-ip x-sucuri-clientip x-ddos-guard
    x-scheme x-auth-request-email x-auth-request-user remote-user x-remote-user x-forwarded-user x-forwarded-email
    x-forwarded-access-token x-webauth-user tailscale-user-login tailscale-user-name ngrok-skip-browser-warning
    x-replaced-path x-traefik-router x-caddy-proxy x-haproxy-server-state x-unique-id x-ssl-client-cert ssl-client-cert
    x-client-verify x-kong-request-id x-consumer-id x-gateway-request-id x-3scale-proxy-secret-token x-nginx-proxy
    early-data surrogate-control x-cache x-edge-ip x-cdn x-bunny-request-id x-gateway x-tyk-api-expires
    x-linkerd-retry l5d-dst-canonical l5d-client-id x-istio-attributes x-datadog-trace-id x-newrelic-id newrelic
    sentry-trace uber-trace-id x-instana-t";

#[tokio::test]
async fn a_header_of_any_proxy_is_refused_by_its_name() {
    let names: Vec<&str> = OF_PROXIES.split_whitespace().collect();
    assert!(names.len() > 150, "{}", names.len());
    let router = sample();
    for name in names {
        for target in ["/session", "/"] {
            let response = send(&router, local(target, &[PROGRAM, (name, "1")])).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{name} at {target}");
            assert!(response.body.contains(&format!("`{name}`")), "{}", response.body);
            assert!(!response.body.contains(TOKEN));
        }
    }
}

#[tokio::test]
async fn a_long_name_is_not_repeated_whole() {
    let name = "x-".repeat(2000);
    let response = send(&sample(), local("/session", &[PROGRAM, (&name, "1")])).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    assert!(response.body.len() < 600, "{}", response.body);
}

/// Recorded headers of requests for pages.
const VISITS: &[&str] = &[
    // Chromium, for the page and for its requests.
    "host: localhost:8117
     connection: keep-alive
     sec-ch-ua: \"Chromium\";v=\"140\", \"Not=A?Brand\";v=\"24\"
     sec-ch-ua-mobile: ?0
     sec-ch-ua-platform: \"Linux\"
     upgrade-insecure-requests: 1
     user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36
     accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8
     sec-fetch-site: none
     sec-fetch-mode: navigate
     sec-fetch-user: ?1
     sec-fetch-dest: document
     sec-purpose: prefetch;prerender
     purpose: prefetch
     dnt: 1
     sec-gpc: 1
     save-data: on
     accept-encoding: gzip, deflate, br, zstd
     accept-language: en-US,en;q=0.9
     cookie: theme=dark
     if-none-match: \"1\"
     cache-control: max-age=0",
    // Firefox.
    "host: 127.0.0.1:8117
     user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
     accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
     accept-language: en-US,en;q=0.5
     accept-encoding: gzip, deflate, br, zstd
     dnt: 1
     sec-gpc: 1
     connection: keep-alive
     upgrade-insecure-requests: 1
     sec-fetch-dest: document
     sec-fetch-mode: navigate
     sec-fetch-site: cross-site
     sec-fetch-user: ?1
     referer: https://example.org/
     priority: u=0, i
     te: trailers
     pragma: no-cache
     cache-control: no-cache
     if-modified-since: Mon, 05 Jan 2026 09:00:00 GMT",
    // Safari.
    "host: localhost:8117
     sec-fetch-dest: document
     user-agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15
     upgrade-insecure-requests: 1
     accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
     sec-fetch-site: none
     sec-fetch-mode: navigate
     accept-language: en-GB,en;q=0.9
     priority: u=0, i
     accept-encoding: gzip, deflate
     connection: keep-alive",
    // curl, wget, and programs in Python, Go, JavaScript, Java.
    "host: localhost:8117\nuser-agent: curl/8.14.1\naccept: */*\nrange: bytes=0-99\nauthorization: Bearer none",
    "host: localhost:8117\nuser-agent: Wget/1.25\naccept: */*\naccept-encoding: identity\nconnection: Keep-Alive",
    "host: localhost:8117\nuser-agent: python-requests/2.32\naccept-encoding: gzip, deflate\naccept: */*\n\
     connection: keep-alive",
    "host: localhost:8117\nuser-agent: Go-http-client/1.1\naccept-encoding: gzip",
    "host: localhost:8117\nconnection: Upgrade, HTTP2-Settings\ncontent-length: 0\nhttp2-settings: AAEAAEAA\n\
     upgrade: h2c\nuser-agent: Java-http-client/25",
];

/// Recorded headers of requests for the token.
const FETCHES: &[&str] = &[
    "host: localhost:8117
     connection: keep-alive
     sec-ch-ua-platform: \"Linux\"
     user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36
     sec-ch-ua: \"Chromium\";v=\"140\", \"Not=A?Brand\";v=\"24\"
     sec-ch-ua-mobile: ?0
     accept: */*
     sec-fetch-site: same-origin
     sec-fetch-mode: cors
     sec-fetch-dest: empty
     referer: http://localhost:8117/docs/mailbox
     accept-encoding: gzip, deflate, br, zstd
     accept-language: en-US,en;q=0.9",
    "host: 127.0.0.1:8117
     user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
     accept: */*
     accept-language: en-US,en;q=0.5
     accept-encoding: gzip, deflate, br, zstd
     referer: http://127.0.0.1:8117/docs/mailbox
     connection: keep-alive
     sec-fetch-dest: empty
     sec-fetch-mode: cors
     sec-fetch-site: same-origin
     priority: u=4",
    "host: [::1]:8117\nsec-fetch-site: same-origin\norigin: http://[::1]:8117\nreferer: http://[::1]:8117/",
    "host: localhost:8117\nuser-agent: curl/8.14.1\naccept: */*\nx-wireform-program: 1",
    // The fetch of Node.js sends a mode without a site.
    "host: localhost:8117\nconnection: keep-alive\nx-wireform-program: 1\naccept: */*\naccept-language: *\n\
     sec-fetch-mode: cors\nuser-agent: node\naccept-encoding: gzip, deflate",
    "host: localhost:8117\nx-wireform-program: 1\nuser-agent: PostmanRuntime/7\naccept: */*\npostman-token: 1\n\
     cache-control: no-cache\naccept-encoding: gzip, deflate, br\nconnection: keep-alive",
    "host: localhost:8117\nx-wireform-program: 1\nx-requested-with: XMLHttpRequest\nuser-agent: x",
];

fn headers(text: &'static str) -> Vec<(&'static str, &'static str)> {
    text.lines().filter_map(|line| line.trim().split_once(": ")).collect()
}

#[tokio::test]
async fn browsers_and_plain_programs_are_let_in() {
    for (target, requests) in [("/", VISITS), ("/session", FETCHES), ("/", FETCHES)] {
        for request in requests {
            let response = send(&sample(), from("127.0.0.1:40000", target, &headers(request))).await;
            assert_eq!(response.status, StatusCode::OK, "{target}: {request}: {}", response.body);
        }
    }
}

/// A proxy that does not reveal itself, and a browser behind it that sends the URL of the page.
#[tokio::test]
async fn a_page_that_was_loaded_by_a_foreign_name_is_refused() {
    let page = ("sec-fetch-site", "same-origin");
    let found = [
        ("referer", "https://mail.example.org/docs/mailbox"),
        ("referer", "http://localhost.example.org/"),
        ("referer", "http://localhost@example.org/"),
        ("referer", "about:blank"),
        ("origin", "https://mail.example.org"),
        ("origin", "null"),
    ];
    for place in found {
        for target in ["/session", "/"] {
            let response = send(&sample(), local(target, &[page, place])).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{place:?} at {target}");
        }
    }
}

/// The default protocol of nginx, with the address of the server as `Host` and no header of its own.
#[tokio::test]
async fn the_version_of_proxies_is_refused() {
    for version in [Version::HTTP_09, Version::HTTP_10] {
        for target in ["/session", "/"] {
            let mut request = local(target, &[PROGRAM, ("connection", "close")]);
            *request.version_mut() = version;
            assert_eq!(send(&sample(), request).await.status, StatusCode::FORBIDDEN, "{version:?} at {target}");
        }
    }
}
