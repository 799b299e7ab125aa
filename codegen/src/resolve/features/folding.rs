//! Folding of groups: which groups are not features of their own, because a manifest has limited room.
//!
//! The group with the fewest operations and without nested features is folded first, and its operations then count
//! for the enclosing group: that is where a feature saves least. Folding by depth would drop a whole level at once,
//! including its largest groups, when the API grows by a single group. With this order a feature is lost only for
//! another one: a new group displaces at most one other, usually a small one or itself, and a growing group can
//! change places with one other. Only if its enclosing groups had been folded do they become features again, each
//! displacing one other. All other features stay unchanged. Ties are resolved by depth, deepest first, then by the
//! order of the schema, last first, so that the result depends only on the schema.
//!
//! An outermost group has no enclosing one and would always be compiled, at the cost of all users: it is folded only
//! when no other group is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::Group;

/// Group, by its index in pre-order.
#[derive(Default)]
struct FoldGroup {
    outer: Option<usize>,
    depth: usize,
    /// Number of its operations, including those of folded groups.
    operations: usize,
    /// Number of features within it.
    inner: usize,
}

/// Returns, for every group below the root in pre-order, whether it is folded into the enclosing one.
pub fn fold(root: &Group, most: usize) -> Vec<bool> {
    let mut places = Vec::new();
    root.groups.iter().for_each(|group| add(group, None, 0, &mut places));
    let mut folded = vec![false; places.len()];
    let ends = (0..places.len()).filter(|at| places[*at].inner == 0);
    let mut next: BinaryHeap<_> = ends.map(|at| sort_key(&places, at)).collect();
    for _ in most..places.len() {
        let Some((_, _, _, at)) = next.pop() else { break };
        folded[at] = true;
        let Some(outer) = places[at].outer else { continue };
        places[outer].operations += places[at].operations;
        places[outer].inner -= 1;
        if places[outer].inner == 0 {
            next.push(sort_key(&places, outer));
        }
    }
    folded
}

/// Sort key of a group: the greatest is folded first.
type SortKey = (bool, Reverse<usize>, usize, usize);

fn sort_key(places: &[FoldGroup], at: usize) -> SortKey {
    let place = &places[at];
    (place.outer.is_some(), Reverse(place.operations), place.depth, at)
}

/// Adds a group and its nested groups in pre-order; `outer` is the index of the enclosing group.
fn add(group: &Group, outer: Option<usize>, depth: usize, places: &mut Vec<FoldGroup>) {
    let at = places.len();
    places.push(FoldGroup { outer, depth, operations: group.operations.len(), inner: group.groups.len() });
    group.groups.iter().for_each(|inner| add(inner, Some(at), depth + 1, places));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::OperationId;

    /// Returns a group with a number of operations.
    fn group(operations: usize, groups: Vec<Group>) -> Group {
        Group { operations: (0..operations).map(OperationId).collect(), groups, ..Group::default() }
    }

    /// Returns the indices of the folded groups.
    fn places(root: &Group, most: usize) -> Vec<usize> {
        let folded = fold(root, most);
        (0..folded.len()).filter(|at| folded[*at]).collect()
    }

    #[test]
    fn the_least_group_comes_with_the_one_around_it_which_counts_with_it_from_then_on() {
        // Group 0 contains 1, which contains 2, and 3; group 4 contains 5.
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
        // Group 0 contains 1, which contains 2, with one operation each; the others have 3 to 9.
        let root = |inner: Vec<Group>| {
            let chain = group(1, vec![group(1, inner)]);
            let others = (3..10).map(|operations| group(operations, vec![]));
            group(0, vec![group(1, std::iter::once(chain).chain(others).collect())])
        };
        assert_eq!(places(&root(vec![]), 8), [1, 2]);
        // The new group is 3, and the indices after it shift by one.
        assert_eq!(places(&root(vec![group(0, vec![])]), 8), [1, 2, 3], "one that comes with them changes nothing");
        assert_eq!(places(&root(vec![group(20, vec![])]), 8), [4, 5, 6], "1, 2 and 3 are features, for three others");
    }
}
