//! OpenAPI documents: written folders, repeated runs and errors.

use super::place::{Place, SHOP};

#[test]
fn openapi_import_can_be_generated() {
    let place = Place::new();
    place.write("shop.yaml", SHOP);
    let import = |place: &Place| place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    let (fine, said) = import(&place);
    assert!(fine && place.text("schemas/shop/operations.yaml").contains("http: GET /items/{id}"), "{said}");
    assert_eq!(import(&place), (true, "schemas/shop: nothing to change\n".to_owned()));
    let (fine, said) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(fine && place.path("out/shop-types").is_dir(), "{said}");
    // The generated document can be imported again, as the same schema.
    place.write("shop.yaml", &place.text("out/shop-server/openapi.json"));
    let (fine, said) = place.command(&["import", "openapi", "--into", "again", "shop.yaml"]);
    assert!(fine && place.text("again/shop/operations.yaml").contains("http: GET /items/{id}"), "{said}");
}

#[test]
fn openapi_errors_are_located() {
    let table = [
        (SHOP.replace("#/components/schemas/Item", "items.yaml#/Item"), "shop.yaml:11:82", "bundle the documents"),
        (SHOP.replace("info:", "openapi:"), "shop.yaml:2:1", "duplicate key `openapi`"),
        (SHOP.replace("Reads a thing", "*words"), "shop.yaml:7:16", "no anchor for alias `*words` found before it"),
        (SHOP.replace("3.0.3", "2.0"), "shop.yaml:1:10", "unsupported OpenAPI version `2.0`"),
        (format!("{SHOP}    Deep: {}\n", "{ a: ".repeat(50_000)), "shop.yaml:19", "is nested too deeply"),
    ];
    let place = Place::new();
    for (text, at, reported) in table {
        place.write("shop.yaml", &text);
        let (fine, said) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
        assert!(!fine && said.contains(at) && said.contains(reported), "{said}");
        assert!(!place.path("schemas").exists());
    }
    // A dangling reference is a loss, and everything else is written.
    place.write("shop.yaml", &SHOP.replace("schemas/Item'", "schemas/Thing'"));
    let (fine, said) = place.command(&["import", "openapi", "--into", "schemas", "shop.yaml"]);
    assert!(!fine && said.contains("loss: shop.yaml:11:82") && said.contains("nothing found at"), "{said}");
    assert!(place.path("schemas").exists());
}
