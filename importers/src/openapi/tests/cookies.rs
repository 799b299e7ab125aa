//! Lists in cookies.

use serde_json::json;

use super::parameters::import_parameters;

#[test]
fn lists_in_cookies_are_repeated_or_separated_by_commas() {
    let list = json!({ "type": "array", "items": { "type": "integer" }, "maxItems": 3 });
    let either = json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] });
    let mixed = json!({ "type": "array", "items": { "type": ["string", "integer"] } });
    let (operation, losses, _) = import_parameters(json!([
        { "name": "a", "in": "cookie", "schema": list },
        { "name": "b", "in": "cookie", "style": "form", "explode": false, "schema": list },
        { "name": "c", "in": "cookie", "schema": either },
        { "name": "d", "in": "cookie", "schema": mixed },
    ]));
    assert_eq!(
        operation["cookies"],
        json!({
            "a": { "type": ["int64"], "items": "..=3" },
            "b": { "type": ["int64"], "items": "..=3", "style": "comma" },
            "c": { "type": ["string"] },
            "d": { "type": ["string"] },
        })
    );
    assert_eq!(losses, ["its elements become `string`: a list in a parameter has elements of one type"]);
}

#[test]
fn other_styles_and_elements_in_cookies_are_losses() {
    let objects =
        json!({ "type": "array", "items": { "type": "object", "properties": { "x": { "type": "string" } } } });
    let (operation, losses, _) = import_parameters(json!([
        { "name": "a", "in": "cookie", "schema": objects },
        { "name": "b", "in": "cookie", "style": "pipeDelimited", "schema": { "type": "array", "items": { "type": "string" } } },
    ]));
    assert_eq!(operation["cookies"], json!({ "a": { "type": "string" }, "b": { "type": "string" } }));
    assert_eq!(
        losses,
        [
            "becomes `string`: a list in a cookie must contain single values",
            "becomes `string`: the style `pipeDelimited` is not supported in cookies",
        ]
    );
}
