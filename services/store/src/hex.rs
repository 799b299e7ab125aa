//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

/// Returns two lowercase digits for each byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Parses exactly `N` bytes, in digits of either case.
pub(crate) fn from_hex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    // `from_str_radix` alone would accept a sign.
    if digits.len() != 2 * N || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0_u8; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_bytes() {
        let bytes = [0, 1, 0x0f, 0xa0, 0xff];
        assert_eq!(hex(&bytes), "00010fa0ff");
        assert_eq!((from_hex("00010fA0ff"), from_hex::<1>("")), (Some(bytes), None));
        for wrong in ["0", "+f", "-1", "0x", " 1", "é", "001"] {
            assert_eq!(from_hex::<1>(wrong), None, "{wrong}");
        }
    }
}
