//! Times of a day.

use super::bit_set;

/// Set of times of a day: every combination of its hours, minutes and seconds, each of which has at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub hours: u64,
    pub minutes: u64,
    pub seconds: u64,
}

impl Times {
    /// Returns the number of times.
    pub fn count(&self) -> u64 {
        let [hours, minutes, seconds] = [self.hours, self.minutes, self.seconds].map(|set| u64::from(set.count_ones()));
        hours * minutes * seconds
    }

    /// Returns the first time, in seconds of the day.
    #[inline]
    pub fn first(&self) -> i64 {
        i64::from(self.hours.trailing_zeros()) * 3_600
            + i64::from(self.minutes.trailing_zeros()) * 60
            + i64::from(self.seconds.trailing_zeros())
    }

    /// Returns the first time that is at least `from`.
    #[inline]
    pub fn next(&self, from: i64) -> Option<i64> {
        let from = u32::try_from(from).ok()?;
        let (mut hour, mut minute, mut second) = (from / 3_600, from / 60 % 60, from % 60);
        if self.hours >> hour.min(63) & 1 == 0 {
            (minute, second) = (0, 0);
            hour = bit_set::next(self.hours, hour)?;
        }
        if self.minutes >> minute & 1 == 0 {
            second = 0;
        }
        if let Some(found) = bit_set::next(self.minutes, minute) {
            let later = || bit_set::next(self.minutes, found + 1).map(|minute| (minute, self.seconds.trailing_zeros()));
            if let Some((minute, second)) =
                bit_set::next(self.seconds, second).map(|second| (found, second)).or_else(later)
            {
                return Some(i64::from(hour * 3_600 + minute * 60 + second));
            }
        }
        let hour = bit_set::next(self.hours, hour + 1)?;
        Some(i64::from(hour * 3_600 + self.minutes.trailing_zeros() * 60 + self.seconds.trailing_zeros()))
    }

    /// Returns the time that has `index` times before it.
    pub fn select(&self, index: u64) -> Option<i64> {
        let seconds = u64::from(self.seconds.count_ones());
        let of_hour = seconds * u64::from(self.minutes.count_ones());
        let part = |set, index: u64| bit_set::select(set, u32::try_from(index).ok()?).map(i64::from);
        let hour = part(self.hours, index / of_hour)?;
        let minute = part(self.minutes, index % of_hour / seconds)?;
        Some(hour * 3_600 + minute * 60 + part(self.seconds, index % seconds)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_agree_with_a_list() {
        let of = |values: &[u32]| values.iter().fold(0_u64, |set, value| set | 1 << value);
        let sets = [
            Times { hours: of(&[0, 9, 23]), minutes: of(&[0, 30, 59]), seconds: of(&[5, 59]) },
            Times { hours: of(&[12]), minutes: of(&[1]), seconds: of(&[0]) },
            Times { hours: (1 << 24) - 1, minutes: of(&[7]), seconds: (1 << 60) - 1 },
        ];
        for times in sets {
            let has = |set: u64, value: i64| set >> value & 1 == 1;
            let matches = |time: i64| {
                has(times.hours, time / 3_600) && has(times.minutes, time / 60 % 60) && has(times.seconds, time % 60)
            };
            let list: Vec<i64> = (0..86_400).filter(|time| matches(*time)).collect();
            assert_eq!(times.count(), list.len() as u64);
            assert_eq!(times.first(), list[0]);
            let selected: Vec<i64> = (0..times.count()).filter_map(|index| times.select(index)).collect();
            assert_eq!(selected, list);
            assert_eq!(times.select(times.count()), None);
            for from in (0..86_400).step_by(13).chain(list.iter().copied()).chain(list.iter().map(|time| time + 1)) {
                let expected = list.get(list.partition_point(|time| *time < from)).copied();
                assert_eq!(times.next(from), expected, "{from}");
            }
        }
    }
}
