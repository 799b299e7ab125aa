//! Which groups are no features of their own, because there are more than a manifest has room for.
//!
//! The group with the fewest operations that has none within it goes first, and what it held counts for the group around
//! it: that is where a feature saves least. Depth alone would take a whole level of an API at once, among them its
//! largest groups, when it grows by a single one. This way a feature is lost only for another one. A new group takes
//! that of one other at the most, mostly of another small one or none but its own, and a group that grows can change
//! places with one other. Only where the groups around it had come with the ones around them do these get features of
//! their own again, and each takes that of one other. The rest of the features stay what they are. Of groups with as many
//! operations the deepest goes first, then the last in the order of the schema, so that the schema alone says which.
//!
//! An outermost group has none around it and would be there always, which all pay for: its turn comes when no other is
//! left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::Group;

/// A group, by its place in the order in which groups are met from the outside in.
#[derive(Default)]
struct Place {
    outer: Option<usize>,
    depth: usize,
    /// Its operations, and those of the groups that come with it.
    operations: usize,
    /// The features within it.
    inner: usize,
}

/// For every group within the root, outer ones before those within them, whether it comes with the one around it.
pub fn folded(root: &Group, most: usize) -> Vec<bool> {
    let mut places = Vec::new();
    root.groups.iter().for_each(|group| add(group, None, 0, &mut places));
    let mut folded = vec![false; places.len()];
    let ends = (0..places.len()).filter(|at| places[*at].inner == 0);
    let mut next: BinaryHeap<_> = ends.map(|at| turn(&places, at)).collect();
    for _ in most..places.len() {
        let Some((_, _, _, at)) = next.pop() else { break };
        folded[at] = true;
        let Some(outer) = places[at].outer else { continue };
        places[outer].operations += places[at].operations;
        places[outer].inner -= 1;
        if places[outer].inner == 0 {
            next.push(turn(&places, outer));
        }
    }
    folded
}

/// When it is the turn of a group: the greatest goes first.
type Turn = (bool, Reverse<usize>, usize, usize);

fn turn(places: &[Place], at: usize) -> Turn {
    let place = &places[at];
    (place.outer.is_some(), Reverse(place.operations), place.depth, at)
}

fn add(group: &Group, outer: Option<usize>, depth: usize, places: &mut Vec<Place>) {
    let at = places.len();
    places.push(Place { outer, depth, operations: group.operations.len(), inner: group.groups.len() });
    group.groups.iter().for_each(|inner| add(inner, Some(at), depth + 1, places));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::OperationId;

    /// A group with so many operations.
    fn group(operations: usize, groups: Vec<Group>) -> Group {
        Group { operations: (0..operations).map(OperationId).collect(), groups, ..Group::default() }
    }

    /// The places of the groups that are no features of their own.
    fn places(root: &Group, most: usize) -> Vec<usize> {
        let folded = folded(root, most);
        (0..folded.len()).filter(|at| folded[*at]).collect()
    }

    #[test]
    fn the_least_group_comes_with_the_one_around_it_which_counts_with_it_from_then_on() {
        // 0 within which are 1, of which 2, and 3; 4 within which is 5.
        let inner = group(1, vec![group(3, vec![])]);
        let root = group(9, vec![group(0, vec![inner, group(3, vec![])]), group(1, vec![group(4, vec![])])]);
        assert_eq!(places(&root, 6), [0; 0], "there is room for all");
        assert_eq!(places(&root, 5), [2], "as many operations as 3, and deeper");
        assert_eq!(places(&root, 4), [2, 3], "1 has four by now");
        assert_eq!(places(&root, 3), [2, 3, 5], "as many as 1, and later");
        assert_eq!(places(&root, 2), [1, 2, 3, 5]);
        assert_eq!(places(&root, 1), [1, 2, 3, 4, 5], "and 4 has five, the fewer of the outermost");
    }

    #[test]
    fn an_outermost_group_goes_when_no_other_is_left() {
        let root = group(0, vec![group(1, vec![]), group(7, vec![group(9, vec![])]), group(1, vec![])]);
        assert_eq!(places(&root, 3), [2]);
        assert_eq!(places(&root, 2), [2, 3]);
        assert_eq!(places(&root, 1), [0, 2, 3]);
        assert_eq!(places(&root, 0), [0, 1, 2, 3]);
    }

    #[test]
    fn one_group_more_costs_one_feature() {
        let sizes = |count: usize| (0..count).map(|at| group(at * 7 % 11, vec![])).collect::<Vec<_>>();
        let root = |count: usize| group(0, vec![group(0, sizes(count))]);
        let before = places(&root(40), 30);
        let after = places(&root(41), 30);
        assert_eq!(before.len() + 1, after.len());
        assert!(before.iter().all(|at| after.contains(at)), "{before:?} {after:?}");
    }

    #[test]
    fn a_group_within_ones_that_are_none_takes_as_many_features_as_these_get() {
        // 0 within which is 1, within which is 2, each of one operation; then others of 3 to 9.
        let root = |inner: Vec<Group>| {
            let chain = group(1, vec![group(1, inner)]);
            let others = (3..10).map(|operations| group(operations, vec![]));
            group(0, vec![group(1, std::iter::once(chain).chain(others).collect())])
        };
        assert_eq!(places(&root(vec![]), 8), [1, 2]);
        // The new one is 3, and those after it are a place later.
        assert_eq!(places(&root(vec![group(0, vec![])]), 8), [1, 2, 3], "one that comes with them changes nothing");
        assert_eq!(places(&root(vec![group(20, vec![])]), 8), [4, 5, 6], "1, 2 and 3 are features, for three others");
    }
}
