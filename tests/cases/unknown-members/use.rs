//! Unknown fields are preserved, and patches change them.

use unknown_members_types::runtime::{Merge as _, json};
use unknown_members_types::{Bag, Settings, SettingsPatch};

#[test]
fn unknown_fields_are_preserved_and_patched() {
    let wire = r#"{"theme":"dark","later":{"a":[1,null]},"none":null}"#;
    let old: Settings = json::from_str(wire).expect("settings");
    assert_eq!(json::to_string(&old).expect("JSON"), wire);
    let new: Settings = json::from_str(r#"{"theme":"dark","later":2}"#).expect("settings");
    let patch = old.diff(&new).expect("a difference");
    assert_eq!(json::to_string(&patch).expect("JSON"), r#"{"later":2,"none":null}"#);
    let over_the_wire: SettingsPatch = json::from_str(r#"{"later":2,"none":null}"#).expect("a patch");
    for patch in [patch, over_the_wire] {
        let mut changed = old.clone();
        changed.apply(patch);
        assert_eq!(changed, new);
    }
    let bag: Bag = json::from_str(r#"{"anything":1}"#).expect("a bag");
    assert_eq!((bag.unknown_members.len(), json::to_string(&bag).expect("JSON").as_str()), (1, r#"{"anything":1}"#));
    assert!(json::from_str::<Bag>(r#"{"twice":1,"twice":2}"#).is_err());
}
