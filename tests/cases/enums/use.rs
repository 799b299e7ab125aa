//! Aliases are read, canonical names are written, unknown values survive and match apart. Enums that
//! are for one and the same member are one.

use enums_types::runtime::json;
use enums_types::{Color, Lacquer, LacquerFinish, Paint, PaintFinish, Smell, Taste};

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
fn a_value_for_a_member_is_one_for_the_same_member_of_another() {
    let finish: LacquerFinish = PaintFinish::Matt;
    let (paint, lacquer) = (Paint::default().with_finish(finish.clone()), Lacquer::default().with_finish(finish));
    assert_eq!(json::to_string(&paint).expect("JSON"), json::to_string(&lacquer).expect("JSON"));
}

/// What could not be told of both if they were one.
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
fn enums_that_list_the_same_words_for_different_members_are_two() {
    assert_ne!(Smell::Sour.organ(), Taste::Sour.organ());
}
