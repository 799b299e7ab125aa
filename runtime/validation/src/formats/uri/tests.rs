use super::*;

const VALID_URIS: [&str; 15] = [
    "http://example.com",
    "HTTPS://user:pass@example.com:8080/a/b;c?d=e/?f#g/?h",
    "mailto:a@b",
    "tel:+41-44-555-01-00",
    "sip:a@b;transport=tcp",
    "urn:a:b",
    "a:",
    "a:/",
    "a://",
    "http://[::1]:80/",
    "http://[fe80::1%25en0]/",
    "http://[v1.a:b]",
    "http://%C3%BC/",
    "file:///etc/passwd",
    "http://example.com/%7Efoo//",
];

const INVALID_URIS: [&str; 30] = [
    "",
    ":",
    "/a",
    "//a",
    "1a:b",
    "a b:c",
    "http://a b",
    "http://a/b c",
    "http://a/%",
    "http://a/%4",
    "http://a/%4g",
    "http://[::1",
    "http://[::1]a",
    "http://[a]",
    "http://[v.a]",
    "http://[::1%en0]",
    "http://[fe80::1%25]",
    "http://a:b",
    "http://a@b@c",
    "http://%FF/",
    "http://ü/",
    "http://a/ü",
    "http://a/?\"",
    "http://a/#a#b",
    "http://a/{b}",
    "http://a/\\",
    "http://a\n",
    "http://a/<b>",
    "http://a/^",
    "http://a|b",
];

#[test]
fn uris() {
    for valid in VALID_URIS {
        assert!(is_uri(valid), "{valid}");
    }
    for wrong in INVALID_URIS {
        assert!(!is_uri(wrong), "{wrong}");
    }
}

#[test]
fn references() {
    for valid in ["", "a", "/a", "//a/b", "./a:b", "a/b:c", "?a", "#a", "../a", "http://a"] {
        assert!(is_uri_reference(valid), "{valid}");
    }
    for wrong in ["1a:b", ":a", "a b", "//a b", "//[a]", "%", "a\u{0}", "#a#b"] {
        assert!(!is_uri_reference(wrong), "{wrong}");
    }
}

#[test]
fn schemes() {
    assert_eq!(scheme("HTTP://a"), Some("HTTP"));
    assert_eq!(scheme("a+b-c.1:x"), Some("a+b-c.1"));
    for none in ["", ":", "1:", "a", "a/b:c", "ü:a", "a_b:c"] {
        assert_eq!(scheme(none), None, "{none}");
    }
}
