//! Smallest set of scopes for operations.

use wireform_client::scopes::{all, smallest, urls};
use wireform_client::wire::Naming;
use wireform_client::wire::naming::AliasedName;
use wireform_client::wire::operation::{Api, AuthRequirement, ErrorFields, Operation, RoleValues, Scope};

/// The scope `s0`, `s1`, ….
fn scope(number: usize) -> &'static Scope {
    let url: &'static str = format!("https://example.com/s{number}").leak();
    let scope = Scope::new(format!("s{number}").leak(), url);
    Box::leak(Box::new(scope.aliases(vec![&*format!("{url}.public").leak()].leak())))
}

fn scopes(numbers: &[usize]) -> &'static [&'static Scope] {
    numbers.iter().map(|number| scope(*number)).collect::<Vec<_>>().leak()
}

/// An API with that many scopes.
fn api(count: usize) -> &'static Api {
    Box::leak(Box::new(Api {
        name: "sample",
        version: "v1",
        root_url: None,
        base_path: AliasedName::new(""),
        endpoints: &[],
        batch: None,
        unimplemented: &[],
        scopes: (0..count).map(scope).collect::<Vec<_>>().leak(),
        standard_parameters: &[],
        role_values: RoleValues::STANDARD,
        errors: ErrorFields::default(),
    }))
}

fn operation(scopes: AuthRequirement) -> &'static Operation {
    Box::leak(Box::new(Operation {
        name: "sample",
        method: "GET",
        path: &[],
        verb: None,
        parameters: &[],
        scopes,
        api_key: false,
        safe: true,
        idempotent: true,
        cost: 1,
    }))
}

fn any(numbers: &[usize]) -> &'static Operation {
    operation(AuthRequirement::AnyOf(scopes(numbers)))
}

fn every(numbers: &[usize]) -> &'static Operation {
    operation(AuthRequirement::AllOf(scopes(numbers)))
}

fn number(scope: &Scope) -> usize {
    scope.name[1..].parse().unwrap()
}

fn chosen(count: usize, operations: &[&'static Operation], all: &[&'static Operation]) -> Vec<usize> {
    smallest(api(count), operations, all).into_iter().map(number).collect()
}

#[test]
fn no_operations_need_no_scopes() {
    assert!(chosen(3, &[], &[any(&[0])]).is_empty());
    assert!(chosen(3, &[operation(AuthRequirement::None)], &[]).is_empty());
    assert!(chosen(3, &[any(&[]), every(&[])], &[]).is_empty(), "an empty list requires no scope");
    assert_eq!(chosen(3, &[any(&[]), any(&[1, 2])], &[]), [1], "and does not satisfy other lists");
}

#[test]
fn required_scopes_satisfy_choices() {
    assert_eq!(chosen(4, &[every(&[3, 1])], &[]), [1, 3]);
    assert_eq!(chosen(4, &[every(&[3, 1]), any(&[0, 3])], &[]), [1, 3]);
    assert_eq!(chosen(4, &[any(&[2]), any(&[0, 2]), any(&[0, 1])], &[]), [0, 2]);
}

#[test]
fn one_scope_for_all_is_better_than_one_each() {
    let operations = [any(&[0, 3]), any(&[1, 3]), any(&[2, 3])];
    assert_eq!(chosen(4, &operations, &operations), [3]);
}

#[test]
fn of_equal_sets_the_one_that_allows_least_is_taken() {
    // `s0` may write, `s1` and `s2` may read.
    let (write, read) = (any(&[0]), any(&[0, 1, 2]));
    let wide = any(&[1]);
    assert_eq!(chosen(3, &[read], &[write, write, read]), [1]);
    assert_eq!(chosen(3, &[read], &[write, write, read, wide]), [2], "`s1` allows one more");
    assert_eq!(chosen(3, &[read], &[]), [0], "the first of equal choices");
    // Operations that the required scope allows do not count against another one.
    let demanded = every(&[3]);
    let anyway = any(&[1, 3]);
    assert_eq!(chosen(4, &[demanded, any(&[1, 2])], &[anyway, anyway, any(&[2])]), [1, 3]);
    // An operation that requires two scopes is allowed by both of them together only, and never by scopes that are no
    // candidates.
    let both = every(&[0, 1]);
    assert_eq!(chosen(4, &[any(&[0, 2]), any(&[1, 2]), any(&[0, 1])], &[both]), [0, 2]);
    assert_eq!(chosen(4, &[any(&[0, 1])], &[every(&[0, 3]), every(&[0, 3]), every(&[1])]), [0]);
}

#[test]
fn the_order_of_the_question_does_not_matter() {
    let operations = [any(&[0, 1]), any(&[1, 2]), any(&[2, 3]), any(&[3, 0])];
    let mut turned = operations;
    turned.reverse();
    assert_eq!(chosen(4, &operations, &operations), [0, 2]);
    assert_eq!(chosen(4, &turned, &turned), [0, 2]);
    assert_eq!(chosen(4, &operations.repeat(50), &operations.repeat(50)), [0, 2]);
}

/// Deterministic generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn operation(&mut self, scopes: usize) -> &'static Operation {
        let list: Vec<usize> = (0..=self.below(4)).map(|_| self.below(scopes)).collect();
        if self.below(6) == 0 { every(&list[..1.max(list.len() / 2)]) } else { any(&list) }
    }
}

fn allows(set: u32, operation: &Operation) -> bool {
    let held = |scope: &&Scope| set & 1 << number(scope) != 0;
    match operation.scopes {
        AuthRequirement::None | AuthRequirement::Schemes(_) => true,
        AuthRequirement::AnyOf(scopes) => scopes.is_empty() || scopes.iter().any(held),
        AuthRequirement::AllOf(scopes) => scopes.iter().all(held),
    }
}

#[test]
fn the_choice_is_the_best_of_all_sets() {
    let mut numbers = Numbers(7);
    for round in 0..300 {
        let count = 1 + numbers.below(9);
        let all: Vec<_> = (0..1 + numbers.below(20)).map(|_| numbers.operation(count)).collect();
        let operations: Vec<_> = all.iter().copied().filter(|_| numbers.below(2) == 0).collect();
        let sets = (0..1_u32 << count).filter(|set| operations.iter().all(|operation| allows(*set, operation)));
        let rank = |set: &u32| {
            let allowed = all.iter().filter(|operation| allows(*set, operation)).count();
            (set.count_ones(), allowed, !set.reverse_bits())
        };
        let best = sets.min_by_key(rank).unwrap();
        let expected: Vec<usize> = (0..count).filter(|scope| best & 1 << scope != 0).collect();
        assert_eq!(chosen(count, &operations, &all), expected, "round {round}");
    }
}

#[test]
fn twenty_four_scopes_are_searched_exactly() {
    // A greedy search would begin with `s0`, and need two more.
    let lists: [&[usize]; 6] = [&[0, 1, 5], &[0, 1, 6], &[0, 2, 7], &[0, 2, 8], &[1, 3], &[2, 4]];
    let operations = lists.map(any);
    assert_eq!(chosen(24, &operations, &operations), [1, 2]);
    // Many choices of many scopes: the result has twelve scopes, and is found quickly.
    let pairs: Vec<_> = (0..12).map(|pair| any(&[2 * pair, 2 * pair + 1])).collect();
    let odd: Vec<_> = (0..12).map(|pair| any(&[2 * pair])).collect();
    let all: Vec<_> = pairs.iter().chain(&odd).copied().collect();
    assert_eq!(chosen(24, &pairs, &all), (0..12).map(|pair| 2 * pair + 1).collect::<Vec<_>>());
    let triples: Vec<_> = (0..24).flat_map(|a| (0..a.min(4)).map(move |b| any(&[a, b, (a + b) % 24]))).collect();
    let found = chosen(24, &triples, &triples);
    let set = found.iter().fold(0, |set, scope| set | 1 << scope);
    assert!(triples.iter().all(|operation| allows(set, operation)));
}

#[test]
fn greedy_set_covers_without_superfluous_scopes() {
    let mut numbers = Numbers(11);
    for _ in 0..50 {
        let operations: Vec<_> =
            (0..60).map(|_| any(&[numbers.below(100), numbers.below(100), numbers.below(100)])).collect();
        let found = chosen(100, &operations, &operations);
        let covers = |without: Option<usize>| {
            let held = |scope: &&Scope| found.contains(&number(scope)) && Some(number(scope)) != without;
            operations
                .iter()
                .all(|operation| matches!(operation.scopes, AuthRequirement::AnyOf(any) if any.iter().any(held)))
        };
        assert!(covers(None));
        assert!(found.iter().all(|scope| !covers(Some(*scope))), "{found:?}");
        assert_eq!(chosen(100, &operations, &operations), found);
    }
    let shared: Vec<_> = (0..30).map(|scope| any(&[scope, 77])).collect();
    assert_eq!(chosen(100, &shared, &shared), [77]);
}

#[test]
fn a_scope_that_the_api_does_not_have_is_skipped() {
    assert_eq!(chosen(2, &[every(&[1, 9])], &[any(&[99])]), [1]);
}

#[test]
fn scopes_are_spelled_as_the_peer_spells_them() {
    let api = api(2);
    assert_eq!(urls(&all(api), Naming::Specification), ["https://example.com/s0", "https://example.com/s1"]);
    assert_eq!(urls(&all(api)[1..], Naming::Public), ["https://example.com/s1.public"]);
}
