//! Changes by chance that are the same on every machine, for all tests that damage what others wrote: those of the
//! importers have this file as well.

/// A small generator of numbers (xorshift64*): the same changes on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below another.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// One of several.
    pub fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// How far a run goes: once, unless `WIREFORM_ROUNDS` says how often.
pub fn rounds() -> u64 {
    std::env::var("WIREFORM_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
