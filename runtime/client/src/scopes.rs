//! Scopes that operations of an API require.
//!
//! A client requests all scopes of its API, [`all`], unless its builder sets others. A program that calls few
//! operations can request fewer: [`smallest`] computes which ones those operations need.

use std::collections::BTreeSet;

use wireform_runtime::Naming;
use wireform_runtime::operation::{Api, AuthRequirement, Operation, Scope};

/// Maximum number of candidate scopes for which the exact minimum is computed.
const MAX_EXACT: usize = 24;

/// Returns all scopes of the API.
#[must_use]
pub fn all(api: &'static Api) -> Vec<&'static Scope> {
    api.scopes.to_vec()
}

/// Returns the URLs of scopes for a token request: those of the specification, or those of the public service.
#[must_use]
pub fn urls(scopes: &[&'static Scope], names: Naming) -> Vec<&'static str> {
    scopes.iter().map(|scope| scope.url.name_in(names)).collect()
}

/// Returns a smallest set of scopes that allows each of the operations, in the order of the API.
///
/// Of several sets of that size, it is the one that allows the fewest operations of `all`, which should hold all
/// operations of the API; of several such sets, the one whose scopes come first in the API. The result is
/// deterministic.
///
/// If there are more than 24 candidate scopes, the set is computed greedily: it allows the operations and holds no
/// superfluous scope, but there may be a smaller one.
#[must_use]
pub fn smallest(
    api: &'static Api,
    operations: &[&'static Operation],
    all: &[&'static Operation],
) -> Vec<&'static Scope> {
    let mut chosen: BTreeSet<usize> =
        operations.iter().flat_map(|operation| indices(api, required_scopes(operation.scopes))).collect();
    let choices = open_choices(api, operations, &chosen);
    let candidates: Vec<usize> = choices.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let found = if candidates.len() <= MAX_EXACT {
        Search::new(api, &choices, &candidates, &chosen, all).run()
    } else {
        greedy(api, &choices, &candidates, all)
    };
    chosen.extend(found);
    chosen.into_iter().filter_map(|index| api.scopes.get(index).copied()).collect()
}

/// Returns the indices of scopes in the API, by which sets of them are compared and ordered.
fn indices(api: &Api, scopes: &[&Scope]) -> Vec<usize> {
    scopes.iter().filter_map(|scope| api.scopes.iter().position(|own| own == scope)).collect()
}

/// Returns the scopes that every set must hold; of several alternatives, those of the first one that requires any.
fn required_scopes(need: AuthRequirement) -> &'static [&'static Scope] {
    match need {
        AuthRequirement::AllOf(scopes) | AuthRequirement::AnyOf(scopes @ [_]) => scopes,
        AuthRequirement::Schemes(ways) => {
            let mut demands = ways.iter().flat_map(|alternative| alternative.iter()).map(|demand| demand.scopes);
            demands.find(|scopes| !scopes.is_empty()).unwrap_or_default()
        }
        AuthRequirement::AnyOf(_) | AuthRequirement::None => &[],
    }
}

/// Returns the choices that the chosen scopes leave open, without those that follow from a narrower one.
fn open_choices(api: &Api, operations: &[&'static Operation], chosen: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let open: BTreeSet<BTreeSet<usize>> = operations
        .iter()
        .filter_map(|operation| match operation.scopes {
            AuthRequirement::AnyOf(scopes) if !scopes.is_empty() => Some(indices(api, scopes).into_iter().collect()),
            _ => None,
        })
        .filter(|choice: &BTreeSet<usize>| choice.is_disjoint(chosen))
        .collect();
    let follows = |choice: &BTreeSet<usize>| open.iter().any(|other| other != choice && other.is_subset(choice));
    open.iter().filter(|choice| !follows(choice)).cloned().collect()
}

/// Set of candidates, one bit for each by its index.
type Set = u32;

/// Branch-and-bound search for the best of the sets that satisfy every choice.
struct Search<'a> {
    candidates: &'a [usize],
    choices: Vec<Set>,
    /// Conditions under which operations are allowed, with the number of operations of each.
    requirements: Vec<(Requirement, usize)>,
    best: Option<(usize, Set)>,
}

/// Condition under which a set of candidates allows an operation: one of the scopes suffices, or all are needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Requirement {
    AnyOf(Set),
    AllOf(Set),
}

impl<'a> Search<'a> {
    fn new(
        api: &Api,
        choices: &[BTreeSet<usize>],
        candidates: &'a [usize],
        chosen: &BTreeSet<usize>,
        all: &[&'static Operation],
    ) -> Self {
        let place = |scope: &usize| candidates.binary_search(scope).ok();
        let set = |scopes: &mut dyn Iterator<Item = &usize>| scopes.filter_map(place).fold(0, |set, at| set | 1 << at);
        let power = |operation: &&Operation| match operation.scopes {
            AuthRequirement::AnyOf(scopes) => {
                let scopes = indices(api, scopes);
                let is_allowed = scopes.iter().any(|scope| chosen.contains(scope));
                (!is_allowed).then(|| Requirement::AnyOf(set(&mut scopes.iter())))
            }
            // A scope that is neither chosen nor a candidate is never in the set.
            AuthRequirement::AllOf(scopes) => {
                let scopes = indices(api, scopes);
                let mut open = scopes.iter().filter(|scope| !chosen.contains(scope));
                let reachable = open.clone().all(|scope| place(scope).is_some());
                reachable.then(|| Requirement::AllOf(set(&mut open)))
            }
            AuthRequirement::None | AuthRequirement::Schemes(_) => None,
        };
        let mut requirements: Vec<Requirement> = all.iter().filter_map(power).collect();
        requirements.sort_unstable();
        let requirements =
            requirements.chunk_by(|a, b| a == b).filter_map(|run| Some((*run.first()?, run.len()))).collect();
        let mut choices: Vec<Set> = choices.iter().map(|choice| set(&mut choice.iter())).collect();
        // Narrow choices first: they branch least.
        choices.sort_unstable_by_key(|choice| (choice.count_ones(), *choice));
        Self { candidates, choices, requirements, best: None }
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

    /// Searches the sets that satisfy all choices, and hold `set` and `left` further candidates, but none of `barred`.
    fn extend(&mut self, set: Set, barred: Set, left: usize) {
        let Some(choice) = self.choices.iter().copied().find(|choice| choice & set == 0) else {
            return self.consider(set);
        };
        if left == 0 || self.lower_bound(set, barred) > left {
            return;
        }
        // Each candidate is excluded from the later branches, so that no set is visited again.
        let mut barred = barred;
        for bit in (0..Set::BITS).map(|at| 1 << at).filter(|bit| choice & !barred & bit != 0).collect::<Vec<Set>>() {
            self.extend(set | bit, barred, left - 1);
            barred |= bit;
        }
    }

    /// Returns a lower bound on the further candidates: the number of open choices that share no candidate.
    fn lower_bound(&self, set: Set, barred: Set) -> usize {
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

    /// Keeps the set as the best if it allows fewer operations, or as many with scopes that come first.
    fn consider(&mut self, set: Set) {
        let allows = |power: Requirement| match power {
            Requirement::AnyOf(scopes) => scopes & set != 0,
            Requirement::AllOf(scopes) => scopes & !set == 0,
        };
        let allowed = self.requirements.iter().filter(|(power, _)| allows(*power)).map(|(_, count)| count).sum();
        // The set whose first scope comes first has the lowest bit that the other lacks.
        let before = |other: Set| set != other && set & 1 << (set ^ other).trailing_zeros() != 0;
        if self.best.is_none_or(|(least, best)| allowed < least || allowed == least && before(best)) {
            self.best = Some((allowed, set));
        }
    }
}

/// Repeatedly takes the candidate that hits most open choices, and of several the one that allows least.
fn greedy(api: &Api, choices: &[BTreeSet<usize>], candidates: &[usize], all: &[&'static Operation]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut left: Vec<&BTreeSet<usize>> = choices.iter().collect();
    let mentions = |scope: usize| {
        let Some(scope) = api.scopes.get(scope) else { return 0 };
        let named = |need| matches!(need, AuthRequirement::AnyOf(scopes) | AuthRequirement::AllOf(scopes) if scopes.contains(scope));
        all.iter().filter(|operation| named(operation.scopes)).count()
    };
    while !left.is_empty() {
        let hits = |scope: usize| left.iter().filter(|choice| choice.contains(&scope)).count();
        let best = candidates.iter().copied().min_by_key(|scope| (usize::MAX - hits(*scope), mentions(*scope), *scope));
        let Some(best) = best else { break };
        left.retain(|choice| !choice.contains(&best));
        found.push(best);
    }
    // Candidates that were taken early may be covered by later ones.
    for scope in found.clone() {
        let spare = |choice: &BTreeSet<usize>| choice.iter().any(|other| *other != scope && found.contains(other));
        if choices.iter().all(spare) {
            found.retain(|other| *other != scope);
        }
    }
    found
}
