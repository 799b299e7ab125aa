//! Violations of sensitive fields contain nothing of their values: no length, no unknown value, no key of a map.

use sensitive_validation::requests::{AccountsInsert, AccountsPatch};
use sensitive_validation::types::runtime::Patch;
use sensitive_validation::types::{Account, AccountPatch, Level, Owner};
use sensitive_validation::{Validate as _, read};

#[test]
fn violations_do_not_reveal_values() {
    let account = Account::default()
        .with_pin("hunter2")
        .with_level(Level::from("hunter2"))
        .with_limits([("hunter2".to_owned(), 1), ("a".to_owned(), 2), ("b".to_owned(), 3)])
        .with_keys(["x"])
        .with_owner(Owner::default());
    let violations = AccountsInsert::new(account).validate().expect_err("violations");
    let found: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "pin: must have 4 to 6 characters (length)",
            "level: is not a value of Level (known_value)",
            "limits: must have at most 2 elements (items)",
            "keys[0]: must have at least 2 characters (length)",
        ]
    );
    assert!(!format!("{violations:?}").contains("hunter2"));
}

#[test]
fn violations_of_a_patch_do_not_reveal_values() {
    let patch = AccountPatch { pin: Patch::Set("x".into()), ..AccountPatch::default() };
    let violations = AccountsPatch::new("1", patch).validate().expect_err("a violation");
    assert_eq!(violations.to_string(), "pin: must have 4 to 6 characters (length)");
}

#[test]
fn violations_of_json_do_not_reveal_values() {
    let wire = br#"{"pin":["hunter2"],"limits":{"hunter2":"hunter2"},"owner":{"born":"hunter2"}}"#;
    let violations = read::<Account>(wire).expect_err("violations");
    assert!(!format!("{violations:?}{violations}").contains("hunter2"), "{violations}");
}
