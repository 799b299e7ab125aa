//! OpenAPI documents: written folders, repeated runs and errors.

use super::place::{Place, SHOP};

#[test]
fn openapi_import_can_be_generated() {
    let place = Place::new();
    place.write("shop.yaml", SHOP);
    let import = |place: &Place| place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    let (success, output) = import(&place);
    assert!(success && place.text("schemas/shop/operations.yaml").contains("http: GET /items/{id}"), "{output}");
    assert_eq!(import(&place), (true, "schemas/shop: nothing to change\n".to_owned()));
    let (success, output) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(success && place.path("out/shop-types").is_dir(), "{output}");
    // The generated document can be imported again, as the same schema.
    place.write("shop.yaml", &place.text("out/shop-server/openapi.json"));
    let (success, output) = place.command(&["import", "openapi", "--into", "again", "shop.yaml"]);
    assert!(success && place.text("again/shop/operations.yaml").contains("http: GET /items/{id}"), "{output}");
}

#[test]
fn openapi_errors_are_located() {
    let table = [
        (
            SHOP.replace("#/components/schemas/Item", "items.yaml#/Item"),
            "shop.yaml:13:50",
            "`items.yaml#/Item`: file not found",
        ),
        (SHOP.replace("info:", "openapi:"), "shop.yaml:2:1", "duplicate key `openapi`"),
        (SHOP.replace("Reads a thing", "*words"), "shop.yaml:7:16", "no anchor for alias `*words` found before it"),
        (SHOP.replace("3.0.3", "2.0"), "shop.yaml:1:10", "unsupported OpenAPI version `2.0`"),
        (format!("{SHOP}    Deep: {}\n", "{ a: ".repeat(50_000)), "shop.yaml:21", "is nested too deeply"),
    ];
    let place = Place::new();
    for (text, at, reported) in table {
        place.write("shop.yaml", &text);
        let (success, output) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
        assert!(!success && output.contains(at) && output.contains(reported), "{output}");
        assert!(!place.path("schemas").exists());
    }
    // A dangling reference is a loss, and everything else is written.
    place.write("shop.yaml", &SHOP.replace("schemas/Item'", "schemas/Thing'"));
    let (success, output) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    assert!(!success && output.contains("loss: shop.yaml:13:50") && output.contains("nothing found at"), "{output}");
    assert!(place.path("schemas").exists());
}
