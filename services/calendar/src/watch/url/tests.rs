use super::*;

fn error(address: &str) -> Option<UrlError> {
    Target::parse(address, false).err()
}

#[test]
fn public_urls_are_accepted() {
    for (address, host, port) in [
        ("https://example.com", "example.com", 443),
        ("https://example.com.", "example.com", 443),
        ("HTTPS://EXAMPLE.COM/Hook?a=1", "example.com", 443),
        ("https://hooks.example.com:8443/a/b?c=d&e=%20", "hooks.example.com:8443", 8443),
        ("https://1.1.1.1/", "1.1.1.1", 443),
        ("https://[2606:4700::1111]:9000/", "[2606:4700::1111]:9000", 9000),
        ("https://localhost.example.com/", "localhost.example.com", 443),
        ("https://xn--bcher-kva.example.com/", "xn--bcher-kva.example.com", 443),
    ] {
        let target = Target::parse(address, false).unwrap();
        assert_eq!((target.authority().as_str(), target.port, target.tls), (host, port, true), "{address}");
    }
}

#[test]
fn invalid_urls_are_rejected() {
    use UrlError::{Credentials, Malformed, NotHttps, Port, TooLong};
    let long = format!("https://example.com/{}", "a".repeat(MAX_BYTES));
    let label = format!("https://{}.example.com/", "a".repeat(64));
    for (address, expected) in [
        ("", Malformed),
        ("/hook", Malformed),
        ("example.com", Malformed),
        ("//example.com/", Malformed),
        ("https://", Malformed),
        ("https:///hook", Malformed),
        ("https://example.com/#a", Malformed),
        ("https://exam\u{e4}ple.com/", Malformed),
        ("https://exa mple.com/", Malformed),
        ("https://example.com\\@10.0.0.1/", Malformed),
        ("https://example..com/", Malformed),
        ("https://example.com:99999/", Malformed),
        ("https://example.com:/", Malformed),
        ("https://[::1%25eth0]/", Malformed),
        (label.as_str(), Malformed),
        (long.as_str(), TooLong),
        ("http://example.com/", NotHttps),
        ("ftp://example.com/", NotHttps),
        ("https://a@example.com/", Credentials),
        ("https://a:b@example.com/", Credentials),
        ("https://example.com:80/", Port),
        ("https://example.com:22/", Port),
        ("https://example.com:0/", Port),
    ] {
        assert_eq!(error(address), Some(expected), "{address}");
    }
}

#[test]
fn private_addresses_are_rejected_in_every_notation() {
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0x7F.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "0.0.0.0",
        "0x",
        "10.0.0.1",
        "10.1",
        "172.16.0.1",
        "192.168.0.1",
        "192.168.257",
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "127.0.0.1.",
        "1.1.1.256",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:168.63.129.16]",
        "[::ffff:a9fe:a9fe]",
        "[::127.0.0.1]",
        "[64:ff9b::10.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2002:c0a8:1::1]",
        "[2001:0:1::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[ff02::1]",
        "[2001:db8::1]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "intranet",
        "printer.local",
        "metadata.google.internal",
        "Metadata.Google.Internal.",
        "router.home.arpa",
    ] {
        let address = format!("https://{host}/");
        assert!(matches!(error(&address), Some(UrlError::NotPublic | UrlError::Malformed)), "{address}");
        let found = Target::parse(&address, true).ok().filter(|target| !target.is_local());
        assert_eq!(found, None, "{address}: loopback is not another network");
    }
}

#[test]
fn loopback_urls_are_accepted_if_allowed() {
    for address in ["http://127.0.0.1:80/", "http://localhost:9/", "https://[::1]:8443/", "https://127.9.9.9/"] {
        assert!(error(address).is_some(), "{address}");
        let target = Target::parse(address, true).unwrap();
        assert!(target.admits("127.0.0.1".parse().unwrap(), true), "{address}");
        assert!(!target.admits("10.0.0.1".parse().unwrap(), true), "{address}");
    }
    assert_eq!(Target::parse("http://127.0.0.1:0/", true), Err(UrlError::Port));
    assert_eq!(Target::parse("http://10.0.0.1:8080/", true), Err(UrlError::NotHttps));
    let target = Target::parse("http://localhost/", true).unwrap();
    assert!(!target.admits("1.1.1.1".parse().unwrap(), true), "without TLS no notification leaves this machine");
}
