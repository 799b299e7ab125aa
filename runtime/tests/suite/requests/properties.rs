//! Arbitrary values round-trip from a client to a server.

use proptest::prelude::*;

use super::*;

/// Decodes a percent-encoded text, as a server does.
fn decoded(text: &str) -> String {
    let (bytes, mut at, mut out) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        if bytes[at] == b'%' {
            out.push(u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap());
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

/// Generates texts of characters that are special in a request target, and of any others.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof!["[./%?#:;&=+, a2eEF\\\\\n\u{0}é\u{1f600}]{0,8}", ".{0,12}", any::<String>()]
}

proptest! {
    #[test]
    fn segments_round_trip(calendar in hostile(), event in hostile()) {
        let lost = [&calendar, &event].iter().any(|text| matches!(text.as_str(), "" | "." | ".."));
        match wire(&get(&calendar, &event)) {
            Ok(wired) => {
                prop_assert!(!lost);
                let segments: Vec<&str> = wired.target.split('/').collect();
                prop_assert_eq!(segments.len(), 7, "{}", wired.target);
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%/".contains(&byte);
                prop_assert!(wired.target.bytes().all(plain), "{}", wired.target);
                prop_assert_eq!((decoded(segments[4]), decoded(segments[6])), (calendar, event));
            }
            Err(error) => prop_assert!(lost, "{}", error),
        }
    }

    #[test]
    fn catch_all_values_round_trip(name in hostile()) {
        let segments: Vec<&str> = name.split('/').collect();
        let lost = segments.iter().any(|text| matches!(*text, "" | "." | ".."));
        match wire(&cancel(&name)) {
            Ok(wired) => {
                prop_assert!(!lost);
                let rest = wired.target.strip_prefix("/calendars/v3/v1/").unwrap().strip_suffix(":cancel").unwrap();
                prop_assert!(!rest.contains([':', ';', '?', '#']), "{}", rest);
                prop_assert_eq!(rest.split('/').map(decoded).collect::<Vec<_>>(), segments);
            }
            Err(error) => prop_assert!(lost, "{}", error),
        }
    }

    #[test]
    fn query_values_round_trip(
        q in hostile(),
        kinds in prop::collection::vec(hostile(), 0..4),
        ids in prop::collection::vec(hostile(), 0..4),
    ) {
        let request = Search { q: Some(q.clone()), kinds: kinds.clone(), ids: ids.clone(), ..Search::default() };
        let target = target(&request);
        let (_, query) = target.split_once('?').unwrap();
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
        let pairs: Vec<(String, &str)> = pairs.map(|(name, value)| (decoded(name), value)).collect();
        prop_assert_eq!(pairs.len(), 1 + kinds.len() + usize::from(!ids.is_empty()));
        prop_assert_eq!(decoded(pairs[0].1), q);
        let named = |wanted: &str| pairs.iter().filter(|(name, _)| name == wanted).map(|(_, value)| *value).collect();
        let (repeated, list): (Vec<&str>, Vec<&str>) = (named("kinds[]"), named("ids"));
        prop_assert_eq!(repeated.into_iter().map(decoded).collect::<Vec<_>>(), kinds);
        let list: Vec<String> = list.into_iter().flat_map(|value| value.split(',')).map(decoded).collect();
        prop_assert_eq!(list, ids);
    }

    #[test]
    fn headers_are_unchanged_or_rejected(text in hostile()) {
        let header = Search { trace: Some(text.clone()), ..Search::default() };
        if let Ok(wired) = wire(&header) {
            prop_assert_eq!(wired.headers, [("x-trace", text.trim().to_owned())]);
            prop_assert!(text.chars().all(|c| matches!(c, ' '..='~')));
        }
        let cookie = Search { session: Some(text.clone()), ..Search::default() };
        if let Ok(wired) = wire(&cookie) {
            prop_assert!(!text.contains([';', ',', ' ', '"']));
            prop_assert_eq!(wired.headers, [("cookie", format!("session={text}"))]);
        }
    }
}
