//! Aliases are read, canonical names are written, unknown values survive and match apart. Enums with the same values are one.

use enums_types::runtime::{OpenEnum as _, json};
use enums_types::{Color, Paint, Smell, Taste};

#[test]
fn values_come_back_under_their_canonical_names() {
    let paint: Paint = json::from_str(r#"{"color":"azure","mix":["blue","24_bit","mauve"],"shades":{"a":"UNKNOWN"}}"#).expect("paint");
    assert_eq!(json::to_string(&paint).expect("JSON"), r#"{"color":"BLUE","mix":["BLUE","24_bit","mauve"],"shades":{"a":"UNKNOWN"}}"#);
    assert_eq!(paint.shades["a"], Color::Unseen);
    assert!(matches!(&paint.mix[2], Color::Unknown(value) if value.as_str() == "mauve"));
    assert_eq!((Color::default(), Paint::default().color_or_default()), (Color::Red, &Color::Blue));
    assert_eq!(Color::Type.as_str(), "type");
}

#[test]
fn a_value_of_one_enum_is_one_of_another_with_the_same_values() {
    let smell: Smell = Taste::Sour;
    let paint = Paint { taste: Some(smell.clone()), ..Paint::default() }.with_smell(smell);
    assert_eq!(json::to_string(&paint).expect("JSON"), r#"{"smell":"sour","taste":"sour"}"#);
}
