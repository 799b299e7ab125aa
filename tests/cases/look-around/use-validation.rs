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
