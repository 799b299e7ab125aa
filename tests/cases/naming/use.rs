//! Rust names do not affect wire names.

use naming_types::Names;
use naming_types::runtime::json;

#[test]
fn wire_names_are_exact() {
    let names = Names::default()
        .with_type("a")
        .with_self("b")
        .with_type_address("c")
        .with_xgafv("d")
        .with_3d_model("e")
        .with_size("f")
        .with_japanese_name("g")
        .with_key("h");
    let wire = "{\"type\":\"a\",\"self\":\"b\",\"@type\":\"c\",\"$.xgafv\":\"d\",\"3dModel\":\"e\",\"größe\":\"f\",\"名前\":\"g\",\"{curly}\":\"h\"}";
    assert_eq!(json::to_string(&names).expect("JSON"), wire);
    assert_eq!(json::from_str::<Names>(wire).expect("names"), names);
}
