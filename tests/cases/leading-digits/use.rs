//! Names that begin with a digit, in Rust and on the wire.

use leading_digits_types::_3Model;
use leading_digits_types::runtime::json;

#[test]
fn names_are_those_of_the_schema_on_the_wire() {
    let model = _3Model::default().with_1st("one").with_4th(7);
    assert_eq!((model._4th_or_default(), _3Model::default()._4th_or_default()), (7, 4));
    assert_eq!(json::to_string(&model).expect("JSON"), r#"{"1st":"one","4th":7}"#);
}
