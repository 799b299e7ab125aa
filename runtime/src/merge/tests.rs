use super::*;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

type Table<T> = BTreeMap<String, T>;

fn table<T: std::fmt::Debug>(values: impl Strategy<Value = T>) -> impl Strategy<Value = Table<T>> {
    btree_map("[a-c]", values, 0..4)
}

fn holds<T>(old: &T, new: &T) -> Result<(), TestCaseError>
where
    T: MergeField + Clone + PartialEq + std::fmt::Debug,
    T::Patch: PartialEq + Default + std::fmt::Debug,
{
    let patch = old.diff_field(new);
    prop_assert_eq!(patch == T::Patch::default(), old == new);
    let mut patched = old.clone();
    patched.apply_field(patch);
    prop_assert_eq!(&patched, new);
    Ok(())
}

proptest! {
    #[test]
    fn options(old in option::of(0..3), new in option::of(0..3)) {
        holds(&old, &new)?;
    }

    #[test]
    fn lists(old in vec(0..3, 0..3), new in vec(0..3, 0..3)) {
        holds(&old, &new)?;
    }

    #[test]
    fn maps(old in table(0..3), new in table(0..3)) {
        holds(&old, &new)?;
    }

    #[test]
    fn maps_of_maps_of_lists(
        old in table(table(vec(0..2, 0..2))),
        new in table(table(vec(0..2, 0..2))),
    ) {
        holds(&old, &new)?;
        holds(&Some(Box::new(old)), &Some(Box::new(new)))?;
    }
}

#[test]
fn a_patch_is_minimal() {
    let old = Table::from([("a".to_owned(), 1), ("b".to_owned(), 2), ("c".to_owned(), 3)]);
    let new = Table::from([("a".to_owned(), 1), ("b".to_owned(), 5), ("d".to_owned(), 4)]);
    let patch = [("b", Patch::Set(5)), ("c", Patch::Clear), ("d", Patch::Set(4))].map(|(k, v)| (k.to_owned(), v));
    assert_eq!(old.diff_field(&new), Patch::Set(patch.into()));
    assert_eq!(old.diff_field(&Table::new()), Patch::Clear);
    assert_eq!(Table::<i32>::new().diff_field(&Table::new()), Patch::Keep);
    assert_eq!(Table::create(old.to_patch()), old);
}

#[test]
fn any_values_are_replaced_completely() {
    let (old, new) = (serde_json::json!({"a": 1, "b": 2}), serde_json::json!({"a": null}));
    assert_eq!(old.diff(&new), Some(new));
}
