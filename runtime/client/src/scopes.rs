//! Which scopes a token needs for some operations of an API.
//!
//! A client asks for all scopes of its API, [`all`], unless its builder says otherwise. A program that calls few
//! operations asks its users for less: [`smallest`] computes what those operations need.

use std::collections::BTreeSet;

use wireform_runtime::Names;
use wireform_runtime::operation::{Api, Operation, Scope, ScopeNeed};

/// How many scopes there may be to choose from for the choice to be the best one.
const MOST_EXACT: usize = 24;

/// All scopes of the API.
#[must_use]
pub fn all(api: &'static Api) -> Vec<&'static Scope> {
    api.scopes.iter().collect()
}

/// The scopes by the addresses that one of the two vocabularies has for them, for a request of a token.
#[must_use]
pub fn urls(scopes: &[&'static Scope], names: Names) -> Vec<&'static str> {
    scopes.iter().map(|scope| scope.url.spelled(names)).collect()
}

/// A smallest set of scopes that allows each of the operations, in the order of the API.
///
/// Of several sets of that size it is the one that allows the fewest operations of `all`, which is to hold all
/// operations of the API; of several such, the one whose scopes stand first in the API. The same question always
/// has the same answer.
///
/// Where there are more than 24 scopes to choose from, the set is found by taking what covers most, step by step:
/// it allows the operations and holds no scope in vain, but there may be a smaller one.
#[must_use]
pub fn smallest(
    api: &'static Api,
    operations: &[&'static Operation],
    all: &[&'static Operation],
) -> Vec<&'static Scope> {
    let mut chosen: BTreeSet<usize> =
        operations.iter().flat_map(|operation| demanded(operation.scopes)).copied().collect();
    let choices = open_choices(operations, &chosen);
    let candidates: Vec<usize> = choices.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let found = if candidates.len() <= MOST_EXACT {
        Search::new(&choices, &candidates, &chosen, all).run()
    } else {
        greedy(&choices, &candidates, all)
    };
    chosen.extend(found);
    chosen.into_iter().filter_map(|index| api.scopes.get(index)).collect()
}

/// The scopes that no set can do without; of several ways into an operation, those of the first that needs any.
fn demanded(need: ScopeNeed) -> &'static [usize] {
    match need {
        ScopeNeed::AllOf(scopes) | ScopeNeed::AnyOf(scopes @ [_]) => scopes,
        ScopeNeed::Schemes(ways) => {
            let mut demands = ways.iter().flat_map(|way| way.iter()).map(|demand| demand.scopes);
            demands.find(|scopes| !scopes.is_empty()).unwrap_or_default()
        }
        ScopeNeed::AnyOf(_) | ScopeNeed::None => &[],
    }
}

/// The choices that what is chosen leaves open, without those that follow from a narrower one.
fn open_choices(operations: &[&'static Operation], chosen: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let open: BTreeSet<BTreeSet<usize>> = operations
        .iter()
        .filter_map(|operation| match operation.scopes {
            ScopeNeed::AnyOf(scopes) if !scopes.is_empty() => Some(scopes.iter().copied().collect()),
            _ => None,
        })
        .filter(|choice: &BTreeSet<usize>| choice.is_disjoint(chosen))
        .collect();
    let follows = |choice: &BTreeSet<usize>| open.iter().any(|other| other != choice && other.is_subset(choice));
    open.iter().filter(|choice| !follows(choice)).cloned().collect()
}

/// A set of candidates, one bit each by their place in the list of candidates.
type Set = u32;

/// The search for the best set: of all sets that hit every choice, by size.
struct Search<'a> {
    candidates: &'a [usize],
    choices: Vec<Set>,
    /// What decides whether an operation is allowed, and how many operations it decides of.
    powers: Vec<(Power, usize)>,
    best: Option<(usize, Set)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    AnyOf(Set),
    AllOf(Set),
}

impl<'a> Search<'a> {
    fn new(
        choices: &[BTreeSet<usize>],
        candidates: &'a [usize],
        chosen: &BTreeSet<usize>,
        all: &[&'static Operation],
    ) -> Self {
        let place = |scope: &usize| candidates.binary_search(scope).ok();
        let set = |scopes: &mut dyn Iterator<Item = &usize>| scopes.filter_map(place).fold(0, |set, at| set | 1 << at);
        let mut powers: Vec<Power> = all
            .iter()
            .filter_map(|operation| match operation.scopes {
                // Allowed anyway.
                ScopeNeed::AnyOf(scopes) if scopes.iter().any(|scope| chosen.contains(scope)) => None,
                ScopeNeed::AnyOf(scopes) => Some(Power::AnyOf(set(&mut scopes.iter()))),
                // A scope that is neither chosen nor a candidate will not be there.
                ScopeNeed::AllOf(scopes) => {
                    let mut open = scopes.iter().filter(|scope| !chosen.contains(scope));
                    let reachable = open.clone().all(|scope| place(scope).is_some());
                    reachable.then(|| Power::AllOf(set(&mut open)))
                }
                ScopeNeed::None | ScopeNeed::Schemes(_) => None,
            })
            .collect();
        powers.sort_unstable();
        let powers = powers.chunk_by(|a, b| a == b).filter_map(|run| Some((*run.first()?, run.len()))).collect();
        let mut choices: Vec<Set> = choices.iter().map(|choice| set(&mut choice.iter())).collect();
        // Narrow choices first: they branch least.
        choices.sort_unstable_by_key(|choice| (choice.count_ones(), *choice));
        Self { candidates, choices, powers, best: None }
    }

    fn run(mut self) -> Vec<usize> {
        for size in 0..=self.candidates.len() {
            self.extend(0, 0, size);
            if let Some((_, set)) = self.best {
                return self
                    .candidates
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| set & 1 << at != 0)
                    .map(|(_, s)| *s)
                    .collect();
            }
        }
        Vec::new()
    }

    /// Looks at every set that hits all choices, holds `set` and `left` further candidates, and none that is
    /// `barred`.
    fn extend(&mut self, set: Set, barred: Set, left: usize) {
        let Some(choice) = self.choices.iter().copied().find(|choice| choice & set == 0) else {
            return self.weigh(set);
        };
        if left == 0 || self.disjoint(set, barred) > left {
            return;
        }
        // Each candidate is barred from the branches after its own, so that no set is met twice.
        let mut barred = barred;
        for bit in (0..Set::BITS).map(|at| 1 << at).filter(|bit| choice & !barred & bit != 0).collect::<Vec<Set>>() {
            self.extend(set | bit, barred, left - 1);
            barred |= bit;
        }
    }

    /// How many choices there are, at least, that no candidate hits two of: each takes one more.
    fn disjoint(&self, set: Set, barred: Set) -> usize {
        let mut taken = 0;
        let mut count = 0;
        for choice in self.choices.iter().filter(|choice| *choice & set == 0).map(|choice| choice & !barred) {
            if choice == 0 {
                return usize::MAX;
            }
            if choice & taken == 0 {
                taken |= choice;
                count += 1;
            }
        }
        count
    }

    fn weigh(&mut self, set: Set) {
        let allows = |power: Power| match power {
            Power::AnyOf(scopes) => scopes & set != 0,
            Power::AllOf(scopes) => scopes & !set == 0,
        };
        let allowed = self.powers.iter().filter(|(power, _)| allows(*power)).map(|(_, count)| count).sum();
        // The set whose first scope stands first has the lowest bit that the other has not.
        let before = |other: Set| set != other && set & 1 << (set ^ other).trailing_zeros() != 0;
        if self.best.is_none_or(|(least, best)| allowed < least || allowed == least && before(best)) {
            self.best = Some((allowed, set));
        }
    }
}

/// Takes the candidate that hits most of what is left, then whichever allows least, until nothing is left.
fn greedy(choices: &[BTreeSet<usize>], candidates: &[usize], all: &[&'static Operation]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut left: Vec<&BTreeSet<usize>> = choices.iter().collect();
    let mentions = |scope: usize| {
        let named =
            |need| matches!(need, ScopeNeed::AnyOf(scopes) | ScopeNeed::AllOf(scopes) if scopes.contains(&scope));
        all.iter().filter(|operation| named(operation.scopes)).count()
    };
    while !left.is_empty() {
        let hits = |scope: usize| left.iter().filter(|choice| choice.contains(&scope)).count();
        let best = candidates.iter().copied().min_by_key(|scope| (usize::MAX - hits(*scope), mentions(*scope), *scope));
        let Some(best) = best else { break };
        left.retain(|choice| !choice.contains(&best));
        found.push(best);
    }
    // What was taken early may be covered by what was taken later.
    for scope in found.clone() {
        let spare = |choice: &BTreeSet<usize>| choice.iter().any(|other| *other != scope && found.contains(other));
        if choices.iter().all(spare) {
            found.retain(|other| *other != scope);
        }
    }
    found
}
