//! Required fields may be absent from a merge patch, but must not be removed by it.

use behavior_validation::Validate as _;
use behavior_validation::requests::ItemsPatch;
use behavior_validation::types::ItemPatch;
use behavior_validation::types::runtime::Patch;

fn summary(patch: ItemPatch) -> Vec<String> {
    let violations = ItemsPatch::new("id", patch).validate().err();
    violations.iter().flatten().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

/// The schema lists `items.patch` among the operations that require the title.
#[test]
fn a_required_field_can_be_absent_from_a_patch_but_not_removed() {
    assert_eq!(summary(ItemPatch::default()), [""; 0]);
    assert_eq!(summary(ItemPatch { title: Patch::Set("Lamp".into()), ..ItemPatch::default() }), [""; 0]);
    assert_eq!(summary(ItemPatch { title: Patch::Clear, ..ItemPatch::default() }), ["title required"]);
    assert_eq!(summary(ItemPatch { parent: Patch::Clear, ..ItemPatch::default() }), [""; 0]);
}
