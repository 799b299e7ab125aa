//! The warning about a field without effect names its condition, unless the operation always ignores the field.

use writes_validation::requests::{ParcelsImport, ParcelsInsert, ParcelsPatch};
use writes_validation::types::runtime::Patch;
use writes_validation::types::{Kind, Parcel, ParcelPatch};
use writes_validation::{Validate as _, Violations, Warnings};

const UNLESS: &str = "note: has no effect unless `params.notes`: the server ignores it";

fn messages(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|one| format!("{}: {}", one.path, one.message())).collect()
}

#[test]
fn an_ignored_field_is_explained() {
    let parcel = Parcel::default().with_note("a").with_kind(Kind::Box);
    let mut request = ParcelsInsert::new(parcel.clone());
    assert_eq!(messages(request.validate()), [UNLESS]);
    request.notes = Some(true);
    assert_eq!(messages(request.validate()), [""; 0]);
    assert_eq!(
        messages(ParcelsImport::new(parcel).validate()),
        ["note", "kind"].map(|field| format!("{field}: has no effect in this operation: the server ignores it"))
    );
    let patch = ParcelPatch { note: Patch::Set("a".into()), ..ParcelPatch::default() };
    assert_eq!(messages(ParcelsPatch::new("abc", patch).validate()), [UNLESS]);
}
