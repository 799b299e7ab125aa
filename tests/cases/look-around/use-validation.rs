//! Look-around is a condition on the whole text.

use look_around_validation::Validate as _;
use look_around_validation::types::Account;

fn is_valid(password: &str) -> bool {
    Account::default().with_password(password).validate().is_ok()
}

#[test]
fn a_password_satisfies_every_condition() {
    assert!(is_valid("secret-12"));
    assert!(!is_valid("secret-xy") && !is_valid("secret--1") && !is_valid("short1"));
}

/// The product of the automata would have thousands of states.
#[test]
fn many_conditions_are_checked_one_after_the_other() {
    let is_valid = |code: &str| Account::default().with_code(code).validate().is_ok();
    assert!(is_valid("aB3$efgh") && is_valid("äöüäöüA1a."));
    let invalid = ["aB3$efg", "aB34efgh", "ab3$efgh", "AB3$EFGH", "aBc$efgh", "aB3$ef--"];
    assert_eq!(invalid.map(is_valid), [false; 6]);
}
