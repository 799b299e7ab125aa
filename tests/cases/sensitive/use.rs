//! `Debug` shows `"***"` instead of the values of sensitive fields, at every depth; JSON contains them.

use sensitive_types::requests::AccountsInsert;
use sensitive_types::runtime::{Patch, json};
use sensitive_types::{Account, AccountPatch, Owner};

const WIRE: &str = r#"{"id":"1","pin":"4711","kind":"own","level":"high","limits":{"gold":5},"keys":["ab"],"owner":{"name":"Ana","born":"1970-01-01"}}"#;

#[test]
fn debug_masks_values_and_json_does_not() {
    let account: Account = json::from_str(WIRE).expect("an account");
    assert_eq!(
        format!("{account:?}"),
        r#"Account {"id":"1","pin":"***","kind":"***","level":"***","limits":"***","keys":"***","owner":{"name":"Ana","born":"***"}}"#
    );
    assert_eq!(json::to_string(&account).expect("JSON"), WIRE);
    assert!(format!("{account:#?}").contains(r#""pin": "***""#));
    let request = AccountsInsert::new(account);
    assert!(!format!("{request:?}").contains("4711"));
}

#[test]
fn absent_fields_stay_absent() {
    assert_eq!(format!("{:?}", Account::default()), "Account {}");
    assert_eq!(format!("{:?}", Owner::default()), "Owner {}");
}

#[test]
fn sensitive_fields_of_patches_are_masked() {
    let patch = AccountPatch { pin: Patch::Set("4711".into()), ..AccountPatch::default() };
    assert_eq!(format!("{patch:?}"), r#"AccountPatch {"pin":"***"}"#);
    assert_eq!(json::to_string(&patch).expect("JSON"), r#"{"pin":"4711"}"#);
}
