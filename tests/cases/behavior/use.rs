//! Input-only fields are stripped from responses, and output-only fields from requests, at every depth.

use behavior_types::runtime::{FieldBehavior as _, json};
use behavior_types::{Item, ItemPatch};

const FULL: &str = r#"{"id":"1","etag":"e","owner":{"name":"A","verified":true,"secret":"s"},"password":"p","title":"T","people":[{"name":"B","verified":true,"secret":"s"}],"byRole":{"cook":{"name":"C","verified":true,"secret":"s"}},"sizes":{"width":3}}"#;

fn stripped(strip: impl Fn(&mut Item)) -> String {
    let mut item: Item = json::from_str(FULL).expect("an item");
    strip(&mut item);
    json::to_string(&item).expect("JSON")
}

#[test]
fn fields_of_the_other_direction_are_stripped() {
    let sent = stripped(|item| item.strip_output_only("items.patch"));
    assert_eq!(sent, r#"{"password":"p","title":"T","people":[{"name":"B","secret":"s"}],"byRole":{"cook":{"name":"C","secret":"s"}},"sizes":{"width":3}}"#);
    let imported = stripped(|item| item.strip_output_only("items.import"));
    assert!(imported.contains(r#""owner":{"name":"A","secret":"s"}"#), "{imported}");
    let response = stripped(|item| item.strip_input_only("items.patch"));
    assert!(!response.contains("secret") && !response.contains("password") && response.contains("etag"), "{response}");
}

#[test]
fn a_patch_is_stripped_of_output_only_fields() {
    let mut patch: ItemPatch = json::from_str(FULL).expect("a patch");
    patch.strip_output_only("items.patch");
    let sent = json::to_string(&patch).expect("JSON");
    assert!(!sent.contains("verified") && !sent.contains("etag") && !sent.contains("owner") && sent.contains("password"), "{sent}");
}
