//! Layout of overlapping ranges side by side.

/// Position of a range among those that it overlaps: its lane, its width in lanes, and the number of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LanePosition {
    pub(super) lane: usize,
    pub(super) width: usize,
    pub(super) lanes: usize,
}

impl LanePosition {
    /// Returns the position if at most `max` lanes are shown; one of a further lane keeps its lane, and is not shown.
    pub(super) fn within(self, max: usize) -> Self {
        let lanes = self.lanes.min(max);
        Self { lane: self.lane, width: self.width.min(lanes.saturating_sub(self.lane)), lanes }
    }
}

/// Lays out ranges, ordered by their starts, so that none covers another. Ranges that overlap, directly or through
/// others, share the width; each extends over the free lanes next to it.
pub(super) fn lay_out(ranges: &[(i64, i64)]) -> Vec<LanePosition> {
    let mut places = Vec::with_capacity(ranges.len());
    let mut rest = ranges;
    while !rest.is_empty() {
        let (group, others) = rest.split_at(group_length(rest));
        places.extend(lay_out_group(group));
        rest = others;
    }
    places
}

/// Returns the number of leading ranges that overlap, directly or through others.
fn group_length(ranges: &[(i64, i64)]) -> usize {
    let mut end = i64::MIN;
    for (at, range) in ranges.iter().enumerate() {
        if at > 0 && range.0 >= end {
            return at;
        }
        end = end.max(range.1);
    }
    ranges.len()
}

/// Lays out ranges that overlap, directly or through others.
fn lay_out_group(group: &[(i64, i64)]) -> Vec<LanePosition> {
    // End of the last range of each lane.
    let mut ends: Vec<i64> = Vec::new();
    let mut lanes = Vec::with_capacity(group.len());
    for (start, end) in group {
        let free = ends.iter().position(|taken| taken <= start);
        let lane = free.unwrap_or(ends.len());
        match ends.get_mut(lane) {
            Some(taken) => *taken = *end,
            None => ends.push(*end),
        }
        lanes.push(lane);
    }
    let overlaps = |one: &(i64, i64), other: &(i64, i64)| one.0 < other.1 && other.0 < one.1;
    let width = |range: &(i64, i64), lane: usize| {
        let taken = group.iter().zip(&lanes).filter(|(other, at)| **at > lane && overlaps(range, other));
        taken.map(|(_, at)| *at).min().unwrap_or(ends.len()) - lane
    };
    let placed = group.iter().zip(&lanes);
    placed.map(|(range, lane)| LanePosition { lane: *lane, width: width(range, *lane), lanes: ends.len() }).collect()
}

#[cfg(test)]
mod tests {
    use super::{LanePosition, lay_out};

    fn at(lane: usize, width: usize, lanes: usize) -> LanePosition {
        LanePosition { lane, width, lanes }
    }

    #[test]
    fn overlapping_ranges_are_side_by_side() {
        assert_eq!(lay_out(&[]), []);
        assert_eq!(lay_out(&[(0, 2), (2, 4)]), [at(0, 1, 1), at(0, 1, 1)]);
        assert_eq!(lay_out(&[(0, 3), (2, 4)]), [at(0, 1, 2), at(1, 1, 2)]);
        // The third overlaps only the second, and the fourth has the width of two lanes.
        let all = lay_out(&[(0, 9), (0, 3), (1, 2), (4, 6)]);
        assert_eq!(all, [at(0, 1, 3), at(1, 1, 3), at(2, 1, 3), at(1, 2, 3)]);
    }

    #[test]
    fn lanes_beyond_a_number_are_not_shown() {
        let all: Vec<_> = lay_out(&[(0, 9), (0, 3), (1, 2), (4, 6)]).into_iter().map(|place| place.within(2)).collect();
        assert_eq!(all, [at(0, 1, 2), at(1, 1, 2), at(2, 0, 2), at(1, 1, 2)]);
    }

    #[test]
    fn no_two_ranges_cover_each_other() {
        // A small generator: testing all sequences of five ranges within six positions would take as long.
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((state >> 33) % below).unwrap_or_default()
        };
        for _ in 0..2_000 {
            let mut ranges: Vec<(i64, i64)> = (0..next(9)).map(|_| (next(20), next(9) + 1)).collect();
            ranges.iter_mut().for_each(|range| range.1 += range.0);
            ranges.sort_unstable();
            let places = lay_out(&ranges);
            assert_eq!(places.len(), ranges.len());
            for (one, at) in ranges.iter().zip(&places) {
                assert!(at.width > 0 && at.lane + at.width <= at.lanes, "{ranges:?} {places:?}");
                for (other, other_place) in ranges.iter().zip(&places) {
                    let disjoint =
                        at.lane + at.width <= other_place.lane || other_place.lane + other_place.width <= at.lane;
                    let same = std::ptr::eq(one, other);
                    assert!(same || disjoint || one.0 >= other.1 || other.0 >= one.1, "{ranges:?} {places:?}");
                }
            }
        }
    }
}
