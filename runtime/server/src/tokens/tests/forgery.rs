//! Tokens that no server has sealed are rejected.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;

#[test]
fn forged_tokens_are_rejected() {
    let token = sealer().seal_page(&context(), &list(), &(5, "after")).unwrap();
    for end in 0..token.len() {
        assert_rejected(&sealer(), &context(), &with_page(list(), token.get(..end).unwrap()));
    }
    for longer in ["A", "AA", "=", "==", " "] {
        assert_rejected(&sealer(), &context(), &with_page(list(), &format!("{token}{longer}")));
    }
    // Every bit of the content, and every character of the text.
    let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert_rejected(&sealer(), &context(), &with_page(list(), &URL_SAFE_NO_PAD.encode(other)));
    }
    for at in 0..token.len() {
        let mut other = token.clone().into_bytes();
        other[at] = if other[at] == b'A' { b'B' } else { b'A' };
        assert_rejected(&sealer(), &context(), &with_page(list(), &String::from_utf8(other).unwrap()));
    }
    for generate in ["", "x", "AQ", "null", "\u{1f600}", &"A".repeat(100), &"A".repeat(1 << 20)] {
        assert_rejected(&sealer(), &context(), &with_page(list(), generate));
    }
}

#[test]
fn unused_bits_must_be_zero() {
    // If the length of a token is no multiple of three bytes, its last character has unused bits.
    for text in ["", "x", "xx"] {
        let token = sealer().seal_page(&context(), &list(), &(5, text)).unwrap();
        let last = token.as_bytes()[token.len() - 1];
        let others = (b'0'..=b'z').filter(|byte| *byte != last && URL_SAFE_NO_PAD.decode([*byte; 4]).is_ok());
        for other in others {
            let mut other_token = token.clone().into_bytes();
            *other_token.last_mut().unwrap() = other;
            assert_rejected(&sealer(), &context(), &with_page(list(), &String::from_utf8(other_token).unwrap()));
        }
    }
}

#[test]
fn unknown_versions_are_rejected() {
    let binding = Binding::new(TokenKind::Page, "s", &list(), &[]).unwrap();
    let token = URL_SAFE_NO_PAD.decode(sealer().seal(&binding, &1, 0).unwrap()).unwrap();
    assert_eq!(token[0], 1);
    for version in (0..=255).filter(|version| *version != 1) {
        let mut other = token.clone();
        other[0] = version;
        let opened = sealer().open::<u32>(&binding, &URL_SAFE_NO_PAD.encode(other), 0);
        assert_eq!(opened, Err(OpenError::Invalid), "{version}");
    }
}
