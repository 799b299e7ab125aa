//! What a merge patch may leave out, and what it may not remove.

use behavior_validation::Validate as _;
use behavior_validation::requests::ItemsPatch;
use behavior_validation::types::ItemPatch;
use behavior_validation::types::runtime::Patch;

fn summary(patch: ItemPatch) -> Vec<String> {
    let violations = ItemsPatch::new("id", patch).validate().err();
    violations.iter().flatten().map(|one| format!("{} {}", one.path, one.rule)).collect()
}

/// The title is required where an item is made, and `items.patch` is named beside it.
#[test]
fn a_member_that_is_required_in_a_patch_can_be_left_out_and_not_removed() {
    assert_eq!(summary(ItemPatch::default()), [""; 0]);
    assert_eq!(summary(ItemPatch { title: Patch::Set("Lamp".into()), ..ItemPatch::default() }), [""; 0]);
    assert_eq!(summary(ItemPatch { title: Patch::Clear, ..ItemPatch::default() }), ["title required"]);
    assert_eq!(summary(ItemPatch { parent: Patch::Clear, ..ItemPatch::default() }), [""; 0]);
}
