//! SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012), with a key of zeros unless tests say otherwise.
//!
//! The hash of the standard library has 64 bits, and may be another one in the next release.

/// The state of the hash.
struct Sip {
    v: [u64; 4],
}

impl Sip {
    const fn new(key: [u64; 2]) -> Self {
        Self {
            v: [
                key[0] ^ 0x736f_6d65_7073_6575,
                key[1] ^ 0x646f_7261_6e64_6f6d ^ 0xee,
                key[0] ^ 0x6c79_6765_6e65_7261,
                key[1] ^ 0x7465_6462_7974_6573,
            ],
        }
    }

    #[inline]
    const fn rounds(&mut self, count: usize) {
        let [mut v0, mut v1, mut v2, mut v3] = self.v;
        let mut round = 0;
        while round < count {
            v0 = v0.wrapping_add(v1);
            v1 = v1.rotate_left(13) ^ v0;
            v0 = v0.rotate_left(32);
            v2 = v2.wrapping_add(v3);
            v3 = v3.rotate_left(16) ^ v2;
            v0 = v0.wrapping_add(v3);
            v3 = v3.rotate_left(21) ^ v0;
            v2 = v2.wrapping_add(v1);
            v1 = v1.rotate_left(17) ^ v2;
            v2 = v2.rotate_left(32);
            round += 1;
        }
        self.v = [v0, v1, v2, v3];
    }

    #[inline]
    const fn word(&mut self, word: u64) {
        self.v[3] ^= word;
        self.rounds(2);
        self.v[0] ^= word;
    }

    const fn mixed(&self) -> u64 {
        self.v[0] ^ self.v[1] ^ self.v[2] ^ self.v[3]
    }
}

/// The hash of a text.
pub fn sip128(text: &[u8]) -> u128 {
    with_key(text, [0, 0])
}

fn with_key(text: &[u8], key: [u64; 2]) -> u128 {
    let mut sip = Sip::new(key);
    let (words, rest) = text.as_chunks::<8>();
    for word in words {
        sip.word(u64::from_le_bytes(*word));
    }
    // The length, of which the lowest byte counts, stands above what is left.
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    sip.word(u64::from_le_bytes(last) | ((text.len() as u64 & 0xff) << 56));
    sip.v[2] ^= 0xee;
    sip.rounds(4);
    let low = sip.mixed();
    sip.v[1] ^= 0xdd;
    sip.rounds(4);
    (u128::from(sip.mixed()) << 64) | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of the reference implementation: the key and the text are 0, 1, 2, ….
    #[test]
    fn vectors() {
        let key = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        for (length, expected) in [
            (0, "a3817f04ba25a8e66df67214c7550293"),
            (1, "da87c1d86b99af44347659119b22fc45"),
            (2, "8177228da4a45dc7fca38bdef60affe4"),
        ] {
            let text: Vec<u8> = (0..length).collect();
            let hash = with_key(&text, key).to_le_bytes();
            let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, expected, "{length}");
        }
    }

    #[test]
    fn every_byte_counts() {
        let text: Vec<u8> = (0..100).collect();
        let hash = sip128(&text);
        for at in 0..text.len() {
            let mut other = text.clone();
            other[at] ^= 1;
            assert_ne!(sip128(&other), hash, "{at}");
        }
        assert_ne!(sip128(&text[..99]), hash);
    }
}
