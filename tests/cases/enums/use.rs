//! Aliases are decoded, canonical names are encoded, and unknown values are preserved. Enums with equal values for
//! fields of the same name are one type.

use enums_types::runtime::json;
use enums_types::{Color, Lacquer, LacquerFinish, Paint, PaintFinish, Smell, Taste};

#[test]
fn values_are_encoded_with_canonical_names() {
    let paint: Paint = json::from_str(r#"{"color":"azure","mix":["blue","24_bit","mauve"],"shades":{"a":"UNKNOWN"}}"#).expect("paint");
    assert_eq!(json::to_string(&paint).expect("JSON"), r#"{"color":"BLUE","mix":["BLUE","24_bit","mauve"],"shades":{"a":"UNKNOWN"}}"#);
    assert_eq!(paint.shades["a"], Color::Unseen);
    assert!(matches!(&paint.mix[2], Color::Unknown(value) if value.as_str() == "mauve"));
    assert_eq!((Color::default(), Paint::default().color_or_default()), (Color::Red, &Color::Blue));
    assert_eq!(Color::Type.as_str(), "type");
}

#[test]
fn equal_fields_of_two_resources_share_an_enum() {
    let finish: LacquerFinish = PaintFinish::Matt;
    let (paint, lacquer) = (Paint::default().with_finish(finish.clone()), Lacquer::default().with_finish(finish));
    assert_eq!(json::to_string(&paint).expect("JSON"), json::to_string(&lacquer).expect("JSON"));
}

/// Can be implemented for both enums only if they are distinct types.
trait Sense {
    fn organ(&self) -> &str;
}

impl Sense for Smell {
    fn organ(&self) -> &str {
        "nose"
    }
}

impl Sense for Taste {
    fn organ(&self) -> &str {
        "tongue"
    }
}

#[test]
fn equal_values_of_different_fields_are_distinct_enums() {
    assert_ne!(Smell::Sour.organ(), Taste::Sour.organ());
}
