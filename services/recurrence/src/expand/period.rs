//! Instances of one period of a rule.

use super::bit_set::Days;
use super::times::Times;
use crate::civil::DAY;

/// Instances of a period: every combination of its days and times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// Day that the other days are relative to.
    pub first: i64,
    pub days: Days,
    pub times: Times,
}

impl Period {
    /// Returns the first instance that is at least `from`.
    #[inline]
    pub fn next(&self, from: i64) -> Option<i64> {
        let (day, time) = (from.div_euclid(DAY) - self.first, from.rem_euclid(DAY));
        let Ok(mut day) = u32::try_from(day) else {
            // The period begins later, or centuries earlier.
            return if day < 0 { Some(self.first_time_on(self.days.next(0)?)) } else { None };
        };
        if self.days.contains(day) {
            if let Some(time) = self.times.next(time) {
                return Some((self.first + i64::from(day)) * DAY + time);
            }
            day += 1;
        }
        Some(self.first_time_on(self.days.next(day)?))
    }

    /// Returns the first time on a day.
    #[inline]
    fn first_time_on(&self, day: u32) -> i64 {
        (self.first + i64::from(day)) * DAY + self.times.first()
    }

    /// Returns the number of instances.
    pub fn count(&self) -> u64 {
        u64::from(self.days.count()) * self.times.count()
    }

    /// Returns the instance that has `index` instances before it.
    pub fn select(&self, index: u64) -> Option<i64> {
        let times = self.times.count();
        let day = self.days.select(u32::try_from(index / times).ok()?)?;
        Some((self.first + i64::from(day)) * DAY + self.times.select(index % times)?)
    }
}

/// `BYSETPOS`: positions of the instances of a period that remain.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    /// Indexes from the start, ascending.
    from_start: Vec<u64>,
    /// Distances from the end, descending.
    from_end: Vec<u64>,
}

/// Progress through the positions of a period.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PositionCursor {
    from_start: usize,
    from_end: usize,
}

impl Positions {
    /// Creates positions from the sorted numbers of a rule, `None` if there are none.
    pub fn new(numbers: &[i16]) -> Option<Self> {
        let distance = |number: &i16| u64::from(number.unsigned_abs());
        let from_start = numbers.iter().filter(|number| **number > 0).map(|number| distance(number) - 1).collect();
        let from_end = numbers.iter().filter(|number| **number < 0).map(distance).collect();
        (!numbers.is_empty()).then_some(Self { from_start, from_end })
    }

    /// Returns whether a period of up to `count` instances can have one at a position.
    pub fn has_any(&self, count: u64) -> bool {
        self.from_start.first().is_some_and(|place| *place < count)
            || self.from_end.last().is_some_and(|distance| *distance <= count)
    }

    /// Returns the next index in a period of `count` instances, ascending and without duplicates.
    pub fn next(&self, count: u64, visited: &mut PositionCursor) -> Option<u64> {
        let start = self.from_start.get(visited.from_start).copied().filter(|place| *place < count);
        let end = loop {
            // Distances beyond the period match no index.
            match self.from_end.get(visited.from_end).map(|distance| count.checked_sub(*distance)) {
                Some(None) => visited.from_end += 1,
                Some(Some(place)) => break Some(place),
                None => break None,
            }
        };
        let place = match (start, end) {
            (Some(start), Some(end)) => start.min(end),
            (start, end) => start.or(end)?,
        };
        visited.from_start += usize::from(start == Some(place));
        visited.from_end += usize::from(end == Some(place));
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected_indices(numbers: &[i16], count: u64) -> Vec<u64> {
        let positions = Positions::new(numbers).unwrap();
        let mut visited = PositionCursor::default();
        std::iter::from_fn(|| positions.next(count, &mut visited)).collect()
    }

    #[test]
    fn positions_ascend_without_duplicates() {
        assert_eq!(selected_indices(&[-3, -1, 1, 3], 3), [0, 2]);
        assert_eq!(selected_indices(&[-2, 1], 10), [0, 8]);
        assert_eq!(selected_indices(&[-366, -5, 7, 366], 5), [0]);
        assert_eq!(selected_indices(&[1, -1], 0), [0_u64; 0]);
        assert!(Positions::new(&[]).is_none());
    }

    #[test]
    fn periods_agree_with_their_product() {
        let times = Times { hours: 1 << 9 | 1 << 21, minutes: 1 << 30, seconds: 1 | 1 << 59 };
        let mut days = Days::range(3, 5);
        days.insert(200);
        let period = Period { first: -100, days, times };
        let on = |day: i64| (0..4).filter_map(move |index| Some((day - 100) * DAY + times.select(index)?));
        let list: Vec<i64> = [3, 4, 200].into_iter().flat_map(on).collect();
        assert_eq!(period.count(), 12);
        let selected: Vec<i64> = (0..20).filter_map(|index| period.select(index)).collect();
        assert_eq!(selected, list);
        for from in (-101 * DAY..102 * DAY).step_by(3_511).chain(list.iter().flat_map(|at| [*at, at + 1])) {
            assert_eq!(period.next(from), list.iter().find(|at| **at >= from).copied(), "{from}");
        }
        assert_eq!(period.next(i64::from(u32::MAX) * 2 * DAY), None);
    }
}
