//! Enums with numeric values are decoded, and unknown numbers are preserved.

use int_enums_types::runtime::{OpenEnum as _, json};
use int_enums_types::{Floor, Height, Level};

#[test]
fn values_are_numbers_on_the_wire() {
    let floor: Floor = json::from_str(r#"{"level":0,"others":[-1,11,7,null,10.0],"height":-1}"#).expect("a floor");
    assert_eq!(json::to_string(&floor).expect("JSON"), r#"{"level":0,"others":[-1,10,7,null,10],"height":-1}"#);
    assert_eq!((floor.level.as_ref(), floor.others[0].as_ref()), (Some(&Level::Ground), Some(&Level::Below)));
    assert!(floor.others[2].as_ref().is_some_and(|level| !level.is_known() && level.as_str() == "7"));
    assert!(matches!(&floor.height, Some(Height::Level(Level::Below))));
    assert_eq!((Floor::default().level_or_default(), Level::default()), (&Level::Below, Level::Ground));
    for invalid in [r#"{"level":"0"}"#, r#"{"level":1.5}"#, r#"{"level":true}"#] {
        assert!(json::from_str::<Floor>(invalid).is_err(), "{invalid}");
    }
}
