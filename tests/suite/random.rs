//! Deterministic pseudo-random numbers for tests that damage input; the tests of the importers include this file too.

/// Generator of numbers (xorshift64*), the same on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// Returns one of the elements.
    pub fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Returns the number of rounds: `WIREFORM_ROUNDS`, or 1.
pub fn rounds() -> u64 {
    std::env::var("WIREFORM_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
