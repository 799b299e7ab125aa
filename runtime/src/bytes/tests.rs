use super::*;
use proptest::prelude::*;

#[test]
fn texts_round_trip() {
    for (text, data) in [
        ("", &[][..]),
        ("AQI=", &[1, 2]),
        ("AQI", &[1, 2]),
        ("AQID", &[1, 2, 3]),
        ("-w==", &[0xfb]),
        ("-w", &[0xfb]),
        ("+w==", &[0xfb]),
        ("+w", &[0xfb]),
        ("__-_", &[0xff, 0xff, 0xbf]),
        ("//+/", &[0xff, 0xff, 0xbf]),
    ] {
        let bytes = Bytes::parse(text);
        assert_eq!(bytes.as_ref().map(ToString::to_string).as_deref(), Ok(text));
        assert_eq!(bytes.as_ref().map(Bytes::as_slice), Ok(data), "{text}");
    }
    assert_eq!(Bytes::from(vec![0xfb]).to_string(), "-w==");
    for (data, url, standard) in [
        (&[0xfb_u8][..], "-w", "+w"),
        (&[0xfb, 1], "-wE", "+wE"),
        (&[0xff, 0xff, 0xbf], "__-_", "//+/"),
        (&[1], "AQ", "AQ"),
    ] {
        assert_eq!(Bytes::url_unpadded(data).to_string(), url);
        assert_eq!(Bytes::standard_unpadded(data).to_string(), standard);
        assert_eq!(Bytes::parse(url), Ok(Bytes::url_unpadded(data)));
        assert_eq!(Bytes::parse(standard), Ok(Bytes::standard_unpadded(data)));
    }
    assert_eq!(Bytes::parse("AQI="), Ok(Bytes::from(vec![1, 2])));
    assert_ne!(Bytes::parse("AQI"), Ok(Bytes::from(vec![1, 2])));
    assert!(Bytes::parse("AQI").is_ok_and(|bytes| bytes == vec![1, 2]));
}

#[test]
fn invalid_texts_and_positions() {
    let bits = ParseErrorKind::TrailingBits;
    let character = ParseErrorKind::Expected("a base64 character");
    for (text, kind, position) in [
        ("-+AA", ParseErrorKind::MixedAlphabets, 1),
        ("-AAA/AA", ParseErrorKind::MixedAlphabets, 4),
        ("AR", bits, 1),
        ("AR==", bits, 1),
        ("-_", bits, 1),
        ("AQI\n", character, 3),
        ("A QI", character, 1),
        ("\u{e9}QI", character, 0),
        ("AQ=", ParseErrorKind::Padding, 2),
        ("A===", ParseErrorKind::Padding, 1),
        ("====", ParseErrorKind::Padding, 0),
        ("AQI==", ParseErrorKind::Padding, 3),
        ("AQ==AQ==", ParseErrorKind::Padding, 2),
        ("A", ParseErrorKind::Padding, 1),
        ("AAAAA", ParseErrorKind::Padding, 5),
    ] {
        let error = Bytes::parse(text).map_err(|error| (error.kind(), error.position()));
        assert_eq!(error, Err((kind, position)), "{text}");
    }
}

/// Every resource with binary data contains this type, so its size matters.
#[test]
fn a_value_is_small() {
    assert_eq!(size_of::<Bytes>(), size_of::<Vec<u8>>() + size_of::<usize>());
    assert_eq!(size_of::<Option<Bytes>>(), size_of::<Bytes>());
}

#[test]
fn debug_is_short() {
    assert_eq!(format!("{:?}", Bytes::from(vec![1, 2])), "Bytes(AQI=)");
    let long = format!("{:?}", Bytes::from(vec![0; 1_000_000]));
    assert_eq!(long, format!("Bytes({}…, 1000000 bytes)", "A".repeat(32)));
}

proptest! {
    #[test]
    fn data_survives(data: Vec<u8>) {
        let bytes = Bytes::from(data.clone());
        prop_assert_eq!(&bytes, &data);
        prop_assert_eq!(Bytes::parse(&bytes.to_string()), Ok(bytes));
    }

    #[test]
    fn incremental_decoding_equals_parsing(text in "[AQgw+/=_-]{0,12}|[A-Za-z0-9_-]{0,40}={0,2}|.{0,9}", cuts in prop::collection::vec(0..41_usize, 0..4)) {
        let mut decoder = Base64Decoder::default();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut at = 0;
        for cut in cuts {
            if !decoder.push(&text.as_bytes()[at..cut]) {
                prop_assert!(Bytes::parse(&text).is_err());
                prop_assert_eq!(&decoder.into_text(), &text.as_bytes()[..at]);
                return Ok(());
            }
            at = cut;
        }
        match decoder.finish() {
            Ok(bytes) => prop_assert_eq!(Bytes::parse(&text), Ok(bytes)),
            Err(decoder) => {
                prop_assert!(Bytes::parse(&text).is_err());
                prop_assert_eq!(decoder.into_text(), text.into_bytes());
            }
        }
    }

    #[test]
    fn any_text_parses_or_fails(text in "[AQgw+/=_-]{0,9}|.{0,9}") {
        if let Ok(bytes) = Bytes::parse(&text) {
            prop_assert_eq!(bytes.to_string(), text);
        }
    }
}
