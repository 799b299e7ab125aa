//! Small sets of small numbers.

/// Returns the first element of a set that is at least `from`.
#[inline]
pub(super) fn next(set: u64, from: u32) -> Option<u32> {
    if from >= 64 {
        return None;
    }
    let rest = set >> from;
    (rest != 0).then(|| from + rest.trailing_zeros())
}

/// Returns the element of a set that has `index` elements before it.
pub(super) fn select(mut set: u64, index: u32) -> Option<u32> {
    for _ in 0..index {
        set &= set.wrapping_sub(1);
    }
    (set != 0).then(|| set.trailing_zeros())
}

/// Words of a [`Days`].
const WORDS: usize = 6;

/// Set of days of a year or a shorter period, counted from its first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Days([u64; WORDS]);

impl Days {
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Returns the set of up to 64 days.
    #[inline]
    pub fn word(word: u64) -> Self {
        let mut days = Self::EMPTY;
        days.0[0] = word;
        days
    }

    /// Returns the set of the days from `start` up to, but not including, `end`.
    pub fn range(start: u32, end: u32) -> Self {
        let mut days = Self::EMPTY;
        days.insert_range(start, end);
        days
    }

    /// Adds a day; days beyond the capacity are ignored.
    pub fn insert(&mut self, day: u32) {
        if let Some(word) = self.0.get_mut(day as usize / 64) {
            *word |= 1 << (day % 64);
        }
    }

    pub fn insert_range(&mut self, start: u32, end: u32) {
        for (word, first) in self.0.iter_mut().zip((0_u32..).step_by(64)) {
            let (low, high) = (start.saturating_sub(first), end.saturating_sub(first).min(64));
            if low < high {
                *word |= (u64::MAX >> (64 - (high - low))) << low;
            }
        }
    }

    /// Adds the days of a set of up to 64, moved by `offset` days.
    pub fn insert_word(&mut self, word: u64, offset: u32) {
        let (index, shift) = (offset as usize / 64, offset % 64);
        if let Some(low) = self.0.get_mut(index) {
            *low |= word << shift;
        }
        if let Some(high) = self.0.get_mut(index + 1).filter(|_| shift > 0) {
            *high |= word >> (64 - shift);
        }
    }

    /// Returns up to 64 days, starting at `start`.
    #[inline]
    pub fn word_at(&self, start: u32, len: u32) -> u64 {
        let (index, shift) = (start as usize / 64, start % 64);
        let low = self.0.get(index).copied().unwrap_or(0) >> shift;
        let high = if shift == 0 { 0 } else { self.0.get(index + 1).copied().unwrap_or(0) << (64 - shift) };
        (low | high) & (u64::MAX >> (64 - len.clamp(1, 64)))
    }

    #[inline]
    pub fn contains(&self, day: u32) -> bool {
        self.0.get(day as usize / 64).is_some_and(|word| word >> (day % 64) & 1 == 1)
    }

    /// Returns the first day that is at least `from`.
    #[inline]
    pub fn next(&self, from: u32) -> Option<u32> {
        let start = from as usize / 64;
        let mut from = from % 64;
        for (index, word) in self.0.iter().enumerate().skip(start) {
            if let Some(bit) = next(*word, from) {
                return Some(index as u32 * 64 + bit);
            }
            from = 0;
        }
        None
    }

    /// Returns the day that has `index` days of the set before it.
    pub fn select(&self, mut index: u32) -> Option<u32> {
        for (word, first) in self.0.iter().zip((0_u32..).step_by(64)) {
            let count = word.count_ones();
            if index < count {
                return select(*word, index).map(|bit| first + bit);
            }
            index -= count;
        }
        None
    }

    /// Returns the number of days in the set.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Removes the days that `other` does not contain.
    pub fn retain(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    pub fn extend(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Returns the days below `len` with one of the weekdays of a set, where day `n` has the weekday `(first + n) % 7`.
    pub fn weekdays(weekdays: u8, first: u8, len: u32) -> Self {
        let mut days = Self::EMPTY;
        for (index, word) in days.0.iter_mut().enumerate() {
            let offset = (u32::from(first) + index as u32 * 64) % 7;
            // A week that starts with the weekday of this word's first day, repeated.
            let week = u64::from((weekdays >> offset | weekdays << (7 - offset)) & 0x7f);
            *word = week.wrapping_mul(0x8102_0408_1020_4081);
        }
        days.retain(&Self::range(0, len));
        days
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(days: &Days) -> Vec<u32> {
        (0..384).filter(|day| days.contains(*day)).collect()
    }

    #[test]
    fn sets_contain_inserted_days() {
        let mut days = Days::range(62, 130);
        days.insert(383);
        days.insert(400);
        let expected: Vec<u32> = (62..130).chain([383]).collect();
        assert_eq!(all(&days), expected);
        assert_eq!((days.count(), days.select(0), days.select(68), days.select(69)), (69, Some(62), Some(383), None));
        assert_eq!(
            (days.next(0), days.next(128), days.next(130), days.next(384)),
            (Some(62), Some(128), Some(383), None)
        );
        assert_eq!(days.word_at(60, 7), 0b111_1100);
        assert_eq!(Days::range(5, 5), Days::EMPTY);
    }

    #[test]
    fn words_span_two_elements() {
        let mut days = Days::EMPTY;
        days.insert_word(0b1011, 62);
        days.insert_word(1, 64);
        assert_eq!(all(&days), [62, 63, 64, 65]);
        assert_eq!(days.word_at(62, 4), 0b1111);
    }

    #[test]
    fn weekdays_repeat() {
        for first in 0..7_u8 {
            let days = Days::weekdays(0b001_0101, first, 366);
            let expected: Vec<u32> =
                (0..366).filter(|day| [0, 2, 4].contains(&((u32::from(first) + day) % 7))).collect();
            assert_eq!(all(&days), expected);
        }
    }

    #[test]
    fn selection_counts_elements() {
        assert_eq!((select(0b1010, 0), select(0b1010, 1), select(0b1010, 2)), (Some(1), Some(3), None));
        assert_eq!((next(0b1010, 2), next(0b1010, 4), next(u64::MAX, 64)), (Some(3), None, None));
    }
}
