//! Scanning of strings for the characters that are not plain: a quote, a backslash, a control character.

/// Returns whether a byte ends a run of plain characters in a JSON string.
#[inline]
const fn is_special(byte: u8) -> bool {
    // Without branches, so that a loop over many bytes becomes a few vector instructions.
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Returns the index of the first quote, backslash or control character at or after `from`, or else the length.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], from: usize) -> usize {
    let text = bytes.get(from..).unwrap_or_default();
    // Most strings are short: one or two words find their end.
    let Some((word, rest)) = text.split_first_chunk::<8>() else { return from + end_of_plain_tail(text, text) };
    if let Some(at) = first_special(*word) {
        return from + at;
    }
    let Some((word, rest)) = rest.split_first_chunk::<8>() else { return from + end_of_plain_tail(text, rest) };
    if let Some(at) = first_special(*word) {
        return from + 8 + at;
    }
    from + end_of_plain_long(text, rest)
}

/// Returns the index of the first special byte for a long text, which is plain up to `rest`.
#[inline(never)]
fn end_of_plain_long(text: &[u8], mut rest: &[u8]) -> usize {
    while let Some((block, more)) = rest.split_first_chunk::<32>()
        && !has_special(block)
    {
        rest = more;
    }
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        if let Some(at) = first_special(*word) {
            return text.len() - rest.len() + at;
        }
        rest = more;
    }
    end_of_plain_tail(text, rest)
}

/// Returns the index of the first special byte for a text that is plain up to `rest`, which has fewer than 8 bytes.
#[inline(never)]
fn end_of_plain_tail(text: &[u8], rest: &[u8]) -> usize {
    if last_word(text).is_some_and(|word| first_special(word).is_none()) {
        return text.len();
    }
    let at = rest.iter().position(|byte| is_special(*byte));
    text.len() - rest.len() + at.unwrap_or(rest.len())
}

/// Returns the last 8 bytes of a text; of a shorter one all bytes, those in the middle twice. `None` for fewer than 4.
#[inline]
fn last_word(text: &[u8]) -> Option<[u8; 8]> {
    if let Some(word) = text.last_chunk::<8>() {
        return Some(*word);
    }
    let (&[a, b, c, d], &[e, f, g, h]) = (text.first_chunk::<4>()?, text.last_chunk::<4>()?);
    Some([a, b, c, d, e, f, g, h])
}

/// Returns whether all bytes are plain. Where almost all texts are, this is faster than to look for the first byte.
///
/// What remains after whole blocks is checked together with some bytes before it, rather than byte by byte.
#[inline]
pub(super) fn is_plain(text: &[u8]) -> bool {
    if let Some(last) = text.last_chunk::<16>() {
        let mut rest = text;
        while let Some((block, more)) = rest.split_first_chunk::<16>() {
            if has_special(block) {
                return false;
            }
            rest = more;
        }
        return rest.is_empty() || !has_special(last);
    }
    match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) => (mark_special(*first) | mark_special(*last)) == 0,
        _ => is_plain_short(text),
    }
}

/// Returns whether all bytes of a text of fewer than 8 are plain.
#[inline]
fn is_plain_short(text: &[u8]) -> bool {
    if let (Some(&[a, b, c, d]), Some(&[e, f, g, h])) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        return !has_special(&[a, b, c, d, e, f, g, h]);
    }
    match *text {
        [] => true,
        [a] => !is_special(a),
        [a, b] => !is_special(a) & !is_special(b),
        [a, b, c] => !is_special(a) & !is_special(b) & !is_special(c),
        _ => false,
    }
}

/// Returns whether a byte is not plain.
#[inline]
fn has_special<const N: usize>(block: &[u8; N]) -> bool {
    block.iter().fold(false, |any, byte| any | is_special(*byte))
}

/// Returns the index of the first byte that is not plain.
#[inline]
fn first_special(bytes: [u8; 8]) -> Option<usize> {
    let marks = mark_special(bytes);
    (marks != 0).then(|| marks.trailing_zeros() as usize / 8)
}

/// Sets the highest bit of each byte that is not plain, the first one in the lowest byte of the result. Above it, bits of
/// other bytes may be set too.
#[inline]
fn mark_special(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let word = u64::from_le_bytes(bytes);
    // Each subtraction sets the highest bit of the bytes that it makes negative: below 0x20, and those that are zero
    // after the exclusive or. It borrows from the next byte only where it has set the bit, so the first one is right.
    // Bytes of 0x80 and more had the bit before.
    let controls = word.wrapping_sub(ONES * 0x20);
    let quotes = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
    let backslashes = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    (controls | quotes | backslashes) & !word & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts what is found for every byte at every place, among equal plain bytes of every length.
    fn assert_first_special_among(plain: u8) {
        for length in 0..80 {
            let mut text = vec![plain; length];
            assert_eq!(end_of_plain(&text, 0), length);
            assert!(is_plain(&text));
            for at in 0..length {
                for byte in 0..=255 {
                    text[at] = byte;
                    let special = byte < 0x20 || byte == b'"' || byte == b'\\';
                    assert_eq!(end_of_plain(&text, 0), if special { at } else { length }, "{text:?}");
                    assert_eq!(is_plain(&text), !special, "{text:?}");
                }
                text[at] = plain;
            }
        }
    }

    #[test]
    fn the_first_special_byte_is_found() {
        std::thread::scope(|scope| {
            for plain in [b'a', 0x7f, 0x80, 0xff, b' ', b'!', b'#', b'[', b']'] {
                scope.spawn(move || assert_first_special_among(plain));
            }
        });
    }

    #[test]
    fn the_search_starts_at_the_index() {
        let text = b"\"bc\"efghijklmnopqrstuvw\"yz";
        assert_eq!([0, 1, 3, 4, 23, 24, 26].map(|from| end_of_plain(text, from)), [0, 3, 3, 23, 23, 26, 26]);
    }
}
