use serde_json::{Value, json};

use super::*;
use crate::json::{from_str, to_string};

fn applied(document: &Value, patch: &str) -> Result<Value, JsonPatchErrorKind> {
    let patch: JsonPatch = from_str(patch).expect("a patch");
    let before = document.clone();
    let outcome = patch.apply(document).map_err(|error| error.kind);
    assert_eq!(*document, before, "a patch is applied to a copy");
    outcome
}

/// Cases of the appendix of RFC 6902, with other data.
#[test]
fn cases_of_the_specification() {
    let cases = [
        // A.1: adding a member.
        (json!({"tea": 1}), r#"[{"op":"add","path":"/milk","value":2}]"#, json!({"tea": 1, "milk": 2})),
        // A.2: inserting an element.
        (json!({"a": [1, 3]}), r#"[{"op":"add","path":"/a/1","value":2}]"#, json!({"a": [1, 2, 3]})),
        // A.3, A.4: removing a member and an element.
        (json!({"x": 1, "y": 2}), r#"[{"op":"remove","path":"/y"}]"#, json!({"x": 1})),
        (json!({"a": [1, 2, 3]}), r#"[{"op":"remove","path":"/a/1"}]"#, json!({"a": [1, 3]})),
        // A.5: replacing a value.
        (json!({"x": 1, "y": 2}), r#"[{"op":"replace","path":"/y","value":[0]}]"#, json!({"x": 1, "y": [0]})),
        // A.6, A.7: moving a member to another object, and an element to another index.
        (
            json!({"a": {"x": 1, "y": 2}, "b": {}}),
            r#"[{"op":"move","from":"/a/y","path":"/b/z"}]"#,
            json!({"a": {"x": 1}, "b": {"z": 2}}),
        ),
        (json!({"a": [1, 3, 4, 2]}), r#"[{"op":"move","from":"/a/3","path":"/a/1"}]"#, json!({"a": [1, 2, 3, 4]})),
        // A.8: comparing equal values.
        (
            json!({"x": "y", "a": [1, "b"]}),
            r#"[{"op":"test","path":"/x","value":"y"},{"op":"test","path":"/a/1","value":"b"}]"#,
            json!({"x": "y", "a": [1, "b"]}),
        ),
        // A.10: adding an object.
        (json!({"x": 1}), r#"[{"op":"add","path":"/y","value":{"z":2}}]"#, json!({"x": 1, "y": {"z": 2}})),
        // A.11: ignoring other members.
        (json!({}), r#"[{"op":"add","path":"/y","value":2,"note":9}]"#, json!({"y": 2})),
        // A.14: names with `~` and `/`; a string differs from a number.
        (json!({"/": 9, "~1": 10}), r#"[{"op":"test","path":"/~01","value":10}]"#, json!({"/": 9, "~1": 10})),
        // A.16: appending an array to an array.
        (json!({"a": [1]}), r#"[{"op":"add","path":"/a/-","value":[2,3]}]"#, json!({"a": [1, [2, 3]]})),
        // Section 4.1: the whole value, and an existing member.
        (json!({"a": 1}), r#"[{"op":"add","path":"","value":5}]"#, json!(5)),
        (json!({"a": 1}), r#"[{"op":"add","path":"/a","value":null}]"#, json!({"a": null})),
        // Section 4.5: a copy, and a copy into itself.
        (json!({"a": {"b": 1}}), r#"[{"op":"copy","from":"/a","path":"/a/c"}]"#, json!({"a": {"b": 1, "c": {"b": 1}}})),
        // A move to the same location changes nothing.
        (json!({"a": 1}), r#"[{"op":"move","from":"/a","path":"/a"}]"#, json!({"a": 1})),
        (json!({"a": {"b": 1}}), r#"[{"op":"move","from":"/a/b","path":"/a"}]"#, json!({"a": 1})),
        (json!({"": {"": 1}}), r#"[{"op":"replace","path":"//","value":2}]"#, json!({"": {"": 2}})),
    ];
    for (document, patch, expected) in cases {
        assert_eq!(applied(&document, patch), Ok(expected), "{patch}");
    }
}

#[test]
fn operations_that_fail_change_nothing() {
    use JsonPatchErrorKind::{InvalidIndex, MoveIntoSelf, NotAContainer, NotEqual, NotFound};
    let document = json!({"a": [1, 2], "b": {"c": "d"}, "n": 1, "10": 10, "~1": 10});
    for (patch, expected) in [
        // A.9, A.15: a string is not a number.
        (r#"[{"op":"test","path":"/b/c","value":"e"}]"#, NotEqual),
        (r#"[{"op":"test","path":"/~01","value":"10"}]"#, NotEqual),
        // A.12: the parent of an added value exists.
        (r#"[{"op":"add","path":"/x/y","value":1}]"#, NotFound),
        (r#"[{"op":"remove","path":"/n"},{"op":"test","path":"/n","value":1}]"#, NotFound),
        (r#"[{"op":"replace","path":"/x","value":1}]"#, NotFound),
        (r#"[{"op":"remove","path":"/x"}]"#, NotFound),
        (r#"[{"op":"remove","path":"/a/2"}]"#, InvalidIndex),
        (r#"[{"op":"remove","path":"/a/-"}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/a/3","value":1}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/a/01","value":1}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/a/+1","value":1}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/a/","value":1}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/a/99999999999999999999999","value":1}]"#, InvalidIndex),
        (r#"[{"op":"add","path":"/n/x","value":1}]"#, NotAContainer),
        (r#"[{"op":"test","path":"/b/c/d","value":1}]"#, NotAContainer),
        (r#"[{"op":"move","from":"/b","path":"/b/e"}]"#, MoveIntoSelf),
        (r#"[{"op":"move","from":"","path":"/b"}]"#, MoveIntoSelf),
        (r#"[{"op":"copy","from":"/x","path":"/y"}]"#, NotFound),
    ] {
        assert_eq!(applied(&document, patch), Err(expected), "{patch}");
    }
    let patch = JsonPatch::new().remove("/a").remove("/x");
    let error = patch.apply(&document).unwrap_err();
    assert_eq!((error.operation, error.path.as_str()), (Some(1), "/x"));
    assert_eq!(error.to_string(), "operation 1 at `/x`: the value does not exist");
}

#[test]
fn numbers_are_compared_as_numbers() {
    let document = json!({"a": 1, "b": 1.5, "c": 9_007_199_254_740_993_u64, "d": [{"x": -2}], "e": u64::MAX});
    for (path, value, is_equal) in [
        ("/a", json!(1.0), true),
        ("/a", json!(1.5), false),
        ("/a", json!("1"), false),
        ("/b", json!(1.5), true),
        ("/c", json!(9_007_199_254_740_992.0), false),
        ("/c", json!(9_007_199_254_740_993_u64), true),
        ("/d", json!([{"x": -2.0}]), true),
        ("/e", json!(18_446_744_073_709_551_616.0), false),
        ("/e", json!(1e300), false),
    ] {
        assert_eq!(JsonPatch::new().test(path, value.clone()).apply(&document).is_ok(), is_equal, "{path} {value}");
    }
}

#[test]
fn documents_are_read_and_written() {
    let text =
        r#"[{"op":"add","path":"/a~1b","value":null},{"op":"move","from":"/x","path":"/y"},{"op":"remove","path":""}]"#;
    let patch: JsonPatch = from_str(text).unwrap();
    let built = JsonPatch::new()
        .add(JsonPointer::from_tokens(["a/b"]), Value::Null)
        .move_to("/x", "/y")
        .remove(JsonPointer::root());
    assert_eq!(patch, built);
    assert_eq!(to_string(&patch).unwrap(), text);
    for wrong in [
        "{}",
        "null",
        "[1]",
        "[{}]",
        r#"[{"op":"add","path":"/a"}]"#,
        r#"[{"op":"add","value":1}]"#,
        r#"[{"op":"spam","path":"/a"}]"#,
        r#"[{"op":"Add","path":"/a","value":1}]"#,
        r#"[{"op":"move","path":"/a"}]"#,
        r#"[{"op":"remove","path":"a"}]"#,
        r#"[{"op":"remove","path":"/~"}]"#,
        r#"[{"op":"remove","path":"/~2"}]"#,
        r#"[{"op":"remove","path":null}]"#,
        // A.13: duplicate members.
        r#"[{"op":"add","path":"/a","value":1,"op":"remove"}]"#,
    ] {
        assert!(from_str::<JsonPatch>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn pointers() {
    let tokens = |text: &str| -> Vec<String> { JsonPointer::parse(text).unwrap().tokens().map(Into::into).collect() };
    assert!(tokens("").is_empty());
    assert_eq!(tokens("/"), [""]);
    assert_eq!(tokens("/a//~1~0~01"), ["a", "", "/~~1"]);
    assert_eq!(JsonPointer::from_tokens(["a/b", "~", "0"]).as_str(), "/a~1b/~0/0");
    assert_eq!(JsonPointer::from("a/~x").as_str(), "/a/~0x");
    assert!("a".parse::<JsonPointer>().is_err_and(|error| error.to_string().contains("start with `/`")));
}

#[test]
fn typed_values() {
    let patched = JsonPatch::new().add("/b", 2).apply_to(&std::collections::BTreeMap::from([("a".to_owned(), 1)]));
    assert_eq!(patched.map(|map| map.len()), Ok(2));
    let patch = JsonPatch::new().add("/b", "text");
    let error = patch.apply_to(&std::collections::BTreeMap::from([("a".to_owned(), 1)])).unwrap_err();
    assert!(matches!(error.kind, JsonPatchErrorKind::Invalid(_)), "{error}");
}

/// Patches that would multiply a value, nest it without limit, or shift an array repeatedly.
#[test]
fn hostile_patches() {
    let copies = |from: &str, path: &dyn Fn(usize) -> String| {
        (0..64).fold(JsonPatch::new(), |patch, at| patch.copy_to(from, path(at).as_str()))
    };
    let kind = |document: &Value, patch: &JsonPatch| patch.apply(document).map(drop).map_err(|error| error.kind);
    // Each copy doubles the value.
    assert_eq!(kind(&json!({}), &copies("", &|at| format!("/c{at}"))), Err(JsonPatchErrorKind::TooLarge));
    // Small objects take far more memory than text.
    let doubled = (0..21).fold(JsonPatch::new(), |patch, _| patch.copy_to("/a", "/a/-"));
    assert_eq!(kind(&json!({"a": [{"": 0}]}), &doubled), Err(JsonPatchErrorKind::TooLarge));
    let less = (0..15).fold(JsonPatch::new(), |patch, _| patch.copy_to("/a", "/a/-"));
    assert_eq!(kind(&json!({"a": [{"": 0}]}), &less), Ok(()));
    // Each copy is one level deeper.
    let deeper = (0..200).fold(JsonPatch::new(), |patch, _| patch.copy_to("/a", "/b").move_to("/b", "/a/a"));
    assert_eq!(kind(&json!({"a": {}}), &deeper), Err(JsonPatchErrorKind::TooDeep));
    let mut path = String::new();
    let deep = (0..1000).fold(JsonPatch::new(), |patch, _| {
        path.push_str("/a");
        patch.add(path.as_str(), json!({}))
    });
    assert_eq!(kind(&json!({}), &deep), Err(JsonPatchErrorKind::TooDeep));
    let long: Value = (0..100_000).map(Value::from).collect();
    let shifts = (0..1000).fold(JsonPatch::new(), |patch, _| patch.add("/0", 0));
    assert_eq!(kind(&long, &shifts), Err(JsonPatchErrorKind::TooLarge));
    let text = json!({"t": "x".repeat(1 << 20)});
    assert_eq!(kind(&text, &copies("/t", &|at| format!("/c{at}"))), Err(JsonPatchErrorKind::TooLarge));
    assert_eq!(
        kind(&json!({"a": 1}), &JsonPatch::new().test(format!("/{}", "a/".repeat(100_000)).as_str(), 1)),
        Err(JsonPatchErrorKind::NotAContainer)
    );
}

/// RFC 6902, section 4: members that an operation does not define are ignored.
#[test]
fn members_of_other_operations_are_ignored() {
    for text in [
        r#"[{"op": "remove", "path": "/a", "from": null, "value": 1}]"#,
        r#"[{"op": "add", "path": "/a", "value": 1, "from": 5}]"#,
    ] {
        assert!(crate::json::from_str::<JsonPatch>(text).is_ok(), "{text}");
    }
    for from in ["5", "null", "\"a\""] {
        let text = format!(r#"[{{"op": "move", "path": "/a", "from": {from}}}]"#);
        assert!(crate::json::from_str::<JsonPatch>(&text).is_err(), "{text}");
    }
}
