//! Conditions under which fields of a request have an effect: `effective_when` and `ignored`.

/// Number of conditions that are kept without an allocation.
const INLINE_CONDITIONS: u32 = u128::BITS;

/// Condition under which a field has an effect. Each such field of an API has its own, a constant of its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition(u32);

impl Condition {
    /// Creates the condition with this number, which is unique within the API.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }
}

/// Set of conditions. A condition that was not recorded holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionSet {
    /// One bit for each of the first conditions, set if the condition holds.
    first: u128,
    /// One bit for each further condition, set if it does not hold. Few APIs have that many.
    ineffective: Vec<u64>,
}

impl ConditionSet {
    /// Set in which every condition holds.
    pub const ALL: Self = Self { first: u128::MAX, ineffective: Vec::new() };

    /// Records whether a condition holds, and so whether its field has an effect. Generated code calls this with
    /// constants, so that the comparison is optimized away after inlining.
    #[inline]
    pub fn set(&mut self, Condition(condition): Condition, holds: bool) {
        if condition >= INLINE_CONDITIONS {
            return self.set_overflow(condition - INLINE_CONDITIONS, holds);
        }
        let bit = 1_u128 << condition;
        if holds {
            self.first |= bit;
        } else {
            self.first &= !bit;
        }
    }

    /// Records whether the condition under which a field has an effect holds, and returns the set.
    #[inline]
    #[must_use]
    pub fn with(mut self, condition: Condition, holds: bool) -> Self {
        self.set(condition, holds);
        self
    }

    /// Returns whether a condition holds.
    #[inline]
    #[must_use]
    pub fn holds(&self, Condition(condition): Condition) -> bool {
        if condition >= INLINE_CONDITIONS {
            self.overflow_holds(condition - INLINE_CONDITIONS)
        } else {
            self.first & (1 << condition) != 0
        }
    }

    /// Records a condition beyond the inline ones; `condition` is counted from the first of these.
    #[cold]
    #[inline(never)]
    fn set_overflow(&mut self, condition: u32, holds: bool) {
        let (word, bit) = word_and_bit(condition);
        if word >= self.ineffective.len() && !holds {
            self.ineffective.resize(word + 1, 0);
        }
        if let Some(bits) = self.ineffective.get_mut(word) {
            *bits = if holds { *bits & !bit } else { *bits | bit };
        }
    }

    /// Returns whether a condition beyond the inline ones holds; `condition` is counted from the first of these.
    #[cold]
    #[inline(never)]
    fn overflow_holds(&self, condition: u32) -> bool {
        let (word, bit) = word_and_bit(condition);
        self.ineffective.get(word).is_none_or(|bits| bits & bit == 0)
    }
}

/// Context of a write: its operation, and the conditions under which fields of its body have an effect.
#[derive(Clone, Copy, Debug)]
pub struct WriteContext<'a> {
    /// Operation id, such as `events.insert`.
    pub operation: &'a str,
    /// Conditions of fields that hold in this request.
    pub effective: &'a ConditionSet,
}

impl WriteContext<'_> {
    /// Returns whether the field with this condition has an effect.
    #[inline]
    #[must_use]
    pub fn has_effect(&self, condition: Condition) -> bool {
        self.effective.holds(condition)
    }
}

/// Returns the index of the word that holds the bit of a condition, and the bit.
fn word_and_bit(condition: u32) -> (usize, u64) {
    ((condition / u64::BITS) as usize, 1 << (condition % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_separate_bits() {
        let mut set = ConditionSet::ALL;
        let numbers = [0, 1, 63, 64, 127, 128, 129, 191, 192, 255, 256, 1000];
        for number in numbers {
            assert!(set.holds(Condition(number)), "{number}");
            set.set(Condition(number), false);
            assert!(!set.holds(Condition(number)), "{number}");
        }
        for number in [2, 126, 130, 190, 193, 999, 1001, 5000] {
            assert!(set.holds(Condition(number)), "{number}");
        }
        for number in numbers {
            set.set(Condition(number), true);
            assert!(set.holds(Condition(number)), "{number}");
        }
    }
}
