//! Scanning of strings for the characters that are not plain: a quote, a backslash, a control character.

/// Bytes that end a run of plain characters in a JSON string.
static SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = true;
        control += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// Returns the index of the first byte that is not plain, at or after `from`, or else the length.
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

/// Does the same for a long text, which is plain up to `rest`.
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

/// Does the same for a text that is plain up to `rest`, which has fewer than 8 bytes.
#[inline(never)]
fn end_of_plain_tail(text: &[u8], rest: &[u8]) -> usize {
    // One word covers the rest: it begins in bytes that are known to be plain, or has the middle of a short text twice.
    let word = match (text.last_chunk::<8>(), text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(word), ..) => Some(*word),
        (None, Some(&[a, b, c, d]), Some(&[e, f, g, h])) => Some([a, b, c, d, e, f, g, h]),
        _ => None,
    };
    if word.is_some_and(|word| first_special(word).is_none()) {
        return text.len();
    }
    let at = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]);
    text.len() - rest.len() + at.unwrap_or(rest.len())
}

/// Returns whether all bytes are plain. Where almost all texts are, this is faster than to look for the first byte.
#[inline]
pub(super) fn is_plain(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some((block, more)) = rest.split_first_chunk::<32>() {
        if has_special(block) {
            return false;
        }
        rest = more;
    }
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        if mark_special(*word) != 0 {
            return false;
        }
        rest = more;
    }
    let last = match (text.last_chunk::<8>(), rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        _ if rest.is_empty() => 0,
        (Some(last), ..) => mark_special(*last),
        (None, Some(&[a, b, c, d]), Some(&[e, f, g, h])) => mark_special([a, b, c, d, e, f, g, h]),
        _ => u64::from(rest.iter().any(|byte| SPECIAL[usize::from(*byte)])),
    };
    last == 0
}

/// Returns whether a byte is not plain. The loop has no branch, so that it becomes a few vector instructions.
#[inline]
fn has_special(block: &[u8; 32]) -> bool {
    block.iter().fold(false, |any, byte| any | (*byte < 0x20) | (*byte == b'"') | (*byte == b'\\'))
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

    /// Every byte at every place, among plain bytes of every length.
    #[test]
    fn the_first_special_byte_is_found() {
        for plain in [b'a', 0x7f, 0x80, 0xff, b' ', b'!', b'#', b'[', b']'] {
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
    }

    #[test]
    fn the_search_starts_at_the_index() {
        let text = b"\"bc\"efghijklmnopqrstuvw\"yz";
        assert_eq!([0, 1, 3, 4, 23, 24, 26].map(|from| end_of_plain(text, from)), [0, 3, 3, 23, 23, 26, 26]);
    }
}
